#include "jobs/cli/text_table.h"

#include <algorithm>

#include "core/base/text.h"

namespace trommel::jobs::cli {

TextTable::TextTable(std::vector<Column> columns)
    : columns_(std::move(columns)) {
  for (Column& column : columns_) {
    column.width = std::max(column.width, column.header.size());
  }
}

void TextTable::AddRow(std::vector<std::string> cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i] = Printable(cells[i]);
    columns_[i].width = std::max(columns_[i].width, cells[i].size());
  }
  rows_.push_back(std::move(cells));
}

std::string TextTable::Text() const {
  std::vector<std::string> headers;
  for (const Column& column : columns_) headers.push_back(column.header);
  std::string text;
  if (std::any_of(headers.begin(), headers.end(),
                  [](const std::string& header) { return !header.empty(); })) {
    AppendLine(headers, &text);
  }
  for (const auto& row : rows_) AppendLine(row, &text);
  return text;
}

void TextTable::AppendLine(const std::vector<std::string>& cells,
                           std::string* text) const {
  for (size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns_[i];
    const size_t length = cells[i].size();
    const std::string padding(std::max(column.width, length) - length, ' ');
    if (i > 0) text->append(column.gap, ' ');
    if (column.is_right) {
      StrAppend(text, padding, cells[i]);
    } else {
      StrAppend(text, cells[i], i + 1 < cells.size() ? padding : "");
    }
  }
  text->push_back('\n');
}

}  // namespace trommel::jobs::cli
