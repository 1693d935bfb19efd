#ifndef TROMMEL_TESTS_TESTING_RECORDS_H_
#define TROMMEL_TESTS_TESTING_RECORDS_H_

#include <string>
#include <utility>
#include <vector>

#include "core/record/record.h"

namespace trommel::testing_support {

// Values by attribute, as tests write them down.
using FieldLists = std::vector<std::vector<std::string>>;

inline record::Record RecordOf(const FieldLists& values) {
  record::Record record;
  for (const std::vector<std::string>& list : values) {
    record.attributes.emplace_back().values = list;
  }
  return record;
}

inline FieldLists ListsOf(const record::Record& record) {
  FieldLists lists;
  for (const record::AttributeValues& attribute : record.attributes) {
    lists.push_back(attribute.values);
  }
  return lists;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_RECORDS_H_
