// What every learner must do, whatever it makes of pages. One that is added to
// the registry is tested here without a line more.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/annotation/annotation.h"
#include "core/learn/learner.h"
#include "core/learn/registry.h"
#include "core/learn/site_learning.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing_support::AnnotationOf;
using testing_support::PageOf;
using testing_support::ProductSchema;
using testing_support::SchemaOf;
using testing_support::ValueOf;

using Kind = annotation::Annotation::Kind;

class LearnerConformanceTest : public testing::TestWithParam<std::string> {
 protected:
  LearnerConformanceTest() {
    auto learner = MakeLearner(GetParam());
    EXPECT_TRUE(learner.ok()) << learner.status();
    learner_ = *std::move(learner);
    schema_ = ProductSchema();
  }

  std::string Page(const std::string& html) {
    const std::string url = StrCat("http://a.example/", pages_.size());
    pages_.push_back(PageOf(url, html));
    return url;
  }

  // Products, of which two are annotated and one has no price.
  void MakeProducts() {
    for (int i = 0; i < 8; ++i) {
      const std::string price =
          i == 1 ? "" : StrCat("<b class=price>$", 10 * i, ".99</b>");
      Page(StrCat("<div id=top><a href=/>Home</a></div><h1>Product ", i,
                  "</h1><table><tr><td>Price:<td>", price,
                  "<tr><td>Weight:<td>", i, "0 kg</table>"));
    }
    annotations_ = {ValueOf(pages_[0].url, "title", "Product 0"),
                    ValueOf(pages_[0].url, "price", "$0.99"),
                    ValueOf(pages_[1].url, "title", "Product 1"),
                    AnnotationOf(Kind::kAbsent, pages_[1].url, "price")};
  }

  LearnOutput Learn(absl::Duration budget = absl::Seconds(60)) const {
    LearnInput input;
    input.schema = &schema_;
    input.pages = &pages_;
    input.annotations = annotations_;
    input.budget = budget;
    auto output = learner_->Learn(input);
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? *std::move(output) : LearnOutput();
  }

  ClusterOutcome LearnCluster() {
    std::vector<ClusterSample> clusters(1);
    clusters[0].about.set_site("a.example");
    clusters[0].about.set_cluster_id("c");
    clusters[0].pages = std::move(pages_);
    auto outcomes =
        LearnSite(*learner_, schema_, clusters, annotations_, LearnSettings());
    pages_ = std::move(clusters[0].pages);
    EXPECT_TRUE(outcomes.ok()) << outcomes.status();
    return outcomes.ok() ? std::move((*outcomes)[0]) : ClusterOutcome();
  }

  proto::Rule RuleOf(const LearnOutput& output) const {
    proto::Rule rule;
    rule.set_cluster_id("c");
    *rule.mutable_schema() = schema_;
    *rule.mutable_program() = output.program;
    return rule;
  }

  // What a rule extracts from all pages.
  std::vector<std::vector<record::Record>> Extracted(
      const proto::Rule& rule) const {
    std::vector<std::vector<record::Record>> records;
    const auto extractor = rule::CompileRule(rule);
    EXPECT_TRUE(extractor.ok()) << extractor.status();
    if (!extractor.ok()) return records;
    for (const LearnPage& page : pages_) {
      records.push_back((*extractor)->Extract(page.document, page.url));
    }
    return records;
  }

  static bool HasProgram(const LearnOutput& output) {
    return output.program.kind_case() != proto::Program::KIND_NOT_SET;
  }

  std::unique_ptr<Learner> learner_;
  proto::Schema schema_;
  std::vector<LearnPage> pages_;
  std::vector<annotation::Annotation> annotations_;
};

TEST_P(LearnerConformanceTest, SaysWhatItIsAndWhoLearnt) {
  EXPECT_EQ(learner_->name(), GetParam());
  MakeProducts();
  EXPECT_THAT(LearnerNames(), testing::Contains(Learn().learner));
}

// Phases that a learner does not have are errors that say so.
TEST_P(LearnerConformanceTest, PhasesItDoesNotHave) {
  if (!learner_->CanTrain()) {
    const absl::Status status = learner_->Train(TrainInput()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(GetParam()));
  }
  if (!learner_->CanAnnotate()) {
    const absl::Status status = learner_->Annotate(AnnotateInput()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(GetParam()));
  }
}

TEST_P(LearnerConformanceTest, OrderDecidesNothing) {
  MakeProducts();
  const std::string program = Learn().program.SerializeAsString();
  std::mt19937 random(1);
  for (int i = 0; i < 4; ++i) {
    std::shuffle(annotations_.begin(), annotations_.end(), random);
    EXPECT_EQ(Learn().program.SerializeAsString(), program);
  }
  for (int i = 0; i < 4; ++i) {
    std::shuffle(pages_.begin(), pages_.end(), random);
    EXPECT_EQ(Learn().program.SerializeAsString(), program);
  }
}

TEST_P(LearnerConformanceTest, ProgramsOutliveStorage) {
  MakeProducts();
  const LearnOutput output = Learn();
  ASSERT_TRUE(HasProgram(output));
  proto::RuleSet rules;
  *rules.add_rule() = RuleOf(output);
  const auto read = rule::DecodeRules(rule::EncodeRules(rules));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->rule_size(), 1);
  EXPECT_EQ(Extracted(read->rule(0)), Extracted(rules.rule(0)));
}

