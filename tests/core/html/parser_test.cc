#include "core/html/parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/serialize.h"
#include "core/html/text.h"
#include "tests/testing/html_checks.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

using std::string_view_literals::operator""sv;

TEST(ParserKindTest, Names) {
  EXPECT_EQ(ParserKindFromName("direct").value(), ParserKind::kDirect);
  EXPECT_EQ(ParserKindFromName("lexbor").value(), ParserKind::kLexbor);
  EXPECT_EQ(ParserKindFromName("gumbo").value(), ParserKind::kGumbo);
  EXPECT_EQ(ParserKindFromName("html5lib").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ParseOutcomeTest, Names) {
  EXPECT_EQ(ToString(ParseOutcome::kOk), "ok");
  EXPECT_EQ(ToString(ParseOutcome::kTooLarge), "too_large");
  EXPECT_EQ(ToString(ParseOutcome::kTooManyNodes), "too_many_nodes");
  EXPECT_EQ(ToString(ParseOutcome::kTimeout), "timeout");
}

// What every parser has to do. The trees are those of the HTML standard.
class ParserTest : public ::testing::TestWithParam<ParserKind> {
 protected:
  Document Parse(std::string_view html, const ParseLimits& limits = {}) {
    Document document;
    parser_ = MakeParser(GetParam(), limits);
    EXPECT_EQ(parser_->ParseUtf8(html, &document), ParseOutcome::kOk);
    EXPECT_EQ(testing_support::DocumentProblem(document, limits.max_depth), "");
    return document;
  }

  // The tree below <body> as one line: tags, "text", <!--comments-->.
  std::string Body(std::string_view html) { return Line(Parse(html), "body"); }

  static std::string Line(const Document& document, std::string_view root) {
    NodeId begin = 0, end = static_cast<NodeId>(document.num_nodes());
    for (NodeId id = 1; id < document.num_nodes(); ++id) {
      if (document.TagOf(id) != root) continue;
      begin = id;
      end = document.node(id).subtree_end;
      break;
    }
    std::string out;
    std::vector<NodeId> open;
    for (NodeId id = begin + 1; id <= end; ++id) {
      while (!open.empty() && document.node(open.back()).subtree_end <= id) {
        out += ')';
        open.pop_back();
      }
      if (id == end) break;
      if (!out.empty() && out.back() != '(') out += ' ';
      if (document.node(id).space_before) out += '_';
      switch (document.node(id).kind) {
        case NodeKind::kElement:
          out += document.TagOf(id);
          for (const Attribute& attribute : document.Attributes(id)) {
            StrAppend(&out, "[", document.NameOf(attribute.name), "=",
                      document.Value(attribute), "]");
          }
          out += '(';
          open.push_back(id);
          break;
        case NodeKind::kText:
          StrAppend(&out, "\"", document.Text(id), "\"");
          break;
        case NodeKind::kComment:
          StrAppend(&out, "<!--", document.Text(id), "-->");
          break;
        case NodeKind::kDocument:
          break;
      }
    }
    return out;
  }

  std::unique_ptr<Parser> parser_;
};

std::string KindName(const ::testing::TestParamInfo<ParserKind>& info) {
  switch (info.param) {
    case ParserKind::kDirect:
      return "direct";
    case ParserKind::kLexbor:
      return "lexbor";
    case ParserKind::kGumbo:
      return "gumbo";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Parsers, ParserTest,
                         ::testing::Values(ParserKind::kDirect,
                                           ParserKind::kLexbor,
                                           ParserKind::kGumbo),
                         KindName);

TEST_P(ParserTest, ImpliedElements) {
  for (const std::string_view html :
       {""sv, "<html>"sv, "<head></head>"sv, "<!DOCTYPE html>"sv,
        "</p></html>"sv.substr(4), " \n"sv}) {
    EXPECT_EQ(testing_support::TagTree(Parse(html)), "html(head()body())")
        << html;
  }
  EXPECT_EQ(testing_support::TagTree(Parse("<title>t</title>x")),
            "html(head(title())body())");
}

TEST_P(ParserTest, Trees) {
  struct Case {
    const char* label;
    std::string_view html, body;
  };
  const Case kCases[] = {
      {"unclosed paragraphs", "<p>a<p>b", R"(p("a") p("b"))"},
      {"unclosed list items", "<ul><li>a<li>b</ul>c",
       R"(ul(li("a") li("b")) "c")"},
      {"a block ends a paragraph", "<p>a<div>b</div>c",
       R"(p("a") div("b") "c")"},
      {"stray end tags", "a</b></div>b", R"("ab")"},
      {"an end tag that makes an element", "</p>", "p()"},
      {"overlapping formatting", "<b>1<i>2</b>3</i>",
       R"(b("1" i("2")) i("3"))"},
      {"formatting is opened again", "<p><b>x<p>y", R"(p(b("x")) p(b("y")))"},
      {"link in a link", "<a href=1>x<a href=2>y",
       R"(a[href=1]("x") a[href=2]("y"))"},
      {"table parts are implied", "<table><td>x</table>",
       R"(table(tbody(tr(td("x")))))"},
      {"nested tables", "<table><tr><td><table><tr><td>x</table>y</table>",
       R"(table(tbody(tr(td(table(tbody(tr(td("x")))) "y")))))"},
      {"text in a table goes before it", "<table>x<tr><td>y</table>",
       R"("x" table(tbody(tr(td("y")))))"},
      {"elements in a table go before it",
       "<table><tr><div>x</div><td>y</table>",
       R"(div("x") table(tbody(tr(td("y")))))"},
      {"void elements", "<br>a<img src=x>b<hr/>c",
       R"(br() "a" img[src=x]() "b" hr() "c")"},
      {"self-closing is ignored on others", "<div/>x", R"(div("x"))"},
      {"comments are nodes", "<p>a<!-- b -->c</p>", R"(p("a" <!-- b --> "c"))"},
      {"content of templates", "<template><p>x</p></template>y",
       R"(template(p("x")) "y")"},
      {"rows in templates", "<template><tr><td>x</template>",
       R"(template(tr(td("x"))))"},
      {"script is text", "<p><script>if (a<b) '</p>'</script>",
       R"(p(script("if (a<b) '</p>'")))"},
      {"style is text", "<p><style>a > b {}</style>",
       R"(p(style("a > b {}")))"},
      {"textarea is text with entities", "<textarea><b>&amp;</textarea>",
       R"(textarea("<b>&"))"},
      {"entities", "&amp;&lt;&eacute;&#65;&#x42;&copy &nosuch;",
       "\"&<\xC3\xA9"
       "AB\xC2\xA9 &nosuch;\""},
      {"NUL references", "a&#0;b",
       "\"a\xEF\xBF\xBD"
       "b\""},
      {"select", "<select><option>a<option>b</select>",
       R"(select(option("a") option("b")))"},
      {"definition list", "<dl><dt>a<dd>b<dt>c</dl>",
       R"(dl(dt("a") dd("b") dt("c")))"},
      {"headings end with any heading", "<h1>a</h2>b", R"(h1("a") "b")"},
      {"upper case", "<DIV ID=A>x</DIV>", R"(div[id=A]("x"))"},
      {"unknown elements", "<x-y z-w=1>a</x-y>", R"(x-y[z-w=1]("a"))"},
      {"noscript has elements", "<p><noscript><i>a</i></noscript>",
       R"(p(noscript(i("a"))))"},
      {"first line break of pre", "<pre>\n\na</pre>", "pre(\"\na\")"},
      {"image means img", "<image src=x>", R"(img[src=x]())"},
      {"doctype is no node", "<!DOCTYPE html>x", R"("x")"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Body(StrCat("<body>", c.html)), c.body) << c.label;
  }
}

TEST_P(ParserTest, Attributes) {
  struct Case {
    const char* label;
    std::string_view html, body;
  };
  const Case kCases[] = {
      {"kinds of quotes", "<p a=1 b='2' c=\"3\" d>", "p[a=1][b=2][c=3][d=]()"},
      {"the first of two counts", "<p a=1 A=2 b a=3>", "p[a=1][b=]()"},
      {"lower-cased", "<p onClick=X DATA-Foo=Y>", "p[onclick=X][data-foo=Y]()"},
      {"entities", "<p a=\"&lt;&quot;&amp;b;&copy;\" b=?x&copy=1>",
       "p[a=<\"&b;\xC2\xA9][b=?x&copy=1]()"},
      {"'>' in quotes", "<p a='>'>", "p[a=>]()"},
      {"spaces around '='", "<p a = 1 b\n=\n'2'>", "p[a=1][b=2]()"},
      {"slashes", "<p a=b/c / d=/>", "p[a=b/c][d=/]()"},
      {"no space between", "<p a='1'b='2'>", "p[a=1][b=2]()"},
      {"names of odd characters", "<p @a=1 b\"=2 ==3>",
       "p[@a=1][b\"=2][==3]()"},
      {"on html and body", "<html a=1><body b=2><html a=3 c=4>", ""},
  };
  for (const Case& c : kCases) EXPECT_EQ(Body(c.html), c.body) << c.label;
  const Document document = Parse("<html a=1><body b=2><html a=3 c=4><body d>");
  EXPECT_EQ(document.Value(1, document.FindName("a")), "1");
  EXPECT_EQ(document.Value(1, document.FindName("c")), "4");
}

TEST_P(ParserTest, ForeignContent) {
  struct Case {
    const char* label;
    std::string_view html, body;
  };
  const Case kCases[] = {
      {"names are lower case", "<svg viewBox='0 0 1 1'><linearGradient/></svg>",
       "svg[viewbox=0 0 1 1](lineargradient())"},
      {"xlink", "<svg><use xlink:href='#a'/></svg>",
       "svg(use[xlink:href=#a]())"},
      {"xml and xmlns", "<svg xmlns='u' xmlns:xlink='v' xml:lang='en'></svg>",
       "svg[xmlns=u][xmlns:xlink=v][xml:lang=en]()"},
      {"xlink on HTML is a plain name", "<p xlink:href=a>",
       "p[xlink:href=a]()"},
      {"CDATA", "<svg><![CDATA[<p>]]></svg>", R"(svg("<p>"))"},
      {"CDATA in HTML is a comment", "<p><![CDATA[x]]></p>",
       "p(<!--[CDATA[x]]-->)"},
      {"HTML breaks out", "<svg><g><p>x</svg>y", R"(svg(g()) p("xy"))"},
      {"HTML inside", "<svg><foreignObject><p>x</p></foreignObject></svg>",
       R"(svg(foreignobject(p("x"))))"},
      {"title in svg is no raw text", "<svg><title><b>x</title></svg>",
       R"(svg(title(b("x"))))"},
      {"self-closing counts", "<svg><g/><g/></svg>", "svg(g() g())"},
      {"math", "<math definitionURL=u><mi>x</mi></math>",
       R"(math[definitionurl=u](mi("x")))"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Body(c.html), c.body) << c.label;
}

TEST_P(ParserTest, BlankTextIsDroppedAndRemembered) {
  EXPECT_EQ(Body("<body>\n<p> <b>a</b> <i>b</i>\n</p>\n<p>c</p>"),
            R"(_p(_b("a") _i("b")) _p("c"))");
  EXPECT_EQ(Body("<p>a<!-- --> <b></b></p>"), R"(p("a" <!-- --> _b()))");
  EXPECT_EQ(Body("<p>&nbsp;</p>"), "p(\"\xC2\xA0\")");
}

// Every name that a parser has an id of its own for, as a tag and as an
// attribute at once. Those ids must not be taken for each other.
TEST_P(ParserTest, RareNamesOfTagsAndAttributesDoNotMix) {
  const std::string_view kNames[] = {
      "altglyphitem", "codetype", "compact",
      "animatecolor", "declare",  "annotation-xml",
      "direction",    "enctype",  "focus",
      "basefont",     "hover",    "blink",
      "http-equiv",   "is",       "clippath",
      "multiple",     "nohref",   "noresize",
      "noshade",      "desc",     "pool",
      "public",       "accept",   "accept-charset",
      "active",       "alink",    "axis",
      "applet",       "bgsound",  "readonly",
      "required",     "rules",    "scheme",
      "shape",        "system",   "text",
      "valuetype",    "vlink",    "femerge",
      "x-unknown",    "glyphref", "keygen"};
  std::string html = "<body>";
  for (const std::string_view tag : kNames)
    StrAppend(&html, "<", tag, "></", tag, ">");
  for (const std::string_view name : kNames)
    StrAppend(&html, "<p ", name, "=", name, ">");
  for (const std::string_view tag : kNames)
    StrAppend(&html, "<", tag, "></", tag, ">");
  const Document document = Parse(html);
  std::map<std::string, int> tags;
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    ++tags[std::string(document.TagOf(id))];
    for (const Attribute& attribute : document.Attributes(id)) {
      EXPECT_EQ(document.NameOf(attribute.name), document.Value(attribute));
    }
  }
  for (const std::string_view tag : kNames) {
    EXPECT_EQ(tags[std::string(tag)], 2) << tag;
  }
}

TEST_P(ParserTest, NulCharacters) {
  EXPECT_EQ(Body("<p>a\0b</p>"sv), R"(p("ab"))");
  EXPECT_EQ(Body("<p a='x\0y'>"sv), "p[a=x\xEF\xBF\xBDy]()");
  EXPECT_EQ(Body("<p><script>a\0b</script>"sv),
            "p(script(\"a\xEF\xBF\xBD"
            "b\"))");
  EXPECT_EQ(Body("<p><!--a\0b-->"sv),
            "p(<!--a\xEF\xBF\xBD"
            "b-->)");
}

TEST_P(ParserTest, UnknownElementAfterAnEmptyEndTag) {
  EXPECT_EQ(Body("<body></></><x-y>a"), R"(x-y("a"))");
}

TEST_P(ParserTest, CharacterReferencesBeyondUnicodeGiveText) {
  for (const std::string_view reference :
       {"&#1114112;"sv, "&#xD800;"sv, "&#x110000;"sv,
        "&#111111111111111111111111111111111111111111111111111111x0z"sv,
        "&#xFFFFFFFFFFFFFFFFFFFFFFFF;"sv, "&#4294967296;"sv,
        "&#18446744073709551616;"sv}) {
    SCOPED_TRACE(reference);
    const std::string page =
        StrCat("<p title=\"", reference, "\">", reference, "<!--x-->");
    EXPECT_EQ(testing_support::DocumentProblem(Parse(page), 512), "");
  }
}

TEST_P(ParserTest, NulAsAnAttributeName) {
  const Document document = Parse("<p \0=1 a=2>"sv);
  EXPECT_EQ(document.Value(4, names::k_a), "2");
}

TEST_P(ParserTest, DecodesPages) {
  parser_ = MakeParser(GetParam(), {});
  Document document;
  struct Case {
    const char* label;
    std::string_view bytes, charset, text;
  };
  const Case kCases[] = {
      {"declared", "<p>\xE9", "latin1", "\xC3\xA9"},
      {"meta", "<meta charset=utf-8><p>\xC3\xA9", "", "\xC3\xA9"},
      {"mark", "\xEF\xBB\xBF<p>\xC3\xA9", "latin1", "\xC3\xA9"},
      {"UTF-16", "\xFF\xFE<\0p\0>\0\xE9\0"sv, "", "\xC3\xA9"},
      {"broken", "<p>a\xFF", "utf-8", "a\xEF\xBF\xBD"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(parser_->ParsePage(c.bytes, c.charset, &document),
              ParseOutcome::kOk);
    EXPECT_EQ(NormalizedText(document, 0), c.text) << c.label;
  }
}

TEST_P(ParserTest, TooLarge) {
  ParseLimits limits;
  limits.max_bytes = 100;
  parser_ = MakeParser(GetParam(), limits);
  Document document;
  const std::string fits = "<p>" + std::string(97, 'x');
  EXPECT_EQ(parser_->ParseUtf8(fits, &document), ParseOutcome::kOk);
  EXPECT_EQ(parser_->ParseUtf8(fits + "x", &document), ParseOutcome::kTooLarge);
  EXPECT_EQ(document.num_nodes(), 1u);
  EXPECT_EQ(parser_->ParsePage(fits + "x", "utf-8", &document),
            ParseOutcome::kTooLarge);
  // 60 bytes that decoding makes three times as many.
  EXPECT_EQ(parser_->ParsePage(std::string(60, '\xFF'), "utf-8", &document),
            ParseOutcome::kTooLarge);
  EXPECT_EQ(document.num_nodes(), 1u);
  EXPECT_EQ(parser_->ParseUtf8(fits, &document), ParseOutcome::kOk);
  EXPECT_GT(document.num_nodes(), 1u);
}

TEST_P(ParserTest, TooManyNodes) {
  ParseLimits limits;
  limits.max_nodes = 1000;
  parser_ = MakeParser(GetParam(), limits);
  Document document;
  std::string page;
  for (int i = 0; i < 450; ++i) page += "<p>x</p>";
  EXPECT_EQ(parser_->ParseUtf8(page, &document), ParseOutcome::kOk);
  EXPECT_EQ(document.num_nodes(), 904u);
  EXPECT_EQ(parser_->ParseUtf8(page + page, &document),
            ParseOutcome::kTooManyNodes);
  EXPECT_EQ(document.num_nodes(), 1u);
  EXPECT_EQ(parser_->ParseUtf8(page, &document), ParseOutcome::kOk);
  EXPECT_EQ(document.num_nodes(), 904u);
}

TEST_P(ParserTest, ManyCopiesAreTooManyNodes) {
  ParseLimits limits;
  limits.max_nodes = 10000;
  parser_ = MakeParser(GetParam(), limits);
  Document document;
  std::string page = "<p>";
  for (int i = 0; i < 100; ++i) StrAppend(&page, "<font a=", i, ">");
  for (int i = 0; i < 1000; ++i) page += "<p>x";
  EXPECT_EQ(parser_->ParseUtf8(page, &document), ParseOutcome::kTooManyNodes);
}

TEST_P(ParserTest, CopiesOfLongAttributesAreLimited) {
  ParseLimits limits;
  limits.max_nodes = 1000;
  limits.max_bytes = 200000;
  parser_ = MakeParser(GetParam(), limits);
  Document document;
  std::string page = StrCat("<p><font a='", std::string(100000, 'x'), "'>");
  for (int i = 0; i < 200; ++i) page += "<p>x";
  EXPECT_EQ(parser_->ParseUtf8(page, &document), ParseOutcome::kTooManyNodes);
  // The same by end tags in the wrong place.
  page = StrCat("<font a='", std::string(100000, 'x'), "'>");
  for (int i = 0; i < 100; ++i) page += "<div>";
  for (int i = 0; i < 20; ++i) page += "</font>";
  EXPECT_EQ(parser_->ParseUtf8(page, &document), ParseOutcome::kTooManyNodes);
}

TEST_P(ParserTest, DeepPagesAreFlattened) {
  ParseLimits limits;
  limits.max_depth = 20;
  std::string page;
  for (int i = 0; i < 100; ++i) StrAppend(&page, "<div id=d", i, ">t", i, " ");
  for (int i = 0; i < 100; ++i) page += "</div>";
  page += "<p>after</p>";
  const Document document = Parse(page, limits);
  EXPECT_TRUE(parser_->notes().depth_flattened);
  EXPECT_FALSE(parser_->notes().attributes_dropped);
  size_t num_divs = 0;
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) == "div") ++num_divs;
    if (document.TagOf(id) == "p") {
      EXPECT_EQ(document.node(id).depth, 3);
    }
  }
  EXPECT_EQ(num_divs, 100u);
  const std::string text = NormalizedText(document, 0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_NE(text.find(StrCat("t", i, " ")), std::string::npos) << i;
  }
  EXPECT_FALSE((Parse("<p>x", limits), parser_->notes().depth_flattened));
}

