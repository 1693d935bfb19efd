#ifndef TROMMEL_CORE_WARC_WARC_RECORD_H_
#define TROMMEL_CORE_WARC_WARC_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trommel::warc {

// The values of WARC-Type (ISO 28500:2017, section 6); kOther for any other,
// and for a record that does not say.
enum class WarcType {
  kOther,
  kWarcinfo,
  kResponse,
  kResource,
  kRequest,
  kMetadata,
  kRevisit,
  kConversion,
  kContinuation,
};

// "response" and so on; "other" for kOther.
std::string_view ToString(WarcType type);
WarcType ParseWarcType(std::string_view text);  // in any case

// One record of an archive. Absent fields are empty.
struct WarcRecord {
  WarcType type = WarcType::kOther;
  std::string target_uri;  // WARC-Target-URI without angle brackets
  // WARC-Date in milliseconds since 1970 UTC; absent if missing or malformed.
  std::optional<int64_t> date_ms;
  std::string content_type;  // of the block, as written
  // Why the crawler cut the block, which is otherwise well formed, as
  // ParseWarcTruncated() says; empty if it did not.
  std::string_view truncated;
  std::string block;
  // Where the record begins in the file. In a compressed file, where the frame
  // (gzip member, Zstandard frame) begins that holds its first byte, or, if
  // frames do not begin with records, an earlier one that does.
  uint64_t offset = 0;

  // Empties the record and keeps its memory.
  void Clear();
};

// Whether the block is an HTTP response for ParseHttpResponse(): a response
// record of type application/http whose msgtype is not "request", or one
// without a type whose block begins as a response does. Records of type
// kResource hold the page itself, of the record's content_type.
bool IsHttpResponse(const WarcRecord& record);

// The reason that a WARC-Truncated field gives: "length", "time", "disconnect"
// or, for any other value, kTruncatedUnspecified (ISO 28500:2017, section
// 5.13). Empty for an empty one.
inline constexpr std::string_view kTruncatedUnspecified = "unspecified";
std::string_view ParseWarcTruncated(std::string_view text);

// Milliseconds since 1970 UTC of a WARC-Date: YYYY-MM-DDThh:mm:ss[.f]Z with up
// to nine fractional digits, or with the end left out as ISO 28500:2017 allows
// (YYYY, YYYY-MM, YYYY-MM-DD, YYYY-MM-DDThh:mmZ), which means the start of that
// period. Digits below the millisecond are dropped. A time outside the years
// 1678 to 2261 is a mistake, and nothing: a timestamp of nanoseconds, as many
// readers of tables have it, holds no other.
std::optional<int64_t> ParseWarcDate(std::string_view text);

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_WARC_RECORD_H_
