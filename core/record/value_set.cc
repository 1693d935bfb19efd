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

RecordValues NormalizedValues(const proto::Schema& schema,
                              const Record& record) {
  RecordValues values;
  for (int i = 0; i < schema.attribute_size(); ++i) {
    values.push_back(NormalizedValues(record.values(i)));
  }
  return values;
}

}  // namespace trommel::record
