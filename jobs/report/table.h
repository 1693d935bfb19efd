#ifndef TROMMEL_JOBS_REPORT_TABLE_H_
#define TROMMEL_JOBS_REPORT_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/report/html.h"

namespace trommel::jobs::report {

struct Column {
  std::string title;
  bool numeric = false;  // aligned to the right
  std::string tip;       // what the figure is
};

struct Cell {
  Html content;
  // By what the column sorts; where it is missing, by the text.
  std::optional<double> order;

  Cell(Html html) : content(std::move(html)) {}  // NOLINT: meant to convert
  Cell(Html html, double value) : content(std::move(html)), order(value) {}
  static Cell Number(int64_t value);               // "1,234"
  static Cell Share(int64_t part, int64_t whole);  // "12.3%"
};

// A table that its headings sort. With an id, a FilterBox() (blocks.h) can
// filter its rows.
//
//   Table table({{"Site"}, {"Pages", /*numeric=*/true}});
//   table.AddRow({Text(site), Cell::Number(pages)});
//   page.AddSection("Sites", table.Build());
class Table {
 public:
  explicit Table(std::vector<Column> columns, std::string_view id = "");

  // As many cells as there are columns; the first one names the row. `tags`
  // are words for quick filters, with spaces between.
  void AddRow(const std::vector<Cell>& cells, std::string_view tags = "");
  // At the bottom, and not sorted with the others.
  void AddTotal(const std::vector<Cell>& cells);

  Html Build() const;

 private:
  void AppendRow(const std::vector<Cell>& cells, std::string_view tags,
                 std::string* out) const;

  std::vector<Column> columns_;
  std::string id_;
  std::string rows_;
  std::string totals_;
};

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_TABLE_H_
