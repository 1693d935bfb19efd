#ifndef TROMMEL_JOBS_EVAL_CELLS_H_
#define TROMMEL_JOBS_EVAL_CELLS_H_

// A share that there may be none of, as JSON and as text.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"

namespace trommel::jobs::eval_job {

inline nlohmann::ordered_json Number(const std::optional<double>& value) {
  return value.has_value() ? nlohmann::ordered_json(*value)
                           : nlohmann::ordered_json(nullptr);
}

// "0.9876", or a dash.
inline std::string Cell(const std::optional<double>& value) {
  return value.has_value() ? absl::StrFormat("%.4f", *value) : "-";
}

}  // namespace trommel::jobs::eval_job

#endif  // TROMMEL_JOBS_EVAL_CELLS_H_
