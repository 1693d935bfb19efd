#include "core/rule/fields/text_refiner.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

namespace trommel::rule::fields {
namespace {

absl::StatusOr<TextRefiner> Compile(const std::string& extractor) {
  proto::Extractor parsed;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(extractor, &parsed))
      << extractor;
  return TextRefiner::Compile(parsed);
}

TEST(TextRefinerTest, RangeThenPatternThenChecks) {
  const struct {
    const char* label;
    const char* extractor;
    const char* text;
    std::vector<std::string> values;
  } cases[] = {
      {"nothing to do", "", "by Ann", {"by Ann"}},
      {"no value", "", "", {}},
      {"a value that shows nothing", "", "\u200B", {}},
      {"a range", "range { after { literal: 'by ' } }", "by Ann", {"Ann"}},
      {"the pattern sees what the range leaves",
       "range { first: 2 last: 2 } regex: '[0-9]+'",
       "1 a2 3",
       {"2"}},
      {"each value of a list is tested",
       "range { separator: ', ' } regex: '[A-Z].*' check: 'n' "
       "stop_value: 'None'",
       "Ann, Bo, None, 1 Dan, x",
       {"Ann", "Dan"}},
      {"the pattern does not match", "regex: '^x'", "by Ann", {}},
      {"a text that says that there is none", "stop_value: 'n/a'", "n/a", {}},
  };
  for (const auto& c : cases) {
    const auto refiner = Compile(c.extractor);
    ASSERT_TRUE(refiner.ok()) << refiner.status();
    EXPECT_EQ(refiner->Values(c.text), c.values) << c.label;
  }
}

TEST(TextRefinerTest, SaysWhatIsWrong) {
  EXPECT_THAT(std::string(Compile("regex: '('").status().message()),
              testing::HasSubstr("missing"));
  EXPECT_THAT(std::string(Compile("check: '('").status().message()),
              testing::HasSubstr("missing"));
  EXPECT_THAT(std::string(Compile("range { }").status().message()),
              testing::HasSubstr("range"));
}

}  // namespace
}  // namespace trommel::rule::fields
