#include "jobs/engine/job_verb.h"

#include "core/base/status.h"

namespace trommel::jobs::engine {

mr::Counters JobOutput::Counters(
    std::initializer_list<const char*> expected) const {
  mr::Counters counters;
  for (const char* const name : expected) counters[name] = 0;
  for (const mr::StepResult& step : steps_) {
    for (const auto& [name, count] : step.counters) counters[name] += count;
  }
  return counters;
}

void JobOutput::Count(const mr::Counters& counters) {
  for (const auto& [name, count] : counters) Count(name, count);
}

absl::StatusOr<JobOutput> JobVerb::RunJob(std::vector<std::string> inputs,
                                          std::vector<mr::StepSpec> steps) {
  return RunJobInto(out(), std::move(inputs), std::move(steps));
}

absl::StatusOr<JobOutput> JobVerb::RunJobInto(const std::string& folder,
                                              std::vector<std::string> inputs,
                                              std::vector<mr::StepSpec> steps) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<io::OutputDir> directory,
                           engine_.CreateOutput(folder, output_.force));
  output::VerbOutput output(this, std::move(inputs), std::move(directory));
  const mr::Job job = {std::string(name()), std::move(steps)};
  TROMMEL_ASSIGN_OR_RETURN(mr::JobResult result,
                           engine_.Run(job, MakeSteps(), output.directory()));
  output.List("", std::move(result.shards));
  return JobOutput(std::move(output), std::move(result.steps));
}

std::vector<std::string> Joined(
    std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> joined;
  for (const std::vector<std::string>& list : lists) {
    joined.insert(joined.end(), list.begin(), list.end());
  }
  return joined;
}

std::string RejectLines(const mr::Counters& counters) {
  std::string lines;
  for (const auto& [reason, count] : mr::RejectsByReason(counters)) {
    StrAppend(&lines, "rejected, ", reason, ": ", count, "\n");
  }
  return lines;
}

}  // namespace trommel::jobs::engine
