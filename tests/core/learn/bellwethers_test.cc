#include "core/learn/bellwethers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/learn/list_program.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing_support::Compiled;
using testing_support::FieldsRule;
using testing_support::ListProgram;
using testing_support::PageOf;
using testing_support::Product;
using testing_support::ProductSchema;
using testing_support::RegisterListProgram;

TEST(BellwethersTest, SamplePagesSayWhoWasAnnotated) {
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("u", Product(0)));
  pages.push_back(PageOf("v", Product(1)));
  proto::Rule rule;
  AddSamplePages(pages, {"v"}, &rule);
  ASSERT_EQ(rule.sample_page_size(), 2);
  EXPECT_EQ(rule.sample_page(0).url(), "u");
  EXPECT_EQ(rule.sample_page(0).content_digest(), "digest of u");
  EXPECT_FALSE(rule.sample_page(0).annotated());
  EXPECT_TRUE(rule.sample_page(1).annotated());
}

TEST(BellwethersTest, TheFirstPagesThatHaveARecord) {
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("none", "<b>$5</b>"));
  for (int i = 0; i < 30; ++i) {
    pages.push_back(PageOf(StrCat("u", i), Product(i)));
  }
  proto::Rule rule =
      FieldsRule(ProductSchema(), {{"//h1/text()"}, {"//b/text()"}});
  AddBellwethers(*Compiled(rule), pages, &rule);
  ASSERT_EQ(rule.bellwether_size(), 20);
  EXPECT_EQ(rule.bellwether(3).url(), "u3");
  EXPECT_EQ(rule.bellwether(3).record(0).attribute(0).value(0), "Title 3");
}

TEST(BellwethersTest, AllCompleteRecordsOfAPage) {
  RegisterListProgram();
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("u",
                         "<ul><li><b class=title>A</b><li><i class=price>$5</i>"
                         "<li><b class=title>B</b></ul>"));
  proto::Rule rule;
  *rule.mutable_schema() = ProductSchema();
  *rule.mutable_program() = ListProgram();
  AddBellwethers(*Compiled(rule), pages, &rule);
  ASSERT_EQ(rule.bellwether_size(), 1);
  EXPECT_EQ(rule.bellwether(0).record_size(), 2);
}

}  // namespace
}  // namespace trommel::learn
