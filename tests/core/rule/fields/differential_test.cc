// Exported rules against native ones: xsltproc gives the values of
// PageExtractor.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/parser.h"
#include "core/learn/registry.h"
#include "core/xpath/printer.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/random_xpath.h"
#include "tests/testing/seed.h"
#include "tests/testing/xslt_judge.h"

namespace trommel::rule::fields {
namespace {

using testing_support::ExportProblem;

template <typename T>
const T& Pick(const std::vector<T>& from, Random* random) {
  return from[random->Below(from.size())];
}

// Whether XML forbids a character: U+FFFD there, which makes different values
// equal, and white space in a page if it is a form feed.
bool HasForbidden(const html::Document& document) {
  const auto has = [](std::string_view text) {
    std::string in_xml;
    AppendXmlCharacters(text, &in_xml);
    return in_xml != text;
  };
  for (html::NodeId id = 1; id < document.num_nodes(); ++id) {
    if (has(document.Text(id))) return true;
    for (const html::Attribute& attribute : document.Attributes(id)) {
      if (has(document.Value(attribute))) return true;
    }
  }
  return false;
}

// Pages as parsed, without those on which export may differ.
class Pages {
 public:
  void Add(const std::string& page) {
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    html::Document document;
    ASSERT_EQ(parser->ParsePage(page, "utf-8", &document),
              html::ParseOutcome::kOk);
    Add(std::move(document));
  }
  void Add(html::Document document) {
    if (HasForbidden(document)) return;
    documents_.push_back(std::move(document));
    pointers_.push_back(&documents_.back());
  }
  const std::vector<const html::Document*>& all() const { return pointers_; }