// End tags of elements that were closed early are not missed, those of others
// are not taken for them.
TEST_P(ParserTest, AfterADeepPlaceThePageGoesOn) {
  ParseLimits limits;
  limits.max_depth = 20;
  std::string page = "<section>";
  for (int i = 0; i < 40; ++i) page += "<div><i>";
  page += "</section><div><p>x</p></div><h1>y</h1>";
  const Document document = Parse(page, limits);
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) != "h1") continue;
    std::string_view parent = document.TagOf(document.node(id).parent);
    EXPECT_NE(parent, "div");
  }
}

// lexbor's table modes take for granted that their elements are open.
TEST_P(ParserTest, TablesAtTheGreatestDepth) {
  ParseLimits limits;
  limits.max_depth = 20;
  constexpr std::string_view kTables[] = {
      "<table><tr><td><i>x</tbody>y</table>z",
      "<table><caption><i>x</caption><tr><td>y</table>z",
      "<table><colgroup><col><i>x</colgroup><tr><td>y</table>z",
      "<table>x<tr>y<td><table><td><table>z</table></table></table>",
      "<template><tr><td><i>x</td></template>y<tr>z",
      "<template><template><i>x</template>y</template>z",
      "<select><option><i>x</select>y<frameset>z"};
  for (const std::string_view table : kTables) {
    for (int depth = 0; depth < 30; ++depth) {
      std::string page;
      for (int i = 0; i < depth; ++i) page += "<div>";
      page += table;
      const Document document = Parse(page, limits);
      std::string text = NormalizedText(document, 0);
      std::sort(text.begin(), text.end());
      if (GetParam() == ParserKind::kGumbo && table[1] == 's') continue;
      EXPECT_EQ(text, "xyz") << page;
    }
  }
}

