#ifndef TROMMEL_CORE_ANNOTATION_RECORD_PLACES_H_
#define TROMMEL_CORE_ANNOTATION_RECORD_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/annotation/resolve.h"
#include "core/html/document.h"

namespace trommel::annotation {

// A value of one of several records of a page, with all places that say it.
struct RecordValue {
  int64_t record = 0;
  const ResolvedValue* resolved = nullptr;  // has places
  // The one that is the record's; null where the others leave none.
  const ValuePlace* place = nullptr;
};

struct RecordAttribute {
  bool is_repeated = false;
  std::vector<RecordValue> values;
};

// Chooses the places of all values that the records of one page have, by
// attribute: values of different records get different places, in the order of
// the records, and a record's values stand together.
void ChooseRecordPlaces(const html::Document& document,
                        std::vector<RecordAttribute>* attributes);

}  // namespace trommel::annotation

#endif  // TROMMEL_CORE_ANNOTATION_RECORD_PLACES_H_
