// Pages made to exhaust time or memory, under the default limits. Each ends in
// a defined outcome within the limits' time and in bounded memory.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/html/tag_scanner.h"
#include "tests/testing/html_checks.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

// What sanitizers cost.
#if defined(__SANITIZE_ADDRESS__)
constexpr double kSlowness = 4;
#else
constexpr double kSlowness = 1;
#endif

std::string Repeat(std::string_view text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

// "<prefix 0 suffix><prefix 1 suffix>..."
std::string Numbered(std::string_view prefix, std::string_view suffix,
                     size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) StrAppend(&out, prefix, i, suffix);
  return out;
}

struct HostilePage {
  const char* name;
  std::function<std::string()> make;
};

std::string FontsWithManyAttributes() {
  std::string page = "<p>";
  for (int i = 0; i < 500; ++i) {
    StrAppend(&page, "<font q=", i, " ", Numbered("a", " ", 1000), ">");
  }
  return page + Repeat("<p>x", 100000);
}

std::string Utf16(std::string_view ascii) {
  std::string out = "\xFF\xFE";
  for (const char c : ascii) {
    out += c;
    out += '\0';
  }
  return out;
}

const std::vector<HostilePage>& Pages() {
  static const auto* const pages = new std::vector<HostilePage>{
      {"nested_divs", [] { return Repeat("<div>", 200000); }},
      {"nested_divs_with_ends",
       [] { return Repeat("<div>x", 200000) + Repeat("</div>y", 200000); }},
      {"page_of_100_megabytes", [] { return Repeat("<p>text</p>", 9100000); }},
      {"million_attributes",
       [] { return "<a " + Numbered("a", " ", 930000) + ">x"; }},
      {"million_equal_attributes",
       [] { return "<a" + Repeat(" b", 4000000) + ">x"; }},
      {"attributes_on_every_tag",
       [] { return Repeat("<p " + Numbered("a", "=1 ", 10) + ">", 100000); }},
      {"new_attributes_on_every_tag",
       [] { return Numbered("<p a", ">", 700000); }},
      {"attributes_over_many_body_tags",
       [] {
         std::string page;
         for (int i = 0; i < 500; ++i) {
           StrAppend(&page, "<body ", Numbered(StrCat("a", i, "_"), " ", 1000),
                     ">");
         }
         return page;
       }},
      {"distinct_tags", [] { return Numbered("<x", ">", 900000); }},
      {"distinct_end_tags", [] { return Numbered("</x", ">", 800000); }},
      {"open_formatting",
       [] {
         return "<p>" + Numbered("<font a=", ">", 40000) +
                Repeat("<p>", 100000);
       }},
      {"open_formatting_with_text",
       [] {
         return "<p>" + Numbered("<font a=", ">", 40000) +
                Repeat("<p>x", 100000);
       }},
      {"clones_of_a_long_attribute",
       [] {
         return "<p><font a='" + std::string(4 << 20, 'x') + "'>" +
                Repeat("<p>x", 500000);
       }},
      {"clones_by_end_tags",
       [] {
         return "<p><font a='" + std::string(4 << 20, 'x') + "'>" +
                Repeat("<div></font>", 300000);
       }},
      {"clones_by_end_tags_behind_depth",
       [] {
         return "<p><font a='" + std::string(4 << 20, 'x') + "'>" +
                Repeat("<div>", 400) + Repeat("</font>", 100000);
       }},
      {"formatting_and_end_tags",
       [] {
         return Repeat("<b><i><u><s><a>", 300) +
                Repeat("<div></a></s></u></i></b>", 200000);
       }},
      {"formatting_with_many_attributes", FontsWithManyAttributes},
      {"stray_end_tags", [] { return Repeat("x</b>", 1000000); }},
      {"end_tags_that_make_elements", [] { return Repeat("</br>", 1600000); }},
      {"unclosed_comment",
       [] { return "<p><!--" + std::string(8000000, '-'); }},
      {"comment_openings", [] { return Repeat("<!-- ", 1600000); }},
      {"unclosed_quote", [] { return "<p a='" + std::string(8000000, '>'); }},
      {"unclosed_script", [] { return Repeat("<script><!--", 600000); }},
      {"nul_characters", [] { return std::string(8000000, '\0'); }},
      {"less_thans", [] { return std::string(8000000, '<'); }},
      {"ampersands", [] { return std::string(8000000, '&'); }},
      {"references", [] { return Repeat("&NotEqualTilde;", 500000); }},
      {"utf_16", [] { return Utf16(Repeat("<div>x", 600000)); }},
      {"mixed_formatting",
       [] { return Repeat("<b><i><a><u><s><code>", 10000); }},
      {"mixed_formatting_and_blocks",
       [] { return Repeat("<b><i><a><u><s><code><p>", 300000); }},
      {"templates", [] { return Repeat("<template>", 10000); }},
      {"many_templates", [] { return Repeat("<template>", 800000); }},
      {"selects", [] { return Repeat("<select><option>", 10000); }},
      {"options", [] { return "<select>" + Repeat("<option>a", 800000); }},
      {"tables", [] { return Repeat("<table><tr><td>", 10000); }},
      {"many_tables", [] { return Repeat("<table><tr><td>", 500000); }},
      {"foster_parents", [] { return Repeat("<table>x<b>", 700000); }},
      {"foster_texts", [] { return "<table>" + Repeat("x<tr>", 1600000); }},
      {"svg", [] { return Repeat("<svg>", 10000); }},
      {"svg_end_tags",
       [] { return Repeat("<svg>", 600) + Repeat("<g></div>", 800000); }},
      {"math", [] { return Repeat("<math><mi>", 10000); }},
      {"foreign_objects",
       [] { return Repeat("<svg><foreignObject>", 300000); }},
      {"lists", [] { return Repeat("<ul><li>", 500000); }},
      {"body_attributes", [] { return Numbered("<body a", ">", 500000); }},
      {"framesets", [] { return Repeat("<frameset>", 800000); }},
      {"doctypes", [] { return Repeat("<!DOCTYPE html>", 500000); }},
      {"processing_instructions", [] { return Repeat("<?x y?>", 1000000); }},
      {"random_bytes",
       [] {
         Random random(testing_support::TestSeed(213));
         return testing_support::RandomBytes(&random, 4000000);
       }},
      {"random_markup",
       [] {
         Random random(testing_support::TestSeed(214));
         return testing_support::HostileSoup(&random, 400000);
       }},
  };
  return *pages;
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

using Param = std::tuple<ParserKind, size_t>;

class HostileTest : public ::testing::TestWithParam<Param> {};

std::string ParamName(const ::testing::TestParamInfo<Param>& info) {
  return StrCat(std::get<0>(info.param) == ParserKind::kDirect   ? "direct_"
                : std::get<0>(info.param) == ParserKind::kLexbor ? "lexbor_"
                                                                 : "gumbo_",
                Pages()[std::get<1>(info.param)].name);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, HostileTest,
    ::testing::Combine(::testing::Values(ParserKind::kDirect,
                                         ParserKind::kLexbor,
                                         ParserKind::kGumbo),
                       ::testing::Range(size_t{0}, Pages().size())),
    ParamName);

TEST_P(HostileTest, EndsInADefinedOutcome) {
  const auto& [kind, index] = GetParam();
  const std::string page = Pages()[index].make();
  const ParseLimits limits;
  const std::unique_ptr<Parser> parser = MakeParser(kind, limits);
  Document document;
  const auto start = std::chrono::steady_clock::now();
  const ParseOutcome outcome = parser->ParsePage(page, "", &document);
  const double seconds = SecondsSince(start);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::cout << ToString(outcome) << " in " << seconds << " s, "
            << document.num_nodes() << " nodes, peak of the process "
            << usage.ru_maxrss / 1024 << " MB\n";
  // The time limit, then the copy into the Document; other processes take their
  // share of the clock.
  EXPECT_LT(seconds, 15 * kSlowness);
  // Twice what lexbor's arenas may have; gumbo may use twice as much again.
  EXPECT_LT(usage.ru_maxrss / 1024, 3000);
  EXPECT_EQ(page.size() > limits.max_bytes, outcome == ParseOutcome::kTooLarge);
  EXPECT_EQ(testing_support::DocumentProblem(document, limits.max_depth), "");
  if (outcome != ParseOutcome::kOk) {
    EXPECT_EQ(document.num_nodes(), 1u);
  }
  // The next page is not affected.
  EXPECT_EQ(parser->ParsePage("<p>x", "", &document), ParseOutcome::kOk);
  EXPECT_EQ(testing_support::TagTree(document), "html(head()body(p()))");
}

TEST(HostileScanTest, TheScannerIsLinear) {
  for (const HostilePage& page : Pages()) {
    const std::string bytes = page.make();
    const auto start = std::chrono::steady_clock::now();
    size_t num_tags = 0;
    ScanTags(bytes, [&](const Tag&) { ++num_tags; });
    EXPECT_LT(SecondsSince(start), 5 * kSlowness) << page.name;
  }
}

}  // namespace
}  // namespace trommel::html
