#include "jobs/eval/inputs.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/annotation/annotation.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/compress/decompress.h"
#include "core/jsonl/line_reader.h"
#include "core/schema/schema.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_reader.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel {
namespace {

constexpr size_t kMaxLineBytes = size_t{64} << 20;
constexpr char kRejectsFolder[] = "_rejects";

// URLs as tables have them.
std::string TableText(std::string_view text) {
  std::string lossy;
  AppendUtf8Lossy(text, &lossy);
  return lossy;
}

absl::Status AddTruthLine(std::string_view line, Truth* truth) {
  const nlohmann::json json =
      nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::InvalidArgumentError("not a JSON object");
  }
  const auto url = json.find("url");
  if (url == json.end() || !url->is_string()) {
    return absl::InvalidArgumentError("no \"url\"");
  }
  const auto values = json.find("values");
  if (values == json.end() || !values->is_object()) {
    return absl::InvalidArgumentError("no \"values\", an object");
  }
  int64_t record = 0;
  if (const auto found = json.find("record"); found != json.end()) {
    if (!found->is_number_integer()) {
      return absl::InvalidArgumentError("\"record\" is not an integer");
    }
    record = found->get<int64_t>();
  }
  auto& page = truth->pages[TableText(url->get<std::string>())];
  if (values->empty()) return absl::OkStatus();
  PageValues& of_record = page[record];
  for (const auto& [attribute, list] : values->items()) {
    if (!list.is_array() ||
        !std::all_of(list.begin(), list.end(),
                     [](const auto& value) { return value.is_string(); })) {
      return absl::InvalidArgumentError(
          StrCat("the values of \"", attribute, "\" are not a list of texts"));
    }
    truth->attributes.insert(attribute);
    of_record[attribute].merge(
        record::NormalizedValues(list.get<std::vector<std::string>>()));
  }
  return absl::OkStatus();
}

// Which version of a record counts: the latest, then the one with the smallest
// digest. The smaller, the better.
struct Version {
  int64_t age = std::numeric_limits<int64_t>::max();
  std::string digest;

  friend bool operator<(const Version& a, const Version& b) {
    return a.age != b.age ? a.age < b.age : a.digest < b.digest;
  }
};

enum Column : size_t {
  kUrl,
  kSite,
  kRecordIndex,
  kFetchTime,
  kContentDigest,
  kFirstAttribute,
};

class RecordsReader {
 public:
  RecordsReader(const Truth& truth, const std::set<std::string>& attributes,
                ExtractedPages* extraction)
      : truth_(truth), attributes_(attributes), extraction_(extraction) {}

