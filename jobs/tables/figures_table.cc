#include "jobs/tables/figures_table.h"

#include <arrow/type.h>

#include <vector>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {

bool EndsPage(std::string_view event) {
  return event != kMatchedEvent && event != kRecordsEvent &&
         event != kIncompleteRecordsEvent && event != kDoubtfulRecordsEvent &&
         event.substr(0, kFilledEventPrefix.size()) != kFilledEventPrefix;
}

std::shared_ptr<arrow::Schema> FiguresSchema() {
  return arrow::schema({arrow::field("site", arrow::utf8(), false),
                        arrow::field("rule_id", arrow::utf8(), false),
                        arrow::field("event", arrow::utf8(), false),
                        arrow::field("count", arrow::int64(), false)});
}

void Figures::Add(std::string_view site, std::string_view rule_id,
                  std::string_view event, int64_t count) {
  counts_[Key(site, rule_id, event)] += count;
}

absl::Status Figures::Read(const io::Path& table) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(table));
  if (entry.kind == io::EntryKind::kNone) return absl::OkStatus();
  return io::VisitRows(table,
                       {{"site", io::ColumnType::kBytes},
                        {"rule_id", io::ColumnType::kBytes},
                        {"event", io::ColumnType::kBytes},
                        {"count", io::ColumnType::kInt64}},
                       [&](const io::Row& row) {
                         Add(row.bytes(0), row.bytes(1), row.bytes(2),
                             row.int64(3));
                         return absl::OkStatus();
                       });
}

absl::Status Figures::Write(io::RowWriter* table) const {
  for (const auto& [key, count] : counts_) {
    table->Text(std::get<0>(key))
        .Text(std::get<1>(key))
        .Text(std::get<2>(key))
        .Int64(count);
    TROMMEL_RETURN_IF_ERROR(table->EndRow());
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::tables
