#ifndef TROMMEL_TESTS_TESTING_TABLE_ROWS_H_
#define TROMMEL_TESTS_TESTING_TABLE_ROWS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/base/exact_text.h"
#include "core/base/strings.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_files.h"

namespace trommel::testing_support {

// A row as text by column, "null" for null, lists as [a, b].
using TextRow = std::map<std::string, std::string>;

inline std::string ListItem(const io::Row& row, size_t column,
                            io::ColumnType type, int64_t item) {
  switch (type) {
    case io::ColumnType::kBytesList:
      return std::string(row.list_bytes(column, item));
    case io::ColumnType::kDoubleList:
      return ExactText(row.list_float64(column, item));
    default:
      return StrCat(row.list_int64(column, item));
  }
}

// All rows of a table, sorted: which file a row is in does not matter.
inline std::vector<TextRow> ReadTable(
    const std::string& path, const std::vector<io::ColumnRequest>& columns) {
  std::vector<TextRow> table;
  const auto files = io::ListTableFiles(*io::ResolvePath(path));
  EXPECT_TRUE(files.ok()) << files.status();
  if (!files.ok()) return table;
  for (const io::Entry& file : *files) {
    auto rows = io::RowReader::Open(file.path, columns, {});
    EXPECT_TRUE(rows.ok()) << rows.status();
    if (!rows.ok()) return table;
    io::Row row;
    while (true) {
      const auto more = (*rows)->Next(&row);
      EXPECT_TRUE(more.ok()) << more.status();
      if (!more.ok() || !*more) break;
      TextRow& text = table.emplace_back();
      for (size_t i = 0; i < columns.size(); ++i) {
        std::string& value = text[columns[i].name];
        if (row.is_null(i)) {
          value = "null";
          continue;
        }
        switch (columns[i].type) {
          case io::ColumnType::kBytes:
            value = row.bytes(i);
            break;
          case io::ColumnType::kInt64:
          case io::ColumnType::kTimestamp:
            value = std::to_string(row.int64(i));
            break;
          case io::ColumnType::kDouble:
            value = ExactText(row.float64(i));
            break;
          default:
            for (int64_t k = 0; k < row.list_size(i); ++k) {
              value += value.empty() ? "[" : ", ";
              StrAppend(&value, ListItem(row, i, columns[i].type, k));
            }
            value += value.empty() ? "[]" : "]";
        }
      }
    }
  }
  std::sort(table.begin(), table.end());
  return table;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_TABLE_ROWS_H_
