// "The same Document as lexbor's adapter, or give up": on small pages made to
// be difficult, on random markup, and at the limits.

#include "core/html/direct/direct_parser.h"

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/parser.h"
#include "tests/testing/allocations.h"
#include "tests/testing/html_checks.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html::direct {
namespace {

using testing_support::Dump;

// Both parsers under the same limits.
class Pair {
 public:
  explicit Pair(const ParseLimits& limits = {})
      : limits_(limits),
        direct_(limits),
        lexbor_(MakeParser(ParserKind::kLexbor, limits)) {}

  // What differs between the results for a page; empty if nothing does.
  std::string Difference(std::string_view page) {
    const ParseOutcome actual = direct_.ParseUtf8(page, &document_);
    const ParseOutcome expected = lexbor_->ParseUtf8(page, &expected_);
    if (actual != expected) {
      return StrCat("outcome ", html::ToString(actual), " instead of ",
                    html::ToString(expected));
    }
    if (direct_.notes().depth_flattened != lexbor_->notes().depth_flattened ||
        direct_.notes().attributes_dropped !=
            lexbor_->notes().attributes_dropped) {
      return "other notes";
    }
    std::string problem = testing_support::DocumentProblem(
        document_, std::max(limits_.max_depth, 2u));
    if (!problem.empty()) return problem;
    const std::string ours = Dump(document_);
    const std::string theirs = Dump(expected_);
    if (ours == theirs) return "";
    return StrCat("direct:\n", ours, "lexbor:\n", theirs);
  }

  const DirectParser& direct() const { return direct_; }

 private:
  const ParseLimits limits_;
  DirectParser direct_;
  std::unique_ptr<Parser> lexbor_;
  Document document_;
  Document expected_;
};

void PrintGiveUps(const GiveUpCounts& counts) {
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    std::cout << "  " << counts[i] << " "
              << (i == 0 ? "parsed directly" : ToString(static_cast<GiveUp>(i)))
              << "\n";
  }
}

