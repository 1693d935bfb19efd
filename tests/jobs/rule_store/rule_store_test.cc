#include "jobs/rule_store/rule_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/rule/rule.h"
#include "tests/jobs/rule_store/rules.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::rule_store {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::MakeRule;
using testing_support::MakeRules;
using testing_support::ReadWholeFile;
using testing_support::TempDir;

class RuleStoreTest : public testing::Test {
 protected:
  RuleStoreTest() : store_(*RuleStore::Open(temp_ / "store")) {}

  // Publishes a rule with this XPath for a date and records it.
  std::string Night(const std::string& date, const std::string& xpath) {
    VersionInfo info;
    info.date = date;
    info.base = *store_.BaseOf(date);
    info.why = xpath;
    info.learnt = {{"movie/1", {"x"}}};
    info.cluster_dates = {{"a", date}};
    info.losses = {{"b", date}};
    const auto published = store_.Publish(
        info, {MakeRules({MakeRule("a", "1", xpath)}), {}, {}, {}});
    EXPECT_TRUE(published.ok()) << published.status();
    EXPECT_TRUE(store_.RecordDate({date, published->version, info.base}).ok());
    return published->version;
  }

  TempDir temp_;
  RuleStore store_;
};

TEST_F(RuleStoreTest, EmptyStore) {
  EXPECT_EQ(*store_.Current(), "");
  EXPECT_EQ(*store_.BaseOf("2026-01-01"), "");
  EXPECT_EQ(store_.Rules("")->rule_size(), 0);
  EXPECT_THAT(std::string(store_.Rules("v000001").status().message()),
              HasSubstr("it has none yet"));
}

TEST_F(RuleStoreTest, VersionsKeepWhatTheyWere) {
  EXPECT_EQ(Night("2026-01-01", "//h1"), "v000001");
  EXPECT_EQ(Night("2026-01-02", "//h2"), "v000002");
  EXPECT_EQ(*store_.Current(), "v000002");
  EXPECT_THAT(ReadWholeFile(temp_ / "store/CURRENT"), StartsWith("v000002 "));
  const auto first = store_.Rules("v000001");
  EXPECT_EQ(
      first->rule(0).program().fields().attribute(0).alternative(0).xpath(),
      "//h1");
  const auto info = store_.Info("v000002");
  EXPECT_EQ(info->base, "v000001");
  EXPECT_EQ(info->learnt.at("movie/1").count("x"), 1u);
  EXPECT_EQ(info->cluster_dates.at("a"), "2026-01-02");
  EXPECT_EQ(info->losses.at("b"), "2026-01-02");
}

TEST_F(RuleStoreTest, StatesAndProbationAreKept) {
  const proto::Rule serving = MakeRule("a", "1", "//h1");
  const proto::Rule suspended = MakeRule("a", "1", "//h2");
  RuleState state;
  state.rule_id = rule::WholeRuleId(suspended);
  state.site = "a";
  state.cluster_id = "1";
  state.state = RuleState::kOnProbation;
  state.since = "2026-01-02";
  state.why = "title is another";
  state.back_when = "it is not";
  state.switched_off = {{"price", "2026-01-01", "it looks different"}};
  const auto published = store_.Publish(
      {}, {MakeRules({serving}), {}, MakeRules({suspended}), {state}});
  ASSERT_TRUE(published.ok()) << published.status();
  const auto content = store_.Content(published->version);
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_EQ(rule::EncodeRules(content->probation),
            rule::EncodeRules(MakeRules({suspended})));
  // The state that was not given is one that is in service.
  ASSERT_EQ(content->states.size(), 2u);
  EXPECT_EQ(content->states[0], state);
  EXPECT_EQ(content->states[1].rule_id, rule::RuleId(serving));
  EXPECT_TRUE(content->states[1].is_in_service());
  EXPECT_TRUE(AreSame(*content, *content));
  StoredRules other = *content;
  other.states[0].why = "another reason";
  EXPECT_FALSE(AreSame(*content, other));
}

TEST_F(RuleStoreTest, StoresOfFormerVersionsHaveNoStates) {
  Night("2026-01-01", "//h1");
  std::filesystem::remove(temp_ / "store/v000001/states.jsonl");
  std::filesystem::remove(temp_ / "store/v000001/probation.binpb");
  const auto content = store_.Content("v000001");
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(content->states.size(), 1u);
  EXPECT_EQ(content->states[0].cluster_id, "1");
  EXPECT_EQ(content->states[0].cluster_date, "2026-01-01");
  EXPECT_TRUE(content->states[0].is_in_service());
  EXPECT_EQ(content->probation.rule_size(), 0);
}

TEST_F(RuleStoreTest, LatestDateStartsFromBeforeItself) {
  Night("2026-01-01", "//h1");
  Night("2026-01-02", "//h2");
  EXPECT_EQ(*store_.BaseOf("2026-01-02"), "v000001");
  EXPECT_EQ(Night("2026-01-02", "//h3"), "v000003");
  EXPECT_EQ(*store_.BaseOf("2026-01-02"), "v000001");
  EXPECT_EQ(*store_.BaseOf("2026-01-03"), "v000003");
}

TEST_F(RuleStoreTest, EarlierDatesKeepTheirs) {
  Night("2026-01-02", "//h1");
  Night("2026-01-04", "//h2");
  EXPECT_EQ(*store_.BaseOf("2026-01-02"), "");
  EXPECT_EQ(*store_.BaseOf("2026-01-03"), "v000001");
  EXPECT_EQ(*store_.BaseOf("2026-01-01"), "v000002");  // nothing is earlier
  EXPECT_EQ((*store_.RecordOf("2026-01-02"))->version, "v000001");
}

TEST_F(RuleStoreTest, PublishingAgainAfterACrashIsTheSameVersion) {
  VersionInfo info;
  info.date = "2026-01-01";
  info.why = "w";
  const proto::RuleSet rules = MakeRules({MakeRule("a", "1", "//h1")});
  ASSERT_TRUE(store_.Publish(info, {rules, {}, {}, {}}).ok());
  std::filesystem::remove(temp_ / "store/CURRENT");  // it was not yet written
  EXPECT_EQ(*store_.BaseOf("2026-01-01"), "");
  const auto again = store_.Publish(info, {rules, {}, {}, {}});
  EXPECT_EQ(again->version, "v000001");
  EXPECT_EQ(store_.List()->size(), 1u);
  EXPECT_THAT(ReadWholeFile(temp_ / "store/CURRENT"), StartsWith("v000001 "));
}

}  // namespace
}  // namespace trommel::jobs::rule_store
