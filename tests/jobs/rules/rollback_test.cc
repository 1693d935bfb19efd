#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/rule/rule.h"
#include "jobs/rules/actions.h"
#include "tests/jobs/rule_store/rules.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::rules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::MakeRule;
using testing_support::MakeRules;
using testing_support::ReadWholeFile;
using testing_support::TempDir;

constexpr char kDate[] = "2026-01-01";

class RollBackTest : public testing::Test {
 protected:
  RollBackTest() : store_(*rule_store::RuleStore::Open(temp_ / "store")) {}

  // Another version of the same night, as each round of annotations makes one.
  void Publish(const std::vector<proto::Rule>& rules, const std::string& why) {
    rule_store::VersionInfo info;
    info.date = kDate;
    info.base = *store_.BaseOf(kDate);
    info.why = why;
    std::vector<tables::ClusterStatus> statuses;
    for (const proto::Rule& rule : rules) {
      tables::ClusterStatus& status = statuses.emplace_back();
      status.site = rule.site();
      status.cluster_id = rule.cluster_id();
      status.status = "done";
    }
    ASSERT_TRUE(
        store_.Publish(info, {MakeRules(rules), statuses, {}, {}}).ok());
  }

  // The XPaths of the rules in service.
  std::vector<std::string> Serving() const {
    std::vector<std::string> xpaths;
    const auto rules = store_.Rules(*store_.Current());
    for (const proto::Rule& rule : rules->rule()) {
      xpaths.push_back(
          rule.program().fields().attribute(0).alternative(0).xpath());
    }
    return xpaths;
  }

  // As a store has it that was made before versions said what they followed,
  // and before manifests knew of version.json and had digests of themselves.
  void ForgetPrevious(const std::string& version) {
    const std::string file = temp_ / ("store/" + version + "/version.json");
    auto json = nlohmann::ordered_json::parse(ReadWholeFile(file));
    ASSERT_EQ(json.erase("previous"), 1u);
    std::ofstream(file) << json;
    const std::string success = temp_ / ("store/" + version + "/_SUCCESS");
    auto manifest = nlohmann::ordered_json::parse(ReadWholeFile(success));
    manifest.erase("self_digest");
    auto& shards = manifest["shards"];
    for (size_t i = 0; i < shards.size(); ++i) {
      if (shards[i]["file"] == "version.json") shards.erase(i);
    }
    std::ofstream(success) << manifest;
  }

  TempDir temp_;
  rule_store::RuleStore store_;
};

TEST_F(RollBackTest, GoesBackToWhatServedBeforeInTheSameNight) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  Publish({MakeRule("a", "1", "//h2"), MakeRule("b", "2", "//p")}, "second");
  ASSERT_EQ(store_.Info("v000002")->base, "");
  const auto report = RollBack(&store_, "", "");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ((*report->json)["to"], "v000001");
  EXPECT_THAT(Serving(), ElementsAre("//h1"));
}

TEST_F(RollBackTest, OfOneRuleToo) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  Publish({MakeRule("a", "1", "//h2"), MakeRule("b", "2", "//p")}, "second");
  Publish({MakeRule("a", "1", "//h2"), MakeRule("b", "2", "//q")}, "third");
  const auto report = RollBack(&store_, "", "1");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ((*report->json)["to"], "v000001");
  EXPECT_THAT(Serving(), ElementsAre("//h1", "//q"));
}

TEST_F(RollBackTest, PassesOverVersionsThatDoNotDiffer) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  Publish({MakeRule("a", "1", "//h2")}, "second");
  Publish({MakeRule("a", "1", "//h2")}, "third, for another reason");
  ASSERT_TRUE(RollBack(&store_, "", "").ok());
  EXPECT_THAT(Serving(), ElementsAre("//h1"));
}

TEST_F(RollBackTest, PassesOverVersionsThatHadGoneOutOfService) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  Publish({MakeRule("a", "1", "//h2")}, "second");
  ASSERT_TRUE(store_.Serve("v000001").ok());
  Publish({MakeRule("a", "1", "//h3")}, "third");
  EXPECT_EQ(store_.Info("v000003")->previous, "v000001");
  ASSERT_TRUE(RollBack(&store_, "", "").ok());
  EXPECT_THAT(Serving(), ElementsAre("//h1"));
}

TEST_F(RollBackTest, FirstVersionGoesBackToNoRules) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  ASSERT_TRUE(RollBack(&store_, "", "").ok());
  EXPECT_THAT(Serving(), IsEmpty());
}

TEST_F(RollBackTest, StoreThatDoesNotSayWhatServedBefore) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  Publish({MakeRule("a", "1", "//h2")}, "second");
  ForgetPrevious("v000001");
  ForgetPrevious("v000002");
  EXPECT_EQ(store_.Info("v000001")->previous, "");
  ASSERT_TRUE(RollBack(&store_, "", "").ok());
  EXPECT_THAT(Serving(), ElementsAre("//h1"));
}

TEST_F(RollBackTest, BringsBackARuleThatWasWithdrawn) {
  const proto::Rule withdrawn = MakeRule("a", "1", "//h1");
  for (const std::string& id : {std::string("1"), rule::RuleId(withdrawn)}) {
    Publish({withdrawn, MakeRule("b", "2", "//p")}, "first");
    const std::string first = *store_.Current();
    Publish({MakeRule("b", "2", "//q")}, "second");
    EXPECT_THAT(std::string(RollBack(&store_, "", id).status().message()),
                HasSubstr("has no rule for that cluster; one that was "
                          "withdrawn comes back with --to=VERSION"));
    const auto report = RollBack(&store_, first, id);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(Serving(), ElementsAre("//h1", "//q"));
    EXPECT_EQ(store_.Content(*store_.Current())->statuses.size(), 2u);
  }
}

TEST_F(RollBackTest, RuleThatNeitherVersionHas) {
  Publish({MakeRule("a", "1", "//h1")}, "first");
  Publish({MakeRule("a", "1", "//h2")}, "second");
  EXPECT_THAT(std::string(RollBack(&store_, "v000001", "7").status().message()),
              HasSubstr("no rule for that cluster, and v000001 has none"));
  EXPECT_THAT(
      std::string(RollBack(&store_, "v000001", "1@0").status().message()),
      HasSubstr("for that cluster, and v000001 has 1@"));
}

}  // namespace
}  // namespace trommel::jobs::rules
