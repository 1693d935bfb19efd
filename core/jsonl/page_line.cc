#include "core/jsonl/page_line.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/time/time.h"
#include "core/base/status.h"

namespace trommel::jsonl {
namespace {

// Times outside the years 1 to 9999 are mistakes.
constexpr int64_t kMinTimeUs = -62135596800000000;
constexpr int64_t kMaxTimeUs = 253402300799999999;
// Members that nobody asked for may nest this deep.
constexpr int kMaxDepth = 64;

absl::Status Wrong(std::string_view member, std::string_view expected) {
  return absl::InvalidArgumentError(
      StrCat("\"", member, "\" must be ", expected));
}

// Takes the members of a page out of the stream of JSON events and builds
// nothing of the others, however large they are.
class PageHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  // What kept the line from being a page, beyond broken JSON.
  const absl::Status& status() const { return status_; }

  absl::StatusOr<PageLine> Finish() {
    if (page_.url.empty()) {
      return absl::InvalidArgumentError("\"url\" is missing");
    }
    if (has_text_ == has_base64_) {
      return absl::InvalidArgumentError(
          "exactly one of \"content\" and \"content_base64\" is needed");
    }
    if (has_text_) page_.charset = "utf-8";
    return std::move(page_);
  }

  bool null() override { return true; }
  bool boolean(bool) override { return Value(); }
  bool binary(binary_t&) override { return Value(); }

  bool number_integer(number_integer_t value) override {
    if (AtMember("fetch_status")) return TakeStatus(value);
    if (AtMember("fetch_time")) return TakeTime(static_cast<double>(value));
    return Value();
  }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr number_unsigned_t kLarge = 1000000000000000000;
    return number_integer(
        static_cast<number_integer_t>(std::min(value, kLarge)));
  }
  bool number_float(number_float_t value, const string_t&) override {
    if (AtMember("fetch_time")) return TakeTime(value);
    return Value();
  }

  bool string(string_t& value) override {
    if (depth_ != 1) return true;
    if (key_ == "url") {
      page_.url = std::move(value);
    } else if (key_ == "content") {
      page_.content = std::move(value);
      has_text_ = true;
    } else if (key_ == "content_base64") {
      if (!absl::Base64Unescape(value, &page_.content)) {
        return Fail(Wrong(key_, "a string in base64"));
      }
      has_base64_ = true;
    } else if (key_ == "content_charset") {
      page_.charset = std::move(value);
    } else if (key_ == "content_mime_type") {
      page_.mime_type = std::move(value);
    } else if (key_ == "content_truncated") {
      page_.truncated = std::move(value);
    } else if (key_ == "fetch_time") {
      page_.fetch_time_us = ParseTimeUs(value);
      if (!page_.fetch_time_us.has_value()) return FailTime();
    } else {
      return Value();
    }
    return true;
  }

  bool key(string_t& name) override {
    if (depth_ == 1) key_ = std::move(name);
    return true;
  }
  bool start_object(size_t) override { return Open(); }
  bool start_array(size_t) override {
    if (depth_ == 0) return NotAnObject();
    return Open();
  }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool parse_error(size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return Fail(absl::InvalidArgumentError("not valid JSON in UTF-8"));
  }

 private:
  bool AtMember(std::string_view name) const {
    return depth_ == 1 && key_ == name;
  }

  bool Fail(absl::Status status) {
    if (status_.ok()) status_ = std::move(status);
    return false;
  }
  bool FailTime() {
    return Fail(Wrong("fetch_time", "an RFC 3339 time or seconds since 1970"));
  }
  bool NotAnObject() {
    return Fail(absl::InvalidArgumentError("not a JSON object"));
  }

  bool Open() {
    if (depth_ == 1 && !Value()) return false;
    if (++depth_ > kMaxDepth) {
      return Fail(absl::InvalidArgumentError("nested too deeply"));
    }
    return true;
  }
  bool Close() {
    --depth_;
    return true;
  }

  // A value of a kind that none of our members has in this place.
  bool Value() {
    if (depth_ == 0) return NotAnObject();
    if (depth_ > 1) return true;
    if (key_ == "fetch_status") return Fail(Wrong(key_, "an integer"));
    if (key_ == "fetch_time") return FailTime();
    for (const std::string_view name :
         {"url", "content", "content_base64", "content_charset",
          "content_mime_type", "content_truncated"}) {
      if (key_ == name) return Fail(Wrong(name, "a string"));
    }
    return true;
  }

  bool TakeStatus(int64_t value) {
    if (value < 0 || value > 999) {
      return Fail(Wrong("fetch_status", "an HTTP status code"));
    }
    page_.fetch_status = value;
    return true;
  }

  bool TakeTime(double seconds) {
    const double micros = std::round(seconds * 1e6);
    if (!(micros >= static_cast<double>(kMinTimeUs) &&
          micros <= static_cast<double>(kMaxTimeUs))) {
      return FailTime();
    }
    page_.fetch_time_us = static_cast<int64_t>(micros);
    return true;
  }

  PageLine page_;
  absl::Status status_;
  std::string key_;
  int depth_ = 0;
  bool has_text_ = false;
  bool has_base64_ = false;
};

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
  PageHandler handler;
  if (!nlohmann::json::sax_parse(line, &handler)) {
    return handler.status().ok()
               ? absl::InvalidArgumentError("not valid JSON in UTF-8")
               : handler.status();
  }
  return handler.Finish();
}

}  // namespace trommel::jsonl
