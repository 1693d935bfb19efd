#include "synth/generator.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "synth/kinds.h"
#include "synth/vertical.h"
#include "tests/synth/page_text.h"

namespace trommel::synth {
namespace {

WebGenerator MakeWeb(std::string_view spec) {
  absl::StatusOr<WebGenerator> web = WebGenerator::Create(ParseSpec(spec));
  EXPECT_TRUE(web.ok()) << web.status();
  return *std::move(web);
}

// Many sites of every vertical with all kinds of template.
std::string WideSpec(int sites_per_vertical, int pages) {
  std::string spec = "seed: 7 days: 2 ";
  for (const Vertical& vertical : Verticals()) {
    StrAppend(&spec, "site { host: 'www.", vertical.name,
              "{n}.example' count: ", sites_per_vertical, " vertical: '",
              vertical.name, "' pages: ", pages, " ");
    for (const std::string_view kind : kTemplateKindNames) {
      StrAppend(&spec, "template { kind: '", kind,
                "' weight: ", kind == "detail" ? 4 : 1, " } ");
    }
    spec.append("} ");
  }
  return spec;
}

bool SamePage(const GeneratedPage& a, const GeneratedPage& b) {
  return a.url == b.url && a.html == b.html && a.site == b.site &&
         a.template_name == b.template_name && a.charset == b.charset &&
         a.fetch_time_ms == b.fetch_time_ms &&
         TruthJsonLines(a) == TruthJsonLines(b);
}

TEST(WebGenerator, IsAFunctionOfSpecDayAndIndex) {
  const std::string spec = WideSpec(2, 20);
  const WebGenerator one = MakeWeb(spec);
  const WebGenerator two = MakeWeb(spec);
  ASSERT_EQ(one.NumPages(0), 8 * 2 * 20);
  GeneratedPage reused;
  // Backwards, skipping, into one page; against forwards into fresh ones.
  for (int64_t i = one.NumPages(1) - 1; i >= 0; i -= 3) {
    one.Generate(1, i, &reused);
    GeneratedPage fresh;
    two.Generate(1, i, &fresh);
    ASSERT_TRUE(SamePage(reused, fresh)) << i;
  }
}

TEST(WebGenerator, FollowsTheSeed) {
  const std::string_view kSite =
      " site { host: 'a.example' vertical: 'movie' pages: 3 }";
  GeneratedPage a, b;
  MakeWeb(StrCat("seed: 1", kSite)).Generate(0, 0, &a);
  MakeWeb(StrCat("seed: 2", kSite)).Generate(0, 0, &b);
  EXPECT_NE(a.html, b.html);
  EXPECT_NE(TagSequence(a.html), TagSequence(b.html));
}

TEST(WebGenerator, NamesDaysAndStampsPages) {
  const WebGenerator web = MakeWeb(
      "start_date: '2024-02-28' days: 3"
      " site { host: 'a.example' vertical: 'job' pages: 5 }");
  EXPECT_EQ(web.num_days(), 3);
  EXPECT_EQ(web.DayName(0), "2024-02-28");
  EXPECT_EQ(web.DayName(2), "2024-03-01");
  GeneratedPage page;
  web.Generate(1, 0, &page);
  constexpr int64_t kDay = 86400000;
  EXPECT_EQ(page.fetch_time_ms / kDay, 19782);  // 2024-02-29
  EXPECT_EQ(MakeWeb("site { host: 'a' vertical: 'job' pages: 1 }").DayName(0),
            "2026-01-01");
}

TEST(WebGenerator, ListsTheSchemasOfItsVerticals) {
  const WebGenerator web = MakeWeb(
      "site { host: 'a' vertical: 'job' pages: 1 }"
      "site { host: 'b' vertical: 'movie' pages: 1 }"
      "site { host: 'c' vertical: 'job' pages: 1 }");
  ASSERT_EQ(web.schemas().size(), 2u);
  EXPECT_EQ(web.schemas()[0].name(), "movie");
  EXPECT_EQ(web.schemas()[1].name(), "job");
}

TEST(WebGenerator, UrlsAreUniqueWithinADay) {
  std::string spec =
      "days: 9 site { host: 'turn{n}.example' count: 12 vertical: 'book' "
      "pages: 200 daily_turnover: 0.2 ";
  for (const std::string_view kind : kTemplateKindNames) {
    StrAppend(&spec, "template { kind: '", kind, "' } template { kind: '", kind,
              "' name: 'more-", kind, "' } ");
  }
  const WebGenerator web = MakeWeb(spec + "}");
  for (const int day : {0, 1, 8}) {
    std::set<std::string> urls;
    GeneratedPage page;
    for (int64_t i = 0; i < web.NumPages(day); ++i) {
      web.Generate(day, i, &page);
      EXPECT_TRUE(urls.insert(page.url).second) << page.url;
      EXPECT_THAT(page.url, testing::HasSubstr("://" + page.site + "/"));
    }
  }
}

TEST(WebGenerator, TruthIsOnThePage) {
  const WebGenerator web = MakeWeb(WideSpec(8, 24));
  GeneratedPage page;
  int64_t values = 0;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &page);
    SCOPED_TRACE(page.url);
    const bool carries =
        page.template_name == "detail" || page.template_name == "list";
    ASSERT_EQ(!page.records.empty(), carries);
    if (page.template_name == "detail") {
      ASSERT_EQ(page.records.size(), 1u);
    }
    if (!carries) continue;
    const std::string text = PageText(page);
    for (const record::Record& record : page.records) {
      ASSERT_EQ(record.values(0).size(), 1u) << "headline";
      for (int place = 0; place < page.schema->attribute_size(); ++place) {
        for (const std::string& item : record.values(place)) {
          ++values;
          EXPECT_EQ(NormalizeSpace(item), item);
          // In one text node: no tag inside the value.
          EXPECT_NE(text.find(item), std::string::npos)
              << page.schema->attribute(place).name() << ": " << item;
        }
      }
    }
  }
  EXPECT_GT(values, 5000);
}

