#include "jobs/annotate_page/annotate_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/html/text.h"
#include "jobs/annotate_page/page_tree.h"

namespace trommel::jobs::annotate_page {
namespace {

using html::Document;
using html::NodeId;
using nlohmann::json;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr std::string_view kHostile =
    "</script><script>alert(1)</script></title></iframe><!--\u2028\u202E\"'`&"
    "{{js}}\xFF\n";

Document Parse(const std::string& page) {
  Document document;
  EXPECT_EQ(ValidUtf8Prefix(page), page.size());
  EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(page, &document),
            html::ParseOutcome::kOk);
  return document;
}

std::vector<NodeId> Elements(const Document& document, std::string_view tag) {
  std::vector<NodeId> ids;
  for (NodeId id = 0; id < document.num_nodes(); ++id) {
    if (document.IsElement(id) && document.TagOf(id) == tag) ids.push_back(id);
  }
  return ids;
}

std::string_view ValueOf(const Document& document, NodeId id,
                         std::string_view name) {
  return document.Value(id, document.FindName(name));
}

AnnotateSite SmallSite() {
  AnnotateSite site;
  site.site = "shop.example";
  const std::string tree = EncodePageTree(Parse("<p>One</p>"));
  site.clusters.push_back({"0123456789abcdef",
                           1234,
                           R"(https://shop\.example/[0-9]+)",
                           {{0, "https://shop.example/1", tree},
                            {1, "https://shop.example/2", tree}}});
  return site;
}

proto::Schema SmallSchema() {
  proto::Schema schema;
  schema.set_name("shop");
  proto::Attribute* attribute = schema.add_attribute();
  attribute->set_name("title");
  attribute->set_mandatory(true);
  attribute = schema.add_attribute();
  attribute->set_name("picture");
  attribute->set_repeated(true);
  attribute->set_type(proto::Attribute::IMAGE);
  attribute = schema.add_attribute();
  attribute->set_name("code");
  attribute->set_regex("[A-Z]<");
  return schema;
}

// The data that the script reads.
json DataOf(const std::string& page) {
  const Document document = Parse(page);
  for (const NodeId id : Elements(document, "script")) {
    if (ValueOf(document, id, "id") == "data") {
      return json::parse(document.Text(document.FirstChild(id)));
    }
  }
  ADD_FAILURE() << "no data";
  return {};
}

TEST(AnnotatePageTest, TheDataOfASite) {
  const proto::Schema schema = SmallSchema();
  const json data = DataOf(AnnotatePageHtml(SmallSite(), &schema));
  EXPECT_EQ(data.at("site"), "shop.example");
  EXPECT_EQ(data.at("file"), "shop.example.jsonl");
  EXPECT_EQ(data.at("schema"), json::parse(R"({"name":"shop","attributes":[
      {"name":"title","type":"TEXT","mandatory":true},
      {"name":"picture","type":"IMAGE","repeated":true},
      {"name":"code","type":"/[A-Z]</"}]})"));
  EXPECT_EQ(data.at("clusters"), json::parse(R"([{"id":"0123456789abcdef",
      "size":1234,"pattern":"https://shop\\.example/[0-9]+","pages":[
      {"rank":0,"url":"https://shop.example/1"},
      {"rank":1,"url":"https://shop.example/2"}]}])"));
}

TEST(AnnotatePageTest, WithoutASchemaOrPages) {
  EXPECT_TRUE(
      DataOf(AnnotatePageHtml(SmallSite(), nullptr)).at("schema").is_null());
  const json data = DataOf(AnnotatePageHtml({}, nullptr));
  EXPECT_EQ(data.at("site"), "");
  EXPECT_EQ(data.at("clusters"), json::array());
}

TEST(AnnotatePageTest, TheDigestIsThatOfTheSample) {
  const auto digest = [](const AnnotateSite& site,
                         const proto::Schema* schema) {
    return DataOf(AnnotatePageHtml(site, schema)).at("digest");
  };
  const AnnotateSite site = SmallSite();
  const proto::Schema schema = SmallSchema();
  EXPECT_EQ(digest(site, nullptr), digest(site, &schema));
  AnnotateSite other = SmallSite();
  other.clusters[0].pages[1].tree = EncodePageTree(Parse("<p>Two</p>"));
  EXPECT_EQ(digest(site, nullptr), AnnotateDigest(site));
  EXPECT_NE(digest(site, nullptr), digest(other, nullptr));
  other = SmallSite();
  other.clusters[0].pages.pop_back();
  EXPECT_NE(digest(site, nullptr), digest(other, nullptr));
}

// Whatever was crawled, the page has the elements that a harmless site gives.
TEST(AnnotatePageTest, CrawledTextMakesNoElement) {
  const auto shape = [](const Document& document) {
    std::multiset<std::string> shape;
    for (NodeId id = 0; id < document.num_nodes(); ++id) {
      if (!document.IsElement(id)) continue;
      std::string element(document.TagOf(id));
      for (const html::Attribute& attribute : document.Attributes(id)) {
        const std::string_view name = document.NameOf(attribute.name);
        StrAppend(&element, "@", name);
        if (name != "nonce" && name != "content") {
          StrAppend(&element, "=", document.Value(attribute));
        }
      }
      shape.insert(element);
    }
    return shape;
  };
  const proto::Schema schema = SmallSchema();
  AnnotateSite site = SmallSite();
  const auto harmless = shape(Parse(AnnotatePageHtml(site, &schema)));
  site.site = kHostile;
  site.clusters[0].cluster_id = kHostile;
  site.clusters[0].url_regex = kHostile;
  site.clusters[0].pages[0].url = kHostile;
  site.clusters[0].pages[1].tree = EncodePageTree(
      Parse("<p>&lt;/script><script>alert(1)</script><p onclick=x>"));
  const std::string page = AnnotatePageHtml(site, &schema);
  EXPECT_EQ(shape(Parse(page)), harmless);
  std::string lossy;
  AppendUtf8Lossy(kHostile, &lossy);
  const json data = DataOf(page);
  EXPECT_EQ(data.at("site"), lossy);
  EXPECT_EQ(data.at("clusters")[0].at("id"), lossy);
  EXPECT_EQ(data.at("clusters")[0].at("pages")[0].at("url"), lossy);
}

