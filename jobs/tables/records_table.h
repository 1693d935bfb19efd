#ifndef TROMMEL_JOBS_TABLES_RECORDS_TABLE_H_
#define TROMMEL_JOBS_TABLES_RECORDS_TABLE_H_

// The records of a schema, as `trommel extract` writes them: one row per
// record. Where they are: jobs/tables/extract_output.h.
//
//   url              string
//   site             string
//   cluster_id       string
//   rule_id          string, cluster_id@ and 12 hex digits (core/rule/rule.h)
//   record_index     int64, of the records of a page, from 0
//   fetch_time       timestamp, UTC; null when unknown
//   content_digest   string, 32 hex digits (core/base/hash.h)
//   confidence       double, 0 to 1
//   attribute_confidence
//                    list<double>, 0 to 1: one per attribute of the schema, in
//                    its order; 0 where the page has no value
//   and by attribute of the schema, in its order: string, or list<string> where
//   it is repeated; null where the page has no value

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "mapreduce/io/row_writer.h"
#include "proto/schema.pb.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::tables {

struct RecordRow {
  std::string_view url;
  std::string_view site;
  std::string_view cluster_id;
  std::string_view rule_id;
  int64_t record_index = 0;
  std::optional<int64_t> fetch_time_us;
  std::string_view content_digest;
  double confidence = 0;
  std::vector<double> attribute_confidence;  // one per attribute
};

std::shared_ptr<arrow::Schema> RecordsSchema(const proto::Schema& schema);
// Columns of long unique values.
std::vector<std::string> RecordsPlainColumns();

// The fixed columns; the caller goes on with one value per attribute, and ends
// the row.
void BeginRecord(const RecordRow& record, io::RowWriter* table);
// The value of an attribute, of which it has none, one or, if it is repeated,
// several.
void WriteAttribute(const std::vector<std::string>& values, bool is_repeated,
                    io::RowWriter* table);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_RECORDS_TABLE_H_
