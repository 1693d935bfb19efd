#include "core/jsonl/page_line.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/time/time.h"
#include "core/base/status.h"

namespace trommel::jsonl {
namespace {

using nlohmann::json;

// Times outside the years 1 to 9999 are mistakes.
constexpr int64_t kMinTimeUs = -62135596800000000;
constexpr int64_t kMaxTimeUs = 253402300799999999;

absl::Status Wrong(std::string_view member, std::string_view expected) {
  return absl::InvalidArgumentError(
      StrCat("\"", member, "\" must be ", expected));
}

// The member, or null when it is absent.
const json& Member(const json& object, const char* name) {
  static const json* const kNull = new json();
  const auto found = object.find(name);
  return found == object.end() ? *kNull : *found;
}

absl::Status TakeString(json* object, const char* name, std::string* out) {
  const auto found = object->find(name);
  if (found == object->end() || found->is_null()) return absl::OkStatus();
  if (!found->is_string()) return Wrong(name, "a string");
  *out = std::move(found->get_ref<std::string&>());
  return absl::OkStatus();
}

absl::Status TakeTime(const json& object, PageLine* page) {
  const json& time = Member(object, "fetch_time");
  if (time.is_null()) return absl::OkStatus();
  if (time.is_number()) {
    const double micros = std::round(time.get<double>() * 1e6);
    if (micros >= static_cast<double>(kMinTimeUs) &&
        micros <= static_cast<double>(kMaxTimeUs)) {
      page->fetch_time_us = static_cast<int64_t>(micros);
      return absl::OkStatus();
    }
  } else if (time.is_string()) {
    page->fetch_time_us = ParseTimeUs(time.get_ref<const std::string&>());
    if (page->fetch_time_us.has_value()) return absl::OkStatus();
  }
  return Wrong("fetch_time", "an RFC 3339 time or seconds since 1970");
}

absl::Status TakeContent(json* object, PageLine* page) {
  const json& text = Member(*object, "content");
  const json& base64 = Member(*object, "content_base64");
  if (text.is_null() == base64.is_null()) {
    return absl::InvalidArgumentError(
        "exactly one of \"content\" and \"content_base64\" is needed");
  }
  if (!text.is_null()) {
    TROMMEL_RETURN_IF_ERROR(TakeString(object, "content", &page->content));
    page->charset = "utf-8";
    return absl::OkStatus();
  }
  if (!base64.is_string() ||
      !absl::Base64Unescape(base64.get_ref<const std::string&>(),
                            &page->content)) {
    return Wrong("content_base64", "a string in base64");
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<int64_t> ParseTimeUs(std::string_view text) {
  for (const char* format :
       {"%Y-%m-%d%ET%H:%M:%E*S%Ez", "%Y-%m-%d %H:%M:%E*S%Ez",
        "%Y-%m-%d%ET%H:%M:%E*S", "%Y-%m-%d %H:%M:%E*S", "%Y-%m-%d"}) {
    absl::Time time;
    if (absl::ParseTime(format, ToAbsl(text), &time, nullptr)) {
      const int64_t micros = absl::ToUnixMicros(time);
      if (micros < kMinTimeUs || micros > kMaxTimeUs) return std::nullopt;
      return micros;
    }
  }
  return std::nullopt;
}

absl::StatusOr<PageLine> ParsePageLine(std::string_view line) {
  json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return absl::InvalidArgumentError("not valid JSON in UTF-8");
  }
  if (!object.is_object()) {
    return absl::InvalidArgumentError("not a JSON object");
  }
  PageLine page;
  TROMMEL_RETURN_IF_ERROR(TakeString(&object, "url", &page.url));
  if (page.url.empty()) {
    return absl::InvalidArgumentError("\"url\" is missing");
  }
  TROMMEL_RETURN_IF_ERROR(
      TakeString(&object, "content_charset", &page.charset));
  TROMMEL_RETURN_IF_ERROR(
      TakeString(&object, "content_mime_type", &page.mime_type));
  TROMMEL_RETURN_IF_ERROR(TakeTime(object, &page));
  const json& status = Member(object, "fetch_status");
  if (status.is_number_integer()) {
    page.fetch_status = status.get<int64_t>();
    if (*page.fetch_status < 0 || *page.fetch_status > 999) {
      return Wrong("fetch_status", "an HTTP status code");
    }
  } else if (!status.is_null()) {
    return Wrong("fetch_status", "an integer");
  }
  TROMMEL_RETURN_IF_ERROR(TakeContent(&object, &page));
  return page;
}

}  // namespace trommel::jsonl
