#include "core/reuse/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace trommel::reuse {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kA[] = "1.2.3.4.5.6.7.8";
constexpr char kB[] = "1.2.3.4.5.6.7.*";
constexpr char kC[] = "9.9.9.9.9.9.*.*";

cluster::Template Make(
    const std::vector<std::pair<const char*, int64_t>>& signatures) {
  cluster::Template tmpl;
  for (const auto& [text, importance] : signatures) {
    tmpl.signatures.push_back(
        {*signature::MaskedVector::Parse(text), importance, 0});
  }
  return tmpl;
}

struct MatchCase {
  const char* label;
  std::vector<std::pair<const char*, int64_t>> now, before;
  bool matches;
};

TEST(ClusterMatch, IsTheSameMaskedSignature) {
  const MatchCase kCases[] = {
      {"one each, the same", {{kA, 10}}, {{kA, 99}}, true},
      {"one each, another", {{kA, 10}}, {{kC, 10}}, false},
      {"covered is not the same", {{kA, 10}}, {{kB, 10}}, false},
      {"half of the importance", {{kA, 10}, {kB, 10}}, {{kB, 1}}, true},
      {"less than half", {{kA, 11}, {kB, 10}}, {{kB, 50}}, false},
      {"the old one has more", {{kA, 10}}, {{kC, 90}, {kA, 1}}, true},
      {"none", {}, {{kA, 10}}, false},
      {"none and none", {}, {}, false},
  };
  for (const MatchCase& c : kCases) {
    EXPECT_EQ(IsClusterMatch(Make(c.now), Make(c.before)), c.matches)
        << c.label;
  }
}

class CandidatesTest : public testing::Test {
 protected:
  CandidatesTest() : same_(Make({{kA, 10}})), other_(Make({{kC, 20}})) {}

  OldCluster& Add(const std::string& id, const cluster::Template& tmpl,
                  int64_t shared, int64_t by_signature, int64_t by_sketch) {
    OldCluster& cluster = old_.emplace_back();
    cluster.cluster_id = id;
    cluster.tmpl = &tmpl;
    cluster.has_rule = true;
    cluster.shared_urls = shared;
    cluster.placed_by_signature = by_signature;
    cluster.placed_by_sketch = by_sketch;
    return cluster;
  }
  std::vector<Candidate> Find() const {
    return FindCandidates(Make({{kA, 10}}), /*num_pages=*/100, old_);
  }

  const cluster::Template same_;
  const cluster::Template other_;
  std::vector<OldCluster> old_;
};

TEST_F(CandidatesTest, StrictestFirst) {
  Add("by fields", other_, 90, 10, 10);
  Add("by sketch", other_, 1, 60, 40);
  Add("by page", other_, 1, 100, 0);
  Add("by cluster", same_, 1, 0, 0);
  EXPECT_THAT(Find(), ElementsAre(Candidate{3, HowMatched::kCluster},
                                  Candidate{2, HowMatched::kPage},
                                  Candidate{1, HowMatched::kPageBySketch},
                                  Candidate{0, HowMatched::kFieldTest}));
}

TEST_F(CandidatesTest, TiesByImportance) {
  const cluster::Template more = Make({{kA, 10}, {kC, 500}});
  Add("less", same_, 50, 0, 0);
  Add("more", more, 5, 0, 0);
  EXPECT_THAT(Find(), ElementsAre(Candidate{1, HowMatched::kCluster},
                                  Candidate{0, HowMatched::kCluster}));
}

TEST_F(CandidatesTest, ByFieldsAloneMostUrlsFirst) {
  Add("few", other_, 5, 0, 0);
  Add("many", other_, 50, 0, 0);
  EXPECT_THAT(Find(), ElementsAre(Candidate{1, HowMatched::kFieldTest},
                                  Candidate{0, HowMatched::kFieldTest}));
}

TEST_F(CandidatesTest, WithoutSharedUrlsASignatureMustMatch) {
  Add("cluster", same_, 0, 0, 0);
  Add("pages", other_, 0, 100, 0);
  Add("sketch", other_, 0, 50, 50);
  Add("nothing", other_, 0, 10, 0);
  EXPECT_THAT(Find(), ElementsAre(Candidate{0, HowMatched::kCluster},
                                  Candidate{1, HowMatched::kPage}));
}

TEST_F(CandidatesTest, SharedUrlsGoBeforeNone) {
  Add("cluster", same_, 0, 0, 0);
  Add("fields", other_, 9, 0, 0);
  EXPECT_THAT(Find(), ElementsAre(Candidate{1, HowMatched::kFieldTest},
                                  Candidate{0, HowMatched::kCluster}));
}

TEST_F(CandidatesTest, OnlyClustersWithRules) {
  Add("none", same_, 90, 100, 0).has_rule = false;
  EXPECT_THAT(Find(), IsEmpty());
}

TEST_F(CandidatesTest, NotMoreThanAFew) {
  for (int i = 0; i < 10; ++i) Add(std::to_string(i), other_, 1, 0, 0);
  EXPECT_EQ(Find().size(), kMaxCandidates);
}

TEST_F(CandidatesTest, Predecessor) {
  EXPECT_EQ(Predecessor(old_), -1);
  Add("match without a page", same_, 0, 0, 0);
  EXPECT_EQ(Predecessor(old_), -1);
  Add("places most", other_, 0, 60, 0);
  EXPECT_EQ(Predecessor(old_), 1);
  Add("shares some", other_, 2, 0, 0);
  EXPECT_EQ(Predecessor(old_), 2);
}

}  // namespace
}  // namespace trommel::reuse
