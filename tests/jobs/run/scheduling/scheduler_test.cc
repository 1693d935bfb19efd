#include "jobs/run/scheduling/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "core/base/json_fields.h"
#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::scheduling {
namespace {

using testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

// Stages of a verb that is a line of shell: the program is a script that runs
// the argument that is neither its verb nor a flag, and prints a summary.
class SchedulerTest : public testing::Test {
 protected:
  SchedulerTest() {
    WriteWholeFile(temp_ / "summary",
                   JsonLineText(ToJson(summaries::Sample())));
    WriteWholeFile(temp_ / "program",
                   StrCat("#!/bin/sh\n"
                          "cd ",
                          temp_.path(),
                          "\n"
                          "shift\n"
                          "for argument; do\n"
                          "  case \"$argument\" in\n"
                          "    --*) ;;\n"
                          "    *) shell=$argument ;;\n"
                          "  esac\n"
                          "done\n"
                          "eval \"$shell\" && cat summary\n"));
    std::filesystem::permissions(temp_ / "program",
                                 std::filesystem::perms::owner_all);
    options_.program = temp_ / "program";
    options_.backoff_s = 0.01;
    options_.version = "1";
    options_.log_folder = [this](const Stage&) { return temp_ / "logs"; };
    options_.log = [](std::string_view) {};
  }

  void Add(const std::string& kind, const std::string& shell,
           std::vector<std::string> needs = {},
           std::vector<std::string> uses = {}) {
    Stage stage;
    stage.kind = kind;
    stage.date = "d";
    for (std::string& path : needs) stage.needs.push_back(temp_ / path);
    for (std::string& path : uses) stage.uses.push_back(temp_ / path);
    stage.output = temp_ / kind;
    const std::vector<std::string> inputs = stage.needs;
    stage.plan = [shell,
                  inputs](const Available&) -> absl::StatusOr<StagePlan> {
      StageCall call;
      call.verb = {summaries::Sample::kVerb};
      call.flags = {shell};
      for (const std::string& input : inputs) {
        call.inputs.push_back({StageInput::Kind::kFile, "in", input});
      }
      return StagePlan::Run(std::move(call));
    };
    stages_.push_back(std::move(stage));
  }

  std::map<std::string, StageOutcome> Run() {
    const auto graph = MakeStageGraph(stages_);
    EXPECT_TRUE(graph.ok()) << graph.status();
    const std::vector<StageOutcome> outcomes = RunStages(*graph, options_);
    std::map<std::string, StageOutcome> by_kind;
    for (size_t i = 0; i < outcomes.size(); ++i) {
      by_kind[graph->stages[i].kind] = outcomes[i];
    }
    return by_kind;
  }

  TempDir temp_;
  SchedulerOptions options_;
  std::vector<Stage> stages_;
};

TEST_F(SchedulerTest, RunsInOrderAndThenNotAgain) {
  Add("b", "cat a >b; echo b >>b", {"a"});
  Add("a", "echo a >a");
  auto outcomes = Run();
  EXPECT_EQ(outcomes["b"].status, StageStatus::kDone) << outcomes["b"].reason;
  EXPECT_EQ(ReadWholeFile(temp_ / "b"), "a\nb\n");
  outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kUnchanged);
  EXPECT_EQ(outcomes["b"].status, StageStatus::kUnchanged);
  options_.version = "2";
  options_.dry_run = true;
  outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kWouldRun);
  EXPECT_EQ(outcomes["a"].reason, "trommel has changed");
  EXPECT_EQ(outcomes["b"].reason, "if need be, after a d");
}

TEST_F(SchedulerTest, FailureBlocksWhatNeedsItAndNothingElse) {
  Add("a", "echo 'trommel a: the disk is blue' >&2; exit 1");
  Add("b", "echo b >b", {"a"});
  Add("c", "echo c >c", {}, {"a"});
  Add("d", "echo d >d", {"b"});
  options_.attempts = 2;
  auto outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kFailed);
  EXPECT_EQ(outcomes["a"].attempts, 2);
  EXPECT_EQ(outcomes["a"].reason, "the disk is blue");
  EXPECT_EQ(outcomes["b"].status, StageStatus::kBlocked);
  EXPECT_EQ(outcomes["d"].status, StageStatus::kBlocked);
  EXPECT_EQ(outcomes["c"].status, StageStatus::kDone);
  ASSERT_EQ(outcomes["a"].alerts.size(), 1u);
  EXPECT_EQ(outcomes["a"].alerts[0].kind, "stage_failed");
  EXPECT_EQ(outcomes["a"].alerts[0].severity, "critical");
}

