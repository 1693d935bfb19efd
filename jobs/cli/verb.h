#ifndef TROMMEL_JOBS_CLI_VERB_H_
#define TROMMEL_JOBS_CLI_VERB_H_

// A verb of the command line: `trommel VERB --flag=value`.
//
// A new verb is one folder under jobs/ with a class like this one, its
// help.txt, and its lines in jobs/registry.h and jobs/registry.cc.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/cli/flags.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::cli {

enum class ExitCode {
  kDone = 0,
  kFailed = 1,
  kWrongUsage = 2,
  kCheckFlagged = 3,  // the work is done and a check found something
};

// What a verb reports on standard output: the text, or with --json the object.
struct Report {
  Report();
  ~Report();
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;

  std::string text;
  // Lines for standard error, in either case.
  std::vector<std::string> warnings;
  std::unique_ptr<nlohmann::ordered_json> json;
  ExitCode exit_code = ExitCode::kDone;
};

class Verb {
 public:
  virtual ~Verb() = default;

  std::string_view name() const { return name_; }
  // One line, for the list of verbs.
  std::string_view summary() const { return summary_; }
  // Paragraphs for --help: what goes in, what comes out.
  std::string_view description() const { return description_; }
  // A command that works, for --help.
  std::string_view example() const { return example_; }

  // Binds members to flags. Called before Run(), and by what describes a verb.
  virtual void DefineFlags(Flags* flags) = 0;

  // InvalidArgument means wrong usage (exit code 2) only if it comes from
  // CheckFlags(); errors of Run() are failures (exit code 1).
  virtual absl::Status CheckFlags() const { return absl::OkStatus(); }
  virtual absl::StatusOr<Report> Run() = 0;

  // The steps of the map/reduce job that this verb runs, if it runs one: the
  // code that `trommel task` finds by name in the processes of the job.
  virtual mr::StepRegistry MakeSteps() const { return {}; }

 protected:
  // `help` is the verb's file help.txt, which is part of the program: a line
  // that is the summary, the description, and "Example:" with what follows,
  // with blank lines between them.
  Verb(std::string_view name, std::string_view help);

 private:
  std::string_view name_;
  std::string_view summary_;
  std::string_view description_;
  std::string_view example_;
};

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_VERB_H_
