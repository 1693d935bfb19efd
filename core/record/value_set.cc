#include "core/record/value_set.h"

#include <utility>

#include "core/base/text.h"

namespace trommel::record {

ValueSet NormalizedValues(const std::vector<std::string>& values) {
  ValueSet set;
  for (const std::string& value : values) {
    std::string normalized = NormalizeSpace(value);
    if (!normalized.empty()) set.insert(std::move(normalized));
  }
  return set;
}

}  // namespace trommel::record
