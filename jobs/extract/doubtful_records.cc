#include "jobs/extract/doubtful_records.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

namespace trommel::jobs::extract {
namespace {

nlohmann::ordered_json RecordJson(const proto::Schema& schema,
                                  const record::Record& record) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (int i = 0; i < schema.attribute_size(); ++i) {
    if (record.values(i).empty()) continue;
    values[schema.attribute(i).name()] = record.values(i);
  }
  nlohmann::ordered_json json;
  json["confidence"] = record.Confidence();
  json["values"] = std::move(values);
  return json;
}

}  // namespace

std::string DescribeDoubtful(
    const proto::Schema& schema,
    const std::vector<const record::Record*>& records) {
  nlohmann::ordered_json json = RecordJson(schema, *records[0]);
  for (size_t i = 1; i < records.size(); ++i) {
    json["others"].push_back(RecordJson(schema, *records[i]));
  }
  return json.dump(/*indent=*/-1, ' ', /*ensure_ascii=*/false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace trommel::jobs::extract
