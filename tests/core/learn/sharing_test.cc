#include "core/learn/sharing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "tests/core/learn/list_program.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing_support::FieldsRule;
using testing_support::ListProgram;
using testing_support::PageOf;
using testing_support::Product;
using testing_support::ProductSchema;
using testing_support::RegisterListProgram;
using testing_support::SchemaOf;

bool Fits(const proto::Rule& rule, const std::vector<std::string>& htmls) {
  std::vector<LearnPage> pages;
  for (const std::string& html : htmls) {
    pages.push_back(PageOf(StrCat("u", pages.size()), html));
  }
  const auto fits = FitsSample(rule, pages);
  EXPECT_TRUE(fits.ok()) << fits.status();
  return fits.ok() && *fits;
}

TEST(FitsSampleTest, EveryPageMustGiveAllWithoutDoubt) {
  const proto::Schema typed = SchemaOf(
      "name: 's' attribute { name: 'title' mandatory: true } "
      "attribute { name: 'price' type: PRICE }");
  const proto::Rule rule =
      FieldsRule(typed, {{"//h1/text()"}, {"//b/text()", "//u/text()"}});
  EXPECT_TRUE(Fits(rule, {Product(1), Product(2)}));
  EXPECT_FALSE(Fits(rule, {Product(1), "<b>$5</b>"})) << "no title";
  EXPECT_FALSE(Fits(rule, {Product(1) + Product(2)})) << "a list";
  EXPECT_FALSE(Fits(rule, {"<h1>A</h1><b>cheap</b>"})) << "no price";
  EXPECT_FALSE(Fits(rule, {"<h1>A</h1><b>$5</b><u>$6</u>"})) << "doubtful";
  EXPECT_TRUE(Fits(rule, {"<h1>A</h1><b>$5</b><u>$5</u>"}));
  EXPECT_FALSE(FitsSample(proto::Rule(), {}).ok()) << "no program";
}

// Where nothing is mandatory, a rule has to find all that it can.
TEST(FitsSampleTest, AllThatItExtracts) {
  const proto::Rule rule =
      FieldsRule(SchemaOf("name: 's' attribute { name: 'title' } "
                          "attribute { name: 'price' }"),
                 {{"//h1/text()"}, {"//b/text()"}});
  EXPECT_TRUE(Fits(rule, {Product(1)}));
  EXPECT_FALSE(Fits(rule, {"<h1>A</h1>"}));
}

TEST(FitsSampleTest, SeveralRecordsAPage) {
  RegisterListProgram();
  proto::Rule rule;
  *rule.mutable_schema() = ProductSchema();
  *rule.mutable_program() = ListProgram();
  const std::string item = "<li><b class=title>A</b><i class=price>$5</i>";
  EXPECT_TRUE(Fits(rule, {item + item}));
  EXPECT_FALSE(Fits(rule, {item + "<li><i class=price>$5</i>"}));
  EXPECT_FALSE(Fits(rule, {item, "<p>no list</p>"}));
}

// A kind of program that gives an attribute more than its schema has.
class SurplusExtractor final : public rule::PageExtractor {
 public:
  explicit SurplusExtractor(const proto::Rule& rule)
      : rule::PageExtractor(rule) {}
  std::vector<record::Record> Extract(const html::Document& /*document*/,
                                      std::string_view /*url*/) const override {
    record::Record record(schema());
    record.attributes.emplace_back();
    for (auto& attribute : record.attributes) attribute.values = {"$5"};
    return {record};
  }
  rule::ProgramDescription Describe() const override { return {"surplus", {}}; }
  rule::Explanation Explain(const html::Document& document,
                            std::string_view url) const override {
    return {Extract(document, url), {}};
  }
};

TEST(FitsSampleTest, RecordsOfAnotherSchema) {
  rule::RegisterProgramKind(
      {"surplus",
       [](const proto::Rule& rule)
           -> absl::StatusOr<std::unique_ptr<rule::PageExtractor>> {
         return std::make_unique<SurplusExtractor>(rule);
       }});
  proto::Rule rule;
  *rule.mutable_schema() = ProductSchema();
  rule.mutable_program()->mutable_other()->set_kind("surplus");
  EXPECT_FALSE(Fits(rule, {Product(1)}));
}

TEST(ShareRuleTest, IsTheRuleForOtherPages) {
  proto::Rule rule =
      FieldsRule(ProductSchema(), {{"//h1/text()"}, {"//b/text()"}});
  rule.set_cluster_id("c1");
  rule.set_learner("vertex");
  proto::Rule about;
  about.set_cluster_id("c2");
  about.set_url_regex("/c2/");
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("u", Product(1)));
  const auto copy = ShareRule(rule, about, pages);
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(copy->cluster_id(), "c2");
  EXPECT_EQ(copy->url_regex(), "/c2/");
  EXPECT_EQ(copy->learner(), "vertex");
  EXPECT_EQ(copy->reused_from(), rule::RuleId(rule));
  EXPECT_EQ(copy->sample_page_size(), 1);
  EXPECT_FALSE(copy->sample_page(0).annotated());
  EXPECT_EQ(copy->bellwether_size(), 1);
  EXPECT_TRUE(copy->validity().valid());
}

}  // namespace
}  // namespace trommel::learn