// Pages that only append. Each must be parsed directly.
constexpr std::string_view kDirectPages[] = {
    // Implied elements.
    "",
    " ",
    "text",
    "<!doctype html>",
    "<!doctype html>\n<html>\n<head>\n</head>\n<body>\n</body>\n</html>\n",
    "<title>t</title>x",
    "</head>x",
    "</br>x",
    "</p>x",
    "</html>x",
    "<head></head></head>x",
    "<html><html><head><head><body><body>x",
    "<p>a",
    // The head, and what comes behind it.
    "<head> <meta charset=utf-8> <link rel=x> </head> <body>x",
    "<head></head><script>a</script><link><title>t</title> \n<body>x",
    "<head> </head> <style> </style> <meta><p>x",
    "<head><noscript><link><style>a</style> <!--c--></noscript></head>x",
    "<head><noscript>x</noscript></head>y",
    "<head><noscript></body><br></noscript>",
    "<noscript><p>x</noscript>y",
    "<base><basefont><bgsound><link><meta>",
    "<head><title>a<b>&amp;&lt;</title></head>",
    "<head><title>a</titlex></title ></head>",
    "a<title>b</title>c",
    // Behind the body.
    "<body>a</body> <!-- b --> </html> <!-- c --> ",
    "<body>a</body>b",
    "<body>a</body><!-- b --><p>c",
    "<p>a</body>\n</html>\n",
    "<p>a</body>\n<!--b-->\n</html>\n<!--c-->\n<!--d-->",
    "</body></html><script>x</script>",
    "<!-- a --><!doctype html><!-- b --><html><!-- c --><head><!-- d -->"
    "</head><!-- e --><body>",
    // Text and white space.
    "a<!-- b -->c",
    "a</foo>b",
    "a </foo> b",
    " a </foo>\n<!-- --> b ",
    "<p> </p> <p>\n</p>",
    "<p> <b> </b> x</p>",
    "a\r\nb\rc\n\r",
    "<p title='a\r\nb'>x",
    "a\fb\vc",
    "1 < 2, a<3, <=, </>x",
    "a</>b",
    "<pre>\nx</pre>",
    "<pre>\n\nx</pre>",
    "<pre>\n</pre>",
    "<pre> \nx</pre>",
    "<pre><b>\nx</pre>",
    "<pre>&#10;x</pre>",
    "<listing>\nx",
    "<textarea>\nx</textarea>",
    "<textarea>\n\nx</textarea>y",
    "<textarea><b>&lt;</textarea>y",
    "<p><b></p><textarea>x</textarea>y",
    // Character references.
    "&amp;&lt;&gt;&quot;&nbsp;&copy;&eacute;&nGt;&CounterClockwise"
    "ContourIntegral; ",
    "&amp &copy &notit; &notin; &ampx &AMP; &am; &; & &#; &#x; &#xg; ",
    "&#65;&#x41;&#X41;&#0;&#128;&#159;&#xD800;&#x110000;&#99999999999; ",
    "&#65 &#x41 &#38;amp; &unknown; &noti &thetasym;&there4; ",
    "<a href='?a=1&copy=2&amp;b&copy;c&copy d&notit;&#38'>x",
    "<a href=?a=1&copy=2&amp;b&copy;c&#65>x",
    // Tags and attributes.
    "<P CLASS=A>x</P>",
    "<p a=1 A=2 a=3>x",
    "<p a = 'b' c= \"d\" e =f g>x",
    "<p a='b'c=\"d\"e=f/g=h/>x",
    "<p / a / b=/ />x",
    "<p =a =b==c>x",
    "<p \"a\" 'b' <c>x",
    "<p a=>x",
    "<p a=\"\">x",
    "<p a='1 > 0'>x</p a='>'>y",
    "<p\ta\n=\n'b'\f>x",
    "<p a=`b`>x",
    "<p data-a-name-of-some-length=1 data-a-name-of-some-length=2>x",
    "<p aaaaaaaaaaaaaaa=1 aaaaaaaaaaaaaaaa=2 aaaaaaaaaaaaaaaaa=3>x",
    "<averyveryverylongtagname>x</averyveryverylongtagname>y",
    "<a:b>x</a:b><h\xC3\xA9>y</h\xC3\xA9>z",
    "<x-custom><y-custom>x</x-custom>y",
    "<p \xC3\xA9=\xC3\xA9>x",
    "<p a\x01=b>x",
    "</p a=b>x</div/>",
    // Comments and their relatives.
    "<!-->a",
    "<!--->a",
    "<!---->a",
    "<!--a--!>b",
    "<!--a--->b",
    "<!--a--b-->c",
    "<!--<!---->b",
    "<!--a<!--b-->c",
    "<!----!>a",
    "<!>a<!x>b<!-x->c</ d>e</?f>g",
    "<!ELEMENT a>b<![CDATA[a]]>b          ",
    "<?xml version=\"1.0\"?><!doctype html><p>x",
    "<?php echo 1 ?>a<?x>b<?>c<?a?b?\?>d<?xml-stylesheet a?>e<?1?>f<?a:b?>g",
    // Raw text.
    "<script>if (a<b) '</p>'</script>x",
    "<script><!-- <script> </script> --></script>x",
    "<script><!-- <script> --></script>x",
    "<script> </script>x",
    "<style>a</b></style >x",
    "<iframe><p></iframe>x<noembed><p></noembed><noframes><p></noframes>",
    "<p><xmp><b></xmp>x",
    "<SCRIPT>a</Script>b",
    // Paragraphs and blocks.
    "<p>a<p>b<div>c<p>d</div>e",
    "<p>a<ul><li>b</ul>c",
    "<p>a<span><div>b",
    "<p><button><p>a</button>b",
    "<p>a<h1>b<h2>c</h1>d",
    "<h1>a</h2>b",
    "<div><p>a</div>b</p>c",
    "</div></span></b></h1></li></dd></form>x",
    "<address><article><aside><blockquote><center><details><dialog><dir>x",
    "<p>a<hr>b<hr/>c",
    "<image src=x>y",
    "<p>a<main>b<search>c</p>d",
    // Lists.
    "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
    "<li>a<div><li>b",
    "<li>a<p><li>b",
    "<li>a<section><li>b",
    "<dl><dt>a<dd>b<dt>c<dd><dl><dt>d</dl></dl>",
    "<dd>a<p>b<dt>c</dd>d</dt>e",
    "<ul><li>a</ul></li>b",
    // Forms.
    "<form><form><input></form>x</form>y",
    "<form><div></form>x</div>y",
    "<form><p>a</form>b<p>c",
    "<form><div><span></form>x</span>y</div>z<form>q",
    "<form><div></form></div>a<div></div>",
    "<button>a<button>b</button>c",
    "<select><option>a<option>b<optgroup><option>c<optgroup>d</select>e",
    "<select><option>a<hr><option>b<input>c",
    "<select><select>a",
    "<select><p>a<div>b</select>c",
    "<option>a<option>b<optgroup>c",
    "<label>a<input type=checkbox checked>b</label>",
    "<ruby>a<rp>(<rt>b<rp>)<rb>c<rtc>d<rt>e</ruby>f",
    // Formatting.
    "<b>a<i>b</b>c</i>d",
    "<p><b>a<p>b</b>c",
    "<p><b class=x>a<i id=y>b<p>c",
    "<b><b><b><b><b>a</b></b></b></b></b>b",
    "<p><b a=1><b a=1><b a=1><b a=1><b a=2>x<p>y",
    "<p><font color=red>a<p>b<p>c</font>d",
    "<a>b<a>c</a>d</a>",
    "<a href=1>b<b><a href=2>c</b>d",
    "<p><a>b<p>c<a>d",
    "<nobr>a<nobr>b</nobr>c",
    "<b>a<object>b</b>c</object>d</b>e",
    "<b>a<marquee><b>c</marquee>d",
    "<p><b></p> <p>x",
    "<em><strong>a</em></strong>b",
    "<b></b><b>x</b></b>y",
    "<p><u><tt><s><small><big><code><em><i><strike><strong>a<p>b",
    // Tables.
    "<table><tr><td>a<td>b<tr><th>c</table>d",
    "<table>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n</tbody>\n</table>",
    "<table><td>a<table><td>b</table>c</table>d",
    "<table><caption>a<p>b<col><thead><tr><td>c<tfoot><tbody></table>",
    "<table><caption><b>a</caption><colgroup> <col> <!--x--><col></colgroup>"
    "<td>b",
    "<table><colgroup><tr><td>a",
    "<table><col><td>a",
    "<table><tr><td><b>a<td>b</table>c",
    "<b>a<table><tr><td>b</b>c</table>d",
    "<table><td></table></table></td></tr>a",
    "<table><tr><td>a</tbody><tr><td>b</tfoot></thead>",
    "<table><tr></td></th></caption></html></body><td>a</tr>",
    "<table></div></span></a></form><tr></b><td>a",
    "<a><table></a><td>b</table>c",
    "<table><form><tr><td><input></form>x</table>",
    "<table><tr><form a=b><td>x</td></form></tr></table><form>y",
    "<table><input type=hidden><input type='HIDDEN' a=b><td>x",
    "<table><script>a</script><style>b</style><tr><script>c</script><td>d",
    "<table><!-- a --><tr><!-- b --><td><!-- c --></table>",
    "<p><table><td>a</table>b",
    "<!doctype html><p><table><td>a</table>b",
    "<!doctype html public '-//W3C//DTD HTML 3.2//EN'><p><table><td>a",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
    "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\"><p><table>",
    "<!doctype html><!doctype x><p><table>",
    "<table><td><p>a</td> <!-- b -->",
    "<td>a<tr>b<caption>c<col>d<frame>e<head>f",
    "<table><thead><td>a</thead><tfoot><tr><td>b</tfoot></table>",
    "<table><td><ul><li>a<td>b",
    "<table><td><select><option>a<td>b</table>",
    "<div><table><td></div>a</table></div>b",
    // SVG.
    "<svg viewBox='0 0 1 1'><path d=M0/><g><circle r=1></g></svg>a",
    "<svg><linearGradient><stop/></LINEARGRADIENT></svg>a",
    "<svg><title>a<b>c</title><desc>d</desc></svg>e",
    "<svg><foreignObject><p>a<div>b</foreignObject><g></svg>c",
    "<svg><g><p>a",
    "<svg><g><div>a</svg>b",
    "<svg><script>a<b>c</script></svg>d",
    "<svg><style>a<g/></style></svg>b",
    "<svg xlink:href=#a xml:lang=en xmlns='x'><use xlink:href='#b'/></svg>",
    "<p><svg></p>a",
    "<svg></br>a",
    "<svg/>a<svg></svg>b",
    "<b><svg><g></b>a</g></svg>c",
    "<p><b></p><svg><text>a</text></svg>",
    "<svg>a<!-- b --> <a>c</a></svg>",
    "<table><td><svg><td>a</table>",
    "<svg></body><!-- a -->",
};

