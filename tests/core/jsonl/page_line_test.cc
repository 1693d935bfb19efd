#include "core/jsonl/page_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace trommel::jsonl {
namespace {

TEST(ParsePageLine, ReadsEveryMember) {
  const auto page = ParsePageLine(
      R"({"url":"http://a.example/\u00e9","content_base64":"PHA+/w==",)"
      R"("fetch_time":"2026-01-02T03:04:05.5Z","fetch_status":404,)"
      R"("content_charset":"latin1","content_mime_type":"text/html",)"
      R"("content_truncated":"length","x":[1]})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->url, "http://a.example/\xC3\xA9");
  EXPECT_EQ(page->content, "<p>\xFF");
  EXPECT_EQ(page->fetch_time_us, 1767323045500000);
  EXPECT_EQ(page->fetch_status, 404);
  EXPECT_EQ(page->charset, "latin1");
  EXPECT_EQ(page->mime_type, "text/html");
  EXPECT_EQ(page->truncated, "length");
}

TEST(ParsePageLine, TextContentIsUtf8WhateverTheCharsetSays) {
  const auto page = ParsePageLine(
      R"({"url":"u","content":"<p>é","content_charset":"latin1"})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->content, "<p>\xC3\xA9");
  EXPECT_EQ(page->charset, "utf-8");
}

TEST(ParsePageLine, IgnoresOtherMembersWhateverTheyHold) {
  const auto page = ParsePageLine(
      R"({"a":[1,[2,{"url":"no"}]],"b":{"content":7},"c":true,"url":"yes",)"
      R"("d":-1.5e3,"content":"x","e":null,"f":["fetch_status"]})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->url, "yes");
  EXPECT_EQ(page->content, "x");
}

TEST(ParsePageLine, NullIsAbsent) {
  const auto page = ParsePageLine(
      R"({"url":"u","content":"","fetch_time":null,"fetch_status":null})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->fetch_time_us, std::nullopt);
  EXPECT_EQ(page->fetch_status, std::nullopt);
}

struct ErrorCase {
  std::string_view label;
  std::string_view line;
  std::string_view message;  // part of it
};

// An ignored member that nests 100 levels deep.
const std::string kTooDeep = "{\"x\":" + std::string(100, '[') +
                             std::string(100, ']') +
                             ",\"url\":\"u\",\"content\":\"\"}";

class PageLineErrorTest : public testing::TestWithParam<ErrorCase> {};

TEST_P(PageLineErrorTest, NamesTheMember) {
  const auto page = ParsePageLine(GetParam().line);
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(page.status().message()),
              testing::HasSubstr(std::string(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Table, PageLineErrorTest,
    testing::Values(
        ErrorCase{"Empty", "", "not valid JSON"},
        ErrorCase{"Cut", R"({"url":"u")", "not valid JSON"},
        ErrorCase{"BadUtf8", "{\"url\":\"\xFF\"}", "not valid JSON"},
        ErrorCase{"LoneSurrogate", R"({"url":"\ud800"})", "not valid JSON"},
        ErrorCase{"Array", "[]", "not a JSON object"},
        ErrorCase{"Number", "1", "not a JSON object"},
        ErrorCase{"UrlObject", R"({"url":{},"content":"x"})", "\"url\""},
        ErrorCase{"TimeList", R"({"url":"u","content":"","fetch_time":[]})",
                  "fetch_time"},
        ErrorCase{"TooDeep", kTooDeep, "nested too deeply"},
        ErrorCase{"NoUrl", R"({"content":"x"})", "\"url\""},
        ErrorCase{"UrlNumber", R"({"url":1,"content":"x"})", "\"url\""},
        ErrorCase{"NoContent", R"({"url":"u"})", "\"content\""},
        ErrorCase{"BothContents",
                  R"({"url":"u","content":"x","content_base64":"eA=="})",
                  "exactly one"},
        ErrorCase{"BadBase64", R"({"url":"u","content_base64":"%"})", "base64"},
        ErrorCase{"BadTime", R"({"url":"u","content":"","fetch_time":"now"})",
                  "fetch_time"},
        ErrorCase{"HugeTime", R"({"url":"u","content":"","fetch_time":1e300})",
                  "fetch_time"},
        ErrorCase{"BadStatus", R"({"url":"u","content":"","fetch_status":"x"})",
                  "fetch_status"},
        ErrorCase{"HugeStatus",
                  R"({"url":"u","content":"","fetch_status":99999})",
                  "fetch_status"}),
    [](const auto& info) { return std::string(info.param.label); });

struct TimeCase {
  std::string_view label;
  std::string_view text;
  std::optional<int64_t> micros;
};

class ParseTimeUsTest : public testing::TestWithParam<TimeCase> {};

TEST_P(ParseTimeUsTest, Gives) {
  EXPECT_EQ(ParseTimeUs(GetParam().text), GetParam().micros);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ParseTimeUsTest,
    testing::Values(TimeCase{"Zulu", "1970-01-01T00:00:01Z", 1000000},
                    TimeCase{"Offset", "1970-01-01T01:00:00+01:00", 0},
                    TimeCase{"Naive", "1970-01-01T00:00:01", 1000000},
                    TimeCase{"Space", "1970-01-01 00:00:00.000001", 1},
                    TimeCase{"Date", "1970-01-02", int64_t{86400} * 1000000},
                    TimeCase{"Text", "yesterday", std::nullopt},
                    TimeCase{"Empty", "", std::nullopt},
                    TimeCase{"Infinite", "infinite-future", std::nullopt}),
    [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace trommel::jsonl