TEST_P(ParserTest, SmallDepthsWork) {
  Random random(testing_support::TestSeed(205));
  for (uint32_t max_depth = 0; max_depth < 24; ++max_depth) {
    ParseLimits limits;
    limits.max_depth = max_depth;
    parser_ = MakeParser(GetParam(), limits);
    Document document;
    for (int round = 0; round < 60; ++round) {
      const std::string page = testing_support::HostileSoup(&random, 200);
      ASSERT_EQ(parser_->ParsePage(page, "utf-8", &document),
                ParseOutcome::kOk);
      ASSERT_EQ(
          testing_support::DocumentProblem(document, std::max(max_depth, 2u)),
          "")
          << page;
      ASSERT_EQ(testing_support::XmlProblem(document), "") << page;
    }
  }
}

TEST_P(ParserTest, AttributesAreCut) {
  ParseLimits limits;
  limits.max_attributes = 10;
  struct Case {
    const char* label;
    std::string prefix, suffix, end;
  };
  for (const Case& c :
       {Case{"bare names", "a", " ", ">"}, Case{"values", "a", "=v ", ">"},
        Case{"quoted", "a", "='>' ", "/>"},
        Case{"quoted without space", "a", "=\"/\"", ">"},
        Case{"names that begin with '='", "=", "=v ", ">"}}) {
    for (const int count : {9, 10, 11, 50, 5000}) {
      const std::string label = StrCat(c.label, " ", count);
      std::string page = "<body><p ";
      for (int i = 0; i < count; ++i) StrAppend(&page, c.prefix, i, c.suffix);
      page += c.end + "x<b z=1>y</b>";
      const Document document = Parse(page, limits);
      const NodeId p = 4;
      ASSERT_EQ(document.TagOf(p), "p") << label;
      const auto attributes = document.Attributes(p);
      ASSERT_EQ(attributes.size(), std::min<size_t>(count, 10)) << label;
      for (size_t i = 0; i < attributes.size(); ++i) {
        EXPECT_EQ(document.NameOf(attributes[i].name), StrCat(c.prefix, i));
      }
      EXPECT_EQ(parser_->notes().attributes_dropped, count > 10) << label;
      EXPECT_EQ(testing_support::TagTree(document), "html(head()body(p(b())))");
      EXPECT_EQ(NormalizedText(document, 0), "xy") << label;
    }
  }
  // A tag that never ends is no tag.
  std::string page = "<body>x<p ";
  for (int i = 0; i < 50; ++i) StrAppend(&page, "a", i, " ");
  EXPECT_EQ(testing_support::TagTree(Parse(page, limits)),
            "html(head()body())");
  EXPECT_EQ(testing_support::TagTree(Parse(page + "a=\">", limits)),
            "html(head()body())");
  // Self-closing is seen behind attributes that were cut.
  page = "<svg><g ";
  for (int i = 0; i < 50; ++i) StrAppend(&page, "a", i, " ");
  EXPECT_EQ(testing_support::TagTree(Parse(page + "/><a>", limits)),
            "html(head()body(svg(g()a())))");
}

