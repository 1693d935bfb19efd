#include "jobs/value_summaries/record_columns.h"

#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "core/base/strings.h"

namespace trommel::jobs::value_summaries {

RecordColumns ColumnsOf(const std::string& schema,
                        const std::vector<io::ColumnRequest>& attributes) {
  RecordColumns columns{schema, {}};
  for (const io::ColumnRequest& attribute : attributes) {
    columns.attributes.push_back(
        {attribute.name, attribute.type == io::ColumnType::kBytesList});
  }
  return columns;
}

std::string RecordColumns::Text() const {
  std::string text = schema;
  for (const Attribute& attribute : attributes) {
    StrAppend(&text, ",", attribute.name, attribute.is_list ? "*" : "");
  }
  return text;
}

absl::StatusOr<RecordColumns> RecordColumns::Parse(std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(ToAbsl(text), ',');
  RecordColumns columns{parts[0], {}};
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].empty()) {
      return absl::InvalidArgumentError(
          StrCat("\"", text, "\" has an attribute without a name"));
    }
    const bool is_list = parts[i].back() == '*';
    columns.attributes.push_back(
        {is_list ? parts[i].substr(0, parts[i].size() - 1) : parts[i],
         is_list});
  }
  return columns;
}

mr::TableInput RecordColumns::Input(const std::string& path) const {
  mr::TableInput input;
  input.paths = {path};
  input.columns = {{"url", io::ColumnType::kBytes},
                   {"site", io::ColumnType::kBytes},
                   {"record_index", io::ColumnType::kInt64, /*required=*/false},
                   {"rule_id", io::ColumnType::kBytes, /*required=*/false}};
  for (const Attribute& attribute : attributes) {
    input.columns.push_back({attribute.name,
                             attribute.is_list ? io::ColumnType::kBytesList
                                               : io::ColumnType::kBytes,
                             /*required=*/false});
  }
  return input;
}

void RecordColumns::GetValues(const io::Row& row, size_t attribute,
                              std::vector<std::string_view>* values) const {
  const size_t column = kFirstAttribute + attribute;
  values->clear();
  if (!attributes[attribute].is_list) {
    values->push_back(row.bytes(column));
    return;
  }
  for (int64_t i = 0; i < row.list_size(column); ++i) {
    values->push_back(row.list_bytes(column, i));
  }
}

}  // namespace trommel::jobs::value_summaries