  absl::Status Read(const io::Path& file) {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::TableReader> table,
        io::TableReader::Open(file, {{"url", io::ColumnType::kBytes}}, {}));
    std::vector<io::ColumnRequest> requests = {
        {"url", io::ColumnType::kBytes},
        {"site", io::ColumnType::kBytes, /*required=*/false},
        {"record_index", io::ColumnType::kInt64, /*required=*/false},
        {"fetch_time", io::ColumnType::kTimestamp, /*required=*/false},
        {"content_digest", io::ColumnType::kBytes, /*required=*/false}};
    const auto fixed = FixedRecordColumns();
    for (const io::TableReader::FileColumn& column : table->columns()) {
      if (attributes_.count(column.name) == 0 ||
          std::find(fixed.begin(), fixed.end(), column.name) != fixed.end()) {
        continue;
      }
      requests.push_back({column.name, column.is_list
                                           ? io::ColumnType::kBytesList
                                           : io::ColumnType::kBytes});
    }
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::RowReader> rows,
                             io::RowReader::Open(file, requests, {}));
    io::Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, rows->Next(&row));
      if (!more) return absl::OkStatus();
      Add(requests, row);
    }
  }

 private:
  void Add(const std::vector<io::ColumnRequest>& requests, const io::Row& row) {
    const std::string url(row.bytes(kUrl));
    if (truth_.pages.count(url) == 0) {
      ++extraction_->records_without_truth;
      return;
    }
    if (!row.is_null(kSite)) extraction_->sites[url] = row.bytes(kSite);
    const int64_t record_index = row.int64(kRecordIndex);
    Version version;
    if (!row.is_null(kFetchTime)) version.age = -row.int64(kFetchTime);
    version.digest = row.bytes(kContentDigest);
    const auto [known, is_new] =
        versions_.try_emplace({url, record_index}, version);
    if (!is_new) {
      if (!(version < known->second)) return;
      known->second = version;
    }
    ExtractedRecord record;
    for (size_t i = kFirstAttribute; i < requests.size(); ++i) {
      std::vector<std::string> values;
      if (requests[i].type == io::ColumnType::kBytesList) {
        record.repeated.insert(requests[i].name);
        for (int64_t k = 0; k < row.list_size(i); ++k) {
          values.emplace_back(row.list_bytes(i, k));
        }
      } else {
        values.emplace_back(row.bytes(i));
      }
      record.values[requests[i].name] = record::NormalizedValues(values);
    }
    extraction_->pages[url][record_index] = std::move(record);
  }

  const Truth& truth_;
  const std::set<std::string>& attributes_;
  ExtractedPages* const extraction_;
  std::map<std::pair<std::string, int64_t>, Version> versions_;
};

// The sites of rejected pages.
absl::Status ReadRejects(const io::Path& table, const Truth& truth,
                         ExtractedPages* extraction) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(table));
  if (entry.kind == io::EntryKind::kNone) return absl::OkStatus();
  return io::VisitRows(
      table,
      {{"url", io::ColumnType::kBytes}, {"site", io::ColumnType::kBytes}},
      [&](const io::Row& row) {
        std::string url(row.bytes(0));
        if (truth.pages.count(url) > 0) {
          extraction->sites.try_emplace(std::move(url), row.bytes(1));
        }
        return absl::OkStatus();
      });
}

}  // namespace

absl::Status ReadTruth(const io::Path& file, Truth* truth) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes,
                           io::OpenByteSource(file));
  jsonl::LineReader lines(
      std::make_unique<compress::DecompressingSource>(std::move(bytes)),
      kMaxLineBytes);
  while (true) {
    std::string_view line;
    const absl::StatusOr<jsonl::LineReader::Outcome> outcome =
        lines.Next(&line);
    if (!outcome.ok()) return Annotate(outcome.status(), file.name);
    if (*outcome == jsonl::LineReader::Outcome::kEnd) return absl::OkStatus();
    const absl::Status status =
        *outcome == jsonl::LineReader::Outcome::kTooLong
            ? absl::InvalidArgumentError("the line is too long")
        : IsBlank(line) ? absl::OkStatus()
                        : AddTruthLine(line, truth);
    if (!status.ok()) {
      return Annotate(status, StrCat(file.name, ":", lines.line_number()));
    }
  }
}

absl::Status ReadAnnotatedUrls(const io::Path& file,
                               std::set<std::string>* urls) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(file));
  std::vector<AnnotationProblem> problems;
  for (const Annotation& annotation : ParseAnnotations(text, &problems)) {
    urls->insert(TableText(annotation.url));
  }
  if (problems.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(DescribeProblems(file.name, problems));
}

absl::StatusOr<ExtractedPages> ReadExtractedPages(
    const io::Path& records, const Truth& truth,
    const std::set<std::string>& attributes) {
  ExtractedPages extraction;
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(records));
  RecordsReader reader(truth, attributes, &extraction);
  for (const io::Entry& file : files) {
    TROMMEL_RETURN_IF_ERROR(reader.Read(file.path));
  }
  TROMMEL_RETURN_IF_ERROR(
      ReadRejects(records.Child(kRejectsFolder), truth, &extraction));
  return extraction;
}

}  // namespace trommel
