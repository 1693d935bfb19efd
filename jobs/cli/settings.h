#ifndef TROMMEL_JOBS_CLI_SETTINGS_H_
#define TROMMEL_JOBS_CLI_SETTINGS_H_

// Settings on their way from the command line to manifests and to the tasks of
// a job. A struct of settings defines each of its members once:
//
//   struct PressSettings {
//     int64_t apples = 12;
//     void Define(cli::Flags* flags) {
//       flags->Integer("apples", &apples, "apples at a time").Between(1, 99);
//     }
//   };
//
//   settings.Define(flags);                  // the verb's flags
//   cli::AddSettings(settings, &spec);       // the step's configuration
//   cli::ReadSettings<PressSettings>(task);  // the same struct, in the task
//
// What a verb tells its steps without having a flag for it is a struct of the
// same kind that no command line ever sees.

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/status.h"
#include "jobs/cli/flags.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::cli {

// Makes all flags settings of a step.
void AddFlags(const Flags& flags, mr::StepSpec* spec);
// Sets the variables of all flags to what the step's settings say. An error
// names the setting that is missing, no value of its type, or not allowed.
absl::Status ReadFlags(const mr::TaskContext& context, const Flags& flags);

// The flags that manifests record, with their values; "a,b" is a list.
std::vector<std::pair<std::string, std::string>> RecordedFlags(
    const Flags& flags);

template <typename Settings>
void AddSettings(Settings settings, mr::StepSpec* spec) {
  Flags flags;
  settings.Define(&flags);
  AddFlags(flags, spec);
}

template <typename Settings>
absl::StatusOr<Settings> ReadSettings(const mr::TaskContext& context) {
  Settings settings;
  Flags flags;
  settings.Define(&flags);
  TROMMEL_RETURN_IF_ERROR(ReadFlags(context, flags));
  return settings;
}

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_SETTINGS_H_
