#include "core/rule/rule_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/core/cluster/sketches.h"
#include "tests/testing/seed.h"

namespace trommel::rule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::RandomSketch;

class RuleIndexTest : public testing::Test {
 protected:
  proto::Rule* Add(const std::string& site, const std::string& cluster_id,
                   const std::string& url_regex, const std::string& signature,
                   int64_t importance) {
    proto::Rule* const rule = rules_.add_rule();
    rule->set_site(site);
    rule->set_cluster_id(cluster_id);
    rule->set_site_key("host");
    rule->set_shingle_length(10);
    rule->set_url_regex(url_regex);
    if (!signature.empty()) {
      rule->add_signature()->set_signature(signature);
      rule->mutable_signature(0)->set_importance(importance);
    }
    rule->set_importance(importance);
    return rule;
  }

  RuleIndex Index() {
    absl::StatusOr<RuleIndex> index = RuleIndex::Create(rules_);
    EXPECT_TRUE(index.ok()) << index.status();
    return *std::move(index);
  }

  std::string CreateError() {
    const absl::StatusOr<RuleIndex> index = RuleIndex::Create(rules_);
    return index.ok() ? std::string(index->Check().message())
                      : std::string(index.status().message());
  }

  // The cluster whose rule a page meets, or where it ends.
  std::string Meets(RuleIndex* index, std::string_view site,
                    std::string_view url, std::string_view vector) {
    const absl::StatusOr<const SiteRules*> rules = index->Find(site);
    EXPECT_TRUE(rules.ok()) << rules.status();
    if (*rules == nullptr) return "no rule";
    std::vector<size_t> candidates;
    (*rules)->MatchUrl(url, &candidates);
    if (candidates.empty()) return "no URL match";
    const auto match =
        (*rules)->Match({*signature::ParseVector(vector), sketch_}, candidates);
    if (!match.has_value()) return "no template";
    return StrCat(
        index->rules().rule(static_cast<int>(match->rule)).cluster_id(), " by ",
        cluster::PlacedByName(match->by));
  }

  proto::RuleSet rules_;
  Random random_{testing_support::TestSeed(810)};
  signature::Sketch sketch_ = RandomSketch(&random_);
};

TEST_F(RuleIndexTest, SiteThenUrlThenTemplate) {
  Add("a.example", "c1", "http://a\\.example/p/\\d+", "1.2.3.4.5.6.7.*", 10);
  Add("a.example", "c2", "http://a\\.example/q/\\d+", "9.9.9.9.9.9.9.*", 90);
  Add("a.example", "c3", "http://a\\.example/[pq]/\\d+", "5.5.5.5.5.5.5.5", 5);
  Add("b.example", "c4", "http://b\\.example/.*", "1.2.3.4.5.6.7.8", 1);
  RuleIndex index = Index();
  struct Case {
    const char* site;
    const char* url;
    const char* vector;
    const char* meets;
  };
  const Case cases[] = {
      {"a.example", "http://a.example/p/1", "1.2.3.4.5.6.7.8",
       "c1 by signature"},
      {"a.example", "http://a.example/q/1", "9.9.9.9.9.9.9.9",
       "c2 by signature"},
      {"a.example", "http://a.example/q/1", "5.5.5.5.5.5.5.5",
       "c3 by signature"},
      {"b.example", "http://b.example/", "1.2.3.4.5.6.7.8", "c4 by signature"},
      {"c.example", "http://c.example/", "1.2.3.4.5.6.7.8", "no rule"},
      {"a.example", "http://a.example/about", "1.2.3.4.5.6.7.8",
       "no URL match"},
      // The whole URL.
      {"a.example", "http://a.example/p/1/more", "1.2.3.4.5.6.7.8",
       "no URL match"},
      {"a.example", "see http://a.example/p/1", "1.2.3.4.5.6.7.8",
       "no URL match"},
      {"a.example", "http://a.example/p/1", "7.7.7.7.7.7.7.7", "no template"},
      // Of another template, whose own pattern does not match.
      {"a.example", "http://a.example/p/1", "9.9.9.9.9.9.9.9", "no template"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Meets(&index, c.site, c.url, c.vector), c.meets)
        << c.url << " " << c.vector;
  }
}