 private:
  std::deque<html::Document> documents_;
  std::vector<const html::Document*> pointers_;
};

// What stands in the texts of TemplatePage(), and parts of it that do not
// count.
std::string AnyLiteral(Random* random) {
  return Pick<std::string>({"a",
                            "b",
                            "of",
                            "--",
                            "Table",
                            "Table & ",
                            "\"",
                            "'",
                            "O",
                            "Neill",
                            "1",
                            "5",
                            "$",
                            "$25.",
                            ".",
                            ",",
                            ".99",
                            "99 ",
                            "< 2",
                            " ",
                            "{",
                            "x} ",
                            "caf\xC3\xA9",
                            "caf",
                            "\xE4\xBB\xB7",
                            "\xE4\xBB\xB7 1,",
                            "by ",
                            "t1",
                            "\xE2\x80\x94",
                            "\xD9\xA1",
                            "no such thing"},
                           random);
}

void AddDelimiter(Random* random, proto::Delimiter* delimiter) {
  delimiter->set_literal(AnyLiteral(random));
  delimiter->set_from_end(random->Chance(0.4));
  delimiter->set_may_be_missing(random->Chance(0.5));
}

void MaybeAddRange(Random* random, proto::Extractor* extractor) {
  if (random->Chance(0.5)) return;
  proto::TextRange* const range = extractor->mutable_range();
  if (random->Chance(0.7)) {
    const bool has_after = random->Chance(0.7);
    if (has_after) AddDelimiter(random, range->mutable_after());
    if (!has_after || random->Chance(0.6)) {
      AddDelimiter(random, range->mutable_before());
    }
    return;
  }
  range->set_first(static_cast<int32_t>(random->Between(1, 3)));
  range->set_first_from_end(random->Chance(0.4));
  range->set_last(static_cast<int32_t>(random->Between(1, 4)));
  range->set_last_from_end(random->Chance(0.4));
}

// A rule with attributes of one to four alternatives; `xpath` makes one XPath.
template <typename MakeXPath>
proto::Rule RandomRule(Random* random, int num_attributes, MakeXPath xpath) {
  proto::Rule rule;
  rule.set_site("a.example");
  rule.set_cluster_id("0123456789abcdef");
  rule.mutable_schema()->set_name("s");
  for (int a = 0; a < num_attributes; ++a) {
    proto::Attribute* const attribute = rule.mutable_schema()->add_attribute();
    attribute->set_name(StrCat("x", a));
    attribute->set_repeated(random->Chance(0.5));
    proto::AttributeRule* const attribute_rule =
        rule.mutable_program()->mutable_fields()->add_attribute();
    attribute_rule->set_name(attribute->name());
    const int64_t count = random->Between(1, 4);
    for (int64_t i = 0; i < count; ++i) {
      proto::Extractor* const extractor = attribute_rule->add_alternative();
      extractor->set_xpath(xpath());
      while (random->Chance(0.2)) extractor->add_also(xpath());
      MaybeAddRange(random, extractor);
    }
  }
  return rule;
}

// A page of a template with everything that rules meet.
std::string TemplatePage(Random* random) {
  const std::vector<std::string> words = {"Table",
                                          "&amp; Kingdom",
                                          "of&nbsp;Salt",
                                          "\"cut\"",
                                          "O'Neill",
                                          "1 &lt; 2",
                                          "$25.99",
                                          "&nbsp;",
                                          "caf\xC3\xA9",
                                          "\n\t",
                                          "{x}",
                                          "&#8203;",
                                          "&#x3000;",
                                          "\xC2\x85\xEF\xBB\xBF",
                                          "--",
                                          "1,299.5",
                                          "standby 5.",
                                          "\xE4\xBB\xB7\xE6\xA0\xBC 1,2",
                                          "by\xE2\x80\x94\xD9\xA1\xD9\xA2",
                                          "a",
                                          "b"};
  const auto text = [&] {
    std::string out;
    const int64_t count = random->Between(0, 4);
    for (int64_t i = 0; i < count; ++i) {
      StrAppend(&out, i == 0 || random->Chance(0.2) ? "" : " ",
                Pick(words, random));
    }
    return out;
  };
  const std::vector<std::string> glue = {
      "",
      " ",
      "<br>",
      " <br> ",
      "<!--x-->",
      " <!--x--> ",
      "<hr>",
      "<script>var x = '<b>';</script>",
      " <style>b{}</style> ",
      "<noscript>no <b>script</b></noscript>",
      "<wbr>",
      "\n"};
  const auto mixed = [&] {
    std::string out;
    const int64_t count = random->Between(1, 5);
    for (int64_t i = 0; i < count; ++i) {
      const std::string tag = Pick<std::string>(
          {"b", "i", "span", "a", "div", "p", "em", "custom-x"}, random);
      StrAppend(&out, Pick(glue, random), random->Chance(0.3) ? text() : "",
                "<", tag, random->Chance(0.3) ? " class=c" : "", ">",
                Pick(glue, random), text(), Pick(glue, random), "</", tag, ">");
    }
    return out;
  };
  std::string page =
      StrCat("<title>", text(), "</title><h1>", text(),
             "</h1><div id=main class='c d'>", mixed(), "</div><img alt='", "x",
             "' title=\"&nbsp;t ", random->Below(3), "  u\"><table>");
  for (const char* label : {"Director's \"cut\":", "Price:", "Year:"}) {
    if (random->Chance(0.2)) continue;
    StrAppend(&page, "<tr><th>", label, "</th> <td>", mixed(), "</td></tr>\n");
  }
  page += "</table><ul>";
  const int64_t items = random->Between(0, 4);
  for (int64_t i = 0; i < items; ++i) {
    StrAppend(&page, "<li><a title='t", random->Below(3), "'>", text(), "</a> ",
              text(), "</li> ");
  }
  return StrCat(page, "</ul><p>", mixed(), "</p>");
}

std::string TemplateXPath(Random* random) {
  return Pick<std::string>(
      {"//h1/text()",
       "//h1",
       "//title",
       "//div[@id=\"main\"]",
       "//div[@id=\"main\"]/node()",
       "//*[@class=\"c\"]",
       "//li",
       "//li/a",
       "//li/text()",
       "(//li)[2]",
       "(//li)[last()]",
       "(//a/@title)[1]",
       "(//li/a/@title)[last()]",
       "//a/@title",
       "//img/@alt",
       "//img/@title",
       "//td",
       "//td/b",
       "//td//text()",
       "(//td//text())[3]",
       "//tr[th=concat(\"Director's \", '\"cut\":')]/td",
       "//td[preceding-sibling::th[1][contains(text(), \"Price\")]]",
       "//th[.='Year:']/following-sibling::td/node()[1]",
       "//p",
       "/html",
       "//node()[last()]",
       "(//td//node())[4]",
       "(//p//node())[last()]",
       "//script",
       "//h1/following::text()[1]",
       "//b/..",
       "//ul/li[2]/a/text()",
       "//*[not(@class)]/span",
       "//p[last()]/*[1]"},
      random);
}

TEST(ExportDifferentialTest, RulesOnPagesOfATemplate) {
  Random random(testing_support::TestSeed(901));
  size_t num_values = 0;
  for (int round = 0; round < 25; ++round) {
    Pages pages;
    for (int i = 0; i < 40; ++i) pages.Add(TemplatePage(&random));
    const proto::Rule rule =
        RandomRule(&random, 12, [&] { return TemplateXPath(&random); });
    ASSERT_EQ(ExportProblem(rule, pages.all(), &num_values), "");
  }
  std::printf("%zu values agree\n", num_values);
  EXPECT_GT(num_values, 10000u);
}

TEST(ExportDifferentialTest, RandomXPathsOnAnyPages) {
  Random random(testing_support::TestSeed(902));
  size_t num_values = 0;
  for (int round = 0; round < 30; ++round) {
    Pages pages;
    for (int i = 0; i < 8; ++i) {
      pages.Add(testing_support::RealisticPage(&random, 40));
      pages.Add(testing_support::MarkupSoup(&random, 60));
      pages.Add(testing_support::HostileSoup(&random, 60));
      html::Document dense;
      testing_support::MakeDensePage(&random, 60, &dense);
      pages.Add(std::move(dense));
    }
    const proto::Rule rule = RandomRule(&random, 15, [&] {
      const testing_support::RandomXPath xpaths(*Pick(pages.all(), &random));
      return xpath::ToString(xpaths.Path(&random));
    });
    ASSERT_EQ(ExportProblem(rule, pages.all(), &num_values), "");
  }
  std::printf("%zu values agree\n", num_values);
  EXPECT_GT(num_values, 10000u);
}

// A site's pages with the values on them.
struct Site {
  std::vector<learn::LearnPage> pages;
  std::vector<annotation::Annotation> annotations;

