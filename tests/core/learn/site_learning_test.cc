#include "core/learn/site_learning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/learn/registry.h"
#include "core/rule/rule.h"
#include "tests/core/learn/list_program.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing_support::ListLearner;
using testing_support::PageOf;
using testing_support::Product;
using testing_support::ProductSchema;
using testing_support::RegisterListProgram;
using testing_support::SchemaOf;

// A product whose title is in another place than that of Product().
constexpr char kOtherProduct[] =
    "<hr><b class=price>$9</b><i>x</i><hr><h2>Other</h2>";

class SiteLearningTest : public testing::Test {
 protected:
  ClusterSample& Cluster(const std::string& id) {
    ClusterSample& cluster = clusters_.emplace_back();
    cluster.about.set_site("a.example");
    cluster.about.set_cluster_id(id);
    cluster.about.set_importance(10);
    return cluster;
  }
  static void Page(ClusterSample* cluster, const std::string& html) {
    cluster->pages.push_back(
        PageOf(StrCat("http://a.example/", cluster->about.cluster_id(), "/",
                      cluster->pages.size() + 1),
               html));
  }
  void Add(const std::string& url, annotation::Annotation::Kind kind,
           const std::string& attribute, const std::string& value,
           std::optional<int64_t> record = std::nullopt) {
    annotation::Annotation& a = annotations_.emplace_back();
    a.line = static_cast<int64_t>(annotations_.size());
    a.kind = kind;
    a.url = url;
    a.attribute = attribute;
    a.value = value;
    a.record = record;
  }
  void Value(const std::string& url, const std::string& attribute,
             const std::string& value,
             std::optional<int64_t> record = std::nullopt) {
    Add(url, annotation::Annotation::Kind::kValue, attribute, value, record);
  }

  std::vector<ClusterOutcome> Learn() { return Learn(**MakeLearner("auto")); }
  std::vector<ClusterOutcome> Learn(const Learner& learner) {
    auto outcomes =
        LearnSite(learner, schema_, clusters_, annotations_, settings_);
    EXPECT_TRUE(outcomes.ok()) << outcomes.status();
    return outcomes.ok() ? *std::move(outcomes) : std::vector<ClusterOutcome>();
  }

  proto::Schema schema_ = ProductSchema();
  std::vector<ClusterSample> clusters_;
  std::vector<annotation::Annotation> annotations_;
  LearnSettings settings_;
};

TEST_F(SiteLearningTest, DoneWithOnePage) {
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 8; ++i) Page(&cluster, Product(i));
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  const auto outcomes = Learn();
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone) << outcomes[0].reason;
  EXPECT_EQ(outcomes[0].annotated_pages, 1);
  EXPECT_EQ(outcomes[0].next_url, "");
  const proto::Rule& rule = *outcomes[0].rule;
  EXPECT_EQ(rule.cluster_id(), "c1");
  EXPECT_EQ(rule.learner(), "vertex");
  EXPECT_EQ(rule.program().fields().attribute_size(), 2);
  EXPECT_EQ(rule.sample_page_size(), 8);
  EXPECT_TRUE(rule.sample_page(0).annotated());
  EXPECT_FALSE(rule.sample_page(1).annotated());
  EXPECT_EQ(rule.sample_page(1).content_digest(),
            "digest of http://a.example/c1/2");
  EXPECT_EQ(rule.bellwether_size(), 8);
  EXPECT_EQ(rule.bellwether(3).record(0).attribute(0).value(0), "Title 3");
  EXPECT_TRUE(rule.validity().valid());
  EXPECT_EQ(rule.validity().pages(), 7);
  EXPECT_EQ(rule.validity().precision(), 1);
  EXPECT_EQ(rule.validity().recall(), 1);
  EXPECT_EQ(outcomes[0].next_attribute, "");
  EXPECT_TRUE(outcomes[0].doubts.empty());
}

