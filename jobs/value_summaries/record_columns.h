#ifndef TROMMEL_JOBS_VALUE_SUMMARIES_RECORD_COLUMNS_H_
#define TROMMEL_JOBS_VALUE_SUMMARIES_RECORD_COLUMNS_H_

// What steps read of a table of records to summarise its values.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/row.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::value_summaries {

// The first columns that are read; those of the attributes follow.
enum RecordColumn : size_t {
  kUrl,
  kSite,
  kRecordIndex,
  kRuleId,
  kFirstAttribute,
};

struct RecordColumns {
  struct Attribute {
    std::string name;
    bool is_list = false;
  };
  std::string schema;
  std::vector<Attribute> attributes;

  // "movie,title,genre*": the schema and its attributes, a list with a star,
  // which no name has.
  std::string Text() const;
  static absl::StatusOr<RecordColumns> Parse(std::string_view text);

  // The table at the path, with these columns.
  mr::TableInput Input(const std::string& path) const;
  // The values that a row of it has of an attribute, by its place.
  void GetValues(const io::Row& row, size_t attribute,
                 std::vector<std::string_view>* values) const;
};

// The columns of a schema with these attributes.
RecordColumns ColumnsOf(const std::string& schema,
                        const std::vector<io::ColumnRequest>& attributes);

}  // namespace trommel::jobs::value_summaries

#endif  // TROMMEL_JOBS_VALUE_SUMMARIES_RECORD_COLUMNS_H_
