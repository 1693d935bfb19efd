#include "core/rule/fields/fields_extractor.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <memory>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/record/record.h"
#include "core/rule/program_registry.h"

namespace trommel::rule::fields {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kUrl[] = "http://shop.example/dir/page.html";

html::Document Parse(std::string_view markup) {
  html::Document document;
  EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(markup, &document),
            html::ParseOutcome::kOk);
  return document;
}

// A rule with one attribute, by its schema and its alternatives.
proto::Rule Rule(const std::string& schema, const std::string& alternatives) {
  proto::Rule rule;
  rule.set_cluster_id("c1");
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      StrCat("name: 's' attribute { name: 'x' ", schema, "}"),
      rule.mutable_schema()));
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      StrCat("name: 'x' ", alternatives),
      rule.mutable_program()->mutable_fields()->add_attribute()));
  return rule;
}

record::AttributeValues ExtractOne(const std::string& schema,
                                   const std::string& alternatives,
                                   std::string_view markup) {
  const auto extractor = CompileRule(Rule(schema, alternatives));
  EXPECT_TRUE(extractor.ok()) << extractor.status();
  return (*extractor)->Extract(Parse(markup), kUrl)[0].attributes[0];
}

struct Case {
  const char* label;
  const char* schema;
  const char* alternatives;
  const char* markup;
  std::vector<std::string> values;
  double confidence;
};