// By attribute of the schema, of the pages that nobody annotated.
TEST_F(SiteLearningTest, ShowsWhatTheRuleFinds) {
  std::string long_title = "x";
  for (int i = 0; i < 150; ++i) long_title += "\u00E9";
  ClusterSample& cluster = Cluster("c1");
  for (const int i : {0, 1, 2, 2}) Page(&cluster, Product(i));
  Page(&cluster, StrCat("<h1>", long_title, "</h1><b class=price>$1</b>"));
  Page(&cluster, "<h1>Title 5</h1><i>x</i>");
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  auto outcomes = Learn();
  EXPECT_THAT(outcomes[0].fill,
              ElementsAre(Pair("title", 1), Pair("price", 0.8)));
  EXPECT_THAT(outcomes[0].examples,
              ElementsAre(Pair("title", ElementsAre("Title 1", "Title 2",
                                                    long_title.substr(0, 199))),
                          Pair("price", ElementsAre("$1", "$2"))));

  // No page is left to show anything of.
  cluster.pages.resize(1);
  outcomes = Learn();
  EXPECT_THAT(outcomes[0].fill, IsEmpty());
  EXPECT_THAT(outcomes[0].examples, IsEmpty());
}

TEST_F(SiteLearningTest, AsksForThePageOnWhichTheRuleFails) {
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 6; ++i) Page(&cluster, Product(i));
  Page(&cluster, kOtherProduct);
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kNeedsAnnotation);
  EXPECT_EQ(outcomes[0].next_url, "http://a.example/c1/7");
  EXPECT_EQ(outcomes[0].next_attribute, "title");
  ASSERT_EQ(outcomes[0].doubts.size(), 1u);
  EXPECT_EQ(outcomes[0].doubts[0].attribute, "title");
  EXPECT_EQ(outcomes[0].doubts[0].url, "http://a.example/c1/7");
  EXPECT_GE(outcomes[0].doubts[0].weight, 0.5);
  EXPECT_LE(outcomes[0].doubts[0].weight, 1);
  EXPECT_EQ(outcomes[0].reason, StrCat("title: ", outcomes[0].doubts[0].text));
  ASSERT_TRUE(outcomes[0].rule.has_value());
  EXPECT_EQ(outcomes[0].rule->validity().pages(), 6);
  // With it annotated the rule covers both.
  Value("http://a.example/c1/7", "title", "Other");
  Value("http://a.example/c1/7", "price", "$9");
  outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone) << outcomes[0].reason;
  EXPECT_EQ(outcomes[0].annotated_pages, 2);
}

// An attribute that is missing somewhere is asked for once; "absent" tells that
// it may be.
TEST_F(SiteLearningTest, AbsenceIsAskedForOnce) {
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 8; ++i) {
    Page(&cluster,
         i % 2 == 0 ? Product(i) : StrCat("<h1>Title ", i, "</h1><i>x</i>"));
  }
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kNeedsAnnotation);
  const std::string next = outcomes[0].next_url;
  EXPECT_EQ(next, "http://a.example/c1/2");
  Value(next, "title", "Title 1");
  Add(next, annotation::Annotation::Kind::kAbsent, "price", "");
  outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone) << outcomes[0].reason;
}

TEST_F(SiteLearningTest, NotAnnotatedAsksForTheFirstPage) {
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 3; ++i) Page(&cluster, Product(i));
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kNeedsAnnotation);
  EXPECT_EQ(outcomes[0].next_url, "http://a.example/c1/1");
  EXPECT_EQ(outcomes[0].annotated_pages, 0);
  EXPECT_FALSE(outcomes[0].rule.has_value());
}