TEST_P(ParserTest, Timeout) {
  ParseLimits limits;
  limits.timeout = absl::ZeroDuration();
  parser_ = MakeParser(GetParam(), limits);
  std::string page;
  for (int i = 0; i < 10000; ++i) page += "<p>x</p>";
  Document document;
  EXPECT_EQ(parser_->ParseUtf8(page, &document), ParseOutcome::kTimeout);
  EXPECT_EQ(document.num_nodes(), 1u);
  // The parser is as good as new afterwards.
  EXPECT_EQ(parser_->ParseUtf8("<p>x", &document), ParseOutcome::kOk);
  EXPECT_EQ(NormalizedText(document, 0), "x");
}

// One parser and one document for all pages, good and bad, against fresh ones
// for each.
TEST_P(ParserTest, ReuseChangesNothing) {
  Random random(testing_support::TestSeed(206));
  ParseLimits limits;
  limits.max_nodes = 300;
  limits.max_attributes = 4;
  limits.max_depth = 30;
  limits.max_bytes = 20000;
  const std::unique_ptr<Parser> reused = MakeParser(GetParam(), limits);
  Document reused_document;
  std::map<ParseOutcome, int> outcomes;
  for (int round = 0; round < 1500; ++round) {
    std::string page;
    switch (random.Below(4)) {
      case 0:
        page = testing_support::HostileSoup(&random, random.Below(100));
        break;
      case 1:
        page = testing_support::RandomBytes(&random, random.Below(300));
        break;
      case 2:
        page = testing_support::RealisticPage(&random, random.Below(200));
        break;
      default:
        page = testing_support::MarkupSoup(&random, random.Below(200));
    }
    Document fresh_document;
    const std::unique_ptr<Parser> fresh = MakeParser(GetParam(), limits);
    const ParseOutcome outcome =
        reused->ParsePage(page, "utf-8", &reused_document);
    ASSERT_EQ(outcome, fresh->ParsePage(page, "utf-8", &fresh_document));
    ASSERT_EQ(testing_support::Dump(reused_document),
              testing_support::Dump(fresh_document));
    ASSERT_EQ(reused->notes().depth_flattened, fresh->notes().depth_flattened);
    ASSERT_EQ(reused->notes().attributes_dropped,
              fresh->notes().attributes_dropped);
    ++outcomes[outcome];
  }
  EXPECT_GT(outcomes[ParseOutcome::kOk], 200);
  EXPECT_GT(outcomes[ParseOutcome::kTooManyNodes], 20);
}

