#include "core/record/value_set.h"

#include "core/base/characters.h"
#include "core/base/text.h"

namespace trommel::record {

ValueSet NormalizedValues(const std::vector<std::string>& values) {
  ValueSet set;
  for (const std::string& value : values) {
    if (!IsBlankValue(value)) set.insert(NormalizeSpace(value));
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