TEST_F(SiteLearningTest, FailedWhenThereIsNoPageLeft) {
  ClusterSample& cluster = Cluster("c1");
  Page(&cluster, Product(0));
  Page(&cluster, Product(1));
  Cluster("empty");
  for (int i = 0; i < 2; ++i) {
    const std::string url = StrCat("http://a.example/c1/", i + 1);
    Value(url, "title", "not on this page");
    Value(url, "price", StrCat("$", i));
  }
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kFailed);
  EXPECT_THAT(outcomes[0].reason, HasSubstr("title"));
  EXPECT_EQ(outcomes[0].warnings.size(), 2u);
  EXPECT_EQ(outcomes[1].status, LearnStatus::kFailed);
  EXPECT_THAT(outcomes[1].reason, HasSubstr("no page"));
}

TEST_F(SiteLearningTest, SkippedClustersAreIgnored) {
  ClusterSample& cluster = Cluster("c1");
  Page(&cluster, Product(0));
  Add("http://a.example/c1/1", annotation::Annotation::Kind::kSkip, "", "");
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kIgnored);
  EXPECT_FALSE(outcomes[0].rule.has_value());
}

// A cluster that nobody annotated, on which the other's rule works; and one on
// which it does not.
TEST_F(SiteLearningTest, RulesAreShared) {
  ClusterSample& first = Cluster("c1");
  for (int i = 0; i < 5; ++i) Page(&first, Product(i));
  ClusterSample& second = Cluster("c2");
  for (int i = 0; i < 5; ++i) Page(&second, "<hr><hr>" + Product(i));
  ClusterSample& third = Cluster("c3");
  for (int i = 0; i < 5; ++i) Page(&third, "<p>something else</p>");
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone);
  EXPECT_EQ(outcomes[1].status, LearnStatus::kDone) << outcomes[1].reason;
  EXPECT_EQ(outcomes[1].reused_from, rule::RuleId(*outcomes[0].rule));
  EXPECT_EQ(outcomes[1].rule->cluster_id(), "c2");
  EXPECT_EQ(outcomes[1].annotated_pages, 0);
  EXPECT_EQ(outcomes[1].rule->bellwether_size(), 5);
  EXPECT_EQ(outcomes[2].status, LearnStatus::kNeedsAnnotation);
}

// A page of many products is not a product.
TEST_F(SiteLearningTest, RulesAreNotSharedWithLists) {
  ClusterSample& first = Cluster("c1");
  for (int i = 0; i < 5; ++i) Page(&first, Product(i));
  ClusterSample& lists = Cluster("c2");
  for (int i = 0; i < 5; ++i) {
    Page(&lists, Product(i) + Product(10 + i) + Product(20 + i));
  }
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone);
  EXPECT_EQ(outcomes[1].status, LearnStatus::kNeedsAnnotation);
}

// Mandatory on no page but those annotated: not done.
TEST_F(SiteLearningTest, FailedWhenMostPagesHaveNothing) {
  settings_.max_annotated_pages = 1;
  ClusterSample& cluster = Cluster("c1");
  Page(&cluster, "<p>New</p>" + Product(0));
  for (int i = 0; i < 6; ++i) {
    Page(&cluster, StrCat("<b class=price>$", i, "</b><i>x</i>"));
  }
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kFailed);
  EXPECT_FALSE(outcomes[0].rule->validity().valid());
}

TEST_F(SiteLearningTest, AllPagesAnnotated) {
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 2; ++i) {
    Page(&cluster, Product(i));
    Value(StrCat("http://a.example/c1/", i + 1), "title", StrCat("Title ", i));
    Value(StrCat("http://a.example/c1/", i + 1), "price", StrCat("$", i));
  }
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone);
  EXPECT_TRUE(outcomes[0].rule->validity().valid());
  EXPECT_TRUE(outcomes[0].rule->validity().truth_known());
  EXPECT_EQ(outcomes[0].rule->validity().pages(), 2);
}

TEST_F(SiteLearningTest, NoMoreThanSoManyPages) {
  settings_.max_annotated_pages = 1;
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 6; ++i) Page(&cluster, Product(i));
  Page(&cluster, kOtherProduct);
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  const auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone);
  EXPECT_THAT(outcomes[0].reason, HasSubstr("as many pages"));
  EXPECT_EQ(outcomes[0].next_attribute, "");
  ASSERT_EQ(outcomes[0].doubts.size(), 1u);
  EXPECT_EQ(outcomes[0].doubts[0].attribute, "title");
  EXPECT_EQ(outcomes[0].doubts[0].url, "http://a.example/c1/7");
}