TEST(DirectParser, ParsesWhatOnlyAppends) {
  Pair pair;
  for (const std::string_view page : kDirectPages) {
    EXPECT_EQ(pair.Difference(page), "") << page;
    EXPECT_EQ(ToString(pair.direct().last_give_up()), ToString(GiveUp::kNone))
        << page;
  }
}

TEST(DirectParser, GivesUpWhatItCannotDo) {
  const struct {
    std::string_view page;
    GiveUp reason;
  } kCases[] = {
      {std::string_view("a\0b", 3), GiveUp::kNul},
      {"a<b", GiveUp::kCutOff},
      {"a<b c='", GiveUp::kCutOff},
      {"a<b c='>", GiveUp::kCutOff},
      {"a<", GiveUp::kCutOff},
      {"a</", GiveUp::kCutOff},
      {"a&amp", GiveUp::kCutOff},
      {"a&#65", GiveUp::kCutOff},
      {"<!-- a>", GiveUp::kCutOff},
      {"<!-- a --", GiveUp::kCutOff},
      {"<!doctype html", GiveUp::kCutOff},
      {"<script>a", GiveUp::kCutOff},
      {"<script>a</script", GiveUp::kCutOff},
      {"<title>a", GiveUp::kCutOff},
      {"<textarea>a", GiveUp::kCutOff},
      {"<?php a", GiveUp::kCutOff},
      {"<table>a", GiveUp::kFosterParenting},
      {"<table><tr><p>a", GiveUp::kFosterParenting},
      {"<table><tr><input type=text>", GiveUp::kFosterParenting},
      {"<table></p>", GiveUp::kFosterParenting},
      {"<table><td><p>a</td>b", GiveUp::kFosterParenting},
      {"<b><p>a</b>b", GiveUp::kAdoption},
      {"<a><div><a>", GiveUp::kAdoption},
      {"<div><b></div>a<div>b</b></div>", GiveUp::kAdoption},
      {"<p><b><table><td></table></b>", GiveUp::kNone},
      {"<body><body class=x>", GiveUp::kRootAttributes},
      {"<p><html lang=x>", GiveUp::kRootAttributes},
      {"<head></head><!-- a --><link>", GiveUp::kLateHeadContent},
      {"<frameset>", GiveUp::kFrameset},
      {"<p><template>", GiveUp::kTemplate},
      {"<head><template>", GiveUp::kTemplate},
      {"<math>", GiveUp::kMath},
      {"<plaintext>", GiveUp::kPlaintext},
      {"<select><selectedcontent>", GiveUp::kSelectedContent},
      {"<svg><![CDATA[a]]></svg>", GiveUp::kForeignMarkup},
      {"<svg><font>", GiveUp::kForeignMarkup},
      {"<svg a=1 a=2>", GiveUp::kForeignMarkup},
      {"<b a><b a><b a><b a>", GiveUp::kFormattingEquality},
  };
  Pair pair;
  for (const auto& [page, reason] : kCases) {
    EXPECT_EQ(pair.Difference(page), "") << page;
    EXPECT_EQ(ToString(pair.direct().last_give_up()), ToString(reason)) << page;
  }
}