TEST_P(ParserTest, AnyBytesGiveASoundDocument) {
  Random random(testing_support::TestSeed(207));
  parser_ = MakeParser(GetParam(), {});
  Document document;
  for (int round = 0; round < 2000; ++round) {
    const std::string page =
        round % 2 == 0
            ? testing_support::RandomBytes(&random, random.Below(500))
            : testing_support::HostileSoup(&random, random.Below(150));
    ASSERT_EQ(parser_->ParsePage(page, "utf-8", &document), ParseOutcome::kOk);
    ASSERT_EQ(testing_support::DocumentProblem(document, 512), "") << page;
  }
}

// The share of random pages for which both parsers build the same elements.
double ShareOfEqualTrees(std::string (*make_page)(Random*, size_t)) {
  Random random(testing_support::TestSeed(208));
  const std::unique_ptr<Parser> lexbor = MakeParser(ParserKind::kLexbor, {});
  const std::unique_ptr<Parser> gumbo = MakeParser(ParserKind::kGumbo, {});
  Document a, b;
  int num_equal = 0;
  constexpr int kNumPages = 2000;
  for (int i = 0; i < kNumPages; ++i) {
    const std::string page = make_page(&random, 20);
    EXPECT_EQ(lexbor->ParsePage(page, "utf-8", &a), ParseOutcome::kOk);
    EXPECT_EQ(gumbo->ParsePage(page, "utf-8", &b), ParseOutcome::kOk);
    if (testing_support::TagTree(a) == testing_support::TagTree(b)) ++num_equal;
  }
  std::cout << num_equal << " of " << kNumPages << " trees are equal\n";
  return static_cast<double>(num_equal) / kNumPages;
}

// Realistic pages give the same tree (2,000 of 2,000 when this was written).
// In soups, the differences are of these kinds:
//   - <select>: gumbo follows the standard of 2015, which drops most tags
//     inside; lexbor today's, which keeps them (the bulk of HostileSoup);
//   - unknown elements: gumbo has one id for all of them, so that </x> closes
//     an open <y>;
//   - <image> directly inside <table>: lexbor loses it where the standard
//     moves an <img> before the table;
//   - raw-text names (<iframe>, <style>) inside <svg>: gumbo does not always
//     find their end tags.
TEST(ParserAgreementTest, TreesOfRealisticPages) {
  EXPECT_GE(ShareOfEqualTrees(testing_support::RealisticPage), 0.99);
}

TEST(ParserAgreementTest, TreesOfSoups) {
  EXPECT_GE(ShareOfEqualTrees(testing_support::MarkupSoup), 0.95);
  EXPECT_GE(ShareOfEqualTrees(testing_support::HostileSoup), 0.7);
}

}  // namespace
}  // namespace trommel::html
