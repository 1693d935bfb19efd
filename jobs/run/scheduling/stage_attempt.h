#ifndef TROMMEL_JOBS_RUN_SCHEDULING_STAGE_ATTEMPT_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_STAGE_ATTEMPT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jobs/run/scheduling/stage.h"
#include "jobs/summaries/any_summary.h"
#include "mapreduce/process/process.h"

namespace trommel::jobs::run::scheduling {

// One call of a stage's verb, as a process.
class StageAttempt {
 public:
  // Writes the files that the call brings along and starts `program`.
  static absl::StatusOr<std::unique_ptr<StageAttempt>> Start(
      const std::string& program, const Stage& stage, const StageCall& call,
      const std::string& log_folder);

  mr::Process* process() { return process_.get(); }
  const std::string& log() const { return log_; }

  // Returns, once the process has ended, the summary that the verb has printed,
  // or why it failed. InvalidArgument: there is no use in trying again.
  absl::StatusOr<summaries::AnySummary> Result() const;

 private:
  std::unique_ptr<mr::Process> process_;
  std::string kind_;                 // of the stage
  std::string verb_;                 // "rules publish"
  std::string output_;               // of the stage
  std::vector<std::string> crawls_;  // that it reads
  std::string log_;                  // standard error
  std::string summary_file_;         // standard output
  int64_t log_begin_ = 0;            // of this attempt
};

}  // namespace trommel::jobs::run::scheduling

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_STAGE_ATTEMPT_H_
