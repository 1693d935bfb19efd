#ifndef TROMMEL_CORE_BASE_JSON_LINES_H_
#define TROMMEL_CORE_BASE_JSON_LINES_H_

// Files with a JSON object on each line, for structs with fields
// (json_fields.h).

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/json_fields.h"
#include "core/base/strings.h"

namespace trommel {

// The objects of a file that has one on each line; empty lines are passed over.
// The error names file and line, and says `what` the line is not:
// "status.jsonl:3: not the status of a cluster: ...".
template <typename T>
absl::StatusOr<std::vector<T>> FromJsonLines(std::string_view text,
                                             std::string_view file,
                                             std::string_view what) {
  std::vector<T> values;
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    absl::StatusOr<T> value = FromJsonText<T>(line);
    if (!value.ok()) {
      return absl::Status(value.status().code(),
                          StrCat(file, ":", number, ": not ", what, ": ",
                                 std::string(value.status().message())));
    }
    values.push_back(*std::move(value));
  }
  return values;
}

template <typename T>
std::string ToJsonLines(const std::vector<T>& values) {
  std::string lines;
  for (const T& value : values) {
    StrAppend(&lines, JsonLineText(ToJson(value)), "\n");
  }
  return lines;
}

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_JSON_LINES_H_