  void Annotate(const std::string& url, const char* attribute,
                const std::string& value) {
    annotation::Annotation& annotation = annotations.emplace_back();
    annotation.line = static_cast<int64_t>(annotations.size());
    annotation.url = url;
    annotation.attribute = attribute;
    annotation.value = value;
  }

  void AddPage(uint64_t design, bool annotated, Random* random) {
    learn::LearnPage& page = pages.emplace_back();
    page.url = StrCat("http://a.example/", pages.size());
    const auto word = [&] { return StrCat("w", random->Below(100000)); };
    const std::string title = StrCat(word(), " ", word());
    const std::string price = StrCat("$", random->Below(1000), ".99");
    const std::string cast[] = {word(), word(), word()};
    const std::string year = StrCat(random->Between(1900, 2020));
    const char* const box = design % 2 == 0 ? "div class=box" : "section";
    std::string html = StrCat(
        "<title>", title, " - Shop</title><h1 class='t", design, "'>", title,
        "</h1>", random->Chance(0.3) ? "<p class=ad>Sale!</p>" : "", "<", box,
        "><b>Our Price:</b> ", price, "</div><p>Year: <i>", year,
        "</i></p><ul id=cast>");
    for (const std::string& name : cast) {
      StrAppend(&html, "<li><a href=x>", name, "</a> (actor)</li> ");
    }
    StrAppend(&html, "</ul><p>By <b>", word(), "</b> <i>", word(),
              "</i><br>today</p><ul><li>About</li><li>Help</li></ul>");
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    ASSERT_EQ(parser->ParseUtf8(html, &page.document), html::ParseOutcome::kOk);
    if (!annotated) return;
    Annotate(page.url, "title", title);
    Annotate(page.url, "price", price);
    Annotate(page.url, "year", year);
    for (const std::string& name : cast) Annotate(page.url, "cast", name);
  }
};

TEST(ExportDifferentialTest, LearntRules) {
  Random random(testing_support::TestSeed(903));
  const auto learner = learn::MakeLearner("vertex");
  ASSERT_TRUE(learner.ok()) << learner.status();
  size_t num_values = 0;
  for (uint64_t design = 0; design < 6; ++design) {
    Site site;
    for (int i = 0; i < 20; ++i) site.AddPage(design, i < 2, &random);
    proto::Rule rule;
    rule.set_site("a.example");
    rule.set_cluster_id("0123456789abcdef");
    rule.mutable_schema()->set_name("s");
    for (const char* name : {"title", "price", "year", "cast"}) {
      proto::Attribute* const attribute =
          rule.mutable_schema()->add_attribute();
      attribute->set_name(name);
      attribute->set_repeated(std::string_view(name) == "cast");
    }
    learn::LearnInput input;
    input.schema = &rule.schema();
    input.pages = &site.pages;
    input.annotations = site.annotations;
    const auto output = (*learner)->Learn(input);
    ASSERT_TRUE(output.ok()) << output.status();
    EXPECT_EQ(output->program.fields().attribute_size(), 4);
    *rule.mutable_program() = output->program;
    std::vector<const html::Document*> documents;
    for (const learn::LearnPage& page : site.pages) {
      documents.push_back(&page.document);
    }
    ASSERT_EQ(ExportProblem(rule, documents, &num_values), "");
  }
  std::printf("%zu values agree\n", num_values);
  EXPECT_GT(num_values, 500u);
}

}  // namespace
}  // namespace trommel::rule::fields
