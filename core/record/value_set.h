#ifndef TROMMEL_CORE_RECORD_VALUE_SET_H_
#define TROMMEL_CORE_RECORD_VALUE_SET_H_

#include <set>
#include <string>
#include <vector>

#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::record {

// Values in the form in which they are compared, wherever two records are:
// white space normalised, and as a set. The order of a repeated attribute's
// values, such as a film's genres, belongs to the page's design and changes
// with it; a value that stands on the page twice is one value. Neither makes a
// record wrong.
using ValueSet = std::set<std::string>;

// Leaves out values of nothing but white space.
ValueSet NormalizedValues(const std::vector<std::string>& values);

// A record as it is compared: the values of each attribute of the schema.
using RecordValues = std::vector<ValueSet>;
RecordValues NormalizedValues(const proto::Schema& schema,
                              const Record& record);

}  // namespace trommel::record

#endif  // TROMMEL_CORE_RECORD_VALUE_SET_H_