TEST(ExtractorTest, Values) {
  const Case cases[] = {
      {"a text, entities decoded, white space normalised",
       "",
       "alternative { xpath: '//b/text()' }",
       "<b> Salt &amp;\n pepper&nbsp;mill </b>",
       {"Salt & pepper mill"},
       0.5},
      {"an element is its visible text",
       "",
       "alternative { xpath: '//div' }",
       "<div>one<br>two <b>three</b><script>no()</script></div>",
       {"one two three"},
       0.5},
      {"an attribute",
       "",
       "alternative { xpath: '//p/@title' }",
       "<p title=' a  b '>",
       {"a b"},
       0.5},
      {"links are absolute",
       "",
       "alternative { xpath: '//a/@href' }",
       "<a href='../x?y=1'>",
       {"http://shop.example/x?y=1"},
       0.5},
      {"by the page's base",
       "",
       "alternative { xpath: '//img/@src' }",
       "<base href='https://cdn.example/i/'><img src=p.png>",
       {"https://cdn.example/i/p.png"},
       0.5},
      {"and so are other attributes of a link's type",
       "type: IMAGE",
       "alternative { xpath: '//img/@data-large' }",
       "<img data-large=' l.png '>",
       {"http://shop.example/dir/l.png"},
       0.5},
      {"nothing", "", "alternative { xpath: '//i/text()' }", "<b>x</b>", {}, 0},
      {"white space is no value",
       "repeated: true",
       "alternative { xpath: '//b' also: '//b/@title' }",
       "<b>&nbsp;</b><b>&#8203;</b><b>&#xFEFF; &#x3000;</b><b title='&#8203;'>"
       "</b><b>&#8203;x</b>",
       {"\u200Bx"},
       0.5},
      {"nor is white space that a pattern finds",
       "",
       "alternative { xpath: '//b' regex: ' ' }",
       "<b>a b</b>",
       {},
       0},
      {"a blank link is none",
       "repeated: true",
       "alternative { xpath: '//a/@href' }",
       "<a href=''>a</a><a href=' '>b</a><a href='&#8203;'>c</a><a href='#d'>",
       {"http://shop.example/dir/page.html#d"},
       0.5},
      {"the next alternative speaks where the first finds white space",
       "",
       "combination: FIRST alternative { xpath: '//b' } "
       "alternative { xpath: '//i' }",
       "<b>&#8203;</b><i>x</i>",
       {"x"},
       0.5},
      {"an empty value is none",
       "",
       "alternative { xpath: '//p/@title' }",
       "<p title=' '>",
       {},
       0},
      {"repeated, in document order and once each",
       "repeated: true",
       "alternative { xpath: '//li/text()' }",
       "<ul><li>b<li>a<li>b<li>c</ul>",
       {"b", "a", "c"},
       0.5},
      {"the first of several where one is asked for",
       "",
       "alternative { xpath: '//li/text()' }",
       "<ul><li>b<li>a</ul>",
       {"b"},
       0.5},
      {"a range",
       "",
       "alternative { xpath: '//p/text()' range { first: 3 last: 3 } }",
       "<p>Our Price: $25.99</p>",
       {"$25.99"},
       0.5},
      {"a range from the end",
       "",
       "alternative { xpath: '//p/text()' range { first: 1 last: 1 "
       "first_from_end: true last_from_end: true } }",
       "<p>Our Price: $25.99</p>",
       {"$25.99"},
       0.5},
      {"a range by delimiters",
       "",
       "alternative { xpath: '//p/text()' range { after { literal: 'by ' } "
       "before { literal: ',' } } }",
       "<p>by&nbsp;Ann Lee, editor</p>",
       {"Ann Lee"},
       0.5},
      {"a list in a text, and values once each",
       "repeated: true",
       "alternative { xpath: '//p/text()' range { separator: ', ' } }",
       "<p>A, B, A</p><p>C, B</p>",
       {"A", "B", "C"},
       0.5},
      {"a pattern selects",
       "",
       "alternative { xpath: '//p/text()' regex: '\\\\$\\\\d+\\\\.\\\\d\\\\d' "
       "}",
       "<p>Our Price: $25.99 each</p>",
       {"$25.99"},
       0.5},
      {"and checks",
       "",
       "alternative { xpath: '//p/text()' regex: '^\\\\d+$' }",
       "<p>12a</p>",
       {},
       0},
      {"range before pattern",
       "",
       "alternative { xpath: '//p/text()' range { first: 2 last: 2 } regex: "
       "'\\\\d+' }",
       "<p>1 a2 3</p>",
       {"2"},
       0.5},
      {"a pattern passes over nodes",
       "repeated: true",
       "alternative { xpath: '//li/text()' regex: '^\\\\d+$' }",
       "<ul><li>1<li>x<li>2</ul>",
       {"1", "2"},
       0.5},
      {"the first alternative that finds something decides",
       "",
       "alternative { xpath: '//i/text()' } alternative { xpath: '//b/text()' "
       "} alternative { xpath: '//u/text()' }",
       "<b>x</b><u>y</u>",
       {"x"},
       1.0 / 3},
      {"alternatives that agree",
       "",
       "alternative { xpath: '//b/text()' } alternative { xpath: "
       "'/html/body/b/text()' } alternative { xpath: '//u/text()' }",
       "<b>x</b><u>y</u>",
       {"x"},
       2.0 / 3},
      {"all agree",
       "",
       "alternative { xpath: '//b/text()' } alternative { xpath: '//b' }",
       "<b>x</b>",
       {"x"},
       1},
      {"one value is better than several",
       "",
       "alternative { xpath: '//li/text()' } alternative { xpath: "
       "'//b/text()' }",
       "<ul><li>1<li>2</ul><b>2</b>",
       {"2"},
       0.5},
      {"sets agree as a whole",
       "repeated: true",
       "alternative { xpath: '//li/text()' } alternative { xpath: "
       "'//li[1]/text()' }",
       "<ul><li>1<li>2</ul>",
       {"1", "2"},
       0.5},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const record::AttributeValues record =
        ExtractOne(c.schema, c.alternatives, c.markup);
    EXPECT_EQ(record.values, c.values);
    EXPECT_DOUBLE_EQ(record.confidence, c.confidence);
  }
}

// prior -1; class "p" present +3, absent -2; before a <b>: +1, else 0.
constexpr char kClassifier[] =
    "alternative { xpath: '//span/text()' classifier { prior_log_odds: -1 "
    "feature { xpath: 'parent::*[@class=\"p\"]' log_odds_present: 3 "
    "log_odds_absent: -2 } "
    "feature { xpath: 'parent::*/preceding-sibling::b' log_odds_present: 1 } "
    "} }";

