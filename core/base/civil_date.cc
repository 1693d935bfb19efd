#include "core/base/civil_date.h"

namespace trommel {

bool ParseDate(const std::string& text, absl::CivilDay* day) {
  // FormatCivilTime() gives back only what is a date as people write it.
  return text.size() == 10 && absl::ParseCivilTime(text, day) &&
         absl::FormatCivilTime(*day) == text;
}

}  // namespace trommel
