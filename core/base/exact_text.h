#ifndef TROMMEL_CORE_BASE_EXACT_TEXT_H_
#define TROMMEL_CORE_BASE_EXACT_TEXT_H_

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"

namespace trommel {

// A number with as many digits as it takes to be read as the same number, but
// six at least: "0.1", "0.0001", "0.9999999". StrCat() keeps just six.
inline std::string ExactText(double value) {
  constexpr int kMostDigits = 17;  // enough for any
  for (int digits = 6; digits < kMostDigits; ++digits) {
    const std::string text = absl::StrFormat("%.*g", digits, value);
    double read = 0;
    if (absl::SimpleAtod(text, &read) && read == value) return text;
  }
  return absl::StrFormat("%.*g", kMostDigits, value);
}

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_EXACT_TEXT_H_