TEST_F(RuleIndexTest, UrlMatchesComeByImportance) {
  Add("a", "c1", "http://a/.*", "", 10);
  Add("a", "c2", "", "", 5);
  Add("a", "c0", "http://a/x", "", 10);
  Add("a", "c3", "http://a/\\x{FFFD}", "", 90);
  RuleIndex index = Index();
  const SiteRules* const site = *index.Find("a");
  std::vector<size_t> candidates = {7};
  site->MatchUrl("http://a/x", &candidates);
  EXPECT_THAT(candidates, ElementsAre(2, 0, 1));
  // As tables have it.
  site->MatchUrl("http://a/\xFF", &candidates);
  EXPECT_THAT(candidates, ElementsAre(3, 0, 1));
  // A rule without a pattern takes any URL.
  site->MatchUrl("anything\nat all", &candidates);
  EXPECT_THAT(candidates, ElementsAre(1));
}

TEST_F(RuleIndexTest, SketchesPlaceWhatNoSignatureCovers) {
  const signature::Sketch other = RandomSketch(&random_);
  Add("a", "c1", "", "1.1.1.1.1.1.1.1", 1)
      ->set_sketch(cluster::TypicalSketch::Of({&sketch_}).Encode());
  Add("a", "c2", "http://a/2", "2.2.2.2.2.2.2.2", 2)
      ->set_sketch(cluster::TypicalSketch::Of({&other}).Encode());
  RuleIndex index = Index();
  EXPECT_EQ(Meets(&index, "a", "http://a/2", "3.3.3.3.3.3.3.3"),
            "c1 by sketch");
  EXPECT_EQ(Meets(&index, "a", "http://a/2", "2.2.2.2.2.2.2.2"),
            "c2 by signature");
}

// More patterns than one automaton is given memory for.
TEST_F(RuleIndexTest, ManyPatternsGiveTheSameMatches) {
  constexpr int kRules = 400;
  for (int i = 0; i < kRules; ++i) {
    Add("a", StrCat("c", 1000 + i),
        StrCat("http://a/[^/?#]+-", i % 100, "/(?:[a-z]{1,40}x){3}", i,
               "[^/]*"),
        "", kRules - i);
  }
  RuleIndex index = Index();
  const SiteRules* const site = *index.Find("a");
  std::vector<size_t> candidates;
  for (const int i : {0, 7, 99, 100, 399}) {
    site->MatchUrl(StrCat("http://a/any-", i % 100, "/abxcdxefx", i),
                   &candidates);
    EXPECT_THAT(candidates, testing::Contains(static_cast<size_t>(i)));
    for (const size_t found : candidates) EXPECT_EQ(found % 100, i % 100);
  }
  site->MatchUrl("http://b/", &candidates);
  EXPECT_THAT(candidates, IsEmpty());
}

TEST_F(RuleIndexTest, ErrorsNameTheCluster) {
  Add("a", "c1", "", "", 1);
  Add("b", "c1", "", "", 1);
  EXPECT_THAT(CreateError(), testing::AllOf(HasSubstr("c1"), HasSubstr("two")));

  rules_.mutable_rule(1)->set_cluster_id("c2");
  rules_.mutable_rule(1)->set_site_key("registered_domain");
  EXPECT_THAT(CreateError(), testing::AllOf(HasSubstr("c2"), HasSubstr("c1"),
                                            HasSubstr("registered_domain")));
  rules_.mutable_rule(1)->set_site_key("host");
  rules_.mutable_rule(1)->set_shingle_length(6);
  EXPECT_THAT(CreateError(), HasSubstr("shingle_length 6"));
  rules_.mutable_rule(1)->set_shingle_length(10);
  EXPECT_EQ(CreateError(), "");

  rules_.mutable_rule(1)->set_url_regex("(");
  EXPECT_THAT(CreateError(), testing::AllOf(HasSubstr("c2"), HasSubstr("URL")));
  rules_.mutable_rule(1)->clear_url_regex();
  rules_.mutable_rule(1)->set_sketch("short");
  EXPECT_THAT(CreateError(), HasSubstr("c2"));
  rules_.mutable_rule(1)->clear_sketch();
  rules_.mutable_rule(1)->add_signature()->set_signature("1.2");
  EXPECT_THAT(CreateError(), HasSubstr("c2"));
}

TEST_F(RuleIndexTest, NoRules) {
  RuleIndex index = Index();
  EXPECT_EQ(Meets(&index, "a", "http://a/", "1.1.1.1.1.1.1.1"), "no rule");
  EXPECT_TRUE(index.Check().ok());
}

}  // namespace
}  // namespace trommel::rule
