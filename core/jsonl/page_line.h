#ifndef TROMMEL_CORE_JSONL_PAGE_LINE_H_
#define TROMMEL_CORE_JSONL_PAGE_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::jsonl {

// A crawled page as one line of JSON, with the names of the crawl's columns:
//
//   {"url":"http://a.example/1","content":"<html>…"}
//   {"url":"http://a.example/2","content_base64":"PGh0bWw+…",
//    "fetch_time":"2026-01-01T00:00:00Z","fetch_status":200,
//    "content_charset":"shift_jis","content_mime_type":"text/html",
//    "content_truncated":"length"}
//
// `url` and one of `content` (text) and `content_base64` (bytes) are required.
// Text arrives as UTF-8 whatever the page was, so its charset is utf-8.
// fetch_time is RFC 3339 (without a zone: UTC) or a number of seconds since
// 1970. Other members are ignored; null is the same as absent.
struct PageLine {
  std::string url;
  std::string content;
  std::optional<int64_t> fetch_time_us;
  std::optional<int64_t> fetch_status;
  std::string charset;
  std::string mime_type;
  std::string truncated;
};

// InvalidArgument says which member is missing or wrong.
absl::StatusOr<PageLine> ParsePageLine(std::string_view line);

// Microseconds since 1970 of an RFC 3339 time, date only allowed.
std::optional<int64_t> ParseTimeUs(std::string_view text);

}  // namespace trommel::jsonl

#endif  // TROMMEL_CORE_JSONL_PAGE_LINE_H_
