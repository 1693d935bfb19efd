#ifndef TROMMEL_CORE_RECORD_RECORD_H_
#define TROMMEL_CORE_RECORD_RECORD_H_

// What was found on a page: one word for it from the rule that finds it to the
// tables, tests and reports that tell of it.
//
//   for (const record::Record& found : extractor.Extract(document, url)) {
//     if (!record::CheckComplete(schema, found).IsRecord()) continue;
//     for (const std::string& title : found.values(0)) ...
//   }

#include <cstddef>
#include <string>
#include <vector>

#include "proto/record.pb.h"
#include "proto/schema.pb.h"

namespace trommel::record {

// The values of one attribute of a record, with what is known of them.
struct AttributeValues {
  // White space is normalised, entities are decoded, links are absolute; in
  // document order. At most one where the attribute is not repeated.
  std::vector<std::string> values;
  // The estimated probability that they are right; 0 without values.
  double confidence = 0;
  // Which part of the rule's program found them, by its number among the parts
  // for this attribute; -1 where none did or nobody remembers.
  int part = -1;
  // Whether only evidence weaker than the program's best found them: they may
  // be something else.
  bool is_weak = false;

  friend bool operator==(const AttributeValues&,
                         const AttributeValues&) = default;
};

// A record by attribute of its schema, in the schema's order.
struct Record {
  std::vector<AttributeValues> attributes;

  Record() = default;
  explicit Record(const proto::Schema& schema)
      : attributes(static_cast<size_t>(schema.attribute_size())) {}

  friend bool operator==(const Record&, const Record&) = default;

  // The values of an attribute by its place in the schema; none where the
  // record ends before it.
  const std::vector<std::string>& values(int place) const;
  // The least over the attributes that have values; 0 without any.
  double Confidence() const;
};

// Whether a record is one: it has every mandatory attribute and at least one
// value.
struct Completeness {
  bool has_values = false;
  // The first attribute that the record must have and has not; null when there
  // is none. Refers to the schema.
  const proto::Attribute* missing = nullptr;

  bool IsRecord() const { return has_values && missing == nullptr; }
};
// `expected`, where it is given, are the attributes, by place, that a record
// must have if the schema says of none that it is mandatory. Whoever tries a
// rule on pages that it was not made for expects all that the rule can extract.
Completeness CheckComplete(const proto::Schema& schema, const Record& record,
                           const std::vector<bool>& expected = {});

// Whether any of them is complete.
bool HasRecord(const proto::Schema& schema, const std::vector<Record>& records);
// Those that are complete, in their order.
std::vector<Record> CompleteRecords(const proto::Schema& schema,
                                    std::vector<Record> records);

// Takes the values of these attributes, by name, out of all of them.
void LeaveOut(const proto::Schema& schema,
              const google::protobuf::RepeatedPtrField<std::string>& names,
              std::vector<Record>* records);

// The values of an attribute in all of them, by place.
std::vector<std::string> AllValues(const std::vector<Record>& records,
                                   int place);

// The stored form. Attributes that the schema does not have are left out when
// it is read, so a record outlives a change of its schema.
proto::Record ToProto(const proto::Schema& schema, const Record& record);
Record FromProto(const proto::Schema& schema, const proto::Record& stored);
proto::PageRecords ToProto(const proto::Schema& schema, const std::string& url,
                           const std::vector<Record>& records);
std::vector<Record> FromProto(const proto::Schema& schema,
                              const proto::PageRecords& stored);

}  // namespace trommel::record

#endif  // TROMMEL_CORE_RECORD_RECORD_H_
