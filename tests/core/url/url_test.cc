#include "core/url/url.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace trommel::url {
namespace {

struct HostCase {
  std::string_view label;
  std::string_view url;
  std::string_view host;
};

const std::string kLongPath =
    "http://ex%61mple.com/" + std::string(100000, 'x');
const std::string kLongHost =
    "http://ex%61mple" + std::string(100000, 'x') + ".com/";

class HostOfTest : public testing::TestWithParam<HostCase> {};

TEST_P(HostOfTest, Gives) {
  EXPECT_EQ(HostOf(GetParam().url), GetParam().host);
}

INSTANTIATE_TEST_SUITE_P(
    Table, HostOfTest,
    testing::Values(
        HostCase{"Plain", "http://example.com/a", "example.com"},
        HostCase{"UpperCase", "https://WWW.Example.COM/a", "www.example.com"},
        HostCase{"UpperScheme", "HTTP://Example.com", "example.com"},
        HostCase{"Port", "http://example.com:8080/a", "example.com"},
        HostCase{"Credentials", "http://u:p@example.com/", "example.com"},
        HostCase{"AtInPath", "http://example.com/u@b", "example.com"},
        HostCase{"QueryWithoutPath", "http://example.com?x=1", "example.com"},
        HostCase{"Fragment", "http://example.com#x", "example.com"},
        HostCase{"TrailingDot", "http://example.com./", "example.com."},
        HostCase{"Underscore", "http://a_b.example.com/", "a_b.example.com"},
        HostCase{"Ipv4", "http://127.0.0.1/x", "127.0.0.1"},
        HostCase{"Ipv4InHex", "http://0x7f.1/", "127.0.0.1"},
        HostCase{"Ipv6", "http://[::1]:80/", "[::1]"},
        HostCase{"International",
                 "http://b\xC3\xBC"
                 "cher.example/",
                 "xn--bcher-kva.example"},
        HostCase{"Percent", "http://ex%61mple.com/", "example.com"},
        HostCase{"Spaces", "  http://example.com/  ", "example.com"},
        HostCase{"NoHost", "mailto:a@b.example", ""},
        HostCase{"FileUrl", "file:///tmp/x.html", ""},
        HostCase{"NotAUrl", "just text", ""}, HostCase{"Empty", "", ""},
        HostCase{"OnlyScheme", "http://", ""},
        HostCase{"ManySlashes", "http:////example.com/x", "example.com"},
        HostCase{"BackSlashes", "http:\\\\ex%61mple.com\\x", "example.com"},
        HostCase{"LongPath", kLongPath, "example.com"},
        HostCase{"LongHost", kLongHost, ""}),
    [](const auto& info) { return std::string(info.param.label); });

struct DomainCase {
  std::string_view label;
  std::string_view url;
  std::string_view domain;
};

class RegisteredDomainOfTest : public testing::TestWithParam<DomainCase> {};

TEST_P(RegisteredDomainOfTest, Gives) {
  EXPECT_EQ(RegisteredDomainOf(GetParam().url), GetParam().domain);
}

const std::string kManyLabels = [] {
  std::string url = "http://";
  for (int i = 0; i < 900; ++i) url += "a.";
  return url + "com/";
}();

INSTANTIATE_TEST_SUITE_P(
    Table, RegisteredDomainOfTest,
    testing::Values(
        DomainCase{"Plain", "http://www.shop.com/a", "shop.com"},
        DomainCase{"ItselfRegistered", "http://shop.com/a", "shop.com"},
        DomainCase{"UpperCase", "http://WWW.Shop.COM:80/", "shop.com"},
        DomainCase{"Deep", "http://a.b.c.shop.com/", "shop.com"},
        DomainCase{"TwoLabels", "http://www.shop.co.uk/", "shop.co.uk"},
        DomainCase{"Private", "http://x.anna.github.io/", "anna.github.io"},
        DomainCase{"WildCard", "http://a.b.c.kobe.jp/", "b.c.kobe.jp"},
        DomainCase{"Exception", "http://x.city.kobe.jp/", "city.kobe.jp"},
        DomainCase{"SuffixItself", "http://co.uk/", "co.uk"},
        DomainCase{"TopLevelItself", "http://com/", "com"},
        DomainCase{"UnknownSuffix", "http://www.films.example/",
                   "www.films.example"},
        DomainCase{"SingleLabel", "http://localhost:8080/x", "localhost"},
        DomainCase{"Ipv4", "http://192.168.10.1/x", "192.168.10.1"},
        DomainCase{"Ipv6", "http://[2001:db8::1.2.3.4]/",
                   "[2001:db8::102:304]"},
        DomainCase{"TrailingDot", "http://www.shop.com./", "shop.com"},
        DomainCase{"OnlyDot", "http://./", "."},
        DomainCase{"EmptyLabels", "http://a..com/", "a..com"},
        DomainCase{"International",
                   "http://www.b\xC3\xBC"
                   "cher.de/",
                   "xn--bcher-kva.de"},
        DomainCase{"InternationalSuffix", "http://www.shop.xn--55qx5d.cn/",
                   "shop.xn--55qx5d.cn"},
        DomainCase{"ManyLabels", kManyLabels, "a.com"},
        DomainCase{"NoHost", "mailto:a@b.com", ""},
        DomainCase{"Empty", "", ""}),
    [](const auto& info) { return std::string(info.param.label); });

struct SiteCase {
  std::string_view url;
  std::string_view host;
  std::string_view domain;
};

TEST(SiteOf, GoesByTheKey) {
  for (const SiteCase& site :
       {SiteCase{"http://www.shop.co.uk/", "www.shop.co.uk", "shop.co.uk"},
        SiteCase{"http://127.0.0.1/", "127.0.0.1", "127.0.0.1"},
        SiteCase{"no url", "-", "-"}}) {
    SCOPED_TRACE(site.url);
    EXPECT_EQ(SiteOf(site.url), site.host);
    EXPECT_EQ(SiteOf(site.url, SiteKey::kHost), site.host);
    EXPECT_EQ(SiteOf(site.url, SiteKey::kRegisteredDomain), site.domain);
  }
}

TEST(AbsoluteUrlTest, Table) {
  struct Case {
    const char* base;
    const char* reference;
    const char* absolute;
  };
  const Case kCases[] = {
      {"http://a.example/dir/page", "img/1.png",
       "http://a.example/dir/img/1.png"},
      {"http://a.example/dir/page", "../x?y#z", "http://a.example/x?y#z"},
      {"http://a.example/dir/page", " //b.example/1 ", "http://b.example/1"},
      {"http://a.example/dir/page", "HTTP://B.example/a b",
       "http://b.example/a%20b"},
      {"http://a.example/dir/page", "", "http://a.example/dir/page"},
      {"no url", "img/1.png", "img/1.png"},
      {"no url", "http://b.example/1", "http://b.example/1"},
      {"http://a.example/", "http://[", "http://["},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(AbsoluteUrl(c.base, c.reference), c.absolute) << c.reference;
  }
  const std::string huge(100000, 'x');
  EXPECT_EQ(AbsoluteUrl("http://a.example/", huge), huge);
  // Views that point nowhere; the sanitizers look on.
  EXPECT_EQ(AbsoluteUrl("http://a.example/b", {}), "http://a.example/b");
  EXPECT_EQ(AbsoluteUrl({}, {}), "");
  EXPECT_EQ(HostOf({}), "");
}

}  // namespace
}  // namespace trommel::url
