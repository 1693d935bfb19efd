#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/rule/rule.h"
#include "jobs/rules/actions.h"
#include "tests/jobs/rule_store/rules.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::rules {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::MakeRule;
using testing_support::MakeRules;
using testing_support::TempDir;

class PinTest : public testing::Test {
 protected:
  PinTest() : store_(*rule_store::RuleStore::Open(temp_ / "store")) {}

  // A store with a rule in service and another of its cluster on probation.
  void MakeStore() {
    rule_store::RuleState state;
    state.rule_id = rule::RuleId(suspended_);
    state.site = "a.example";
    state.cluster_id = "1";
    state.state = rule_store::RuleState::kOnProbation;
    state.since = "2026-01-02";
    state.why = "title is another on 18 of 20 pages";
    state.back_when = "it is not";
    ASSERT_TRUE(
        store_
            .Publish(
                {},
                {MakeRules({serving_}), {}, MakeRules({suspended_}), {state}})
            .ok());
  }

  rule_store::StoredRules Content() const {
    return *store_.Content(*store_.Current());
  }
  std::string List() const { return ListVersions(store_)->text; }

  TempDir temp_;
  rule_store::RuleStore store_;
  const proto::Rule serving_ = MakeRule("a.example", "1", "//h1");
  const proto::Rule suspended_ = MakeRule("a.example", "1", "//h2");
};

TEST_F(PinTest, ListSaysWhatIsNotSimplyInService) {
  MakeStore();
  EXPECT_THAT(List(),
              AllOf(HasSubstr("on probation: " + rule::RuleId(suspended_) +
                              " of a.example since 2026-01-02: title is "
                              "another on 18 of 20 pages\n"
                              "    back when it is not\n"),
                    Not(HasSubstr(rule::RuleId(serving_)))));
  EXPECT_EQ((*ListVersions(store_)->json)["rules"].size(), 2u);
}

TEST_F(PinTest, PinnedAndNoLongerPinned) {
  MakeStore();
  const std::string rule_id = rule::RuleId(serving_);
  const auto report = PinRule(&store_, rule_id, true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(report->text, HasSubstr("stays in service, whatever tests say"));
  EXPECT_THAT(List(), HasSubstr("pinned: " + rule_id + " of a.example"));
  EXPECT_THAT(std::string(PinRule(&store_, rule_id, true).status().message()),
              HasSubstr("is pinned already"));
  ASSERT_TRUE(PinRule(&store_, "1", false).ok());
  EXPECT_THAT(List(), Not(HasSubstr("pinned: ")));
  EXPECT_EQ(rule::EncodeRules(Content().rules),
            rule::EncodeRules(MakeRules({serving_})));
}

TEST_F(PinTest, RuleOnProbationComesIntoService) {
  MakeStore();
  ASSERT_TRUE(PinRule(&store_, rule::RuleId(suspended_), true).ok());
  const rule_store::StoredRules content = Content();
  EXPECT_EQ(rule::EncodeRules(content.rules),
            rule::EncodeRules(MakeRules({suspended_})));
  EXPECT_EQ(rule::EncodeRules(content.probation),
            rule::EncodeRules(MakeRules({serving_})));
  EXPECT_THAT(List(),
              AllOf(HasSubstr("pinned: " + rule::RuleId(suspended_)),
                    HasSubstr("on probation: " + rule::RuleId(serving_))));
}

TEST_F(PinTest, WhatIsNotThere) {
  EXPECT_THAT(std::string(PinRule(&store_, "1", true).status().message()),
              HasSubstr("nothing to pin"));
  MakeStore();
  EXPECT_THAT(std::string(PinRule(&store_, "7", true).status().message()),
              HasSubstr("has no such rule, in service or on probation"));
}

}  // namespace
}  // namespace trommel::jobs::rules