TEST(AnnotatePageTest, NeedsNothingElse) {
  const std::string page = AnnotatePageHtml(SmallSite(), nullptr);
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src "
                              "'unsafe-inline'; script-src 'nonce-"));
  const Document document = Parse(page);
  for (const NodeId id : Elements(document, "script")) {
    EXPECT_EQ(ValueOf(document, id, "src").data(), nullptr);
  }
  for (const char* const tag : {"link", "img", "iframe", "object", "base"}) {
    EXPECT_THAT(Elements(document, tag), SizeIs(0)) << tag;
  }
  // One script runs; the others are data: the site, the frame's style, a tree
  // a page.
  std::map<std::string, int> types;
  for (const NodeId id : Elements(document, "script")) {
    ++types[std::string(ValueOf(document, id, "type"))];
  }
  EXPECT_EQ(types, (std::map<std::string, int>{
                       {"", 1}, {"application/json", 1}, {"text/plain", 3}}));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(AnnotateIndexTest, ListsTheSites) {
  const std::string page = AnnotateIndexHtml(
      {{"shop.example", "annotate/shop.example.html", "0123", 3, 1060},
       {"a", "annotate/a.html", "4567", 1, 20}},
      "movie");
  const Document document = Parse(page);
  std::vector<std::string> rows;
  for (const NodeId id : Elements(document, "tr")) {
    rows.push_back(html::VisibleText(document, id));
  }
  EXPECT_THAT(rows, ElementsAre("Site Clusters Pages", "shop.example 3 1,060",
                                "a 1 20"));
  EXPECT_THAT(page, HasSubstr("2 sites, 4 clusters, 1,080 pages"));
  EXPECT_THAT(page, HasSubstr("Schema <b>movie</b>."));
  EXPECT_EQ(ValueOf(document, Elements(document, "tr")[1], "data-key"),
            "trommel-annotate/shop.example/0123");
  EXPECT_THAT(page, HasSubstr("script-src 'nonce-"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  const std::vector<NodeId> links = Elements(document, "a");
  ASSERT_THAT(links, SizeIs(2));
  EXPECT_EQ(ValueOf(document, links[0], "href"), "annotate/shop.example.html");
}

TEST(AnnotateIndexTest, EscapesWhatWasCrawled) {
  const std::string harmless =
      AnnotateIndexHtml({{"a", "a.html", "0", 1, 1}}, "movie");
  const std::string page = AnnotateIndexHtml(
      {{std::string(kHostile), "javascript:alert(1)\"#?<.html", "0", 1, 1}},
      kHostile);
  const Document document = Parse(page);
  EXPECT_THAT(Elements(document, "script"), SizeIs(1));
  const auto count = [](const Document& document) {
    size_t elements = 0;
    for (NodeId id = 0; id < document.num_nodes(); ++id) {
      elements += document.IsElement(id) ? 1 : 0;
    }
    return elements;
  };
  EXPECT_EQ(count(document), count(Parse(harmless)));
  EXPECT_EQ(ValueOf(document, Elements(document, "a")[0], "href"),
            "javascript%3aalert%281%29%22%23%3f%3c.html");
}

TEST(AnnotateIndexTest, NothingToListIsSaid) {
  const std::string page = AnnotateIndexHtml({}, "");
  EXPECT_THAT(page, AllOf(HasSubstr("There is no site."),
                          HasSubstr("Without a schema")));
  EXPECT_THAT(AnnotateIndexHtml({{"", "~.html", "0", 1, 1}}, ""),
              HasSubstr("(no name)"));
}

TEST(AnnotateFileNameTest, Table) {
  struct Case {
    std::string site, expected;
  };
  const Case kCases[] = {
      {"shop.example", "shop.example.html"},
      {"a-b_c.example", "a-b_c.example.html"},
      {"xn--bcher-kva.example", "xn--bcher-kva.example.html"},
      {"127.0.0.1", "127.0.0.1.html"},
      {"-", "~2d.html"},
      {"", "~.html"},
      {".", "~2e.html"},
      {"..", "~2e..html"},
      {"../../etc/passwd", "~2e.~2f..~2fetc~2fpasswd.html"},
      {"Shop", "~53hop.html"},
      {"a~53", "a~7e53.html"},
      {"[::1]", "~5b~3a~3a1~5d.html"},
      {"a b\n", "a~20b~0a.html"},
      {std::string("a\0b", 3), "a~00b.html"},
      {"b\u00FCcher", "b~c3~bccher.html"},
      {"con", "~63on.html"},
      {"com1.example", "~63om1.example.html"},
      {"com.example", "com.example.html"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(AnnotateFileName(c.site), c.expected);
  }
}

TEST(AnnotateFileNameTest, LongNamesStayDifferent) {
  const std::string longest(195, 'a');
  EXPECT_EQ(AnnotateFileName(longest), longest + ".html");
  std::vector<std::string> names;
  for (const char* const tail : {"x", "y", "xx"}) {
    names.push_back(AnnotateFileName(longest + tail));
    names.push_back(AnnotateFileName(std::string(5000, '/') + tail));
  }
  EXPECT_THAT(names, Each(AllOf(SizeIs(200), EndsWith(".html"))));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 6u);
}

}  // namespace
}  // namespace trommel::jobs::annotate_page
