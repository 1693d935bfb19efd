#include "core/warc/warc_record.h"

#include <chrono>
#include <cstddef>

#include "core/warc/ascii_internal.h"
#include "core/warc/media_type.h"

namespace trommel::warc {
namespace {

struct TypeName {
  WarcType type;
  std::string_view name;
};
constexpr TypeName kTypeNames[] = {
    {WarcType::kWarcinfo, "warcinfo"},
    {WarcType::kResponse, "response"},
    {WarcType::kResource, "resource"},
    {WarcType::kRequest, "request"},
    {WarcType::kMetadata, "metadata"},
    {WarcType::kRevisit, "revisit"},
    {WarcType::kConversion, "conversion"},
    {WarcType::kContinuation, "continuation"},
};

// Whole years of which a timestamp of nanoseconds in 64 bits holds every
// moment.
constexpr int kMinYear = 1678;
constexpr int kMaxYear = 2261;

// Takes exactly `digits` digits off the front.
bool TakeNumber(std::string_view* text, size_t digits, int* value) {
  if (text->size() < digits) return false;
  *value = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (!IsDigit((*text)[i])) return false;
    *value = 10 * *value + ((*text)[i] - '0');
  }
  text->remove_prefix(digits);
  return true;
}

bool TakeChar(std::string_view* text, char c) {
  if (text->empty() || text->front() != c) return false;
  text->remove_prefix(1);
  return true;
}

// Takes up to nine digits of a fraction of a second and gives milliseconds.
bool TakeFraction(std::string_view* text, int* milliseconds) {
  size_t digits = 0;
  *milliseconds = 0;
  while (digits < text->size() && IsDigit((*text)[digits])) {
    if (digits < 3) {
      *milliseconds = 10 * *milliseconds + ((*text)[digits] - '0');
    }
    ++digits;
  }
  if (digits == 0 || digits > 9) return false;
  for (size_t i = digits; i < 3; ++i) *milliseconds *= 10;
  text->remove_prefix(digits);
  return true;
}

}  // namespace

std::string_view ToString(WarcType type) {
  for (const TypeName& entry : kTypeNames) {
    if (entry.type == type) return entry.name;
  }
  return "other";
}

WarcType ParseWarcType(std::string_view text) {
  for (const TypeName& entry : kTypeNames) {
    if (EqualsIgnoreCase(entry.name, text)) return entry.type;
  }
  return WarcType::kOther;
}

void WarcRecord::Clear() {
  type = WarcType::kOther;
  target_uri.clear();
  date_ms.reset();
  content_type.clear();
  truncated = {};
  block.clear();
  offset = 0;
}

bool IsHttpResponse(const WarcRecord& record) {
  if (record.type != WarcType::kResponse) return false;
  if (record.content_type.empty()) {
    return StartsWithIgnoreCase(record.block, "HTTP/");
  }
  if (ParseMediaType(record.content_type).mime_type != "application/http") {
    return false;
  }
  return !absl::StrContains(Lower(record.content_type), "msgtype=request");
}

std::string_view ParseWarcTruncated(std::string_view text) {
  if (text.empty()) return {};
  for (const std::string_view reason : {"length", "time", "disconnect"}) {
    if (EqualsIgnoreCase(text, reason)) return reason;
  }
  return kTruncatedUnspecified;
}

std::optional<int64_t> ParseWarcDate(std::string_view text) {
  int year = 0, month = 1, day = 1;
  int hour = 0, minute = 0, second = 0, millisecond = 0;
  bool ok = TakeNumber(&text, 4, &year);
  if (ok && TakeChar(&text, '-')) {
    ok = TakeNumber(&text, 2, &month);
    if (ok && TakeChar(&text, '-')) {
      ok = TakeNumber(&text, 2, &day);
      if (ok && (TakeChar(&text, 'T') || TakeChar(&text, 't'))) {
        ok = TakeNumber(&text, 2, &hour) && TakeChar(&text, ':') &&
             TakeNumber(&text, 2, &minute);
        if (ok && TakeChar(&text, ':')) {
          ok = TakeNumber(&text, 2, &second);
          if (ok && TakeChar(&text, '.'))
            ok = TakeFraction(&text, &millisecond);
        }
        ok = ok && (TakeChar(&text, 'Z') || TakeChar(&text, 'z'));
      }
    }
  }
  // 60 is a leap second, which UTC in POSIX counts as the next one.
  if (!ok || !text.empty() || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{
      std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
      std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < kMinYear || year > kMaxYear) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute) * 60'000 + second * 1000 +
         millisecond;
}

}  // namespace trommel::warc
