#include "core/annotation/annotation.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/strings.h"

namespace trommel::annotation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(AnnotationTest, LinesRoundTrip) {
  const char* const kLines[] = {
      R"({"url":"http://a/1","attribute":"title","value":"Table & Kingdom"})",
      R"({"url":"http://a/1","attribute":"p","value":"$5","xpath":"//b/@x"})",
      R"({"url":"http://a/1","attribute":"p","value":"$9","negative":true})",
      R"({"url":"http://a/1","attribute":"p","value":"é \"q\"","record":2})",
      R"({"url":"http://a/1","attribute":"runtime","absent":true})",
      R"({"url":"http://a/1","attribute":"p","absent":true,"record":0})",
      R"({"url":"","skip":true})",
      R"({"url":"http://a/1","complete":true})",
  };
  for (const char* const line : kLines) {
    const auto annotation = ParseAnnotation(line);
    ASSERT_TRUE(annotation.ok()) << line << annotation.status();
    EXPECT_EQ(FormatAnnotation(*annotation), line);
  }
  const auto with_nulls = ParseAnnotation(
      R"({"attribute":"t","url":"u","value":"v","absent":false,"xpath":null,)"
      R"("record":null,"note":"ignored"})");
  ASSERT_TRUE(with_nulls.ok()) << with_nulls.status();
  EXPECT_EQ(with_nulls->kind, Annotation::Kind::kValue);
}

TEST(AnnotationTest, BadLinesAreNamed) {
  struct Case {
    std::string line;
    const char* problem;
  };
  const Case kCases[] = {
      {"nonsense", "not JSON"},
      {R"({"url":"a"} {"url":"b"})", "not JSON"},
      {R"(["url"])", "not an object"},
      {R"({"attribute":"t","value":"v"})", "\"url\" is missing"},
      {R"({"url":5,"attribute":"t","value":"v"})", "\"url\" is not a string"},
      {R"({"url":"a","value":"v"})", "\"attribute\" is missing"},
      {R"({"url":"a","attribute":"t"})", "\"value\" is missing or nothing"},
      {R"({"url":"a","attribute":"t","value":" \n"})",
       "nothing but white space"},
      {R"({"url":"a","attribute":"t","value":"\u00a0\u200b\ufeff"})",
       "nothing but white space"},
      {R"({"url":"a","attribute":"t","value":"\u3000","negative":true})",
       "nothing but white space"},
      {R"({"url":"a","attribute":"t","value":7})", "\"value\" is not a string"},
      {R"({"url":"a","attribute":"t","value":"v","absent":true})",
       "\"absent\" does not go with"},
      {R"({"url":"a","attribute":"t","absent":"yes"})",
       "\"absent\" is not true or false"},
      {R"({"url":"a","attribute":"t","skip":true})", "\"skip\" is of a page"},
      {R"({"url":"a","attribute":"t","complete":true})",
       "\"complete\" is of a page"},
      {R"({"url":"a","complete":true,"skip":true})", "of a page"},
      {R"({"url":"a","complete":1})", "\"complete\" is not true or false"},
      {R"({"url":"a","attribute":"t","value":"v","record":-1})", "\"record\""},
      {R"({"url":)" + std::string(100, '[') + std::string(100, ']') + "}", ""},
  };
  for (const Case& c : kCases) {
    const auto annotation = ParseAnnotation(c.line);
    EXPECT_FALSE(annotation.ok()) << c.line;
    EXPECT_THAT(std::string(annotation.status().message()),
                HasSubstr(c.problem));
  }
}

TEST(AnnotationTest, ProblemsHaveLineNumbers) {
  std::vector<AnnotationProblem> problems;
  const std::vector<Annotation> annotations = ParseAnnotations(
      "{\"url\":\"a\",\"attribute\":\"t\",\"value\":\"v\"}\r\n\n"
      "oops\n"
      "{\"url\":\"b\",\"attribute\":\"q\",\"absent\":true}",
      &problems);
  ASSERT_EQ(annotations.size(), 2u);
  EXPECT_EQ(annotations[0].line, 1);
  EXPECT_EQ(annotations[1].line, 4);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].line, 3);

  proto::Schema schema;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: \"movie\" attribute { name: \"t\" }", &schema));
  const auto errors = FindErrors(annotations, schema, {"a"});
  EXPECT_EQ(DescribeProblems("f.jsonl", errors),
            "f.jsonl:4: no page b is in the sample (for q)\n"
            "f.jsonl:4: the schema movie has no attribute \"q\" (of b)");
  EXPECT_EQ(DescribeProblems("f.jsonl", errors, 1),
            "f.jsonl:4: no page b is in the sample (for q)\n... and 1 more");
  EXPECT_EQ(DescribeProblems("f", {}), "");
}

Annotation Line(int64_t line, Annotation::Kind kind, const std::string& url,
                const std::string& attribute, const std::string& value = "",
                const std::string& xpath = "") {
  return {line, kind, url, attribute, value, xpath, std::nullopt};
}

