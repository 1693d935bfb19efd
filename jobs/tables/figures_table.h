#ifndef TROMMEL_JOBS_TABLES_FIGURES_TABLE_H_
#define TROMMEL_JOBS_TABLES_FIGURES_TABLE_H_

// What became of the pages of each site and rule, as a table:
//
//   site      string
//   rule_id   string; empty for what happened before a rule was found
//   event     string: "matched", "extracted", "skipped" or the reason of a
//             reject, which count pages; "records", "incomplete_records",
//             "doubtful_records" or "filled.ATTRIBUTE", which count records
//   count     int64
//
// Every task writes its own counts; Figures::Read() adds them up.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::tables {

inline constexpr std::string_view kMatchedEvent = "matched";
inline constexpr std::string_view kExtractedEvent = "extracted";
inline constexpr std::string_view kSkippedEvent = "skipped";
inline constexpr std::string_view kRecordsEvent = "records";
inline constexpr std::string_view kIncompleteRecordsEvent =
    "incomplete_records";
inline constexpr std::string_view kDoubtfulRecordsEvent = "doubtful_records";
inline constexpr std::string_view kFilledEventPrefix = "filled.";

// Whether the event is how a page ends: as records, skipped, or as a reject for
// the reason that the event names. Every page has one such event.
bool EndsPage(std::string_view event);

std::shared_ptr<arrow::Schema> FiguresSchema();

class Figures {
 public:
  void Add(std::string_view site, std::string_view rule_id,
           std::string_view event, int64_t count = 1);
  // Adds the rows of a table; fine if there is none.
  absl::Status Read(const io::Path& table);
  // In the order of their columns.
  absl::Status Write(io::RowWriter* table) const;

  using Key = std::tuple<std::string, std::string, std::string>;
  const std::map<Key, int64_t>& counts() const { return counts_; }

 private:
  std::map<Key, int64_t> counts_;
};

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_FIGURES_TABLE_H_
