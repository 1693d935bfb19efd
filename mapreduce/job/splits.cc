#include "mapreduce/job/splits.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel::mr {

int64_t Split::num_rows() const {
  int64_t sum = 0;
  for (const SplitPiece& piece : pieces) sum += piece.num_rows;
  return sum;
}

namespace {

class SplitPlanner {
 public:
  explicit SplitPlanner(int64_t target_bytes) : target_bytes_(target_bytes) {}

  absl::Status AddFile(int input, const TableInput& table,
                       const io::Path& file) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::TableReader> reader,
                             io::TableReader::Open(file, table.columns, {}));
    for (int i = 0; i < reader->num_row_groups(); ++i) {
      const io::TableReader::RowGroup size = reader->row_group(i);
      if (size.num_rows == 0) continue;
      if (bytes_ > 0 && bytes_ + size.num_bytes > target_bytes_) EndSplit();
      if (pieces_.empty() || pieces_.back().file != file.Absolute() ||
          pieces_.back().last_row_group != i) {
        pieces_.push_back({input, file.Absolute(), i, i, 0});
      }
      pieces_.back().last_row_group = i + 1;
      pieces_.back().num_rows += size.num_rows;
      bytes_ += std::max<int64_t>(size.num_bytes, 1);
    }
    return absl::OkStatus();
  }

  void EndSplit() {
    if (pieces_.empty()) return;
    splits_.push_back(
        {static_cast<int>(splits_.size()), std::exchange(pieces_, {})});
    bytes_ = 0;
  }

  std::vector<Split> Take() { return std::move(splits_); }

 private:
  int64_t target_bytes_;
  std::vector<SplitPiece> pieces_;
  int64_t bytes_ = 0;
  std::vector<Split> splits_;
};

}  // namespace

absl::StatusOr<std::vector<Split>> PlanSplits(
    const std::vector<TableInput>& inputs, int64_t target_bytes) {
  SplitPlanner planner(target_bytes);
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const std::string& path : inputs[i].paths) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path resolved, io::ResolvePath(path));
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                               io::ListTableFiles(resolved));
      for (const io::Entry& file : files) {
        // Splits travel as text.
        if (ValidUtf8Prefix(file.path.path) != file.path.path.size()) {
          return absl::InvalidArgumentError(StrCat(
              file.path.name, ": the name is not UTF-8; rename the file"));
        }
        TROMMEL_RETURN_IF_ERROR(
            planner.AddFile(static_cast<int>(i), inputs[i], file.path));
      }
    }
    planner.EndSplit();
  }
  return planner.Take();
}

std::string ToLine(const Split& split) {
  nlohmann::ordered_json json;
  json["split"] = split.index;
  json["pieces"] = nlohmann::ordered_json::array();
  for (const SplitPiece& piece : split.pieces) {
    json["pieces"].push_back({{"input", piece.input},
                              {"file", piece.file},
                              {"first", piece.first_row_group},
                              {"last", piece.last_row_group},
                              {"rows", piece.num_rows}});
  }
  // ASCII only: the line passes through Java's text input.
  return json.dump(-1, ' ', /*ensure_ascii=*/true,
                   nlohmann::ordered_json::error_handler_t::replace);
}

absl::StatusOr<Split> SplitFromLine(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  try {
    Split split;
    split.index = json.at("split").get<int>();
    for (const auto& item : json.at("pieces")) {
      split.pieces.push_back(
          {item.at("input").get<int>(), item.at("file").get<std::string>(),
           item.at("first").get<int>(), item.at("last").get<int>(),
           item.at("rows").get<int64_t>()});
    }
    return split;
  } catch (const nlohmann::json::exception&) {
    return absl::InvalidArgumentError(
        StrCat("not the line of a split: ", line.substr(0, 200)));
  }
}

}  // namespace trommel::mr
