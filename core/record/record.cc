#include "core/record/record.h"

#include <algorithm>

#include "core/schema/schema.h"

namespace trommel::record {

const std::vector<std::string>& Record::values(int place) const {
  static const std::vector<std::string> kNone;
  const auto i = static_cast<size_t>(place);
  return i < attributes.size() ? attributes[i].values : kNone;
}

double Record::Confidence() const {
  double least = 1;
  bool has_values = false;
  for (const AttributeValues& attribute : attributes) {
    if (attribute.values.empty()) continue;
    has_values = true;
    least = std::min(least, attribute.confidence);
  }
  return has_values ? least : 0;
}

Completeness CheckComplete(const proto::Schema& schema, const Record& record,
                           const std::vector<bool>& expected) {
  Completeness result;
  const bool is_expectation_used =
      !expected.empty() && !schema::HasMandatory(schema);
  for (int i = 0; i < schema.attribute_size(); ++i) {
    if (!record.values(i).empty()) {
      result.has_values = true;
      continue;
    }
    const bool is_asked =
        schema.attribute(i).mandatory() ||
        (is_expectation_used && expected[static_cast<size_t>(i)]);
    if (is_asked && result.missing == nullptr) {
      result.missing = &schema.attribute(i);
    }
  }
  return result;
}

bool HasRecord(const proto::Schema& schema,
               const std::vector<Record>& records) {
  return std::any_of(records.begin(), records.end(), [&](const Record& record) {
    return CheckComplete(schema, record).IsRecord();
  });
}

std::vector<Record> CompleteRecords(const proto::Schema& schema,
                                    std::vector<Record> records) {
  std::erase_if(records, [&](const Record& record) {
    return !CheckComplete(schema, record).IsRecord();
  });
  return records;
}

void LeaveOut(const proto::Schema& schema,
              const google::protobuf::RepeatedPtrField<std::string>& names,
              std::vector<Record>* records) {
  if (names.empty()) return;
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const size_t place = static_cast<size_t>(i);
    if (std::find(names.begin(), names.end(), schema.attribute(i).name()) ==
        names.end()) {
      continue;
    }
    for (Record& record : *records) {
      if (place < record.attributes.size()) record.attributes[place] = {};
    }
  }
}

std::vector<std::string> AllValues(const std::vector<Record>& records,
                                   int place) {
  std::vector<std::string> all;
  for (const Record& record : records) {
    const std::vector<std::string>& values = record.values(place);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

proto::Record ToProto(const proto::Schema& schema, const Record& record) {
  proto::Record stored;
  for (int i = 0; i < schema.attribute_size(); ++i) {
    if (record.values(i).empty()) continue;
    const AttributeValues& attribute =
        record.attributes[static_cast<size_t>(i)];
    proto::AttributeValues* const added = stored.add_attribute();
    added->set_name(schema.attribute(i).name());
    for (const std::string& value : attribute.values) added->add_value(value);
    added->set_confidence(attribute.confidence);
    added->set_is_weak(attribute.is_weak);
  }
  return stored;
}

Record FromProto(const proto::Schema& schema, const proto::Record& stored) {
  Record record(schema);
  for (const proto::AttributeValues& attribute : stored.attribute()) {
    for (int i = 0; i < schema.attribute_size(); ++i) {
      if (schema.attribute(i).name() != attribute.name()) continue;
      AttributeValues& values = record.attributes[static_cast<size_t>(i)];
      values.values.assign(attribute.value().begin(), attribute.value().end());
      values.confidence = attribute.confidence();
      values.is_weak = attribute.is_weak();
    }
  }
  return record;
}

proto::PageRecords ToProto(const proto::Schema& schema, const std::string& url,
                           const std::vector<Record>& records) {
  proto::PageRecords stored;
  stored.set_url(url);
  for (const Record& record : records) {
    *stored.add_record() = ToProto(schema, record);
  }
  return stored;
}

std::vector<Record> FromProto(const proto::Schema& schema,
                              const proto::PageRecords& stored) {
  std::vector<Record> records;
  for (const proto::Record& record : stored.record()) {
    records.push_back(FromProto(schema, record));
  }
  return records;
}

}  // namespace trommel::record
