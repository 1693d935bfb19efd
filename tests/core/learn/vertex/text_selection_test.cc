#include "core/learn/vertex/text_selection.h"

#include <gtest/gtest.h>

#include "core/rule/fields/text_range.h"

namespace trommel::learn::vertex {
namespace {

// "$25.99" has an offset of 3 from the beginning and of 1 from the end.
TEST(TextSelectionPaper, OurPrice) {
  const std::string text = "Our Price: $25.99";
  proto::TextRange range;
  range.set_first(3);
  range.set_last(3);
  EXPECT_EQ(rule::fields::ApplyRange(range, text), "$25.99");
  range.set_first(1);
  range.set_first_from_end(true);
  range.set_last(1);
  range.set_last_from_end(true);
  EXPECT_EQ(rule::fields::ApplyRange(range, text), "$25.99");
}

TEST(TextSelection, TheEndThatIsConsistent) {
  struct Case {
    const char* label;
    std::vector<PartOfText> parts;
    const char* other_text;
    const char* other_value;
  };
  const Case kCases[] = {
      {"from the start",
       {{"Price: $5 each", "$5"}, {"Price: $7 for two", "$7"}},
       "Price: $9 and shipping costs",
       "$9"},
      {"from the end",
       {{"now $5", "$5"}, {"only today $7", "$7"}},
       "not before tomorrow $9",
       "$9"},
      {"the rest of the text",
       {{"by Ann Lee", "Ann Lee"}, {"by Bo", "Bo"}},
       "by Cy De La Cruz",
       "Cy De La Cruz"},
      {"all but the end",
       {{"Ann Lee (author)", "Ann Lee"}, {"Bo (author)", "Bo"}},
       "Cy De La Cruz (author)",
       "Cy De La Cruz"},
  };
  proto::Attribute attribute;
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.label);
    proto::Extractor extractor;
    ASSERT_TRUE(LearnTextSelection(attribute, c.parts, &extractor));
    for (const PartOfText& part : c.parts) {
      EXPECT_EQ(rule::fields::ApplyRange(extractor.range(), part.text),
                part.value);
    }
    EXPECT_EQ(rule::fields::ApplyRange(extractor.range(), c.other_text),
              c.other_value);
  }
}

TEST(TextSelection, TypesSelectWhereTheyReproduceTheValues) {
  proto::Attribute price;
  price.set_type(proto::Attribute::PRICE);
  proto::Extractor extractor;
  ASSERT_TRUE(LearnTextSelection(
      price, {{"was (now $1,299.00)", "$1,299.00"}, {"for $5 now", "$5"}},
      &extractor));
  EXPECT_FALSE(extractor.regex().empty());
  EXPECT_FALSE(extractor.has_range());
  // Where they do not, words are counted.
  extractor.Clear();
  ASSERT_TRUE(LearnTextSelection(
      price, {{"Price: free", "free"}, {"Price: $5", "$5"}}, &extractor));
  EXPECT_TRUE(extractor.regex().empty());
  EXPECT_TRUE(extractor.has_range());
}

TEST(TextSelection, TypesCheckWhereAllValuesPass) {
  proto::Attribute phone;
  phone.set_type(proto::Attribute::PHONE);
  proto::Extractor extractor;
  LearnCheck(phone, {"310/917-6671 |", "(212) 586-8655"}, &extractor);
  EXPECT_FALSE(extractor.check().empty());
  extractor.Clear();
  LearnCheck(phone, {"310/917-6671", "ask us"}, &extractor);
  EXPECT_TRUE(extractor.check().empty());
  LearnCheck(proto::Attribute(), {"x"}, &extractor);
  EXPECT_TRUE(extractor.check().empty());
}

TEST(TextSelection, NothingConsistent) {
  proto::Attribute attribute;
  proto::Extractor extractor;
  EXPECT_FALSE(LearnTextSelection(attribute, {{"a b c", "a"}, {"a b c d", "c"}},
                                  &extractor));
  EXPECT_FALSE(LearnTextSelection(attribute, {{"x(5)", "5"}}, &extractor));
  EXPECT_FALSE(extractor.has_range());
}

}  // namespace
}  // namespace trommel::learn::vertex
