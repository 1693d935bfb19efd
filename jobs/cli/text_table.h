#ifndef TROMMEL_JOBS_CLI_TEXT_TABLE_H_
#define TROMMEL_JOBS_CLI_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"

namespace trommel::jobs::cli {

// Columns of text, one under the other, as verbs print them.
//
//   TextTable table({TextTable::Left("site"), TextTable::Right("pages", 12)});
//   table.Add("films.example", 1200);
//   report.text += table.Text();
//
// Cells may hold any text: it is made Printable(), so a row is always one line.
// A column is as wide as the longest text in it, in bytes. Nothing follows the
// last cell of a row, and a row may have fewer cells than there are columns.
class TextTable {
 public:
  struct Column {
    std::string header;
    size_t width = 0;  // at least
    bool is_right = false;
    size_t gap = 1;  // spaces before it, unless it is the first
  };
  static Column Left(std::string header, size_t width = 0, size_t gap = 1) {
    return {std::move(header), width, /*is_right=*/false, gap};
  }
  static Column Right(std::string header, size_t width = 0) {
    return {std::move(header), width, /*is_right=*/true};
  }

  explicit TextTable(std::vector<Column> columns);

  template <typename... Cells>
  void Add(const Cells&... cells) {
    AddRow({StrCat(cells)...});
  }
  void AddRow(std::vector<std::string> cells);
  // A line between rows that is no row: "... and 7 more".
  void AddLine(std::string line) { rows_.push_back({std::move(line)}); }

  // A line for the headers, unless all are empty, and one for each row.
  std::string Text() const;

 private:
  void AppendLine(const std::vector<std::string>& cells,
                  std::string* text) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_TEXT_TABLE_H_
