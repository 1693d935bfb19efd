#include "jobs/run/scheduling/stage_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "mapreduce/io/output_dir.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::scheduling {
namespace {

using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteWholeFile;
using Kind = StageInput::Kind;

class StageStateTest : public testing::Test {
 protected:
  StageStateTest() {
    WriteWholeFile(temp_ / "crawl/part-0.parquet", "pages");
    WriteWholeFile(temp_ / "clusters/_SUCCESS", "{}");
    WriteWholeFile(temp_ / "sites", "a");
    WriteWholeFile(temp_ / "out/_SUCCESS", "{\"rows\":1}");
    call_.inputs = {{Kind::kCrawl, "crawl", temp_ / "crawl"},
                    {Kind::kOutput, "clusters", temp_ / "clusters"},
                    {Kind::kFile, "sites", temp_ / "sites"}};
    call_.flags = {"--merge=true"};
  }

  // Notes that the stage has just run.
  void HasRun() {
    auto state = StateOfCalls({call_}, "1");
    ASSERT_TRUE(state.ok()) << state.status();
    state->output = *DigestOfOutput(temp_ / "out");
    state->summary = {{"pages", 3}};
    alerts::Alert alert;
    alert.kind = "k";
    alert.numbers = {{"n", 2}};
    state->alerts = {alert};
    ASSERT_TRUE(WriteStageState(temp_ / "out", *state).ok());
  }

  std::string Why(const std::string& version = "1") {
    const auto now = StateOfCalls({call_}, version);
    EXPECT_TRUE(now.ok()) << now.status();
    return WhyStale(*now, *DigestOfOutput(temp_ / "out"),
                    *ReadStageState(temp_ / "out"));
  }

  TempDir temp_;
  StageCall call_;
};

TEST_F(StageStateTest, NothingHasChanged) {
  EXPECT_EQ(Why(), "nothing says how its output was made");
  HasRun();
  EXPECT_EQ(Why(), "");
  const auto state = ReadStageState(temp_ / "out");
  EXPECT_EQ((*state)->summary["pages"], 3);
  EXPECT_EQ((*state)->alerts[0].numbers[0].second, 2);
}

TEST_F(StageStateTest, EachThingThatChangesIsNamed) {
  HasRun();
  WriteWholeFile(temp_ / "crawl/part-1.parquet", "more pages");
  EXPECT_EQ(Why(), "crawl has changed");
  HasRun();
  WriteWholeFile(temp_ / "clusters/_SUCCESS", "{ }");
  EXPECT_EQ(Why(), "clusters has changed");
  HasRun();
  WriteWholeFile(temp_ / "sites", "b");
  EXPECT_EQ(Why(), "sites has changed");
  HasRun();
  call_.flags = {"--merge=false"};
  EXPECT_EQ(Why(), "now with --merge=false, before with --merge=true");
  call_.flags.clear();
  EXPECT_EQ(Why(), "now without --merge=true");
  HasRun();
  call_.facts = {"rules v000002 (by hand)"};
  EXPECT_EQ(Why(), "now with rules v000002 (by hand)");
  HasRun();
  call_.other_flags = {"--workers=7"};
  EXPECT_EQ(Why(), "");
  EXPECT_EQ(Why("2"), "trommel has changed");
  WriteWholeFile(temp_ / "out/_SUCCESS", "{\"rows\":2}");
  EXPECT_EQ(Why(), "its output is not the one it made");
  std::filesystem::remove_all(temp_ / "out");
  EXPECT_EQ(Why(), "no output yet");
}

TEST_F(StageStateTest, ManifestOfACrawlCountsIfItIsOurs) {
  struct Case {
    std::string success;
    std::string why;
  };
  io::Manifest ours;
  ours.shards = {{"part-0.parquet", 1, 5, "digest"}};
  const Case cases[] = {
      {"", "crawl has changed"},
      {"done", "crawl has changed"},
      {R"({"by":"another program"})", "crawl has changed"},
      // Rows are the same as long as the manifest is.
      {ours.ToJson(), ""},
  };
  for (const Case& c : cases) {
    WriteWholeFile(temp_ / "crawl/_SUCCESS", c.success);
    WriteWholeFile(temp_ / "crawl/part-0.parquet", "pages");
    HasRun();
    EXPECT_EQ(Why(), "") << c.success;
    WriteWholeFile(temp_ / "crawl/part-0.parquet", "other pages");
    EXPECT_EQ(Why(), c.why) << c.success;
  }
}

TEST_F(StageStateTest, InputsThatComeAndGo) {
  HasRun();
  StageInput input = {Kind::kFile, "schema", temp_ / "sites"};
  call_.inputs.push_back(input);
  EXPECT_EQ(Why(), "schema is new");
  HasRun();
  call_.inputs.pop_back();
  EXPECT_EQ(Why(), "schema is gone");
  std::filesystem::remove(temp_ / "clusters/_SUCCESS");
  EXPECT_THAT(std::string(StateOfCalls({call_}, "1").status().message()),
              HasSubstr("clusters is not there, or not finished"));
}

}  // namespace
}  // namespace trommel::jobs::run::scheduling
