#include "jobs/page/admission.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trommel::jobs::page {
namespace {

constexpr char kHtml[] = "<html><p>page</html>";
constexpr std::string_view kPng = "\x89PNG\r\n\x1A\n";

TEST(WhyRejected, Table) {
  AdmissionFlags usual;
  usual.max_page_bytes = 100;
  AdmissionFlags whole_only = usual;
  whole_only.truncated = kRejectTruncated;
  const std::string large(101, 'x');
  struct Case {
    std::string label;
    io::CrawlPage page;
    AdmissionFlags flags;
    std::string reason;  // empty: it is looked at
    bool is_bad = false;
  };
  const std::vector<Case> cases = {
      {"nothing is known", {.content = kHtml}, usual, ""},
      {"all is well",
       {.content = kHtml, .fetch_status = 200, .mime_type = "text/html"},
       usual,
       ""},
      {"XHTML with a charset",
       {.content = kHtml, .mime_type = "application/xhtml+xml; charset=x"},
       usual,
       ""},
      {"redirect", {.fetch_status = 301}, usual, "fetch_status"},
      {"error", {.content = kHtml, .fetch_status = 404}, usual, "fetch_status"},
      {"image", {.content = kPng, .mime_type = "image/png"}, usual, "not_html"},
      {"image without a type", {.content = kPng}, usual, "not_html"},
      {"image that calls itself HTML",
       {.content = kPng, .mime_type = "text/html"},
       usual,
       ""},
      {"words without a type", {.content = "words"}, usual, ""},
      {"nothing without a type", {.content = ""}, usual, ""},
      {"truncated", {.content = kHtml, .truncated = "length"}, usual, ""},
      {"truncated and not wanted",
       {.content = kHtml, .truncated = "length"},
       whole_only,
       "truncated"},
      {"whole, others not wanted", {.content = kHtml}, whole_only, ""},
      {"too large", {.content = large}, usual, "too_large", true},
      {"a large image",
       {.content = large, .mime_type = "image/png"},
       usual,
       "not_html"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    io::CrawlPage page = c.page;
    page.url = "http://a.example/";
    const std::optional<Rejection> rejection = WhyRejected(page, c.flags);
    EXPECT_EQ(rejection.has_value() ? rejection->reason : "", c.reason);
    if (rejection.has_value()) {
      EXPECT_EQ(rejection->is_bad, c.is_bad);
    }
  }
}

TEST(WhyRejected, APageWithoutAUrlIsBad) {
  const std::optional<Rejection> rejection =
      WhyRejected({.content = kHtml, .fetch_status = 404}, AdmissionFlags());
  ASSERT_TRUE(rejection.has_value());
  EXPECT_EQ(rejection->reason, kNoUrl);
  EXPECT_TRUE(rejection->is_bad);
}

}  // namespace
}  // namespace trommel::jobs::page