TEST(WebGenerator, ShowsAttributesOnMostPagesButNotAll) {
  const WebGenerator web = MakeWeb(
      "seed: 5 site { host: 'a{n}.example' count: 20 vertical: 'movie' pages: "
      "20 template { kind: 'detail' } }");
  GeneratedPage page;
  int shown = 0;
  int missing = 0;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &page);
    for (const record::AttributeValues& found : page.records[0].attributes) {
      ++(found.values.empty() ? missing : shown);
    }
  }
  EXPECT_GT(shown, 4 * missing);
  EXPECT_GT(missing, shown / 50);
}

TEST(WebGenerator, UsesSeveralCharsetsAndDeclaresThem) {
  const WebGenerator web = MakeWeb(
      "site { host: 'a{n}.example' count: 60 vertical: 'movie' pages: 1"
      " template { kind: 'detail' } }");
  std::set<std::string> charsets;
  GeneratedPage page;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &page);
    charsets.insert(page.charset);
    std::string lower;
    for (const char c : page.html) lower.push_back(AsciiLower(c));
    EXPECT_EQ(lower.find("charset=") != std::string::npos,
              !page.charset.empty());
    if (page.charset == "utf-8") {
      EXPECT_EQ(ValidUtf8Prefix(page.html), page.html.size());
    }
  }
  EXPECT_THAT(charsets, testing::ElementsAre("", "utf-8", "windows-1252"));
}

TEST(WebGenerator, TurnoverRenewsTheShareOfDetailPages) {
  const WebGenerator web = MakeWeb(
      "days: 4 site { host: 'a.example' vertical: 'camera' pages: 100 "
      "daily_turnover: 0.1 template { kind: 'detail' weight: 4 } template { "
      "kind: 'help' } }");
  std::set<std::string> before;
  GeneratedPage page;
  for (int day = 0; day < 4; ++day) {
    std::set<std::string> today;
    for (int64_t i = 0; i < web.NumPages(day); ++i) {
      web.Generate(day, i, &page);
      today.insert(page.url);
    }
    if (day > 0) {
      int fresh = 0;
      for (const std::string& url : today) fresh += before.count(url) == 0;
      EXPECT_EQ(fresh, 8) << "day " << day;
    }
    before = std::move(today);
  }
}

TEST(WebGenerator, ListPagesLinkToTheirRecordsPages) {
  const WebGenerator web = MakeWeb(
      "seed: 3 site { host: 'a.example' vertical: 'book' pages: 60 template { "
      "kind: 'detail' weight: 5 } template { kind: 'list' } }");
  std::set<std::string> paths;
  GeneratedPage page;
  int links = 0;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &page);
    const size_t path = page.url.find(page.site) + page.site.size();
    if (page.template_name == "detail") {
      paths.insert(page.url.substr(path));
      continue;
    }
    for (const std::string& href : AttributeValues(page.html, "href")) {
      links += static_cast<int>(paths.count(href));
    }
  }
  EXPECT_GT(links, 50);
}

TEST(DemoSpec, IsValid) {
  std::ifstream file(std::string(TROMMEL_SOURCE_DIR) +
                     "/deploy/demo.textproto");
  std::ostringstream text;
  text << file.rdbuf();
  const WebGenerator web = MakeWeb(text.str());
  EXPECT_EQ(web.num_days(), 3);
  EXPECT_GE(web.schemas().size(), 4u);
  EXPECT_GT(web.NumPages(0), 1500);
}

TEST(WebGenerator, ThroughputIsPrinted) {
  const WebGenerator web = MakeWeb(WideSpec(3, 60));
  GeneratedPage page;
  size_t bytes = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &page);
    bytes += page.html.size();
  }
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  std::printf("generated %.1f MB at %.0f MB/s\n",
              static_cast<double>(bytes) / 1e6,
              static_cast<double>(bytes) / 1e6 / seconds.count());
  EXPECT_GT(bytes, 0u);
}

}  // namespace
}  // namespace trommel::synth
