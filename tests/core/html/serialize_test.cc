#include "core/html/serialize.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/parser.h"
#include "tests/testing/html_checks.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

std::string Xml(std::string_view html) {
  Document document;
  EXPECT_EQ(MakeParser(ParserKind::kLexbor, {})->ParseUtf8(html, &document),
            ParseOutcome::kOk);
  EXPECT_EQ(testing_support::XmlProblem(document), "");
  std::string xml;
  AppendXml(document, &xml);
  return xml;
}

TEST(XmlNameTest, Table) {
  struct Case {
    std::string_view name, xml;
  };
  const Case kCases[] = {
      {"div", "div"},
      {"data-x", "data-x"},
      {"_a.b", "_a.b"},
      {"xlink:href", "xlink_x003A_href"},
      {"1st", "_x0031_st"},
      {"-a", "_x002D_a"},
      {".a", "_x002E_a"},
      {"a\"b", "a_x0022_b"},
      {"h\xC3\xA9", "h_x00E9_"},
      {"\xF0\x9F\x98\x80", "_x1F600_"},
      {"_x0031_st", "_x005F_x0031_st"},
      {"", "_x_"},
      {std::string_view("a\0", 2), "a_x0000_"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(XmlName(c.name), c.xml) << c.name;
    if (c.name.empty()) continue;  // no tag or attribute is called that
    EXPECT_EQ(FromXmlName(c.xml), c.name) << c.xml;
  }
}

TEST(XmlNameTest, WhatNoNameIsWrittenAs) {
  for (const std::string_view xml :
       {"", "_x_", "a:b", "1st", "-a", "h\xC3\xA9", "_x0061_", "a_x003a_b",
        "a_xfoo", "_x003A", "_x0000003A_", "_xD800_", "_x110000_", "_x3A_",
        "_x01F600_"}) {
    EXPECT_EQ(FromXmlName(xml), std::nullopt) << xml;
  }
}

TEST(XmlNameTest, OfAttributes) {
  EXPECT_EQ(XmlAttributeName("xmlns"), "_x0078_mlns");
  EXPECT_EQ(XmlAttributeName("xmlns:a"), "xmlns_x003A_a");
  EXPECT_EQ(XmlAttributeName("class"), "class");
}

TEST(XmlNameTest, DifferentNamesStayDifferent) {
  // All names of up to four characters from those that could be confused.
  std::set<std::string> seen;
  size_t count = 0;
  std::vector<std::string> names = {""};
  for (size_t i = 0; i < names.size(); ++i) {
    ++count;
    EXPECT_TRUE(seen.insert(XmlName(names[i])).second) << names[i];
    if (i > 0) {
      EXPECT_EQ(FromXmlName(XmlName(names[i])), names[i]);
    }
    if (names[i].size() == 4) continue;
    for (const char c : {'_', 'x', '0', ':', 'a', 'A'}) {
      names.push_back(names[i] + c);
    }
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(XmlTest, Table) {
  struct Case {
    const char* label;
    std::string_view html, body;  // what stands inside <body>
  };
  const Case kCases[] = {
      {"empty element", "<br>", "<br/>"},
      {"text", "<p>a &lt; b &amp; c</p>", "<p>a &lt; b &amp; c</p>"},
      {"attributes", "<p a=\"x'y&quot;\" b>",
       "<p a=\"x&#39;y&quot;\" b=\"\"/>"},
      {"line breaks in attributes", "<p a=\"1\n2\t3\">",
       "<p a=\"1&#10;2&#9;3\"/>"},
      {"control characters", "<p a='\x01'>\x02</p>",
       "<p a=\"\xEF\xBF\xBD\">\xEF\xBF\xBD</p>"},
      {"what terminals act on",
       "<p a='\x7f\u009B'>\u0080\u202E<!--\u009B\u2028--></p>",
       "<p a=\"&#127;&#155;\">&#128;&#8238;<!--&#155;&#8232;--></p>"},
      {"noncharacter", "<p>&#xFFFF;</p>", "<p>\xEF\xBF\xBD</p>"},
      {"comment", "<!--a-->", "<!--a-->"},
      {"empty comment", "<!---->", "<!---->"},
      {"dashes in comments", "<!--a--b---->", "<!--a- -b- - -->"},
      {"comment ending in a dash", "<!--a- -->", "<!--a- -->"},
      {"comment of one dash", "<!----->", "<!--- -->"},
      {"namespace prefixes", "<svg><a xlink:href=x /></svg>",
       "<svg><a xlink_x003A_href=\"x\"/></svg>"},
      {"xmlns is no namespace", "<svg xmlns=u></svg>",
       "<svg _x0078_mlns=\"u\"/>"},
      {"xmlns on HTML", "<p xmlns=u></p>", "<p _x0078_mlns=\"u\"/>"},
      {"odd names", "<a:b @c=1 \"=2>x</a:b>",
       "<a_x003A_b _x0040_c=\"1\" _x0022_=\"2\">x</a_x003A_b>"},
      {"script", "<script>if (a<b && c) {}</script>",
       "<script>if (a&lt;b &amp;&amp; c) {}</script>"},
      {"CDATA end", "<p>]]></p>", "<p>]]&gt;</p>"},
      {"carriage return", "<p>a&#13;b</p>", "<p>a&#13;b</p>"},
      {"blank text is left out", "<p> <b>a</b> </p>", "<p><b>a</b></p>"},
      {"gaps between words are noted",
       "<p><b>a</b> <!--x--> <i>b</i><u><s> </s>c</u></p>",
       "<p xmlns:gaps=\"gaps:3:.2.3.\"><b>a</b><!--x--><i>b</i>"
       "<u xmlns:gaps=\"gaps:4:.2.\"><s/>c</u></p>"},
      {"blocks separate words by themselves",
       "<div> <p>a</p> <b>b</b> <p>c</p> </div>",
       "<div><p>a</p><b>b</b><p>c</p></div>"},
      {"a hidden element separates nothing",
       "<p><b>a</b> <script></script><b>b</b></p>",
       "<p xmlns:gaps=\"gaps:3:.2.\"><b>a</b><script/><b>b</b></p>"},
  };
  for (const Case& c : kCases) {
    // The <i> keeps the rest out of <head>.
    const std::string xml = Xml(StrCat("<body><i></i>", c.html));
    EXPECT_EQ(xml, StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html>"
                          "<head/><body><i/>",
                          c.body, "</body></html>\n"))
        << c.label;
  }
}

TEST(XmlTest, CommentsAroundTheRoot) {
  EXPECT_EQ(Xml("<!--a--><!DOCTYPE html><p>x</p></body></html><!--b-->"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!--a--><html><head/><body><p>x</p></body></html><!--b-->\n");
}

std::string Soup(Random* random, int kind) {
  switch (kind % 4) {
    case 0:
      return testing_support::RandomBytes(random, random->Below(400));
    case 1:
      return testing_support::MarkupSoup(random, random->Below(60));
    case 2:
      return testing_support::HostileSoup(random, random->Below(60));
    default:
      return testing_support::RealisticPage(random, random->Below(30));
  }
}

TEST(XmlTest, EveryPageIsTheSameTreeInXml) {
  Random random(testing_support::TestSeed(203));
  for (const ParserKind kind : {ParserKind::kLexbor, ParserKind::kGumbo}) {
    const std::unique_ptr<Parser> parser = MakeParser(kind, {});
    Document document;
    for (int round = 0; round < 2000; ++round) {
      const std::string page = Soup(&random, round);
      ASSERT_EQ(parser->ParsePage(page, "utf-8", &document), ParseOutcome::kOk);
      ASSERT_EQ(testing_support::XmlProblem(document), "") << page;
    }
  }
}

// The real tools read it too: xmllint checks well-formedness by libxml2, and a
// stylesheet of xsltproc counts the same elements.
TEST(XmlTest, XmllintAndXsltprocAcceptEveryPage) {
  const std::string directory = ::testing::TempDir() + "/trommel_xml_test";
  ASSERT_EQ(std::system(StrCat("mkdir -p ", directory).c_str()), 0);
  const std::string stylesheet = directory + "/count.xsl";
  std::ofstream(stylesheet)
      << "<xsl:stylesheet version='1.0' "
         "xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
         "<xsl:output method='text'/><xsl:template match='/'>"
         "<xsl:value-of select='concat(count(//*), \" \", count(//text()), "
         "\" \", count(//@*), \"&#10;\")'/></xsl:template></xsl:stylesheet>";
  Random random(testing_support::TestSeed(204));
  const std::unique_ptr<Parser> parser = MakeParser(ParserKind::kLexbor, {});
  std::string files, expected;
  for (int i = 0; i < 48; ++i) {
    Document document;
    ASSERT_EQ(parser->ParsePage(Soup(&random, i), "utf-8", &document),
              ParseOutcome::kOk);
    std::string xml;
    AppendXml(document, &xml);
    const std::string file = StrCat(directory, "/", i, ".xml");
    std::ofstream(file, std::ios::binary) << xml;
    StrAppend(&files, " ", file);
    size_t elements = 0, texts = 0, attributes = 0;
    for (NodeId id = 1; id < document.num_nodes(); ++id) {
      elements += document.IsElement(id) ? 1 : 0;
      texts += document.IsText(id) ? 1 : 0;
      attributes += document.Attributes(id).size();
    }
    StrAppend(&expected, elements, " ", texts, " ", attributes, "\n");
  }
  const auto run = [](const std::string& command, std::string* output) {
    FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return -1;
    char buffer[4096];
    size_t count;
    while ((count = fread(buffer, 1, sizeof(buffer), pipe)) > 0) {
      output->append(buffer, count);
    }
    return pclose(pipe);
  };
  std::string output;
  EXPECT_EQ(run(StrCat("xmllint --noout", files, " 2>&1"), &output), 0);
  EXPECT_EQ(output, "");
  output.clear();
  EXPECT_EQ(run(StrCat("xsltproc ", stylesheet, files, " 2>&1"), &output), 0);
  EXPECT_EQ(output, expected);
}

TEST(IndentedTextTest, OneLinePerNode) {
  Document document;
  ASSERT_EQ(MakeParser(ParserKind::kLexbor, {})
                ->ParseUtf8("<body><p class=\"a\nb\">Some  text<!--c--></p>",
                            &document),
            ParseOutcome::kOk);
  std::string out;
  AppendIndentedText(document, &out);
  EXPECT_EQ(out,
            "html\n"
            "  head\n"
            "  body\n"
            "    p class=\"a\\nb\"\n"
            "      \"Some text\"\n"
            "      <!-- c -->\n");
}

}  // namespace
}  // namespace trommel::html
