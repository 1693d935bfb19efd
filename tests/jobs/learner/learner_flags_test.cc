#include "jobs/learner/learner_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/cli/command_line.h"
#include "jobs/cli/settings.h"
#include "jobs/cli/verb.h"

namespace trommel::jobs::learner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Pair;

// Says what it was made with.
class EchoLearner final : public learn::Learner {
 public:
  explicit EchoLearner(std::string said) : said_(std::move(said)) {}
  std::string_view name() const override { return "echo"; }
  absl::StatusOr<learn::LearnOutput> Learn(
      const learn::LearnInput& /*input*/) const override {
    learn::LearnOutput output;
    output.learner = said_;
    return output;
  }

 private:
  const std::string said_;
};

class LearnTestVerb final : public cli::Verb {
 public:
  LearnTestVerb()
      : Verb("try", "try a learner\n\nAs it is.\n\nExample:\n  trommel try\n") {
  }
  void DefineFlags(cli::Flags* flags) override { learner.Define(flags); }
  absl::Status CheckFlags() const override { return learner.Check(); }
  absl::StatusOr<cli::Report> Run() override { return cli::Report(); }

  LearnerFlags learner;
};

// The settings of a step, as its tasks see them.
class SettingsContext final : public mr::TaskContext {
 public:
  explicit SettingsContext(const LearnerFlags& flags) {
    mr::StepSpec spec;
    cli::AddSettings(flags, &spec);
    config_.insert(spec.config.begin(), spec.config.end());
  }
  absl::StatusOr<std::string> Config(std::string_view name) const override {
    const auto found = config_.find(std::string(name));
    if (found == config_.end()) return absl::NotFoundError(StrCat(name));
    return found->second;
  }
  absl::StatusOr<std::string> SideDataPath(
      std::string_view name) const override {
    return absl::NotFoundError(StrCat(name));
  }

 private:
  std::map<std::string, std::string> config_;
};

class LearnerFlagsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    learn::RegisterLearner(
        {"echo",
         {{"echo-word", "what it says", "hello"}},
         [](const learn::LearnerOptions& options)
             -> absl::StatusOr<std::unique_ptr<learn::Learner>> {
           if (options.at("echo-word") == "none") {
             return absl::InvalidArgumentError("--echo-word is none");
           }
           return std::make_unique<EchoLearner>(options.at("echo-word"));
         }});
  }

  // The exit code of a command line.
  int Run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), {"trommel", "try"});
    auto verb = std::make_unique<LearnTestVerb>();
    verb_ = verb.get();
    verbs_.clear();
    verbs_.push_back(std::move(verb));
    return cli::RunCommandLine(static_cast<int>(arguments.size()),
                               arguments.data(), verbs_);
  }

  // What a manifest has of the flags.
  std::vector<std::pair<std::string, std::string>> Recorded() {
    cli::Flags flags;
    verb_->learner.Define(&flags);
    return cli::RecordedFlags(flags);
  }

  std::vector<std::unique_ptr<cli::Verb>> verbs_;
  LearnTestVerb* verb_ = nullptr;
};

TEST_F(LearnerFlagsTest, Defaults) {
  ASSERT_EQ(Run({}), 0);
  EXPECT_THAT(Recorded(),
              ElementsAre(Pair("learner", "auto"), Pair("budget", "30"),
                          Pair("echo-word", "hello")));
}

// From the command line to the tasks of a job.
TEST_F(LearnerFlagsTest, OptionsReachTheLearnerOfATask) {
  ASSERT_EQ(Run({"--learner=echo", "--echo-word=bye", "--budget=2.5"}), 0);
  EXPECT_THAT(Recorded(), Contains(Pair("echo-word", "bye")));
  const SettingsContext context(verb_->learner);
  const auto flags = cli::ReadSettings<LearnerFlags>(context);
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_EQ(flags->budget_s, 2.5);
  const auto learner = flags->Make();
  ASSERT_TRUE(learner.ok()) << learner.status();
  EXPECT_EQ((*learner)->name(), "echo");
  EXPECT_EQ((*learner)->Learn(learn::LearnInput())->learner, "bye");
}

TEST_F(LearnerFlagsTest, WrongUsage) {
  EXPECT_EQ(Run({"--learner=crystal-ball"}), 2);
  EXPECT_EQ(Run({"--learner=echo", "--echo-word=none"}), 2);
  // Options of a learner that is not asked are not looked at.
  EXPECT_EQ(Run({"--learner=vertex", "--echo-word=none"}), 0);
}

}  // namespace
}  // namespace trommel::jobs::learner