TEST(ExtractorTest, ClassifierChoosesTheMostProbable) {
  EXPECT_THAT(ExtractOne("", kClassifier,
                         "<span class=p>first</span><b></b><span>no</span>"
                         "<span class=p>second</span>")
                  .values,
              ElementsAre("second"));
  // Of equals the first.
  EXPECT_THAT(ExtractOne("", kClassifier,
                         "<span class=p>first</span><span class=p>2</span>")
                  .values,
              ElementsAre("first"));
  // Not above one half: none.
  EXPECT_THAT(ExtractOne("", kClassifier, "<b></b><span>no</span>").values,
              IsEmpty());
  EXPECT_THAT(ExtractOne("", kClassifier, "<i>x</i>").values, IsEmpty());
}

TEST(ExtractorTest, Records) {
  proto::Rule rule = Rule("mandatory: true",
                          "alternative { xpath: '//b/text()' } "
                          "alternative { xpath: '//b' }");
  rule.mutable_schema()->add_attribute()->set_name("y");
  rule.mutable_schema()->add_attribute()->set_name("z");
  proto::AttributeRule* const z =
      rule.mutable_program()->mutable_fields()->add_attribute();
  z->set_name("z");
  z->add_alternative()->set_xpath("//i/text()");
  const auto extractor = CompileRule(rule);
  ASSERT_TRUE(extractor.ok()) << extractor.status();
  EXPECT_THAT((*extractor)->extracts(), ElementsAre(true, false, true));

  const html::Document both = Parse("<b>1</b><i>2</i>");
  const auto extract = [&](const html::Document& document) {
    const std::vector<record::Record> records =
        (*extractor)->Extract(document, kUrl);
    EXPECT_EQ(records.size(), 1u);
    return records[0];
  };
  record::Record record = extract(both);
  EXPECT_TRUE(record::CheckComplete(rule.schema(), record).IsRecord());
  EXPECT_DOUBLE_EQ(record.Confidence(), 0.5);  // the least
  EXPECT_THAT(record.attributes[0].values, ElementsAre("1"));
  EXPECT_EQ(record.attributes[0].part, 0);
  EXPECT_THAT(record.attributes[1].values, IsEmpty());  // has no rule
  EXPECT_THAT(record.attributes[2].values, ElementsAre("2"));

  record = extract(Parse("<b>1</b>"));
  EXPECT_DOUBLE_EQ(record.Confidence(), 1);  // of those that are there

  const std::vector<std::vector<Opinion>> opinions =
      (*extractor)->Opinions(both, kUrl);
  EXPECT_THAT(opinions[1], IsEmpty());
  ASSERT_EQ(opinions[0].size(), 2u);
  EXPECT_THAT(opinions[0][1].values, ElementsAre("1"));
  EXPECT_EQ(opinions[0][1].nodes.size(), 1u);
}

