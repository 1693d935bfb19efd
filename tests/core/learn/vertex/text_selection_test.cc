#include "core/learn/vertex/text_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/rule/fields/text_range.h"
#include "tests/testing/seed.h"

namespace trommel::learn::vertex {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Evidence = SelectionEvidence;
using Strings = std::vector<std::string>;

// "$25.99" has an offset of 3 from the beginning and of 1 from the end.
TEST(TextSelectionPaper, OurPrice) {
  const std::string text = "Our Price: $25.99";
  proto::TextRange range;
  range.set_first(3);
  range.set_last(3);
  EXPECT_THAT(rule::fields::ApplyRange(range, text), ElementsAre("$25.99"));
  range.set_first(1);
  range.set_first_from_end(true);
  range.set_last(1);
  range.set_last_from_end(true);
  EXPECT_THAT(rule::fields::ApplyRange(range, text), ElementsAre("$25.99"));
}

// One behind the other, as in a message of a failed test.
std::string Shown(const std::vector<TextSelection>& selections) {
  std::string out;
  for (const TextSelection& selection : selections) {
    StrAppend(&out, static_cast<int>(selection.evidence), " ",
              selection.support, ": ", selection.cut.ShortDebugString(), "\n");
  }
  return out;
}

bool HasEvidence(const std::vector<TextSelection>& selections,
                 Evidence evidence) {
  return std::any_of(selections.begin(), selections.end(),
                     [&](const auto& s) { return s.evidence == evidence; });
}

proto::Attribute AttributeOf(bool is_repeated) {
  proto::Attribute attribute;
  attribute.set_repeated(is_repeated);
  return attribute;
}

struct LearnCase {
  const char* label;
  std::vector<PartOfText> parts;
  Strings other_texts;
  Evidence evidence;  // of the first selection
  // A further text, and what the first selection finds in it; "" for nothing.
  const char* text;
  const char* value;
};

void ExpectLearnt(const std::vector<LearnCase>& cases) {
  for (const LearnCase& c : cases) {
    SCOPED_TRACE(c.label);
    const std::vector<TextSelection> selections =
        TextSelections(AttributeOf(false), c.parts, c.other_texts);
    SCOPED_TRACE(Shown(selections));
    ASSERT_FALSE(selections.empty());
    EXPECT_EQ(static_cast<int>(selections[0].evidence),
              static_cast<int>(c.evidence));
    for (const TextSelection& selection : selections) {
      for (const PartOfText& part : c.parts) {
        EXPECT_THAT(selection.refiner.Values(part.text),
                    ElementsAre(part.value));
      }
    }
    const Strings found = selections[0].refiner.Values(c.text);
    EXPECT_EQ(found, *c.value == 0 ? Strings() : Strings{c.value});
  }
}

TEST(TextSelections, OfOneAnnotatedText) {
  ExpectLearnt({
      {"a label",
       {{"Our Price: $25.99", "$25.99"}},
       {},
       Evidence::kDelimiters,
       "Sale Price: $3 only",
       "$3 only"},
      {"in brackets",
       {{"Alien (1979)", "1979"}},
       {},
       Evidence::kDelimiters,
       "The Thing from Another World (1951)",
       "1951"},
      {"the title before the site's name",
       {{"Alien | Movies.com", "Alien"}},
       {},
       Evidence::kDelimiters,
       "The Thing | Movies.com",
       "The Thing"},
      {"the site's name",
       {{"Alien | Movies.com", "Movies.com"}},
       {},
       Evidence::kDelimiters,
       "The Thing | Movies.com",
       "Movies.com"},
      {"stars",
       {{"3.5/5 stars", "3.5"}},
       {},
       Evidence::kDelimiters,
       "4/5 stars",
       "4"},
      {"a unit that touches a label",
       {{"Runtime:112 min", "112"}},
       {},
       Evidence::kUnprovenDelimiters,
       "Runtime:98 min",
       "98"},
      {"a byline",
       {{"by Anna Smith, editor", "Anna Smith"}},
       {},
       Evidence::kUnprovenDelimiters,
       "by Bo, author",
       "Bo"},
      {"without the sign",
       {{"$25.99", "25.99"}},
       {},
       Evidence::kDelimiters,
       "$1,299.00",
       "1,299.00"},
      {"touching brackets, with nothing else",
       {{"x(5)", "5"}},
       {},
       Evidence::kDelimiters,
       "yy(66)",
       "66"},
      {"nothing but the place",
       {{"Kodak EasyShare", "Kodak"}},
       {},
       Evidence::kUnprovenDelimiters,
       "Casio Exilim",
       ""},
      {"a whole text",
       {{"Kodak", "Kodak"}},
       {},
       Evidence::kWholeText,
       "Casio Inc.",
       "Casio Inc."},
  });
}

TEST(TextSelections, OfSeveralAnnotatedTexts) {
  ExpectLearnt({
      {"a byline",
       {{"by Ann Lee", "Ann Lee"}, {"by Bo", "Bo"}},
       {},
       Evidence::kDelimiters,
       "by Cy De La Cruz",
       "Cy De La Cruz"},
      {"something behind that may be missing",
       {{"by Anna Smith, editor", "Anna Smith"}, {"by Bo Li", "Bo Li"}},
       {},
       Evidence::kDelimiters,
       "by Cy, author",
       "Cy"},
      {"something in front that may be missing",
       {{"The Office: Pilot", "Pilot"}, {"Finale", "Finale"}},
       {},
       Evidence::kDelimiters,
       "The Office: Diwali",
       "Diwali"},
      {"all but the end",
       {{"Ann Lee (author)", "Ann Lee"}, {"Bo (author)", "Bo"}},
       {},
       Evidence::kDelimiters,
       "Cy De La Cruz (author)",
       "Cy De La Cruz"},
      {"no literal, and values of several lengths",
       {{"Dr Ann Lee", "Ann Lee"}, {"Ms Bo", "Bo"}},
       {},
       Evidence::kWords,
       "Mr Cy De La Cruz",
       "Cy De La Cruz"},
      {"no literal, and values of one word",
       {{"now $5", "$5"}, {"only today $7", "$7"}},
       {},
       Evidence::kLuck,
       "not before tomorrow $9",
       "$9"},
      {"what ends with its word",
       {{"Price: $5 each", "$5"}, {"Price: $7 for two", "$7"}},
       {},
       Evidence::kLuck,
       "Price: $9 and shipping costs",
       "$9"},
      {"the rank, not the number of places",
       {{"4 of 5", "4"}, {"17 of 120", "17"}},
       {},
       Evidence::kDelimiters,
       "3 of 4",
       "3"},
      {"the number of places",
       {{"4 of 5", "5"}, {"17 of 120", "120"}},
       {},
       Evidence::kDelimiters,
       "3 of 4",
       "4"},
      {"one side of a size",
       {{"Size: 10 x 20 in.", "20"}, {"Size: 8 x 9.5 in.", "9.5"}},
       {},
       Evidence::kDelimiters,
       "Size: 7 x 11 in.",
       "11"},
      {"a size without spaces",
       {{"10x20cm", "10"}, {"8x9.5cm", "8"}},
       {},
       Evidence::kDelimiters,
       "7x11cm",
       "7"},
      {"a date in a sentence",
       {{"Posted on March 3, 2004 by Ann.", "March 3, 2004"},
        {"Posted on May 12, 2011 by Bo Li.", "May 12, 2011"}},
       {},
       Evidence::kDelimiters,
       "Posted on June 1, 2012 by Cy De La Cruz.",
       "June 1, 2012"},
      {"the price behind another",
       {{"List Price: $30.00 Our Price: $25.99 You save: 13%", "$25.99"},
        {"List Price: $8.00 Our Price: $7.00 You save: 12%", "$7.00"}},
       {},
       Evidence::kDelimiters,
       "List Price: $1,300.00 Our Price: $1,200.50 You save: 7%",
       "$1,200.50"},
      {"thousands are no end of a value",
       {{"$1,299.00, as new", "$1,299.00"}, {"$5, used", "$5"}},
       {},
       Evidence::kDelimiters,
       "$12,345, like new",
       "$12,345"},
      {"a word is not found in another",
       {{"Standby lamp by Philips", "Philips"}, {"Chair by Ikea", "Ikea"}},
       {},
       Evidence::kDelimiters,
       "Standby lamp by Bosch Siemens",
       "Bosch Siemens"},
      {"the last dash",
       {{"Kodak - V530 - Shop", "Kodak - V530"}, {"Leica - Shop", "Leica"}},
       {},
       Evidence::kDelimiters,
       "Casio - X - Y - Shop",
       "Casio - X - Y"},
      {"unicode dashes",
       {{"Dune \u2014 Frank Herbert", "Frank Herbert"},
        {"Emma \u2014 Jane Austen", "Jane Austen"}},
       {},
       Evidence::kDelimiters,
       "War and Peace \u2014 Tolstoy",
       "Tolstoy"},
      {"Chinese labels and marks",
       {{"作者：张三（著）", "张三"}, {"作者：李四光（著）", "李四光"}},
       {},
       Evidence::kDelimiters,
       "作者：王五（著）",
       "王五"},
      {"Chinese without marks",
       {{"价格100元", "100"}, {"价格25.5元", "25.5"}},
       {},
       Evidence::kDelimiters,
       "价格7元",
       "7"},
      {"Arabic",
       {{"السعر: ١٢٣ ريال", "١٢٣"}, {"السعر: ٤٥ ريال", "٤٥"}},
       {},
       Evidence::kDelimiters,
       "السعر: ٦ ريال",
       "٦"},
  });
}

// What the texts of other pages say about literals.
TEST(TextSelections, OtherTextsTellLiteralsFromValues) {
  ExpectLearnt({
      {"what no other text has is a part of a value",
       {{"Kodak EasyShare V530", "EasyShare V530"}},
       {"Casio Exilim", "Canon PowerShot A4", "Nikon D70", "Leica M6"},
       Evidence::kLuck,
       "Casio Exilim Pro",
       "Exilim Pro"},
      {"also of two annotated texts",
       {{"Kodak EasyShare V530", "V530"}, {"Kodak EasyShare C300", "C300"}},
       {"Casio Exilim Z5", "Canon PowerShot A4", "Nikon Coolpix 7"},
       Evidence::kLuck,
       "Sony Cybershot W1",
       "W1"},
      {"the label that most have",
       {{"Our Price: $5", "$5"}, {"Our Price: $7", "$7"}},
       {"Sale Price: $3", "Our Price: $4", "Sale Price: $6", "Now: $6"},
       Evidence::kDelimiters,
       "Now: $9 only",
       "$9 only"},
      {"the longest label that all have",
       {{"Our Price: $5", "$5"}},
       {"Our Price: $3", "Our Price: $4", "Our Price: $6"},
       Evidence::kDelimiters,
       "Note: Our Price: $9",
       "$9"},
      {"a word that others have too",
       {{"by Anna Smith, editor", "Anna Smith"}},
       {"by Bo Li, author", "by Cy, editor", "by Dan Lee, author"},
       Evidence::kDelimiters,
       "by Eva, translator",
       "Eva"},
      {"a part of some values, which is no value on these pages",
       {{"Eastman Kodak", "Kodak"}, {"Sony", "Sony"}},
       {"Casio Inc.", "Canon", "Nikon", "Leica"},
       Evidence::kUnprovenDelimiters,
       "Casio Inc.",
       "Casio Inc."},
      {"one other text tells nothing",
       {{"by Anna Smith", "Anna Smith"}},
       {"Bo Li"},
       Evidence::kUnprovenDelimiters,
       "by Cy",
       "Cy"},
  });
}

TEST(TextSelections, RareLiteralsComeLast) {
  const Strings others = {"Kodak C300",         "Casio Exilim", "Nikon D70",
                          "Canon PowerShot A4", "Leica M6",     "Sony W1"};
  const auto selections = TextSelections(
      AttributeOf(false), {{"Kodak EasyShare V530", "EasyShare V530"}}, others);
  SCOPED_TRACE(Shown(selections));
  ASSERT_GE(selections.size(), 2u);
  EXPECT_EQ(selections[0].evidence, Evidence::kLuck);
  EXPECT_DOUBLE_EQ(selections[0].support, 1);
  EXPECT_EQ(selections.back().evidence, Evidence::kRareDelimiters);
  EXPECT_DOUBLE_EQ(selections.back().support, 1.0 / 6);
}

// "The last word" and what stands behind the label are rivals, and not the
// same: other texts show it.
TEST(TextSelections, AllWaysAreGivenOnceEach) {
  const std::vector<PartOfText> parts = {{"Maker: Kodak", "Kodak"}};
  auto selections = TextSelections(AttributeOf(false), parts,
                                   {"Maker: Casio Inc.", "Maker: Canon"});
  SCOPED_TRACE(Shown(selections));
  std::set<Strings> found;
  for (const TextSelection& selection : selections) {
    found.insert(selection.refiner.Values("Maker: Casio Inc."));
  }
  EXPECT_THAT(found, ElementsAre(Strings{"Casio"}, Strings{"Casio Inc."},
                                 Strings{"Inc."}));
  EXPECT_EQ(selections[0].evidence, Evidence::kDelimiters);
  EXPECT_THAT(selections[0].refiner.Values("Maker: Casio Inc."),
              ElementsAre("Casio Inc."));
  // Of those with the same reason and the same results one is given.
  EXPECT_EQ(std::count_if(selections.begin(), selections.end(),
                          [](const TextSelection& selection) {
                            return selection.evidence == Evidence::kDelimiters;
                          }),
            1);
}

TEST(TextSelections, ValuesOfOneWordAreMarked) {
  const auto lucky =
      TextSelections(AttributeOf(false), {{"a 1 x", "x"}, {"b y", "y"}}, {});
  EXPECT_TRUE(HasEvidence(lucky, Evidence::kLuck)) << Shown(lucky);
  EXPECT_FALSE(HasEvidence(lucky, Evidence::kWords)) << Shown(lucky);
  const auto better =
      TextSelections(AttributeOf(false), {{"a x z", "x z"}, {"b y", "y"}}, {});
  EXPECT_FALSE(HasEvidence(better, Evidence::kLuck)) << Shown(better);
  EXPECT_TRUE(HasEvidence(better, Evidence::kWords)) << Shown(better);
}

TEST(TextSelections, Lists) {
  const struct {
    const char* label;
    std::vector<PartOfText> parts;
    Evidence evidence;
    const char* text;
    Strings values;
  } cases[] = {
      {"commas and a last and",
       {{"Authors: A, B and C", "A"},
        {"Authors: A, B and C", "B"},
        {"Authors: A, B and C", "C"}},
       Evidence::kDelimiters,
       "Authors: Ann Lee, Bo and Cy De",
       {"Ann Lee", "Bo", "Cy De"}},
      {"a whole text that is a list",
       {{"Drama / Crime", "Drama"}, {"Drama / Crime", "Crime"}},
       Evidence::kWholeText,
       "Comedy / Film-Noir / Drama",
       {"Comedy", "Film-Noir", "Drama"}},
      {"annotated in another order, and a text with one value",
       {{"Genre: Drama | Crime", "Crime"},
        {"Genre: Drama | Crime", "Drama"},
        {"Genre: War", "War"}},
       Evidence::kDelimiters,
       "Genre: A | B | C",
       {"A", "B", "C"}},
      {"names with commas",
       {{"Lee, Ann; Li, Bo", "Lee, Ann"}, {"Lee, Ann; Li, Bo", "Li, Bo"}},
       Evidence::kWholeText,
       "De, Cy",
       {"De, Cy"}},
      {"a list that ends before something",
       {{"A, B (2004)", "A"}, {"A, B (2004)", "B"}},
       Evidence::kDelimiters,
       "C, D, E (1999)",
       {"C", "D", "E"}},
      {"a repeated attribute with one value in each text",
       {{"Ann Lee (actor)", "Ann Lee"}, {"Bo (actor)", "Bo"}},
       Evidence::kDelimiters,
       "Cy (actor)",
       {"Cy"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const auto selections = TextSelections(AttributeOf(true), c.parts, {});
    SCOPED_TRACE(Shown(selections));
    ASSERT_FALSE(selections.empty());
    EXPECT_EQ(static_cast<int>(selections[0].evidence),
              static_cast<int>(c.evidence));
    EXPECT_EQ(selections[0].refiner.Values(c.text), c.values);
  }
}

TEST(TextSelections, NothingConsistent) {
  const struct {
    const char* label;
    bool is_repeated;
    std::vector<PartOfText> parts;
  } cases[] = {
      {"different words", false, {{"a b c", "a"}, {"a b c d", "c"}}},
      {"a part of a word", false, {{"foobar", "foo"}}},
      {"a part of a number", false, {{"12345", "123"}}},
      {"a value that is not there", false, {{"a b", "c"}}},
      {"two values of one text", false, {{"a, b", "a"}, {"a, b", "b"}}},
      {"a list with one left out", true, {{"a, b, c", "a"}, {"a, b, c", "c"}}},
      {"a list with a separator inside of a value",
       true,
       {{"a, b, c", "a"}, {"a, b, c", "b, c"}}},
      {"another one left out", true, {{"a|b|c", "a"}, {"a|b|c", "c"}}},
      {"too much between two values",
       true,
       {{"a is a friend of b", "a"}, {"a is a friend of b", "b"}}},
      {"no value", false, {{"a", ""}}},
      {"no texts", false, {}},
  };
  for (const auto& c : cases) {
    const auto selections =
        TextSelections(AttributeOf(c.is_repeated), c.parts, {});
    EXPECT_TRUE(selections.empty()) << c.label << "\n" << Shown(selections);
    proto::Extractor extractor;
    EXPECT_FALSE(
        LearnTextSelection(AttributeOf(c.is_repeated), c.parts, &extractor));
    EXPECT_FALSE(extractor.has_range());
  }
}

TEST(TextSelections, TypesSelectWhereTheyReproduceTheValues) {
  proto::Attribute price;
  price.set_type(proto::Attribute::PRICE);
  proto::Extractor extractor;
  ASSERT_TRUE(LearnTextSelection(
      price, {{"was (now $1,299.00)", "$1,299.00"}, {"for $5 now", "$5"}},
      &extractor));
  EXPECT_FALSE(extractor.regex().empty());
  EXPECT_FALSE(extractor.has_range());
  // Where they do not, what stands around says it.
  extractor.Clear();
  ASSERT_TRUE(LearnTextSelection(
      price, {{"Price: free", "free"}, {"Price: $5", "$5"}}, &extractor));
  EXPECT_TRUE(extractor.regex().empty());
  EXPECT_EQ(extractor.range().after().literal(), "Price: ");
}

TEST(TextSelections, TypesCheckWhereAllValuesPass) {
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

// Whatever is learnt from whatever texts reproduces all annotated values, and
// gives parts of other texts. Where the texts are of a template the template is
// found.
TEST(TextSelections, LearntSelectionsReproduceWhatTheyAreLearntFrom) {
  Random random(testing_support::TestSeed(921));
  const Strings pieces = {"a",  "b",  "by",     " ",   " ",    ",",
                          ", ", ".",  "12",     "3.5", "-",    "(",
                          ")",  "价", "\u2014", "é",   " and "};
  const auto any = [&](int64_t max_pieces) {
    std::string text = "w";
    for (int64_t i = random.Between(0, max_pieces); i > 0; --i) {
      text += pieces[random.Below(pieces.size())];
    }
    return text + "w";
  };
  size_t num_learnt = 0, num_templates = 0;
  for (int round = 0; round < 3000; ++round) {
    const bool is_template = random.Chance(0.5);
    const std::string front = any(3) + ": ", back = " | " + any(3);
    std::vector<PartOfText> parts;
    Strings others;
    for (int i = 0; i < 6; ++i) {
      const std::string value = any(4);
      const std::string text =
          is_template ? front + value + back : any(4) + value + any(4);
      if (i < 3) {
        parts.push_back({text, value});
      } else {
        others.push_back(text);
      }
    }
    const auto selections =
        TextSelections(AttributeOf(random.Chance(0.3)), parts, others);
    num_templates += is_template && !selections.empty() &&
                     selections[0].evidence == Evidence::kDelimiters;
    for (const TextSelection& selection : selections) {
      for (const PartOfText& part : parts) {
        ASSERT_THAT(selection.refiner.Values(part.text),
                    ElementsAre(part.value))
            << part.text << "\n"
            << Shown(selections);
      }
      for (const std::string& text : others) {
        for (const std::string& value : selection.refiner.Values(text)) {
          ASSERT_NE(text.find(value), std::string::npos);
        }
      }
      ++num_learnt;
    }
  }
  EXPECT_GT(num_learnt, 3000u);
  EXPECT_GT(num_templates, 1200u);
}

}  // namespace
}  // namespace trommel::learn::vertex
