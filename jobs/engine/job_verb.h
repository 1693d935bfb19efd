#ifndef TROMMEL_JOBS_ENGINE_JOB_VERB_H_
#define TROMMEL_JOBS_ENGINE_JOB_VERB_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jobs/cli/flags.h"
#include "jobs/cli/verb.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/output/verb_output.h"
#include "mapreduce/engine/engine.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::engine {

// What a job has written, listed, and counted.
class JobOutput : public output::VerbOutput {
 public:
  JobOutput(output::VerbOutput output, std::vector<mr::StepResult> steps)
      : output::VerbOutput(std::move(output)), steps_(std::move(steps)) {}

  const std::vector<mr::StepResult>& steps() const { return steps_; }
  // The counters of all steps, added up. Those that are `expected` are among
  // them, be it as 0.
  mr::Counters Counters(std::initializer_list<const char*> expected = {}) const;

  using output::VerbOutput::Count;
  void Count(const mr::Counters& counters);

 private:
  std::vector<mr::StepResult> steps_;
};

// A verb that runs a map/reduce job into a folder. Its Run() is
//
//   TROMMEL_ASSIGN_OR_RETURN(JobOutput output, RunJob(inputs, steps));
//   ... read what the steps wrote below output.staging(), write the rest ...
//   output.Count(counters);
//   TROMMEL_RETURN_IF_ERROR(output.Commit());
class JobVerb : public cli::Verb {
 public:
  absl::Status CheckFlags() const override { return engine_.Check(); }

 protected:
  using cli::Verb::Verb;

  // The flags that jobs have in common.
  cli::Flag& DefineOutputFlags(cli::Flags* flags, std::string help) {
    return output_.Define(flags, std::move(help));
  }
  void DefineReducers(cli::Flags* flags, std::string help) {
    flags->Integer("reducers", &num_reducers_, std::move(help))
        .Between(1, 10000);
  }
  void DefineEngineFlags(cli::Flags* flags) { engine_.Define(flags); }

  const std::string& out() const { return output_.out; }
  int num_reducers() const { return static_cast<int>(num_reducers_); }
  bool is_hadoop() const { return engine_.is_hadoop(); }

  // Runs the job that these steps are into --out, without committing it. The
  // manifest says that the `inputs` went in.
  absl::StatusOr<JobOutput> RunJob(std::vector<std::string> inputs,
                                   std::vector<mr::StepSpec> steps);
  // The same, into another folder.
  absl::StatusOr<JobOutput> RunJobInto(const std::string& folder,
                                       std::vector<std::string> inputs,
                                       std::vector<mr::StepSpec> steps);

 private:
  output::OutputFlags output_;
  int64_t num_reducers_ = 4;
  EngineFlags engine_;
};

// The steps of a verb, for MakeSteps().
template <typename... Steps>
mr::StepRegistry StepsOf(Steps... steps) {
  mr::StepRegistry registry;
  (registry.push_back(std::move(steps)), ...);
  return registry;
}

// Lists put together, for the inputs of a manifest.
std::vector<std::string> Joined(
    std::initializer_list<std::vector<std::string>> lists);

// A line for each reason why rows were rejected or passed over.
std::string RejectLines(const mr::Counters& counters);

}  // namespace trommel::jobs::engine

#endif  // TROMMEL_JOBS_ENGINE_JOB_VERB_H_
