#ifndef TROMMEL_CORE_BASE_CIVIL_DATE_H_
#define TROMMEL_CORE_BASE_CIVIL_DATE_H_

#include <string>

#include "absl/time/civil_time.h"

namespace trommel {

// Reads a date written as YYYY-MM-DD; false for any other text, 2026-1-5 and
// 2026-02-30 among them.
bool ParseDate(const std::string& text, absl::CivilDay* day);

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_CIVIL_DATE_H_