TEST_F(SchedulerTest, TriesAgainUnlessThereIsNoUse) {
  Add("a", "echo x >>tries; [ $(wc -l <tries) -ge 3 ] && echo a >a");
  Add("b", "exit 2");
  Add("c", "kill -9 $$");
  auto outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kDone) << outcomes["a"].reason;
  EXPECT_EQ(outcomes["a"].attempts, 3);
  EXPECT_EQ(outcomes["b"].attempts, 1);
  EXPECT_THAT(outcomes["c"].reason, HasSubstr("signal 9"));
}

TEST_F(SchedulerTest, LongErrorsAreCutBetweenLines) {
  Add("a", "seq -f 'trouble number %.0f' 1000 >&2; exit 1");
  Add("b", "seq -s ' ' -f 'trouble%.0f' 1000 >&2; exit 1");
  options_.attempts = 1;
  auto outcomes = Run();
  for (const char* const stage : {"a", "b"}) {
    const std::string& reason = outcomes[stage].reason;
    EXPECT_LE(reason.size(), 1500);
    EXPECT_GT(reason.size(), 1400);
    EXPECT_EQ(reason.rfind("trouble", 0), 0) << reason;
    EXPECT_EQ(reason.substr(reason.size() - 4), "1000");
  }
}

TEST_F(SchedulerTest, SuccessWithoutOutputIsFailure) {
  Add("a", "true");
  options_.attempts = 1;
  EXPECT_THAT(Run()["a"].reason, HasSubstr("is not there"));
}

TEST_F(SchedulerTest, SummaryWithoutAKeyIsFailure) {
  nlohmann::ordered_json summary = ToJson(summaries::Sample());
  summary.erase("clusters_sampled");
  WriteWholeFile(temp_ / "summary", summary.dump());
  Add("a", "echo a >a");
  Add("b", "echo b >b", {"a"});
  auto outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kFailed);
  EXPECT_EQ(outcomes["a"].attempts, 1);  // the next would print the same
  EXPECT_EQ(outcomes["a"].reason,
            "what trommel sample --json printed: clusters_sampled is missing");
  EXPECT_EQ(outcomes["b"].status, StageStatus::kBlocked);
  ASSERT_EQ(outcomes["a"].alerts.size(), 1u);
  EXPECT_EQ(outcomes["a"].alerts[0].kind, "stage_failed");
  EXPECT_EQ(outcomes["a"].alerts[0].severity, "critical");
}

TEST_F(SchedulerTest, SummaryOfLastTimeIsKept) {
  summaries::Sample summary;
  summary.pages = 7;
  WriteWholeFile(temp_ / "summary", JsonLineText(ToJson(summary)));
  Add("a", "echo a >a");
  for (const StageStatus status :
       {StageStatus::kDone, StageStatus::kUnchanged}) {
    const auto outcomes = Run();
    EXPECT_EQ(outcomes.at("a").status, status);
    EXPECT_EQ(std::get<summaries::Sample>(outcomes.at("a").summary).pages, 7);
  }
}

TEST_F(SchedulerTest, PagesOfAnOutputElsewhereAreCopied) {
  Add("a", "mkdir -p a && echo ok >a/_SUCCESS && echo page >a/report.html");
  stages_[0].pages = temp_ / "reports/a";
  const auto outcomes = Run();
  EXPECT_EQ(outcomes.at("a").status, StageStatus::kDone)
      << outcomes.at("a").reason;
  EXPECT_EQ(ReadWholeFile(temp_ / "reports/a/report.html"), "page\n");
}

TEST_F(SchedulerTest, OnlyOneKind) {
  Add("a", "echo a >a");
  Add("b", "echo b >b", {"a"});
  options_.only = "a";
  options_.dry_run = true;
  auto outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kWouldRun);
  EXPECT_EQ(outcomes["b"].status, StageStatus::kNotAsked);
  options_.dry_run = false;
  outcomes = Run();
  EXPECT_EQ(outcomes["a"].status, StageStatus::kDone);
  EXPECT_EQ(outcomes["b"].status, StageStatus::kNotAsked);
  options_.only = "b";
  EXPECT_EQ(Run()["b"].status, StageStatus::kDone);
}

}  // namespace
}  // namespace trommel::jobs::run::scheduling
