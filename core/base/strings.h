#ifndef TROMMEL_CORE_BASE_STRINGS_H_
#define TROMMEL_CORE_BASE_STRINGS_H_

// Debian builds abseil for C++14, where absl::string_view is a type of its own
// that does not convert to or from std::string_view. trommel's own interfaces
// use std::string_view; these helpers stand at the border.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace trommel {

inline absl::string_view ToAbsl(std::string_view text) {
  return absl::string_view(text.data(), text.size());
}

inline std::string_view ToStd(absl::string_view text) {
  return std::string_view(text.data(), text.size());
}

namespace strings_internal {

template <typename T>
decltype(auto) ForAbsl(const T& value) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return ToAbsl(value);
  } else {
    return (value);
  }
}

}  // namespace strings_internal

// absl::StrCat and absl::StrAppend that take std::string_view as well.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  return absl::StrCat(strings_internal::ForAbsl(parts)...);
}

template <typename... Parts>
void StrAppend(std::string* out, const Parts&... parts) {
  absl::StrAppend(out, strings_internal::ForAbsl(parts)...);
}

// "1 page", "2 pages": for messages to people.
inline std::string Counted(int64_t count, std::string_view noun) {
  return StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "1,234,567", and "1,234 pages".
inline std::string Grouped(int64_t value) {
  std::string digits = StrCat(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}
inline std::string GroupedCount(int64_t count, std::string_view noun) {
  return StrCat(Grouped(count), " ", noun, count == 1 ? "" : "s");
}

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_STRINGS_H_