// Two alternatives that find different things, as voices and as layers.
TEST(ExtractorTest, Combinations) {
  constexpr char kAlternatives[] =
      "alternative { xpath: '//b/text()' } alternative { xpath: '//i/text()' }";
  const std::string layers = StrCat("combination: FIRST ", kAlternatives);
  const struct {
    const char* label;
    std::string rule;
    const char* markup;
    std::vector<std::string> values;
    double confidence;
    int part;
    bool is_weak;
    size_t voices;
  } cases[] = {
      {"voices that agree",
       kAlternatives,
       "<b>1</b><i>1</i>",
       {"1"},
       1,
       0,
       false,
       2},
      {"voices that do not",
       kAlternatives,
       "<b>1</b><i>2</i>",
       {"1"},
       0.5,
       0,
       false,
       2},
      {"the second voice alone",
       kAlternatives,
       "<i>2</i>",
       {"2"},
       0.5,
       1,
       true,
       2},
      {"one value before many",
       kAlternatives,
       "<b>1</b><b>2</b><i>3</i>",
       {"3"},
       0.5,
       1,
       true,
       2},
      {"the first layer", layers, "<b>1</b><i>2</i>", {"1"}, 0.5, 0, false, 1},
      {"a layer that agrees is no evidence",
       layers,
       "<b>1</b><i>1</i>",
       {"1"},
       0.5,
       0,
       false,
       1},
      {"the second layer", layers, "<i>2</i>", {"2"}, 0.5, 1, false, 1},
      {"the first that finds anything",
       layers,
       "<b>1</b><b>2</b><i>3</i>",
       {"1"},
       0.5,
       0,
       false,
       1},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const auto extractor = CompileRule(Rule("", c.rule));
    ASSERT_TRUE(extractor.ok()) << extractor.status();
    const html::Document document = Parse(c.markup);
    const record::AttributeValues found =
        (*extractor)->Extract(document, kUrl)[0].attributes[0];
    EXPECT_EQ(found.values, c.values);
    EXPECT_DOUBLE_EQ(found.confidence, c.confidence);
    EXPECT_EQ(found.part, c.part);
    EXPECT_EQ(found.is_weak, c.is_weak);
    EXPECT_EQ((*extractor)->Opinions(document, kUrl)[0].size(), c.voices);
  }
}

TEST(ExtractorTest, AnAttributeWithoutAlternativesHasNoVoice) {
  const auto extractor = CompileRule(Rule("", "combination: FIRST"));
  ASSERT_TRUE(extractor.ok()) << extractor.status();
  EXPECT_FALSE((*extractor)->ExtractsAny());
  EXPECT_THAT((*extractor)->Opinions(Parse("<b>1</b>"), kUrl)[0], IsEmpty());
}

TEST(ExtractorTest, ExplainsWhatEachPartLooksAt) {
  const auto extractor =
      CompileRule(Rule("",
                       "alternative { xpath: '//b/text()' regex: '2' } "
                       "alternative { xpath: '//b' also: '//i/@title' }"));
  ASSERT_TRUE(extractor.ok()) << extractor.status();
  const html::Document document = Parse("<b>1</b><b>2</b><i title=' x '></i>");
  const Explanation explanation = (*extractor)->Explain(document, kUrl);
  EXPECT_EQ(explanation.records, (*extractor)->Extract(document, kUrl));
  ASSERT_EQ(explanation.parts.size(), 2u);
  const std::vector<NodeEvidence>& nodes = explanation.parts[0].nodes;
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].text, "2");  // what gives a value comes first
  EXPECT_TRUE(nodes[0].has_value);
  EXPECT_EQ(nodes[1].text, "1");
  EXPECT_FALSE(nodes[1].has_value);
  EXPECT_THAT(explanation.parts[0].values, ElementsAre("2"));
  EXPECT_THAT(explanation.parts[1].values, ElementsAre("1", "2", "x"));
  EXPECT_EQ(document.NameOf(explanation.parts[1].nodes[2].attribute), "title");
}

TEST(ExtractorTest, ErrorsNameClusterAndAttribute) {
  for (const char* const alternative :
       {"alternative { xpath: '//[' }", "alternative { xpath: '' }",
        "alternative { xpath: '//b' regex: '(' }",
        "alternative { xpath: '//b' range { first: 0 last: 1 } }",
        "alternative { xpath: '//b' classifier { feature { xpath: '[' } } }"}) {
    const auto extractor = CompileRule(Rule("", alternative));
    ASSERT_FALSE(extractor.ok()) << alternative;
    EXPECT_THAT(std::string(extractor.status().message()),
                AllOf(HasSubstr("c1"), HasSubstr("attribute x")));
  }
  proto::Rule rule = Rule("", "alternative { xpath: '//b' }");
  rule.mutable_program()->mutable_fields()->mutable_attribute(0)->set_name(
      "other");
  EXPECT_THAT(std::string(CompileRule(rule).status().message()),
              HasSubstr("attribute other: the rule's schema does not have it"));
}

}  // namespace
}  // namespace trommel::rule::fields