// Nothing but absences: there is no rule, whatever the schema asks for.
TEST_F(SiteLearningTest, OnlyAbsencesAskForMore) {
  schema_ = SchemaOf("name: 's' attribute { name: 'title' }");
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 2; ++i) Page(&cluster, Product(i));
  Cluster("c2").pages.clear();
  Add("http://a.example/c1/1", annotation::Annotation::Kind::kAbsent, "title",
      "");
  auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kNeedsAnnotation);
  EXPECT_EQ(outcomes[0].next_url, "http://a.example/c1/2");
  EXPECT_FALSE(outcomes[0].rule.has_value());
  Add("http://a.example/c1/2", annotation::Annotation::Kind::kAbsent, "title",
      "");
  outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kFailed);
  EXPECT_THAT(outcomes[0].reason, HasSubstr("no value"));
}

// A page without any record counts as annotated; one of several records is
// learnt by whoever can.
TEST_F(SiteLearningTest, CompletePagesCountAsAnnotated) {
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 3; ++i) Page(&cluster, Product(i));
  Page(&cluster, "<p>nothing found</p>");
  Add("http://a.example/c1/4", annotation::Annotation::Kind::kComplete, "", "");
  auto outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kNeedsAnnotation);
  EXPECT_EQ(outcomes[0].annotated_pages, 1);
  EXPECT_EQ(outcomes[0].next_url, "http://a.example/c1/1");
  Value("http://a.example/c1/1", "title", "Title 0");
  Value("http://a.example/c1/1", "price", "$0");
  outcomes = Learn();
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone) << outcomes[0].reason;
  EXPECT_EQ(outcomes[0].annotated_pages, 2);
  EXPECT_TRUE(outcomes[0].rule->validity().valid());
}

TEST_F(SiteLearningTest, SeveralRecordsAPage) {
  RegisterListProgram();
  ClusterSample& cluster = Cluster("c1");
  for (int i = 0; i < 4; ++i) {
    Page(&cluster, StrCat("<ul><li><b class=title>A", i,
                          "</b><i class=price>$5</i><li><b class=title>B", i,
                          "</b><i class=price>$5</i></ul>"));
  }
  const std::string url = cluster.pages[0].url;
  for (int record = 0; record < 2; ++record) {
    Value(url, "title", record == 0 ? "A0" : "B0", record);
    Value(url, "price", "$5", record);
  }
  Add(url, annotation::Annotation::Kind::kComplete, "", "");
  const auto outcomes = Learn(ListLearner());
  EXPECT_EQ(outcomes[0].status, LearnStatus::kDone) << outcomes[0].reason;
  EXPECT_EQ(outcomes[0].rule->learner(), "list");
  EXPECT_TRUE(outcomes[0].rule->validity().valid());
  EXPECT_EQ(outcomes[0].rule->bellwether(1).record_size(), 2);

  // A learner of one record a page says that these are several.
  const auto others = Learn();
  EXPECT_THAT(others[0].reason, HasSubstr("several records"));
  EXPECT_TRUE(!others[0].rule.has_value() ||
              !others[0].rule->validity().valid());
}

TEST(LearnStatusNameTest, AsInTheStatusFile) {
  EXPECT_EQ(LearnStatusName(LearnStatus::kDone), "done");
  EXPECT_EQ(LearnStatusName(LearnStatus::kNeedsAnnotation), "needs_annotation");
  EXPECT_EQ(LearnStatusName(LearnStatus::kFailed), "failed");
  EXPECT_EQ(LearnStatusName(LearnStatus::kIgnored), "ignored");
}

}  // namespace
}  // namespace trommel::learn