TEST(AnnotationTest, ContradictionsAreWarnings) {
  using Kind = Annotation::Kind;
  std::vector<Annotation> annotations = {
      Line(1, Kind::kAbsent, "a", "title"),
      Line(2, Kind::kValue, "a", "title", "T"),
      Line(3, Kind::kValue, "a", "price", "$5", "//b"),
      Line(4, Kind::kNegative, "a", "price", " $5 ", "//b"),
      Line(5, Kind::kNegative, "a", "price", "$5", "//i"),
      Line(6, Kind::kValue, "b", "title", "T"),
      Line(7, Kind::kSkip, "b", ""),
      Line(8, Kind::kValue, "a", "title", "T"),
  };
  const std::vector<Annotation> given = annotations;
  const auto problems = RemoveContradictions(&annotations);
  EXPECT_EQ(DescribeProblems("f", problems),
            "f:1: title of a: absent, but line 2 gives a value, which counts\n"
            "f:3: price of a: line 4 says the opposite; neither counts\n"
            "f:4: price of a: line 3 says the opposite; neither counts\n"
            "f:6: title of b: the page's cluster is skipped, so this does not "
            "count");
  std::vector<int64_t> lines;
  for (const Annotation& a : annotations) lines.push_back(a.line);
  EXPECT_THAT(lines, ElementsAre(5, 2, 7));

  // As the caller names lines.
  std::vector<Annotation> named = given;
  EXPECT_THAT(
      DescribeProblems(
          "f", RemoveContradictions(
                   &named, [](int64_t line) { return StrCat("g:", line); })),
      HasSubstr("absent, but g:2 gives a value"));

  // Denied everywhere, and of another record.
  std::vector<Annotation> more = {
      Line(1, Kind::kValue, "a", "price", "$5", "//b"),
      Line(2, Kind::kNegative, "a", "price", "$5"),
      Line(3, Kind::kValue, "a", "title", "T"),
      Line(4, Kind::kAbsent, "a", "title"),
      Line(5, Kind::kValue, "a", "year", "1999"),
      Line(6, Kind::kNegative, "a", "year", "1999", "//i"),
  };
  more[3].record = 1;
  EXPECT_EQ(DescribeProblems("f", RemoveContradictions(&more)),
            "f:1: price of a: line 2 says the opposite; neither counts\n"
            "f:2: price of a: line 1 says the opposite; neither counts");
  EXPECT_EQ(more.size(), 4u);

  // What the page does not have, none of its records has.
  std::vector<Annotation> records = {
      Line(1, Kind::kAbsent, "a", "price"),
      Line(2, Kind::kValue, "a", "price", "$5"),
      Line(3, Kind::kAbsent, "a", "title"),
      Line(4, Kind::kAbsent, "a", "year"),
      Line(5, Kind::kValue, "a", "year", "1999"),
  };
  records[1].record = 1;
  records[3].record = 0;
  records[4].record = 1;
  EXPECT_EQ(DescribeProblems("f", RemoveContradictions(&records)),
            "f:1: price of a: absent, but line 2 gives a value, which counts");

  // In any order.
  std::vector<Annotation> shuffled = given;
  std::reverse(shuffled.begin(), shuffled.end());
  RemoveContradictions(&shuffled);
  ASSERT_EQ(shuffled.size(), annotations.size());
  for (size_t i = 0; i < shuffled.size(); ++i) {
    EXPECT_EQ(shuffled[i].line, annotations[i].line);
  }
}

// What is denied of a page is denied of all its records; what is denied of a
// record may be another's.
TEST(AnnotationTest, ContradictionsOfRecords) {
  using Kind = Annotation::Kind;
  struct Case {
    const char* label;
    std::optional<int64_t> denied, given;
    std::string denied_xpath, given_xpath;
    bool is_contradiction;
  };
  const Case kCases[] = {
      {"the page's, a record's", {}, 1, "", "", true},
      {"the page's, a record's at a node", {}, 1, "", "//b", true},
      {"the page's at a node, a record's there", {}, 1, "//b", "//b", true},
      {"the page's at a node, a record's", {}, 1, "//b", "", false},
      {"a record's", 1, 1, "", "", true},
      {"another record's", 0, 1, "", "", false},
      {"a record's, the page's", 1, {}, "", "", false},
  };
  for (const Case& c : kCases) {
    // Lines that are from no file contradict each other too.
    std::vector<Annotation> annotations = {
        Line(0, Kind::kNegative, "a", "price", "$5", c.denied_xpath),
        Line(0, Kind::kValue, "a", "price", " $5", c.given_xpath),
        Line(0, Kind::kValue, "a", "price", "$6"),
    };
    annotations[0].record = c.denied;
    annotations[1].record = c.given;
    EXPECT_EQ(RemoveContradictions(&annotations).size(),
              c.is_contradiction ? 2u : 0u)
        << c.label;
    EXPECT_EQ(annotations.size(), c.is_contradiction ? 1u : 3u) << c.label;
  }
}

TEST(AnnotationTest, NothingContradictsComplete) {
  using Kind = Annotation::Kind;
  std::vector<Annotation> annotations = {
      Line(1, Kind::kComplete, "a", ""),
      Line(2, Kind::kValue, "a", "title", "T"),
      Line(3, Kind::kAbsent, "a", "price"),
      Line(4, Kind::kComplete, "b", ""),
      Line(5, Kind::kSkip, "b", ""),
      Line(6, Kind::kComplete, "a", ""),
  };
  EXPECT_EQ(DescribeProblems("f", RemoveContradictions(&annotations)), "");
  EXPECT_EQ(annotations.size(), 5u);  // but it is said once
  proto::Schema schema;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 'movie' attribute { name: 'title' } attribute { name: 'price' }",
      &schema));
  EXPECT_EQ(DescribeProblems("f", FindErrors(annotations, schema, {"a"})),
            "f:5: no page b is in the sample\nf:4: no page b is in the sample");
}

TEST(AnnotationTest, SubjectsForPeople) {
  Annotation annotation = Line(1, Annotation::Kind::kValue, "u", "price", "$5");
  EXPECT_EQ(annotation.Subject(), "price of u");
  annotation.record = 3;
  EXPECT_EQ(annotation.Subject(), "price of record 3 of u");
  EXPECT_EQ(Line(1, Annotation::Kind::kSkip, "u", "").Subject(), "u");
}

}  // namespace
}  // namespace trommel::annotation
