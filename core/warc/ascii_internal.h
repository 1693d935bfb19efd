#ifndef TROMMEL_CORE_WARC_ASCII_INTERNAL_H_
#define TROMMEL_CORE_WARC_ASCII_INTERNAL_H_

// Abseil's ASCII helpers for std::string_view; see core/base/strings.h.

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "core/base/strings.h"

namespace trommel::warc {

inline std::string_view Trim(std::string_view text) {
  return ToStd(absl::StripAsciiWhitespace(ToAbsl(text)));
}
inline std::string_view TrimLeft(std::string_view text) {
  return ToStd(absl::StripLeadingAsciiWhitespace(ToAbsl(text)));
}
inline std::string_view TrimRight(std::string_view text) {
  return ToStd(absl::StripTrailingAsciiWhitespace(ToAbsl(text)));
}
inline bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(ToAbsl(a), ToAbsl(b));
}
inline bool StartsWithIgnoreCase(std::string_view text,
                                 std::string_view prefix) {
  return absl::StartsWithIgnoreCase(ToAbsl(text), ToAbsl(prefix));
}
inline std::string Lower(std::string_view text) {
  return absl::AsciiStrToLower(ToAbsl(text));
}
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_ASCII_INTERNAL_H_
