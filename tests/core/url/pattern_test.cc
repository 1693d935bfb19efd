#include "core/url/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/allocations.h"

namespace trommel::url {
namespace {

using testing::Le;
using testing::SizeIs;
using testing_support::AllocationWatch;

using Urls = std::vector<std::string>;

UrlPattern PatternOf(const Urls& urls) {
  UrlPattern pattern;
  for (const std::string& url : urls) pattern.Add(url);
  return pattern;
}

bool Matches(const RE2& regex, const std::string& url) {
  return RE2::FullMatch(url, regex);
}

void ExpectMatchesAll(const std::string& text, const Urls& urls) {
  const RE2 regex(text);
  ASSERT_TRUE(regex.ok()) << text << ": " << regex.error();
  for (const std::string& url : urls) {
    EXPECT_TRUE(Matches(regex, url)) << text << "\n" << url.substr(0, 200);
  }
}

// A different title for every number: words, and how many of them, vary.
std::string Title(size_t number, char separator = '-') {
  constexpr std::string_view kWords[] = {"amber", "Broken", "castle", "delta",
                                         "echo",  "forest", "glass",  "Hotel"};
  Random random(number);
  std::string title;
  for (uint64_t words = 1 + random.Below(4); words > 0; --words) {
    if (!title.empty()) title += separator;
    title += kWords[random.Below(8)];
  }
  return title;
}

// `count` URLs from a form with a number for each {n}, a title for each {t},
// and upper-case hexadecimal digits for each {x}.
Urls Many(std::string_view form, size_t count) {
  Urls urls;
  for (size_t i = 1; i <= count; ++i) {
    std::string url;
    for (size_t at = 0; at < form.size(); ++at) {
      const std::string_view slot = form.substr(at, 3);
      if (slot == "{n}") {
        url += std::to_string(i * i * 37 + i);
      } else if (slot == "{t}") {
        url += Title(i);
      } else if (slot == "{x}") {
        char hex[32];
        std::snprintf(hex, sizeof(hex), "%012llX",
                      Random(i).Next() & 0xFFFFFFFFFFFFull);
        url += hex;
      } else {
        url += form[at];
        continue;
      }
      at += 2;
    }
    urls.push_back(url);
  }
  return urls;
}

Urls operator+(Urls a, const Urls& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct ClusterCase {
  std::string_view label;
  Urls urls;
  std::string_view regex;
};

class UrlPatternTest : public testing::TestWithParam<ClusterCase> {};

TEST_P(UrlPatternTest, Gives) {
  const std::string regex = PatternOf(GetParam().urls).Regex();
  EXPECT_EQ(regex, GetParam().regex);
  ExpectMatchesAll(regex, GetParam().urls);
}

std::string CaseName(const testing::TestParamInfo<ClusterCase>& info) {
  return std::string(info.param.label);
}

// Forms that sites use, with plenty of pages.
INSTANTIATE_TEST_SUITE_P(
    Templates, UrlPatternTest,
    testing::Values(
        ClusterCase{"NumberInName",
                    Many("http://a.example/product/item-{n}.html", 100),
                    R"(http://a\.example/product/item-\d+\.html)"},
        ClusterCase{"NumberWithPrefix",
                    Many("https://a.example/title/tt{n}/", 100),
                    R"(https://a\.example/title/tt\d+/)"},
        ClusterCase{"TitleAndNumber",
                    Many("http://a.example/movies/{t}-{n}.html", 100),
                    R"(http://a\.example/movies/[^/?#]+-\d+\.html)"},
        ClusterCase{"TitleAndNumberFew",
                    Many("http://a.example/movies/{t}-{n}.html", 3),
                    R"(http://a\.example/movies/[^/?#]+-\d+\.html)"},
        ClusterCase{"NumberAndTitle", Many("http://a.example/m/{n}-{t}/", 100),
                    R"(http://a\.example/m/\d+-[^/?#]+/)"},
        ClusterCase{"TitleBeforeKeyword",
                    Many("http://a.example/{t}/dp/{x}", 100),
                    R"(http://a\.example/[^/?#]+/dp/[0-9A-F]+)"},
        ClusterCase{"IdentifierFile",
                    Many("http://a.example/offer/{x}.php", 100),
                    R"(http://a\.example/offer/[0-9A-F]+\.php)"},
        ClusterCase{"Identifiers", Many("http://a.example/offer/{x}-{x}/", 100),
                    R"(http://a\.example/offer/[0-9A-F-]+/)"},
        ClusterCase{
            "LongCommonFront",
            Many(
                "http://a.example/Restaurant_Review-g{n}-d{n}-Reviews-{t}.html",
                100),
            R"(http://a\.example/Restaurant_Review-g\d+-d\d+-Reviews-[^/?#]+)"
            R"(\.html)"},
        ClusterCase{"Query",
                    Many("http://a.example/list.php?cat={n}&page={n}", 100),
                    R"(http://a\.example/list\.php\?cat=\d+&page=\d+)"},
        ClusterCase{"QueryAtRoot", Many("http://a.example/?id={n}", 100),
                    R"(http://a\.example/\?id=\d+)"},
        ClusterCase{"QueryValues",
                    Many("http://a.example/search?q={t}&start={n}", 100),
                    R"(http://a\.example/search\?q=[^&#]*&start=\d+)"},
        ClusterCase{"QueryIdentifier",
                    Many("http://a.example/job.aspx?did={x}", 100),
                    R"(http://a\.example/job\.aspx\?did=[0-9A-F]+)"},
        ClusterCase{"QueryWithoutPath", Many("http://a.example?id={n}", 100),
                    R"(http://a\.example\?id=\d+)"},
        ClusterCase{"Dates", Many("http://a.example/2026/05/{t}", 100),
                    R"(http://a\.example/\d+/\d+/[^/?#]+)"},
        ClusterCase{"PercentEscapes",
                    Many("http://a.example/%E5%95%86/{n}", 100),
                    R"(http://a\.example/%E5%95%86/\d+)"},
        ClusterCase{"Letters",
                    Many("http://a.example/\xC3\xA9t\xC3\xA9/{n}", 100),
                    "http://a\\.example/\xC3\xA9t\xC3\xA9/\\d+"},
        ClusterCase{"Fragments", Many("http://a.example/x#{n}", 100),
                    R"(http://a\.example/[^/?#]+#(?s:.*))"}),
    CaseName);

// Where the pages of a cluster differ in more than one place.
INSTANTIATE_TEST_SUITE_P(
    Variants, UrlPatternTest,
    testing::Values(
        ClusterCase{
            "Sections",
            Many("http://a.example/film/{n}", 30) +
                Many("http://a.example/series/{n}/", 30) +
                Many("http://a.example/short/{n}/", 30),
            R"(http://a\.example(?:/film/\d+|/series/\d+/|/short/\d+/))"},
        ClusterCase{
            "FrontAndEndOverlap",
            Many("http://a.example/x-{t}-x", 20) + Urls{"http://a.example/x-x"},
            R"(http://a\.example/x-[^/?#]*x)"},
        ClusterCase{"ManySections", Many("http://a.example/{t}/p{n}", 100),
                    R"(http://a\.example/[^/?#]+/p\d+)"},
        ClusterCase{
            "SectionsOfFew",
            {"http://a.example/new-york/r-1", "http://a.example/boston/r-2",
             "http://a.example/chicago/r-3"},
            R"(http://a\.example/[^/?#]+/r-\d+)"},
        ClusterCase{"ValuesOfMany",
                    Many("http://a.example/x/en/{n}", 50) +
                        Many("http://a.example/x/de/{n}", 50),
                    R"(http://a\.example/x/(?:de|en)/\d+)"},
        ClusterCase{"ValuesOfFew",
                    Many("http://a.example/x/en/{n}", 5) +
                        Many("http://a.example/x/de/{n}", 5),
                    R"(http://a\.example/x/[^/?#]+/\d+)"},
        ClusterCase{"CheckDigit",
                    Many("http://a.example/b?isbn={n}", 50) +
                        Many("http://a.example/b?isbn={n}X", 50),
                    R"(http://a\.example/b\?isbn=(?:\d+|\d+X))"},
        ClusterCase{"OneStranger",
                    Many("http://a.example/product/item-{n}.html", 500) +
                        Urls{"http://a.example/about/contact.html"},
                    R"(http://a\.example(?:/about/[^/?#]+\.html|)"
                    R"(/product/item-\d+\.html))"},
        ClusterCase{"HomePage",
                    Many("http://a.example/item-{n}.html", 500) +
                        Urls{"http://a.example/"},
                    R"(http://a\.example(?:/|/item-\d+\.html))"},
        ClusterCase{"OptionalQuery",
                    Many("http://a.example/p/{n}", 50) +
                        Many("http://a.example/p/{n}?ref={t}", 50),
                    R"(http://a\.example/p/\d+(?:\?ref=[^&#]*)?)"},
        ClusterCase{"OptionalKeys",
                    Many("http://a.example/l?a={n}", 50) +
                        Many("http://a.example/l?a={n}&b={n}", 50) +
                        Many("http://a.example/l?s={n}&a={n}", 50),
                    R"(http://a\.example/l\?(?:s=\d+&)?a=\d+(?:&b=\d+)?)"},
        ClusterCase{"NoCommonKey",
                    Many("http://a.example/l?a={n}", 50) +
                        Many("http://a.example/l?b={n}", 50),
                    R"(http://a\.example/l\?(?:&?a=\d+)?(?:&?b=\d+)?)"},
        ClusterCase{"KeysChangePlaces",
                    Many("http://a.example/l?a={n}&b={n}", 50) +
                        Many("http://a.example/l?b={n}&a={n}", 50),
                    R"(http://a\.example/l\?(?:(?:a=\d+|b=\d+)&?)*)"},
        ClusterCase{"KeysRepeat",
                    Many("http://a.example/l?a[]={n}&a[]={n}", 50),
                    R"(http://a\.example/l\?(?:a\[\]=\d+&?)*)"},
        ClusterCase{"KeysWithoutValue",
                    Many("http://a.example/l?print&id={n}", 50) +
                        Many("http://a.example/l?print=1&id={n}", 50),
                    R"(http://a\.example/l\?print(?:=\d+)?&id=\d+)"},
        ClusterCase{"ManyKeys", Many("http://a.example/l?{t}={n}", 100),
                    R"(http://a\.example/l\?[^#]*)"},
        ClusterCase{"SomeLengths",
                    Many("http://a.example/c/{t}/{n}.html", 50) +
                        Many("http://a.example/c/{t}/{t}/{n}.html", 50),
                    R"(http://a\.example(?:/c/[^/?#]+/[^/?#]+/\d+\.html|)"
                    R"(/c/[^/?#]+/\d+\.html))"},
        ClusterCase{"ManyLengths",
                    Many("http://a.example/c/{t}/{n}/", 50) +
                        Many("http://a.example/c/{t}/{t}/{n}/", 50) +
                        Many("http://a.example/c/{t}/{t}/{t}/{n}/", 5),
                    R"(http://a\.example/c/[^/?#]+/(?:[^?#]*/)?\d+/)"},
        ClusterCase{"ManyShapes",
                    Many("http://a.example/{t}.html", 50) +
                        Many("http://a.example/{t}.php", 50) +
                        Many("http://a.example/{t}.asp", 50) +
                        Many("http://a.example/{t}/", 50) +
                        Many("http://a.example/{t}", 50),
                    R"(http://a\.example(?:/[^/?#]+|/[^/?#]+/))"},
        ClusterCase{"Schemes",
                    Many("http://a.example/p/{n}", 50) +
                        Many("https://a.example/p/{n}", 50),
                    R"(https?://a\.example/p/\d+)"},
        ClusterCase{"Hosts",
                    Many("http://a.example/p/{n}", 50) +
                        Many("http://m.a.example:80/p/{n}", 50),
                    R"(http://(?:a\.example|m\.a\.example:80)/p/\d+)"},
        ClusterCase{"ManyHosts", Many("http://u{n}.a.example/p/{n}", 50),
                    R"(http://[^/?#]+\.a\.example/p/\d+)"},
        ClusterCase{"ManyHostsAndTheirDomain",
                    Many("http://u{n}.a.example/p/{n}", 50) +
                        Urls{"http://a.example/p/1"},
                    R"(http://[^/?#]*a\.example/p/\d+)"},
        ClusterCase{"NoScheme",
                    Many("/p/{n}", 50) + Many("http://a.example/p/{n}", 50),
                    R"((?:http://a\.example)?/p/\d+)"}),
    CaseName);

// One page, or two, must not make a pattern of their own titles.
INSTANTIATE_TEST_SUITE_P(
    Few, UrlPatternTest,
    testing::Values(
        ClusterCase{"None", {}, R"([^\x{0}-\x{10FFFF}])"},
        ClusterCase{"Name",
                    {"http://a.example/product/alpha.html"},
                    R"(http://a\.example/product/[^/?#]+\.html)"},
        ClusterCase{"Directory",
                    {"http://a.example/movie/13698/table-kingdom/"},
                    R"(http://a\.example/movie/\d+/[^/?#]+/)"},
        ClusterCase{"TitleInTheMiddle",
                    {"http://a.example/movie/table-kingdom/cast"},
                    R"(http://a\.example/movie/[^/?#]+/[^/?#]+)"},
        ClusterCase{"NumberedName",
                    {"http://a.example/product/item-12.html"},
                    R"(http://a\.example/product/item-\d+\.html)"},
        ClusterCase{"TitleWithNumber",
                    {"http://a.example/the-table-kingdom-12.html"},
                    R"(http://a\.example/[^/?#]+-\d+\.html)"},
        ClusterCase{"Script",
                    {"http://a.example/item.php?id=12&from=home"},
                    R"(http://a\.example/item\.php\?id=\d+&from=[^&#]*)"},
        ClusterCase{"Root", {"http://a.example/"}, R"(http://a\.example/)"},
        ClusterCase{"TwoNames",
                    {"http://a.example/movie/star-wars-1977",
                     "http://a.example/movie/star-trek-1979"},
                    R"(http://a\.example/movie/[^/?#]+-\d+)"},
        ClusterCase{"TwoNumbers",
                    {"http://a.example/list/1", "http://a.example/list/2"},
                    R"(http://a\.example/list/\d+)"}),
    CaseName);

// Section IV-A shows "http://domain-name/product/(.*)/detail.html".
TEST(UrlPatternPaper, SectionIvA) {
  const Urls urls = {"http://domain-name/product/alpha/detail.html",
                     "http://domain-name/product/beta-2/detail.html"};
  EXPECT_EQ(PatternOf(urls).Regex(),
            R"(http://domain-name/product/[^/?#]+/detail\.html)");
}

struct StrangerCase {
  std::string_view label;
  Urls urls;
  Urls others;     // of the same template
  Urls strangers;  // of the same site
};

class SpecificityTest : public testing::TestWithParam<StrangerCase> {};

TEST_P(SpecificityTest, MatchesOthersButNoStrangers) {
  const std::string text = PatternOf(GetParam().urls).Regex();
  ExpectMatchesAll(text, GetParam().urls + GetParam().others);
  const RE2 regex(text);
  for (const std::string& url : GetParam().strangers) {
    EXPECT_FALSE(Matches(regex, url)) << text << "\n" << url;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sites, SpecificityTest,
    testing::Values(
        StrangerCase{"Shop",
                     Many("http://a.example/product/{t}-{n}.html", 60),
                     {"http://a.example/product/x-ray_goggles-7.html"},
                     {"http://a.example/", "http://a.example/product/",
                      "http://a.example/category/shoes.html",
                      "http://a.example/category/shoes-7.html",
                      "http://a.example/product/x-7.html?print=1",
                      "http://a.example/product/x-7/reviews.html",
                      "https://b.example/product/x-7.html"}},
        StrangerCase{
            "Films",
            Many("http://a.example/title/tt{n}/", 60),
            {"http://a.example/title/tt1/"},
            {"http://a.example/title/tt1/cast", "http://a.example/name/nm1/",
             "http://a.example/title/", "http://a.example/title/tt1"}},
        StrangerCase{
            "Scripts",
            Many("http://a.example/list.php?cat={n}&page={n}", 60),
            {"http://a.example/list.php?cat=1&page=2"},
            {"http://a.example/list.php", "http://a.example/list.php?cat=1",
             "http://a.example/item.php?cat=1&page=2",
             "http://a.example/list.php?cat=1&page=2&print"}},
        StrangerCase{
            "FewPages",
            Many("http://a.example/item/{t}/{n}", 4),
            {"http://a.example/item/other/1"},
            {"http://a.example/list/other/1", "http://a.example/item/other",
             "http://a.example/item/other/x"}}),
    [](const auto& info) { return std::string(info.param.label); });

TEST(UrlPattern, OfNoUrlsMatchesNothing) {
  const RE2 regex(UrlPattern().Regex());
  ASSERT_TRUE(regex.ok());
  for (const char* const url : {"", "x", "http://a.example/", "\n"}) {
    EXPECT_FALSE(Matches(regex, url)) << url;
  }
}

// Four to six digits say nothing about the number of digits.
TEST(UrlPattern, NumbersMayGrow) {
  const RE2 regex(PatternOf(Many("http://a.example/p/{n}", 300)).Regex());
  EXPECT_TRUE(Matches(regex, "http://a.example/p/7"));
  EXPECT_TRUE(Matches(regex, "http://a.example/p/123456789012345678901"));
}

const Urls& HostileUrls() {
  static const Urls* const urls = new Urls{
      "",
      "/",
      "?",
      "#",
      "&",
      "http://",
      "http:///",
      "http://?#",
      "://x",
      "1http://x/",
      "just text",
      "mailto:someone@a.example",
      "//a.example/x",
      "http:/a.example/x",
      "http://a.example/a\nb\r\n/c\t?d\n=e\n#f\n",
      std::string("http://a.example/\0/\0?\0=\0#\0", 26),
      "http://a\nb/\x7F\x01",
      "http://a.example/(?:x|y)*[z]{2}^$\\Q.+\\E\\d+",
      "http://a.example/?(?P<n>x)=\\C*&|=|",
      "http://a.example/?&&=&==&a&a=&=a&",
      "http://a.example/?" + std::string(100000, '&'),
      "http://a.example/?" + std::string(100000, 'k') + "=1",
      "http://a.example/" + std::string(100000, '/'),
      "http://a.example/" + std::string(100000, 'x'),
      "http://a.example/" + std::string(100000, '7'),
      "http://a.example/" + std::string(100000, '%'),
      "http://" + std::string(100000, 'h') + "/x",
      std::string(100000, 's') + "://a.example/x",
      "http://a.example/%4/%zz/%41%4%",
      "http://a.example/\xC3\xA9/\xC3\xA8/\xE2\x82\xAC\xF0\x9F\x98\x80",
      "http://\xC3\xA9.example/\xC3\xA8-1",
      "http://a.example/.../..a/.html/a./.",
      "http://a.example/\xFF",
      "http://a.example/\xC3",
      "http://\xFF\xFE/x",
      "\xED\xA0\x80",
  };
  return *urls;
}

TEST(UrlPatternHostile, EachAlone) {
  for (const std::string& url : HostileUrls()) {
    const std::string regex = PatternOf({url}).Regex();
    EXPECT_THAT(regex, SizeIs(Le(UrlPattern::kMaxRegexBytes)));
    ExpectMatchesAll(regex, {url});
  }
}

TEST(UrlPatternHostile, AnyTwo) {
  for (const std::string& a : HostileUrls()) {
    for (const std::string& b : HostileUrls()) {
      ExpectMatchesAll(PatternOf({a, b}).Regex(), {a, b});
    }
  }
}

TEST(UrlPatternHostile, AllTogether) {
  const std::string regex = PatternOf(HostileUrls()).Regex();
  EXPECT_THAT(regex, SizeIs(Le(UrlPattern::kMaxRegexBytes)));
  ExpectMatchesAll(regex, HostileUrls());
}

// Characters that begin or end with the same bytes have nothing in common.
TEST(UrlPatternHostile, CutsBetweenCharacters) {
  const std::string site = "http://a.example/";
  Urls same_front;
  Urls same_end;
  for (int i = 0; i < 1000; ++i) {
    const char varied = static_cast<char>(i % 16);
    same_front.push_back(site + "\xC3" + static_cast<char>(0xA0 + varied) +
                         Title(i));
    same_end.push_back(site + Title(i) + static_cast<char>(0xC4 + varied) +
                       "\xA9");
  }
  for (const Urls& urls : {same_front, same_end}) {
    const std::string regex = PatternOf(urls).Regex();
    EXPECT_EQ(regex, "http://a\\.example/[^/?#]+");
    ExpectMatchesAll(regex, urls);
  }
}

TEST(UrlPatternHostile, BadUtf8KeepsTheHost) {
  const Urls urls =
      Many("http://a.example/p/{n}", 50) + Urls{"http://a.example/\xFF"};
  EXPECT_EQ(PatternOf(urls).Regex(), R"(http://a\.example\C*)");
  ExpectMatchesAll(PatternOf(urls).Regex(), urls);
}

// Keys, values and paths with nothing in common, as long as they may get.
Urls Exhausting() {
  Urls urls;
  Random random(1);
  const auto text = [&random](size_t length) {
    std::string letters;
    while (letters.size() < length) {
      letters += static_cast<char>('a' + random.Below(26));
    }
    return letters;
  };
  std::string keys[8];
  for (std::string& key : keys) key = text(32);
  for (int shape = 0; shape < 6; ++shape) {
    for (int section = 0; section < 4; ++section) {
      const std::string first = text(20);
      const std::string extension = text(5);
      for (int value = 0; value < 4; ++value) {
        std::string url = "http://" + text(30) + "/" + first;
        for (int i = 0; i < 3 + shape; ++i) url += "/" + text(24);
        url += "." + (section == 0 ? extension : "html") + "?";
        for (const std::string& key : keys) url += key + "=" + text(24) + "&";
        url.pop_back();
        urls.push_back(url);
      }
    }
  }
  return urls;
}

TEST(UrlPattern, StaysInItsBounds) {
  const Urls urls = Exhausting();
  UrlPattern pattern;
  const AllocationWatch watch;
  size_t most = 0;
  for (const std::string& url : urls) {
    pattern.Add(url);
    EXPECT_LE(watch.Held(), 3 * UrlPattern::kMaxEncodedBytes);
    const size_t bytes = pattern.Encode().size();
    most = std::max(most, bytes);
    ASSERT_LE(bytes, UrlPattern::kMaxEncodedBytes);
    ASSERT_LE(pattern.Regex().size(), UrlPattern::kMaxRegexBytes);
  }
  EXPECT_GT(most, UrlPattern::kMaxEncodedBytes / 3) << "not exhausting";
  ExpectMatchesAll(pattern.Regex(), urls);
}

TEST(UrlPattern, KnownUrlsAllocateNothing) {
  const Urls urls =
      Many("http://a.example/movies/{t}-{n}.html?a={n}&b={t}", 500);
  UrlPattern pattern = PatternOf(urls);
  const AllocationWatch watch;
  for (const std::string& url : urls) pattern.Add(url);
  EXPECT_EQ(watch.Peak(), 0u);
}

// Where the evidence is complete, nothing but the difference itself can tell
// that a URL is new.
TEST(UrlPattern, SeesWhatIsNewAfterManyUrls) {
  const UrlPattern many =
      PatternOf(Many("http://a.example/p/{t}.html?a={x}&b={n}", 2000));
  for (const std::string url :
       {"https://a.example/p/amber.html?a=0&b=1",
        "http://b.example/p/amber.html?a=0&b=1",
        "http://a.example/q/amber.html?a=0&b=1",
        "http://a.example/p/amber.php?a=0&b=1",
        "http://a.example/p/amber_.html?a=0&b=1",
        "http://a.example/p/.html?a=0&b=1", "http://a.example/p/x/y.html?a=0",
        "http://a.example/p/amber.html", "http://a.example/p/amber.html?a=0",
        "http://a.example/p/amber.html?b=1&a=0",
        "http://a.example/p/amber.html?a=0&a=0&b=1",
        "http://a.example/p/amber.html?a=0&b=1&c",
        "http://a.example/p/amber.html?a&b=1",
        "http://a.example/p/amber.html?a=0&b=x",
        "http://a.example/p/amber.html?a=g&b=1",
        "http://a.example/p/amber.html?a=0&b=1#"}) {
    UrlPattern added = many;
    added.Add(url);
    EXPECT_NE(added.Encode(), many.Encode()) << url;
    UrlPattern merged = many;
    merged.Merge(PatternOf({url}));
    EXPECT_EQ(added.Encode(), merged.Encode()) << url;
    ExpectMatchesAll(added.Regex(), {url});
  }
}

TEST(UrlPattern, Copies) {
  const UrlPattern pattern = PatternOf(Many("http://a.example/p/{n}", 5));
  UrlPattern copy = pattern;
  copy.Add("http://b.example/");
  EXPECT_NE(copy.Encode(), pattern.Encode());
  copy = pattern;
  EXPECT_EQ(copy.Encode(), pattern.Encode());
  UrlPattern moved = std::move(copy);
  EXPECT_EQ(moved.Encode(), pattern.Encode());
  copy = moved;
  EXPECT_EQ(copy.Encode(), pattern.Encode());
  EXPECT_FALSE(copy.empty());
  EXPECT_TRUE(UrlPattern().empty());
}

// The URLs of real sites, one file of records for each.
TEST(UrlPatternRealSites, HalfOfASiteMatchesTheOtherHalf) {
  const char* const data = std::getenv("TROMMEL_DATA");
  const std::filesystem::path root =
      std::filesystem::path(data == nullptr ? "" : data) / "swde";
  if (data == nullptr || !std::filesystem::exists(root)) {
    GTEST_SKIP() << "no real sites: set TROMMEL_DATA to the directory that "
                    "holds them";
  }
  for (const auto& site : std::filesystem::directory_iterator(root)) {
    std::ifstream truth(site.path() / "truth.jsonl");
    Urls halves[2];
    std::string line;
    for (int i = 0; std::getline(truth, line); ++i) {
      halves[i % 2].push_back(nlohmann::json::parse(line)["url"]);
    }
    const std::string text = PatternOf(halves[0]).Regex();
    ExpectMatchesAll(text, halves[0]);
    const RE2 regex(text);
    size_t matched = 0;
    for (const std::string& url : halves[1]) matched += Matches(regex, url);
    EXPECT_GE(matched, halves[1].size() * 98 / 100) << site.path() << text;
    EXPECT_FALSE(Matches(regex, "http://other.example/some/page"));
  }
}

}  // namespace
}  // namespace trommel::url
