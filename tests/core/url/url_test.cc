#include "core/url/url.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace trommel {
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

}  // namespace
}  // namespace trommel
