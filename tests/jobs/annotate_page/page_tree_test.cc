#include "jobs/annotate_page/page_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/html/serialize.h"
#include "tests/testing/seed.h"

namespace trommel::jobs::annotate_page {
namespace {

using html::Document;
using html::DocumentBuilder;
using html::NodeId;
using html::NodeKind;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Document Parse(std::string_view page) {
  Document document;
  std::string valid;
  AppendUtf8Lossy(page, &valid);
  EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(valid, &document),
            html::ParseOutcome::kOk);
  return document;
}

std::string Decoded(const std::string& tree) {
  std::string compressed;
  EXPECT_TRUE(absl::Base64Unescape(tree, &compressed));
  std::string out(size_t{16} << 20, '\0');
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

// The children of <body>, as JSON.
std::string Body(std::string_view markup) {
  const json tree =
      json::parse(PageTreeJson(Parse(StrCat("<body>", markup, "</body>"))));
  std::string out;
  const json& body = tree.at(0).at(3);
  for (size_t i = 2; i < body.size(); ++i) {
    StrAppend(&out, i > 2 ? " " : "", body[i].dump());
  }
  return out;
}

TEST(PageTreeTest, Shapes) {
  struct Case {
    const char* label;
    const char* markup;
    const char* expected;
  };
  const Case kCases[] = {
      {"text", "a", R"("a")"},
      {"element", "<p class=x>a</p>", R"(["p",{"class":"x"},"a"])"},
      {"gap before an element", "<b>a</b> <i>b</i>",
       R"(["b",{},"a"] 1 ["i",{},"b"])"},
      {"gap before a text", "<p><b>a</b> </p>b",
       R"(["p",{},["b",{},"a"]] " b")"},
      {"own space in front of a text", "<b>a</b> b", R"(["b",{},"a"] " b")"},
      {"no gap", "<b>a</b><i>b</i>", R"(["b",{},"a"] ["i",{},"b"])"},
      {"texts around a comment", "a<!--x-->b", R"("a" "b")"},
      {"gap in front of a comment", "<b>a</b> <!--x--><i>b</i>",
       R"(["b",{},"a"] 1 ["i",{},"b"])"},
      {"markers", "<script>alert(1)</script><p>a</p><iframe>x</iframe>",
       R"(["script"] ["p",{},"a"] ["iframe"])"},
      {"content of a template", "<template><p>a</p></template>b",
       R"(["template"] "b")"},
      {"text instead of an object",
       "<object data=u><param name=a>Old <b>browser</b></object>"
       "<applet code=u>x</applet>",
       R"(["object",{},["param"],"Old ",["b",{},"browser"]] ["applet",{},"x"])"},
      {"noscript", "<noscript><img src=x></noscript>", R"(["noscript"])"},
      {"gap before a marker", "<b>a</b> <script></script>",
       R"(["b",{},"a"] 1 ["script"])"},
      {"handlers are dropped", "<p onclick=x ONLOAD=y id=i formaction=z>a</p>",
       R"(["p",{"id":"i"},"a"])"},
      {"addresses are data", "<a href='javascript:x'>a</a><img src=u alt=v>",
       R"(["a",{"href":"javascript:x"},"a"] ["img",{"alt":"v","src":"u"}])"},
      {"no-break space is text", "<b>&nbsp;</b>", "[\"b\",{},\"\u00A0\"]"},
      {"names that XPaths cannot have", "<o:p>a</o:p><a<b>c</a<b>",
       R"(["o_x003A_p",{},"a"] ["a_x003C_b",{},"c"])"},
      {"style", "<style media=print>p{}</style>",
       R"(["style",{"media":"print"},"p{}"])"},
      {"addresses in a style sheet",
       "<style>@import 'u'; p{background:u\\72l(u)} i{color:red}</style>",
       R"(["style",{},"/**/ p{background:none} i{color:red}"])"},
      {"addresses in a style attribute",
       "<p style='color:red;background:image-set(\"u\" 1x)'>a</p>",
       R"(["p",{"style":"color:red;background:none"},"a"])"},
      {"a style sheet in parts",
       "<svg><style>p{background:u<!-- -->rl(u)}<g>b</g>i{}</style></svg>",
       R"(["svg",{},["style",{},"p{background:none}i{}","",["g",{},"b"],""]])"},
      {"attributes that load",
       "<table background=u><td background=u>a</table>"
       "<img srcset='u 2x' lowsrc=u dynsrc=u><video poster=u></video>"
       "<svg fill='url(u)' filter='url(u)' xlink:href=u></svg>",
       R"(["table",{},["tbody",{},["tr",{},["td",{},"a"]]]] ["img",{}] )"
       R"(["video",{}] ["svg",{}])"},
      {"elements that load",
       "<link rel=preload imagesrcset='u 2x' href=u>"
       "<meta http-equiv=refresh content='0;url=u'>",
       R"(["link"] ["meta"])"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Body(c.markup), c.expected) << c.label;
  }
}

TEST(PageTreeTest, AnEmptyDocumentIsAnEmptyTree) {
  EXPECT_EQ(PageTreeJson(Document()), "[]");
  EXPECT_EQ(Decoded(EncodePageTree(Document())), "[]");
}

TEST(PageTreeTest, HostileTextIsPlainAscii) {
  const std::string text =
      "</script><!--\u2028\u2029\"\\'&amp;]]>\x01\t\u00E9\U0001F600";
  Document document;
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(builder.InternName("html"));
  builder.AddAttribute(builder.InternName("class"), text);
  builder.AddText(text);
  builder.CloseElement();
  builder.Finish();
  const std::string tree = PageTreeJson(document);
  for (const char c : tree) {
    EXPECT_TRUE(c >= ' ' && c < 0x7F && c != '<' && c != '>' && c != '&')
        << int{c};
  }
  const json read = json::parse(tree);
  EXPECT_EQ(read[0][1]["class"], text);
  EXPECT_EQ(read[0][2], text);
}

TEST(PageTreeTest, BytesThatAreNoUtf8) {
  Document document;
  DocumentBuilder builder(&document, 512);
  builder.OpenElement(builder.InternName("html"));
  builder.AddText("a\xFFz\xED\xA0\x80");
  builder.CloseElement();
  builder.Finish();
  EXPECT_EQ(json::parse(PageTreeJson(document))[0][2],
            "a\uFFFDz\uFFFD\uFFFD\uFFFD");
}

TEST(PageTreeTest, TheDeepestTree) {
  std::string page;
  for (int i = 0; i < 2000; ++i) page += "<div>";
  page += "text";
  const Document document = Parse(page);
  const std::string tree = Decoded(EncodePageTree(document));
  const json read = json::parse(tree);
  size_t depth = 0;
  for (const json* node = &read; !node->empty() && node->back().is_array();
       node = &node->back()) {
    ++depth;
  }
  EXPECT_EQ(depth, 512u);
  EXPECT_THAT(tree, HasSubstr("\"text\""));
}

TEST(PageTreeTest, LongValuesAreLeftOutNotCut) {
  const std::string fits(8192, 'x');
  EXPECT_THAT(Body(StrCat("<img src=", fits, ">")), HasSubstr(fits));
  EXPECT_EQ(Body(StrCat("<img alt=a src=", fits, "x>")),
            R"(["img",{"alt":"a"}])");
}

TEST(PageTreeTest, StyleSheetsAreBounded) {
  const std::string half(300 << 10, 'x');
  const std::string body = Body(StrCat("<style>", half, "</style><style>", half,
                                       "</style><style>p{}</style>"));
  EXPECT_THAT(body, HasSubstr(R"(["style",{},""] ["style",{},"p{}"])"));
}

TEST(PageTreeTest, EncodingIsTheSameEveryTimeAndHoldsTheTree) {
  const Document document = Parse("<p class=a>b &lt;/script&gt; c</p>");
  const std::string tree = EncodePageTree(document);
  EXPECT_EQ(tree, EncodePageTree(document));
  EXPECT_THAT(tree, Not(HasSubstr("<")));
  EXPECT_EQ(Decoded(tree), PageTreeJson(document));
}

// XPaths count positions: element by element and text by text, the tree has
// what the document has outside of what is never built.
void ExpectSameChildren(const Document& document, NodeId id, const json& item,
                        size_t first) {
  std::vector<std::pair<std::string, std::string>> children;
  std::vector<NodeId> elements;
  for (NodeId child = document.FirstChild(id); child != html::kNoNode;
       child = document.NextSibling(child)) {
    if (document.IsText(child)) {
      children.emplace_back("", NormalizeSpace(document.Text(child)));
    } else if (document.IsElement(child)) {
      children.emplace_back(html::XmlName(document.TagOf(child)), "");
      elements.push_back(child);
    }
  }
  size_t index = 0;
  size_t element = 0;
  for (size_t i = first; i < item.size(); ++i) {
    if (item[i].is_number()) continue;
    ASSERT_LT(index, children.size());
    const auto& [tag, text] = children[index++];
    if (item[i].is_string()) {
      ASSERT_EQ(tag, "");
      ASSERT_EQ(NormalizeSpace(item[i].get<std::string>()), text);
    } else {
      ASSERT_EQ(item[i][0], tag);
      if (item[i].size() > 1) {
        ExpectSameChildren(document, elements[element], item[i], 2);
      }
      ++element;
    }
  }
  ASSERT_EQ(index, children.size());
}

TEST(PageTreeTest, AnyPageKeepsItsPositions) {
  constexpr std::string_view kParts[] = {"<p>",
                                         "</p>",
                                         "<div id=a>",
                                         "</div>",
                                         "text",
                                         " ",
                                         "\n",
                                         "<!-- c -->",
                                         "<table>",
                                         "<tr>",
                                         "<td>",
                                         "</table>",
                                         "<script>x</script>",
                                         "<b>",
                                         "</b>",
                                         "<svg>",
                                         "</svg>",
                                         "<template>",
                                         "</template>",
                                         "&nbsp;",
                                         "<iframe></iframe>",
                                         "<br>",
                                         "<noscript>",
                                         "</noscript>",
                                         "<select>",
                                         "<option>",
                                         "</select>",
                                         "<o:p>",
                                         "<img src=a onerror=b>",
                                         "\"",
                                         "\\",
                                         "<object>",
                                         "</object>",
                                         "<form>",
                                         "\xC3\xA9",
                                         "<style>a</style>"};
  Random random(testing_support::TestSeed(211));
  for (int round = 0; round < 300; ++round) {
    std::string page;
    const uint64_t length = random.Below(80);
    for (uint64_t i = 0; i < length; ++i) {
      page += kParts[random.Below(std::size(kParts))];
    }
    const Document document = Parse(page);
    const json tree = json::parse(PageTreeJson(document));
    ExpectSameChildren(document, 0, tree, 0);
    if (testing::Test::HasFatalFailure()) FAIL() << page;
  }
}

}  // namespace
}  // namespace trommel::jobs::annotate_page
