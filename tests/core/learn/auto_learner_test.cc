#include "core/learn/auto_learner.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/learn/registry.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing_support::PageOf;
using testing_support::Product;
using testing_support::ProductSchema;
using testing_support::ValueOf;

// What the annotations call for is learnt as the learner that it names does.
TEST(AutoLearnerTest, LearnsAsTheOneItChooses) {
  struct Case {
    const char* label;
    std::optional<int64_t> record;
    const char* learner;
  };
  const Case kCases[] = {
      {"one record a page", std::nullopt, "vertex"},
      {"one record with a number", 0, "vertex"},
  };
  const auto learner = MakeAutoLearner({});
  ASSERT_TRUE(learner.ok()) << learner.status();
  EXPECT_EQ((*learner)->name(), kAutoLearner);
  const proto::Schema schema = ProductSchema();
  std::vector<LearnPage> pages;
  for (int i = 0; i < 4; ++i) {
    pages.push_back(PageOf(StrCat("u", i), Product(i)));
  }
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.label);
    LearnInput input;
    input.schema = &schema;
    input.pages = &pages;
    input.annotations = {ValueOf("u0", "title", "Title 0", c.record),
                         ValueOf("u0", "price", "$0", c.record)};
    const auto output = (*learner)->Learn(input);
    ASSERT_TRUE(output.ok()) << output.status();
    EXPECT_EQ(output->learner, c.learner);
    const auto expected = (*MakeLearner(c.learner))->Learn(input);
    ASSERT_TRUE(expected.ok()) << expected.status();
    EXPECT_EQ(output->program.fields().attribute_size(), 2);
    EXPECT_EQ(output->program.SerializeAsString(),
              expected->program.SerializeAsString());
    EXPECT_EQ(output->failures, expected->failures);
  }
}

}  // namespace
}  // namespace trommel::learn
