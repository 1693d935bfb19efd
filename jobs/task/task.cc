#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/registry.h"
#include "mapreduce/job/job.h"
#include "mapreduce/task/attempt.h"
#include "mapreduce/task/streaming.h"

namespace trommel::jobs::task {
namespace {

class TaskVerb final : public cli::Verb {
 public:
  explicit TaskVerb(mr::StepRegistry steps)
      : Verb("task", kTaskHelp), steps_(std::move(steps)) {}

  void DefineFlags(cli::Flags* flags) override {
    flags
        ->Positional("JOB KIND", &words_,
                     "a job's step, and map, combine, reduce or worker")
        .NotAPath()
        .Required();
    flags->Text("spec", &spec_, "description of the step").Input();
    flags->Integer("supervisor", &supervisor_,
                   "process that a worker obeys (worker only)");
  }

  absl::Status CheckFlags() const override {
    if (words_.size() != 2) {
      return absl::InvalidArgumentError("give a job and a kind of task");
    }
    const std::string& kind = words_[1];
    if (kind != "map" && kind != "combine" && kind != "reduce" &&
        kind != "worker") {
      return absl::InvalidArgumentError(
          StrCat("\"", kind, "\" is not map, combine or reduce"));
    }
    if (kind == "worker") return absl::OkStatus();
    return mr::FindStep(steps_, words_[0]).status();
  }

  absl::StatusOr<cli::Report> Run() override {
    const std::string& kind = words_[1];
    cli::Report report;
    if (kind == "worker") {
      report.exit_code =
          static_cast<cli::ExitCode>(mr::RunWorker(steps_, supervisor_));
      return report;
    }
    TROMMEL_RETURN_IF_ERROR(kind == "map" ? mr::StreamingMap(steps_, spec_)
                            : kind == "combine"
                                ? mr::StreamingCombine(steps_, spec_)
                                : mr::StreamingReduce(steps_, spec_));
    return report;
  }

 private:
  mr::StepRegistry steps_;
  std::vector<std::string> words_;
  std::string spec_ = "step.json";
  int64_t supervisor_ = 0;
};

}  // namespace

void AddTaskVerb(std::vector<std::unique_ptr<cli::Verb>>* verbs) {
  mr::StepRegistry all;
  for (const std::unique_ptr<cli::Verb>& verb : *verbs) {
    for (std::unique_ptr<mr::Step>& step : verb->MakeSteps()) {
      all.push_back(std::move(step));
    }
  }
  verbs->push_back(std::make_unique<TaskVerb>(std::move(all)));
}

}  // namespace trommel::jobs::task