std::string Repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(DirectParser, LeavesLimitsToLexbor) {
  ParseLimits limits;
  limits.max_depth = 20;
  limits.max_nodes = 200;
  limits.max_attributes = 4;
  limits.max_bytes = 4000;
  const struct {
    std::string page;
    GiveUp reason;
  } kCases[] = {
      {Repeated("<div>", 10), GiveUp::kNone},
      {Repeated("<div>", 40), GiveUp::kDepth},
      {Repeated("<p>a", 40), GiveUp::kNone},
      {Repeated("<p>a", 90), GiveUp::kSize},
      {Repeated("<p>a", 300), GiveUp::kSize},
      {Repeated("a", 4001), GiveUp::kSize},
      {"<p a b c d>", GiveUp::kNone},
      {"<p a b c d e>", GiveUp::kAttributes},
      {"<p a a a a a>", GiveUp::kAttributes},
      {"<td a b c d e>", GiveUp::kAttributes},
      {"</p a b c d e>", GiveUp::kAttributes},
  };
  Pair pair(limits);
  for (const auto& [page, reason] : kCases) {
    const std::string start = page.substr(0, 40);
    EXPECT_EQ(pair.Difference(page), "") << start;
    EXPECT_EQ(ToString(pair.direct().last_give_up()), ToString(reason))
        << start;
  }
}

