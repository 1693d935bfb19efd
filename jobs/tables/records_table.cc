#include "jobs/tables/records_table.h"

#include <arrow/type.h>

namespace trommel::jobs::tables {

std::shared_ptr<arrow::Schema> RecordsSchema(const proto::Schema& schema) {
  std::vector<std::shared_ptr<arrow::Field>> fields = {
      arrow::field("url", arrow::utf8(), false),
      arrow::field("site", arrow::utf8(), false),
      arrow::field("cluster_id", arrow::utf8(), false),
      arrow::field("rule_id", arrow::utf8(), false),
      arrow::field("record_index", arrow::int64(), false),
      arrow::field("fetch_time",
                   arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
      arrow::field("content_digest", arrow::utf8(), false),
      arrow::field("confidence", arrow::float64(), false),
      arrow::field("attribute_confidence", arrow::list(arrow::float64()),
                   false)};
  for (const proto::Attribute& attribute : schema.attribute()) {
    fields.push_back(arrow::field(
        attribute.name(),
        attribute.repeated() ? arrow::list(arrow::utf8()) : arrow::utf8()));
  }
  return arrow::schema(std::move(fields));
}

std::vector<std::string> RecordsPlainColumns() {
  return {"url", "content_digest"};
}

void BeginRecord(const RecordRow& record, io::RowWriter* table) {
  table->Text(record.url)
      .Text(record.site)
      .Text(record.cluster_id)
      .Text(record.rule_id)
      .Int64(record.record_index)
      .TimeOrNull(record.fetch_time_us)
      .Text(record.content_digest)
      .Double(record.confidence)
      .Doubles(record.attribute_confidence);
}

void WriteAttribute(const std::vector<std::string>& values, bool is_repeated,
                    io::RowWriter* table) {
  if (values.empty()) {
    table->Null();
  } else if (is_repeated) {
    table->Texts(values);
  } else {
    table->Text(values[0]);
  }
}

}  // namespace trommel::jobs::tables
