#ifndef TROMMEL_MAPREDUCE_ENGINE_HADOOP_JOB_CLIENT_H_
#define TROMMEL_MAPREDUCE_ENGINE_HADOOP_JOB_CLIENT_H_

// Talking to a cluster about one job, through Hadoop's own commands: they know
// about security, failover and configuration. Every call has a time limit.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/hadoop/installation.h"
#include "mapreduce/job/job.h"

namespace trommel::mr {

enum class JobState { kPreparing, kRunning, kSucceeded, kFailed, kKilled };

struct JobStatus {
  JobState state = JobState::kPreparing;
  double map_progress = 0;
  double reduce_progress = 0;
  std::string failure;  // why it failed, as far as Hadoop says
  Counters counters;    // those of the group "trommel"
};

// From what `mapred job -status` prints; NotFound when it names no state.
absl::StatusOr<JobStatus> ParseJobStatus(std::string_view text);
// The same from `yarn application -status`, which knows less but needs no
// history server.
absl::StatusOr<JobStatus> ParseApplicationStatus(std::string_view text);

// The lines of a task's log that tell what happened: what trommel said, or
// else the tail of its standard error, or the cause of a Java exception.
std::string ErrorThatMatters(std::string_view log);

class JobClient {
 public:
  // Seconds that a question, and the submission of a job, may take.
  JobClient(HadoopInstallation installation, int timeout_s,
            int submission_timeout_s)
      : installation_(std::move(installation)),
        timeout_s_(timeout_s),
        submission_timeout_s_(submission_timeout_s) {}

  // Submits a Streaming job and returns its id ("job_..."). `arguments` are
  // those of `mapred streaming`.
  absl::StatusOr<std::string> Submit(
      const std::vector<std::string>& arguments) const;

  // Unavailable when the cluster does not answer, NotFound when it answers that
  // it does not know the job.
  absl::StatusOr<JobStatus> Status(const std::string& job_id) const;

  // The id of the newest job with this tag, in whatever state; empty: none.
  absl::StatusOr<std::string> FindByTag(const std::string& tag) const;

  absl::Status Kill(const std::string& job_id) const;

  // What the failed attempts of a job said; as much as can be found out.
  std::string FailureDetails(const std::string& job_id) const;

 private:
  // `mapred job ARGUMENTS...`
  absl::StatusOr<CommandOutput> Job(
      const std::vector<std::string>& arguments) const;
  // `yarn application -status` of a job.
  absl::StatusOr<CommandOutput> Application(const std::string& job_id) const;
  // Each is empty when there is nothing to be found out.
  std::string FailedAttempt(const std::string& job_id) const;
  std::string AttemptError(const std::string& job_id,
                           const std::string& attempt) const;
  std::string HistoryError(const std::string& job_id) const;
  std::string Diagnostics(const std::string& job_id) const;

  HadoopInstallation installation_;
  int timeout_s_;
  int submission_timeout_s_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_ENGINE_HADOOP_JOB_CLIENT_H_