// What an editor has annotated comes out right, or the outcome is not "done"
// and says why.
TEST_P(LearnerConformanceTest, AnnotatedPagesComeOutRight) {
  MakeProducts();
  const ClusterOutcome outcome = LearnCluster();
  EXPECT_FALSE(outcome.reason.empty());
  if (!outcome.rule.has_value() || !outcome.rule->validity().valid()) {
    EXPECT_NE(outcome.status, LearnStatus::kDone) << outcome.reason;
    return;
  }
  const std::vector<std::vector<record::Record>> records =
      Extracted(*outcome.rule);
  for (size_t page = 0; page < 2; ++page) {
    ASSERT_EQ(records[page].size(), 1u);
    EXPECT_THAT(records[page][0].values(0),
                testing::ElementsAre(StrCat("Product ", page)));
  }
  EXPECT_THAT(records[0][0].values(1), testing::ElementsAre("$0.99"));
  EXPECT_THAT(records[1][0].values(1), testing::IsEmpty());
}

// The same where pages have several records: a learner that cannot learn them
// does not claim that it has.
TEST_P(LearnerConformanceTest, SeveralRecordsComeOutRightOrNotAtAll) {
  for (int i = 0; i < 4; ++i) {
    std::string html = "<ul>";
    for (int k = 0; k < 3; ++k) {
      StrAppend(&html, "<li><h2>Product ", i, k, "</h2><b>$5</b></li>");
    }
    const std::string url = Page(html);
    if (i > 1) continue;
    for (int k = 0; k < 3; ++k) {
      annotations_.push_back(
          ValueOf(url, "title", StrCat("Product ", i, k), k));
      annotations_.push_back(ValueOf(url, "price", "$5", k));
    }
    annotations_.push_back(AnnotationOf(Kind::kComplete, url));
  }
  const ClusterOutcome outcome = LearnCluster();
  EXPECT_FALSE(outcome.reason.empty());
  if (!outcome.rule.has_value() || !outcome.rule->validity().valid()) return;
  const std::vector<std::vector<record::Record>> records =
      Extracted(*outcome.rule);
  for (size_t page = 0; page < 2; ++page) {
    ASSERT_EQ(records[page].size(), 3u);
    EXPECT_THAT(records[page][2].values(0),
                testing::ElementsAre(StrCat("Product ", page, 2)));
    EXPECT_THAT(records[page][2].values(1), testing::ElementsAre("$5"));
  }
}

TEST_P(LearnerConformanceTest, TheBudgetIsKept) {
  for (int i = 0; i < 12; ++i) {
    std::string html = StrCat("<h1>Product ", i, "</h1>");
    for (int k = 0; k < 300; ++k) {
      StrAppend(&html, "<p class=c", k % 7, " id=i", k, "><b>", k * i,
                "</b> and <i>", k + i, "</i></p>");
    }
    annotations_.push_back(ValueOf(Page(html), "title", StrCat("Product ", i)));
    annotations_.push_back(ValueOf(pages_.back().url, "price", StrCat(7 * i)));
  }
  const absl::Time start = absl::Now();
  const LearnOutput output = Learn(absl::Milliseconds(1));
  // Generous, for busy machines and sanitizers: it must not hang.
  EXPECT_LT(absl::Now() - start, absl::Seconds(60));
  EXPECT_TRUE(output.ran_out_of_time || HasProgram(output));
}

TEST_P(LearnerConformanceTest, NothingToLearnFrom) {
  EXPECT_FALSE(HasProgram(Learn())) << "without pages";
  annotations_ = {ValueOf("http://elsewhere/", "title", "T")};
  EXPECT_FALSE(HasProgram(Learn())) << "of other pages";
  annotations_.clear();
  MakeProducts();
  annotations_.clear();
  EXPECT_FALSE(HasProgram(Learn())) << "without annotations";
  for (const LearnPage& page : pages_) {
    annotations_.push_back(AnnotationOf(Kind::kComplete, page.url));
  }
  EXPECT_FALSE(HasProgram(Learn())) << "pages without records";
}

TEST_P(LearnerConformanceTest, ValuesThatAreNotOnThePage) {
  MakeProducts();
  annotations_ = {ValueOf(pages_[0].url, "title", "Something else")};
  const LearnOutput output = Learn();
  EXPECT_EQ(output.warnings.size(), 1u);
  EXPECT_EQ(output.failures.size(), 1u);
}

// Any bytes may be a page of a sample, also one that is annotated.
TEST_P(LearnerConformanceTest, HostilePages) {
  std::string deep, equal;
  for (int i = 0; i < 20000; ++i) deep += "<div>";
  for (int i = 0; i < 10000; ++i) equal += "<b>$5</b>";
  const std::string title = "<h1>Product</h1><b>$5</b>";
  const std::string kPages[] = {
      "",
      deep + title,
      StrCat("<p class='", std::string(1 << 20, 'x'), "' id='",
             std::string(1 << 20, 'y'), "'>", title),
      title + equal,
      StrCat("<p>", std::string(1 << 20, 'z'), title),
      "<h1>\xEF\xBF\xBD</h1><script>Product</script>",
      "<h1>Product \"quoted' ]]> &amp; //*[1]</h1>",
  };
  const absl::Time start = absl::Now();
  for (const std::string& html : kPages) {
    const std::string url = Page(html);
    annotations_.push_back(ValueOf(url, "title", "Product"));
    annotations_.push_back(ValueOf(url, "price", "$5"));
  }
  Page(title);
  const ClusterOutcome outcome = LearnCluster();
  EXPECT_FALSE(outcome.reason.empty());
  if (outcome.rule.has_value()) {
    EXPECT_EQ(Extracted(*outcome.rule).size(), pages_.size());
  }
  EXPECT_LT(absl::Now() - start, absl::Minutes(5));
}

INSTANTIATE_TEST_SUITE_P(AllLearners, LearnerConformanceTest,
                         testing::ValuesIn(LearnerNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace trommel::learn
