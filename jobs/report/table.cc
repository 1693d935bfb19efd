#include "jobs/report/table.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"

namespace trommel::jobs::report {

Cell Cell::Number(int64_t value) {
  return Cell(Text(Grouped(value)), static_cast<double>(value));
}

Cell Cell::Share(int64_t part, int64_t whole) {
  return Cell(Markup(Percent(part, whole)), ShareOf(part, whole));
}

Table::Table(std::vector<Column> columns, std::string_view id)
    : columns_(std::move(columns)), id_(id) {}

void Table::AppendRow(const std::vector<Cell>& cells, std::string_view tags,
                      std::string* out) const {
  *out += "<tr";
  if (!tags.empty()) {
    StrAppend(out, " data-tags=\"", AttributeValue(tags), "\"");
  }
  *out += '>';
  for (size_t i = 0; i < cells.size(); ++i) {
    *out += i == 0 ? "<th scope=\"row\"" : "<td";
    if (i < columns_.size() && columns_[i].numeric) *out += " class=\"n\"";
    if (cells[i].order.has_value()) {
      StrAppend(out, " data-order=\"",
                absl::StrFormat("%.17g", *cells[i].order), "\"");
    }
    StrAppend(out, ">", cells[i].content.markup(), i == 0 ? "</th>" : "</td>");
  }
  *out += "</tr>\n";
}

void Table::AddRow(const std::vector<Cell>& cells, std::string_view tags) {
  AppendRow(cells, tags, &rows_);
}

void Table::AddTotal(const std::vector<Cell>& cells) {
  AppendRow(cells, "", &totals_);
}

Html Table::Build() const {
  std::string out = "<div class=\"scroll\"><table";
  if (!id_.empty()) StrAppend(&out, " id=\"", AttributeValue(id_), "\"");
  out += "><thead><tr>";
  for (const Column& column : columns_) {
    out += "<th scope=\"col\"";
    if (column.numeric) out += " class=\"n\"";
    if (!column.tip.empty()) {
      StrAppend(&out, " title=\"", AttributeValue(column.tip), "\"");
    }
    StrAppend(&out, ">", WholeText(column.title).markup(), "</th>");
  }
  StrAppend(&out, "</tr></thead><tbody>\n", rows_, "</tbody>");
  if (!totals_.empty()) StrAppend(&out, "<tfoot>\n", totals_, "</tfoot>");
  out += "</table></div>\n";
  return Markup(std::move(out));
}

}  // namespace trommel::jobs::report
