#include "jobs/cluster/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "tests/testing/seed.h"

namespace trommel::jobs::cluster_job {
namespace {

using html::Document;
using html::NodeId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A report of one site with one cluster of its 1,000 pages.
ClusterReport SmallReport() {
  ClusterReport report;
  report.pages = 1000;
  report.sites = report.clusters = 1;
  report.by_signature = 1000;
  report.largest_sites.emplace_back();
  ClusterReport::Site& site = report.largest_sites[0];
  site.site = "shop.example";
  site.pages = site.by_signature = 1000;
  site.num_clusters = 1;
  site.clusters.emplace_back();
  ClusterReport::Cluster& cluster = site.clusters[0];
  cluster.cluster_id = "0123456789abcdef";
  cluster.size = 1000;
  cluster.importance = 200;
  cluster.signatures = {{"12.*.7.200.3.*.9.41", 200}};
  cluster.url_regex = R"(https://shop\.example/[0-9]+)";
  cluster.example_urls = {"https://shop.example/1"};
  return report;
}

ClusterReport::Cluster& OnlyCluster(ClusterReport* report) {
  return report->largest_sites[0].clusters[0];
}

Document Parse(const std::string& page) {
  Document document;
  EXPECT_EQ(ValidUtf8Prefix(page), page.size());
  EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(page, &document),
            html::ParseOutcome::kOk);
  return document;
}

std::vector<NodeId> Elements(const Document& document, std::string_view tag) {
  std::vector<NodeId> found;
  for (NodeId id = 0; id < document.num_nodes(); ++id) {
    if (document.IsElement(id) && document.TagOf(id) == tag) {
      found.push_back(id);
    }
  }
  return found;
}

std::string TextOf(const Document& document, NodeId root) {
  std::string text;
  for (NodeId id = root; id < document.node(root).subtree_end; ++id) {
    if (document.IsText(id)) text += document.Text(id);
  }
  return text;
}

std::string_view ValueOf(const Document& document, NodeId id,
                         std::string_view attribute) {
  const html::NameId name = document.FindName(attribute);
  return name == html::names::kNone ? std::string_view()
                                    : document.Value(id, name);
}

// The cells of the only cluster's row, after the first.
enum Cell { kPages, kBySketch, kImportance, kUrls, kSignatures };

// The items of the lists in a cell, in document order.
std::vector<std::string> Items(const Document& document, Cell cell) {
  const NodeId td = Elements(document, "td")[cell];
  std::vector<std::string> items;
  for (const NodeId item : Elements(document, "li")) {
    if (item > td && item < document.node(td).subtree_end) {
      items.push_back(TextOf(document, item));
    }
  }
  return items;
}

// Those that leave the page.
std::vector<NodeId> OutwardLinks(const Document& document) {
  std::vector<NodeId> links;
  for (const NodeId id : Elements(document, "a")) {
    if (!ValueOf(document, id, "href").starts_with('#')) links.push_back(id);
  }
  return links;
}

// What a figure at the top says, by its name.
std::map<std::string, std::string> Totals(const Document& document) {
  std::map<std::string, std::string> totals;
  for (const NodeId id : Elements(document, "dd")) {
    if (ValueOf(document, id, "class") != "number") continue;
    totals[TextOf(document, document.node(id).previous_sibling)] =
        TextOf(document, id);
  }
  return totals;
}

std::vector<std::string> Texts(const Document& document, std::string_view tag) {
  std::vector<std::string> texts;
  for (const NodeId id : Elements(document, tag)) {
    texts.push_back(TextOf(document, id));
  }
  return texts;
}

TEST(ReportTest, EscapesCrawledText) {
  struct Case {
    const char* label;
    std::string_view in, html;
  };
  const Case kCases[] = {
      {"plain", "shop.example", "shop.example"},
      {"markup", "<script>alert('x')</script>",
       "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"},
      {"quotes", "\"><img src=x>", "&quot;&gt;&lt;img src=x&gt;"},
      {"references stay text", "&lt;b&gt;&amp;#0",
       "&amp;lt;b&amp;gt;&amp;amp;#0"},
      {"end of a comment", "--><!--", "--&gt;&lt;!--"},
      {"NUL", std::string_view("a\0b", 3), "a<mark>U+0000</mark>b"},
      {"controls", "\x01\x1B[0m\x7F",
       "<mark>U+0001</mark><mark>U+001B</mark>[0m<mark>U+007F</mark>"},
      {"line ends", "a\r\n\tb",
       "a<mark>U+000D</mark><mark>U+000A</mark><mark>U+0009</mark>b"},
      {"C1", "\u0085", "<mark>U+0085</mark>"},
      {"right-to-left override", "\u202Egnp.exe", "<mark>U+202E</mark>gnp.exe"},
      {"isolates and marks", "\u2066\u2069\u200F\u061C",
       "<mark>U+2066</mark><mark>U+2069</mark><mark>U+200F</mark>"
       "<mark>U+061C</mark>"},
      {"zero width", "a\u200Bb\uFEFF",
       "a<mark>U+200B</mark>b<mark>U+FEFF</mark>"},
      {"spaces that are none", "a\u00A0\u2003\u3000",
       "a<mark>U+00A0</mark><mark>U+2003</mark><mark>U+3000</mark>"},
      {"tags", "\U000E0041", "<mark>U+E0041</mark>"},
      {"noncharacters", "\uFFFE\U0001FFFF",
       "<mark>U+FFFE</mark><mark>U+1FFFF</mark>"},
      {"not UTF-8", "a\xFF\xC3(\xE2\x82", "a\uFFFD\uFFFD(\uFFFD"},
      {"surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"other scripts", "\u05E9\u05DC/\u4F8B/\U0001F600",
       "\u05E9\u05DC/\u4F8B/\U0001F600"},
  };
  for (const Case& c : kCases) {
    ClusterReport report = SmallReport();
    report.largest_sites[0].site = c.in;
    ClusterReport::Cluster& cluster = OnlyCluster(&report);
    cluster.cluster_id = cluster.url_regex = c.in;
    cluster.example_urls = {std::string(c.in)};
    cluster.signatures = {{std::string(c.in), 200}};
    const std::string page = ReportHtml(report);
    EXPECT_THAT(page, HasSubstr(StrCat("<h3>", c.html, "</h3>"))) << c.label;
    EXPECT_THAT(page, HasSubstr(StrCat("<th scope=\"row\"><code>", c.html,
                                       "</code></th>")))
        << c.label;
    EXPECT_THAT(page, HasSubstr(StrCat("<p><code>", c.html, "</code></p>")))
        << c.label;
    EXPECT_THAT(page, HasSubstr(StrCat("<li><span class=\"url\">", c.html,
                                       "</span></li>")))
        << c.label;
    EXPECT_THAT(page, HasSubstr(StrCat("<li><code>", c.html, "</code> 200<")))
        << c.label;
  }
}

TEST(ReportTest, LinksOnlyWhatIsShownAsItIs) {
  struct Case {
    const char* label;
    std::string url;
    bool is_link;
  };
  const Case kCases[] = {
      {"http", "http://a.example/", true},
      {"https", "https://a.example/?a=1&b=2#c", true},
      {"quotes", "https://a.example/\" onmouseover='alert(1)", true},
      {"markup", "https://a.example/<script>", true},
      {"other scripts", "https://a.example/\u05E9\u05DC\u05D5\u05DD", true},
      {"longest", "https://a.example/" + std::string(982, 'x'), true},
      {"too long", "https://a.example/" + std::string(983, 'x'), false},
      {"javascript", "javascript:alert(1)//http://", false},
      {"data", "data:text/html,http://a.example/", false},
      {"file", "file:///etc/passwd", false},
      {"no scheme", "//a.example/", false},
      {"white space in front", " https://a.example/", false},
      {"upper case", "HTTPS://a.example/", false},
      {"no slashes", "https:a.example", false},
      {"control character", "https://a.example/\x01", false},
      {"line end", "https://a.example/\n", false},
      {"direction", "https://a.example/\u202Ex", false},
      {"not UTF-8", "https://a.example/\xFF", false},
      {"empty", "", false},
  };
  for (const Case& c : kCases) {
    ClusterReport report = SmallReport();
    OnlyCluster(&report).example_urls = {c.url};
    const Document document = Parse(ReportHtml(report));
    const std::vector<NodeId> links = OutwardLinks(document);
    ASSERT_EQ(links.size(), c.is_link ? 1u : 0u) << c.label;
    if (!c.is_link) continue;
    EXPECT_EQ(ValueOf(document, links[0], "href"), c.url) << c.label;
    EXPECT_EQ(ValueOf(document, links[0], "rel"),
              "noopener noreferrer nofollow")
        << c.label;
    EXPECT_EQ(document.Attributes(links[0]).size(), 2u) << c.label;
  }
}

// Whatever the crawl holds, the page has the elements and attributes that a
// harmless crawl gives it, but for marks, links, and tips and what carries
// them. The nonce of the page's script depends on all of it.
TEST(ReportTest, CrawledTextMakesNoElementAndNoAttribute) {
  const auto shape = [](const Document& document) {
    std::multiset<std::string> shape;
    for (NodeId id = 0; id < document.num_nodes(); ++id) {
      if (!document.IsElement(id)) continue;
      const std::string_view tag = document.TagOf(id);
      if (tag == "mark" || tag == "a") continue;
      if (tag == "span" && ValueOf(document, id, "class").empty()) continue;
      shape.emplace(tag);
      for (const html::Attribute& attribute : document.Attributes(id)) {
        const std::string_view name = document.NameOf(attribute.name);
        if (name == "title" || name == "nonce" || name == "content") continue;
        shape.insert(StrCat(tag, "@", name, "=", document.Value(attribute)));
      }
    }
    return shape;
  };
  const std::multiset<std::string> harmless =
      shape(Parse(ReportHtml(SmallReport())));
  Random random(testing_support::TestSeed(103));
  for (int round = 0; round < 300; ++round) {
    const auto soup = [&] {
      constexpr std::string_view kParts[] = {
          "<script>",  "</script>",   "</title>",  "</style>",
          "<!--",      "-->",         "]]>",       "\"",
          "'",         ">",           "<",         "&",
          "&quot;",    "&#34;",       "`",         "=",
          " onclick=", "</td>",       "</table>",  "</details>",
          "<svg/",     "<plaintext>", "\n",        "\xC3",
          "\xFF",      "\u202E",      "https://",  "/",
          "x",         "javascript:", "<textarea", "</textarea\t",
          "\xE2\x80",  "<base ",      "{}"};
      std::string text;
      const uint64_t length = 1 + random.Below(60);
      for (uint64_t i = 0; i < length; ++i) {
        text += kParts[random.Below(std::size(kParts))];
        if (random.Chance(0.1)) text += static_cast<char>(random.Below(256));
      }
      return text;
    };
    ClusterReport report = SmallReport();
    report.largest_sites[0].site = soup();
    ClusterReport::Cluster& cluster = OnlyCluster(&report);
    cluster.cluster_id = soup();
    cluster.url_regex = soup();
    cluster.signatures[0].first = soup();
    cluster.example_urls[0] = (random.Chance(0.5) ? "https://" : "") + soup();
    const std::string page = ReportHtml(report);
    const Document document = Parse(page);
    ASSERT_EQ(shape(document), harmless) << page;
    for (const NodeId id : OutwardLinks(document)) {
      ASSERT_EQ(ValueOf(document, id, "href"), cluster.example_urls[0]);
    }
  }
}

TEST(ReportTest, NeedsNothingElse) {
  const std::string page = ReportHtml(SmallReport());
  const Document document = Parse(page);
  for (const char* const tag :
       {"link", "img", "iframe", "object", "base", "form"}) {
    EXPECT_THAT(Elements(document, tag), IsEmpty()) << tag;
  }
  for (const char* const text : {"@import", "url(", "src="}) {
    EXPECT_THAT(page, Not(HasSubstr(text))) << text;
  }
}

TEST(ReportTest, TotalsAndTheirShares) {
  ClusterReport report;
  report.pages = 1234567;
  report.sites = 1;
  report.clusters = 4321;
  report.sampled = 246913;
  report.by_signature = 1000000;
  report.by_sketch = 234000;
  report.uncovered = 567;
  report.too_short = 1;
  report.rejected = 999;
  const Document document = Parse(ReportHtml(report));
  EXPECT_EQ(Totals(document), (std::map<std::string, std::string>{
                                  {"Pages", "1,234,567"},
                                  {"Sites", "1"},
                                  {"Clusters", "4,321"},
                                  {"Sampled", "246,913 20.0%"},
                                  {"Covered", "1,234,000 >99.9%"},
                                  {"By signature", "1,000,000 81.0%"},
                                  {"By sketch", "234,000 19.0%"},
                                  {"Uncovered", "567 <0.1%"},
                                  {"Too short", "1 <0.1%"},
                                  {"Alike", "0 0%"},
                                  {"Rejected", "999"}}));
  EXPECT_THAT(
      Texts(document, "title"),
      ElementsAre("Clusters: 1,234,567 pages of 1 site, 4,321 clusters"));
}

TEST(ReportTest, SitesAndClustersHaveTheirFigures) {
  ClusterReport report = SmallReport();
  ClusterReport::Site& site = report.largest_sites[0];
  site.pages = 20000;
  site.by_signature = 10000;
  site.by_sketch = 5000;
  site.uncovered = 5000;
  site.too_short = 1234;
  site.sampled = 4000;
  OnlyCluster(&report).size = 15000;
  OnlyCluster(&report).by_sketch = 5000;
  OnlyCluster(&report).importance = 3456;
  const std::string page = ReportHtml(report);
  const Document document = Parse(page);
  EXPECT_THAT(Texts(document, "summary"),
              ElementsAre("shop.example20,000 pages1 cluster25.0% uncovered"));
  EXPECT_THAT(page, HasSubstr("<dt>Too short</dt><dd>1,234 "));
  EXPECT_THAT(page, HasSubstr("<dt>Sampled</dt><dd>4,000 "));
  EXPECT_THAT(Texts(document, "td"),
              ElementsAre("15,000 75.0%", "5,000", "3,456",
                          "https://shop\\.example/[0-9]+https://shop.example/1",
                          "12.*.7.200.3.*.9.41 200"));
  // The site's bar, then the cluster's, which leaves a quarter empty.
  EXPECT_THAT(
      page, HasSubstr("aria-label=\"By signature 50.0%, By sketch 25.0%, "
                      "Uncovered 25.0%\">"
                      "<i class=\"main\" style=\"width:50.00%\"></i>"
                      "<i class=\"second\" style=\"width:25.00%\"></i>"
                      "<i class=\"rest\" style=\"width:25.00%\"></i></span>"));
  EXPECT_THAT(
      page,
      HasSubstr("aria-label=\"By signature 50.0%, By sketch 25.0%\">"
                "<i class=\"main\" style=\"width:50.00%\"></i>"
                "<i class=\"second\" style=\"width:25.00%\"></i></span>"));
}

TEST(ReportTest, FiguresThatContradictEachOtherStayInsideTheBar) {
  ClusterReport report = SmallReport();
  OnlyCluster(&report).size = 4000;
  OnlyCluster(&report).by_sketch = 1000;
  report.largest_sites[0].uncovered = -5;
  const std::string page = ReportHtml(report);
  EXPECT_THAT(page, HasSubstr("width:75.00%"));
  EXPECT_THAT(page, HasSubstr("width:25.00%"));
  EXPECT_THAT(page, Not(HasSubstr("width:-")));
  EXPECT_THAT(page, HasSubstr("<dd>-5 "));
}

TEST(ReportTest, ExplainsImportance) {
  EXPECT_THAT(ReportHtml(ClusterReport()),
              HasSubstr("after the second pass of clustering. It ranks "
                        "signatures and clusters; it is not the size."));
}

TEST(ReportTest, SignaturesStandStrongestFirstAndFoldWhenMany) {
  struct Case {
    const char* label;
    int count;
    std::vector<std::string> summaries;  // without the site's
    size_t listed;
    const char* rest;
  };
  const Case kCases[] = {
      {"one", 1, {}, 1, ""},
      {"a single one more", 4, {}, 4, ""},
      {"folded", 5, {"2 more"}, 5, ""},
      {"all can be unfolded", 50, {"47 more"}, 50, ""},
      {"not all", 551, {"548 more"}, 50, "501 more not shown"},
  };
  for (const Case& c : kCases) {
    ClusterReport report = SmallReport();
    auto& signatures = OnlyCluster(&report).signatures;
    signatures.clear();
    for (int i = 1; i <= c.count; ++i) signatures.push_back({"s", i});
    const std::string page = ReportHtml(report);
    const Document document = Parse(page);
    std::vector<std::string> summaries = Texts(document, "summary");
    summaries.erase(summaries.begin());
    EXPECT_EQ(summaries, c.summaries) << c.label;
    std::vector<std::string> expected;
    for (size_t i = 0; i < c.listed; ++i) {
      expected.push_back(StrCat("s ", c.count - i));
    }
    EXPECT_EQ(Items(document, kSignatures), expected) << c.label;
    EXPECT_THAT(page, HasSubstr(c.rest)) << c.label;
  }
}

TEST(ReportTest, ExampleUrlsFoldToo) {
  ClusterReport report = SmallReport();
  auto& urls = OnlyCluster(&report).example_urls;
  for (int i = 2; i <= 12; ++i) urls.push_back(StrCat("http://a.example/", i));
  const std::string page = ReportHtml(report);
  const std::vector<std::string> items = Items(Parse(page), kUrls);
  EXPECT_EQ(items, std::vector<std::string>(urls.begin(), urls.begin() + 10));
  EXPECT_THAT(page, HasSubstr("<summary>9 more</summary>"));
  EXPECT_THAT(page, HasSubstr("2 more not shown"));
}

TEST(ReportTest, LongTextIsCutAndWholeInItsTip) {
  ClusterReport report = SmallReport();
  const std::string whole = "https://a.example/" + std::string(142, 'x');
  const std::string longer =
      "https://a.example/" + std::string(500, 'x') + "/end";
  const std::string longest =
      "https://a.example/" + std::string(5000, 'x') + "/end";
  OnlyCluster(&report).example_urls = {whole, longer, longest};
  const Document document = Parse(ReportHtml(report));
  const std::string cut = "https://a.example/" + std::string(102, 'x') +
                          "\u2026" + std::string(36, 'x') + "/end";
  EXPECT_THAT(Items(document, kUrls), ElementsAre(whole, cut, cut));
  std::vector<std::string> tips;
  for (const NodeId id : Elements(document, "span")) {
    if (ValueOf(document, id, "class") != "url") continue;
    tips.emplace_back(ValueOf(document, id, "title"));
  }
  const std::string longest_tip = "https://a.example/" + std::string(732, 'x') +
                                  "\u2026" + std::string(246, 'x') + "/end";
  EXPECT_THAT(tips, ElementsAre("", longer, longest_tip));
}

TEST(ReportTest, TipsShowWhatIsUnseen) {
  ClusterReport report = SmallReport();
  report.largest_sites[0].site = "\u202E\"<\n" + std::string(300, 'x') + "\xFF";
  const Document document = Parse(ReportHtml(report));
  const NodeId name = document.FirstChild(Elements(document, "h3")[0]);
  EXPECT_EQ(ValueOf(document, name, "title"),
            "\u27E8U+202E\u27E9\"<\u27E8U+000A\u27E9" + std::string(300, 'x') +
                "\uFFFD");
}

TEST(ReportTest, CutsBetweenCharacters) {
  for (const std::string_view character :
       {"\u00E9", "\u4F8B", "\U0001F600", "x"}) {
    for (int shift = 0; shift < 4; ++shift) {
      for (const int extra : {0, 1, 2, 3}) {
        std::string text(shift, '-');
        while (text.size() < 1200) text += character;
        text.append(extra, '+');
        ClusterReport report = SmallReport();
        report.largest_sites[0].site = text;
        const std::string page = ReportHtml(report);
        EXPECT_EQ(ValidUtf8Prefix(page), page.size());
        EXPECT_THAT(page, Not(HasSubstr("\uFFFD")))
            << character << " " << shift << " " << extra;
      }
    }
  }
}

TEST(ReportTest, TheWorstClusterIsOfBoundedSize) {
  const size_t before = ReportHtml(SmallReport()).size();
  for (const char c : {'\x01', '"', '\xFF', '\x80', '\xF0', 'x'}) {
    const std::string text = "http://" + std::string(100000, c);
    const std::string link = "http://" + std::string(900, c);
    ClusterReport report = SmallReport();
    report.largest_sites[0].site = text;
    ClusterReport::Cluster& cluster = OnlyCluster(&report);
    cluster.cluster_id = cluster.url_regex = text;
    cluster.example_urls.assign(200, text);
    cluster.signatures.assign(200, {text, 1});
    EXPECT_LT(ReportHtml(report).size(), before + 1024 * 1024) << int{c};
    cluster.example_urls.assign(200, link);
    EXPECT_LT(ReportHtml(report).size(), before + 1024 * 1024) << int{c};
  }
}

TEST(ReportTest, GrowsWithTheClustersOnly) {
  const auto size = [](size_t num_sites, size_t num_clusters) {
    ClusterReport report = SmallReport();
    auto& sites = report.largest_sites;
    sites[0].clusters.resize(num_clusters, sites[0].clusters[0]);
    sites.resize(num_sites, ClusterReport::Site(sites[0]));
    return ReportHtml(report).size();
  };
  const size_t row = size(1, 2) - size(1, 1);
  EXPECT_LT(row, 1024u);
  EXPECT_EQ(size(1, 50), size(1, 1) + 49 * row);
  // Every site has the same bytes but the first, which is open.
  EXPECT_EQ(size(21, 50) - size(11, 50), size(11, 50) - size(1, 50));
}

TEST(ReportTest, SaysWhatIsNotShown) {
  struct Case {
    const char* label;
    int64_t num_sites, num_clusters;
    size_t sites_shown, clusters_shown;
    std::vector<std::string> notes;
  };
  const std::string kSites = " All are in the tables sites/ and clusters/.";
  const std::string kClusters = "; they are in the table clusters/.";
  const Case kCases[] = {
      {"all", 1, 1, 1, 1, {}},
      {"sites",
       3412,
       1,
       1,
       1,
       {"Shown: the largest 1 of 3,412 sites." + kSites}},
      {"clusters",
       1,
       1080,
       1,
       3,
       {"Shown: the largest 3 of 1,080 clusters. The others hold 700 pages" +
        kClusters}},
      {"no site shown", 7, 9, 0, 0, {"Shown: none of 7 sites." + kSites}},
      {"no cluster shown",
       1,
       1,
       1,
       0,
       {"Shown: none of 1 cluster. The others hold 1,000 pages" + kClusters}},
      {"no site at all", 0, 0, 0, 0, {"There is no site."}},
      {"no cluster at all", 1, 0, 1, 0, {"The site has no cluster."}},
  };
  for (const Case& c : kCases) {
    ClusterReport report = SmallReport();
    report.sites = c.num_sites;
    ClusterReport::Site& site = report.largest_sites[0];
    site.num_clusters = c.num_clusters;
    site.clusters[0].size = 100;
    site.clusters.resize(c.clusters_shown,
                         ClusterReport::Cluster(site.clusters[0]));
    report.largest_sites.resize(c.sites_shown);
    const Document document = Parse(ReportHtml(report));
    std::vector<std::string> notes;
    for (const NodeId id : Elements(document, "p")) {
      if (ValueOf(document, id, "class") == "note") {
        notes.push_back(TextOf(document, id));
      }
    }
    EXPECT_EQ(notes, c.notes) << c.label;
  }
}

TEST(ReportTest, OnlyTheFirstSiteIsOpen) {
  ClusterReport report = SmallReport();
  report.largest_sites.resize(3, ClusterReport::Site(report.largest_sites[0]));
  const Document document = Parse(ReportHtml(report));
  std::vector<bool> open;
  for (const NodeId id : Elements(document, "details")) {
    open.push_back(ValueOf(document, id, "open").data() != nullptr);
  }
  EXPECT_THAT(open, ElementsAre(true, false, false));
}

TEST(ReportTest, NothingToShowIsSaid) {
  ClusterReport report = SmallReport();
  report.largest_sites[0].site = "";
  OnlyCluster(&report) = ClusterReport::Cluster();
  const Document document = Parse(ReportHtml(report));
  EXPECT_THAT(Texts(document, "h3"), ElementsAre("(no name)"));
  EXPECT_THAT(Texts(document, "td"),
              ElementsAre("0 0%", "0", "0", "none", "none"));
}

}  // namespace
}  // namespace trommel::jobs::cluster_job
