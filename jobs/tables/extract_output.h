#ifndef TROMMEL_JOBS_TABLES_EXTRACT_OUTPUT_H_
#define TROMMEL_JOBS_TABLES_EXTRACT_OUTPUT_H_

// Where an output of `trommel extract` has what:
//
//   records/schema=NAME/part-*.parquet   (jobs/tables/records_table.h)
//   rejects/part-*.parquet               (mapreduce/task/attempt.h)
//   figures/part-*.parquet               (jobs/tables/figures_table.h)
//   _SUCCESS
//
// Programs that know nothing of trommel open a folder with all that is below
// it, so every table has one that holds nothing else. Outputs of former
// versions have schema=NAME/, _rejects/ and _figures/ side by side.
//
// A pipeline keeps the nights of a table together: records/date=DATE/ has the
// partitions schema=NAME/, rejects/date=DATE/ and figures/date=DATE/ the files.

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::tables {

inline constexpr char kRecordsFolder[] = "records";
inline constexpr char kRejectsFolder[] = "rejects";
inline constexpr char kFiguresFolder[] = "figures";
inline constexpr char kFormerRejectsFolder[] = "_rejects";
inline constexpr char kFormerFiguresFolder[] = "_figures";

// Returns the folder of a schema's records among all records, "schema=NAME", as
// Hive names partitions.
std::string SchemaPartition(std::string_view schema_name);

// Returns the path of the folder with another table, such as "rejects", that
// stands beside a folder of records: a/rejects beside a/records, and
// a/films-rejects beside a/films.
std::string BesideRecords(std::string_view records, std::string_view table);

// Where the tables of an output are, or would be.
struct ExtractOutput {
  io::Path records;  // all of them, be they partitioned or not
  io::Path rejects;
  io::Path figures;
};

// Finds the tables of an output of `trommel extract`, which is given as itself,
// as its records/ or as a part of these, in the layout of this version or of a
// former one. A pipeline's folder and its records/ are such outputs, too.
absl::StatusOr<ExtractOutput> FindExtractOutput(const io::Path& path);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_EXTRACT_OUTPUT_H_