TEST(DirectParser, LeavesManyFormattingElementsToLexbor) {
  Pair pair;
  std::string page;
  for (int i = 0; i < 100; ++i) {
    StrAppend(&page, "<b id=", i, ">");
    EXPECT_EQ(pair.Difference(page), "");
    EXPECT_EQ(pair.direct().last_give_up(),
              i < 63 ? GiveUp::kNone : GiveUp::kFormatting);
  }
}

TEST(DirectParser, LeavesLongDoctypesToLexbor) {
  Pair pair;
  EXPECT_EQ(pair.Difference(StrCat("<!doctype ", Repeated("a", 2000), ">")),
            "");
  EXPECT_EQ(pair.direct().last_give_up(), GiveUp::kSize);
  EXPECT_EQ(
      pair.Difference(StrCat("<p><!doctype ", Repeated("a", 2000), "><table>")),
      "");
  EXPECT_EQ(pair.direct().last_give_up(), GiveUp::kNone);
}

TEST(DirectParser, AllocatesNothingOnceItIsWarm) {
  const std::string page =
      StrCat("<!doctype html><title>t</title>",
             Repeated("<div class=a><p>b<b>c</div>\r\n", 100));
  DirectParser parser({});
  Document document;
  ASSERT_EQ(parser.ParseUtf8(page, &document), ParseOutcome::kOk);
  const testing_support::AllocationWatch watch;
  ASSERT_EQ(parser.ParseUtf8(page, &document), ParseOutcome::kOk);
  EXPECT_EQ(watch.Peak(), 0u);
  EXPECT_EQ(parser.give_ups()[0], 2u);
}

// Every prefix of a page, so that its end cuts every construct at every place.
TEST(DirectParser, PagesCutOffAnywhere) {
  Pair pair;
  for (const std::string_view page : kDirectPages) {
    for (size_t size = 0; size < page.size(); ++size) {
      ASSERT_EQ(pair.Difference(page.substr(0, size)), "")
          << page.substr(0, size);
    }
  }
}

// Every two pages one behind the other: each meets the other's open elements.
TEST(DirectParser, PagesBehindEachOther) {
  Pair pair;
  for (const std::string_view first : kDirectPages) {
    for (const std::string_view second : kDirectPages) {
      const std::string page = StrCat(first, second);
      ASSERT_EQ(pair.Difference(page), "") << page;
    }
  }
  PrintGiveUps(pair.direct().give_ups());
}

std::string RandomPage(Random* random) {
  const size_t size = 1 + random->Below(random->Chance(0.3) ? 60 : 12);
  const std::string soup =
      random->Chance(0.3)   ? testing_support::MarkupSoup(random, size)
      : random->Chance(0.4) ? testing_support::HostileSoup(random, size)
                            : testing_support::RealisticPage(random, size);
  std::string page;
  AppendUtf8Lossy(soup, &page);
  return page;
}

TEST(DirectParser, RandomMarkup) {
  const uint64_t seed = testing_support::TestSeed(301);
  Pair pair;
  for (uint64_t i = 0; i < 30000; ++i) {
    Random random(seed + i);
    const std::string page = RandomPage(&random);
    ASSERT_EQ(pair.Difference(page), "") << "seed " << seed + i << "\n" << page;
  }
  PrintGiveUps(pair.direct().give_ups());
  // Else there would be little to compare.
  EXPECT_GT(pair.direct().give_ups()[0], 10000u);
}

TEST(DirectParser, RandomMarkupAtSmallLimits) {
  const uint64_t seed = testing_support::TestSeed(302);
  for (uint32_t max_depth = 0; max_depth < 24; ++max_depth) {
    ParseLimits limits;
    limits.max_depth = max_depth;
    limits.max_nodes = 20 * (1 + max_depth);
    limits.max_attributes = 1 + max_depth % 4;
    Pair pair(limits);
    for (uint64_t i = 0; i < 200; ++i) {
      Random random(seed + 1000 * max_depth + i);
      const std::string page = RandomPage(&random);
      ASSERT_EQ(pair.Difference(page), "")
          << "depth " << max_depth << " seed " << seed + 1000 * max_depth + i
          << "\n"
          << page;
    }
  }
}

}  // namespace
}  // namespace trommel::html::direct
