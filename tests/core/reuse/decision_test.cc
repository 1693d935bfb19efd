#include "core/reuse/decision.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/records.h"

namespace trommel::reuse {
namespace {

using testing::HasSubstr;

class DecisionTest : public testing::Test {
 protected:
  DecisionTest() {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "cluster_id: 'old' schema { name: 's' "
        "attribute { name: 'title' mandatory: true constant: true } }",
        &rule_));
  }

  void AddOld(const std::string& id, int64_t shared, bool is_ignored = false) {
    OldCluster& cluster = old_.emplace_back();
    cluster.cluster_id = id;
    cluster.tmpl = &tmpl_;
    cluster.has_rule = !is_ignored;
    cluster.is_ignored = is_ignored;
    cluster.shared_urls = shared;
  }
  FieldCounts Counts(int passed, int null, int silent = 0) const {
    FieldCounts counts;
    const std::vector<record::Record> golden = {
        testing_support::RecordOf({{"Dune"}})};
    for (int i = 0; i < passed; ++i) {
      counts.AddShared(rule_.schema(), golden, golden);
    }
    for (int i = 0; i < null; ++i) {
      counts.AddShared(rule_.schema(), golden, {record::Record()});
    }
    for (int i = 0; i < silent; ++i) {
      counts.AddShared(rule_.schema(), {}, {record::Record()});
    }
    return counts;
  }
  void Try(size_t old_cluster, HowMatched how, FieldCounts counts) {
    Trial trial;
    trial.candidate = {old_cluster, how};
    trial.rule = &rule_;
    trial.counts = std::move(counts);
    trials_.push_back(std::move(trial));
  }
  ReuseDecision Decide() const { return DecideReuse(old_, trials_, {}); }

  const cluster::Template tmpl_;
  proto::Rule rule_;
  std::vector<OldCluster> old_;
  std::vector<Trial> trials_;
};

TEST_F(DecisionTest, TheFirstThatPassesIsReused) {
  AddOld("a", 5);
  AddOld("b", 50);
  Try(0, HowMatched::kCluster, Counts(0, 20));
  Try(1, HowMatched::kFieldTest, Counts(20, 0));
  const ReuseDecision decision = Decide();
  EXPECT_EQ(decision.kind, ReuseKind::kReused);
  EXPECT_EQ(decision.old_cluster, 1);
  EXPECT_EQ(decision.how, HowMatched::kFieldTest);
  EXPECT_EQ(decision.counts.passed, 20);
  EXPECT_EQ(decision.repair, -1);
}

TEST_F(DecisionTest, WhatFailsIsWorthARepair) {
  AddOld("a", 5);
  AddOld("b", 50);
  Try(0, HowMatched::kCluster, Counts(0, 5));
  Try(1, HowMatched::kFieldTest, Counts(0, 50));
  const ReuseDecision decision = Decide();
  EXPECT_EQ(decision.kind, ReuseKind::kAnnotate);
  EXPECT_EQ(decision.repair, 1);
  EXPECT_EQ(decision.old_cluster, 1);
  EXPECT_THAT(decision.reason, HasSubstr("cluster match) fails"));
  EXPECT_THAT(decision.reason, HasSubstr("title is missing on 50 of 50"));
}

TEST_F(DecisionTest, TooFewPagesAreNotWorthARepair) {
  AddOld("a", 2);
  Try(0, HowMatched::kCluster, Counts(0, 2));
  EXPECT_EQ(Decide().repair, -1);
  trials_.clear();
  Try(0, HowMatched::kCluster, Counts(0, 4, /*silent=*/5));
  EXPECT_EQ(Decide().repair, -1);
}

TEST_F(DecisionTest, WhatWasIgnoredStaysSo) {
  AddOld("a", 2);
  AddOld("help", 90, /*is_ignored=*/true);
  Try(0, HowMatched::kFieldTest, Counts(0, 2, /*silent=*/90));
  const ReuseDecision decision = Decide();
  EXPECT_EQ(decision.kind, ReuseKind::kIgnored);
  EXPECT_EQ(decision.old_cluster, 1);
  EXPECT_THAT(decision.reason, HasSubstr("cluster help"));
}

TEST_F(DecisionTest, WithoutCandidates) {
  EXPECT_THAT(Decide().reason, HasSubstr("none of its pages"));
  AddOld("a", 9);
  const ReuseDecision decision = Decide();
  EXPECT_EQ(decision.kind, ReuseKind::kAnnotate);
  EXPECT_THAT(decision.reason, HasSubstr("cluster a, which had no rule"));
}

TEST_F(DecisionTest, ARepairMustPassTheFieldTest) {
  AddOld("a", 20);
  Try(0, HowMatched::kCluster, Counts(0, 20));
  const ReuseDecision broken = Decide();
  RepairTrial repair;
  repair.reason = "not found";
  ReuseDecision after = DecideRepair(broken, trials_[0], repair, {});
  EXPECT_EQ(after.kind, ReuseKind::kAnnotate);
  EXPECT_THAT(after.reason, HasSubstr("not repaired: not found"));

  repair.rule = &rule_;
  repair.reason = "title learnt again";
  repair.counts = Counts(15, 5);
  after = DecideRepair(broken, trials_[0], repair, {});
  EXPECT_EQ(after.kind, ReuseKind::kAnnotate);
  EXPECT_THAT(after.reason, HasSubstr("but the new rule fails"));
  EXPECT_EQ(after.counts, broken.counts);

  repair.counts = Counts(20, 0);
  after = DecideRepair(broken, trials_[0], repair, {});
  EXPECT_EQ(after.kind, ReuseKind::kRepaired);
  EXPECT_EQ(after.counts.passed, 20);
  EXPECT_THAT(after.reason, HasSubstr("title learnt again"));
  EXPECT_THAT(after.reason, HasSubstr("before that, rule old@"));
}

}  // namespace
}  // namespace trommel::reuse
