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
#include "jobs/tables/extract_output.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/io/table_reader.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::eval_job {
namespace {

constexpr size_t kMaxLineBytes = size_t{64} << 20;

// URLs as tables have them.
std::string TableText(std::string_view text) {
  std::string lossy;
  AppendUtf8Lossy(text, &lossy);
  return lossy;
}

// The place of an attribute in the schema; -1 when it has none of that name.
int FindPlace(const proto::Schema& schema, std::string_view attribute) {
  for (int i = 0; i < schema.attribute_size(); ++i) {
    if (schema.attribute(i).name() == attribute) return i;
  }
  return -1;
}

// The values of an attribute of a record, which may have been begun when the
// schema had fewer attributes.
std::vector<std::string>* MutableValues(int place, record::Record* record) {
  const auto index = static_cast<size_t>(place);
  if (record->attributes.size() <= index) record->attributes.resize(index + 1);
  return &record->attributes[index].values;
}

absl::Status AddTruthLine(std::string_view line, EvalInputs* inputs) {
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
  NumberedRecords& records =
      inputs->pages[TableText(url->get<std::string>())].is_true;
  if (values->empty()) return absl::OkStatus();
  for (const auto& [attribute, list] : values->items()) {
    if (!list.is_array() ||
        !std::all_of(list.begin(), list.end(),
                     [](const auto& value) { return value.is_string(); })) {
      return absl::InvalidArgumentError(StrCat("the values of \"",
                                               Printable(attribute),
                                               "\" are not a list of texts"));
    }
    inputs->true_attributes.insert(attribute);
    int place = FindPlace(inputs->schema, attribute);
    if (place < 0) {
      place = inputs->schema.attribute_size();
      inputs->schema.add_attribute()->set_name(attribute);
    }
    std::vector<std::string>* const true_values =
        MutableValues(place, &records[record]);
    for (const nlohmann::json& value : list) {
      true_values->push_back(value.get<std::string>());
    }
  }
  return absl::OkStatus();
}

// Adds the lines of a file; those of the same record are taken together.
absl::Status ReadTruth(const io::Path& file, EvalInputs* inputs) {
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
                        : AddTruthLine(line, inputs);
    if (!status.ok()) {
      return Annotate(status, StrCat(file.name, ":", lines.line_number()));
    }
  }
}

// Which version of a page counts: the latest, then the one with the smallest
// digest. The smaller, the better.
struct Version {
  int64_t age = std::numeric_limits<int64_t>::max();
  std::string digest;

  friend bool operator<(const Version& a, const Version& b) {
    return a.age != b.age ? a.age < b.age : a.digest < b.digest;
  }
};

// Confidence is there if it is asked for; the attributes come last.
enum Column : size_t {
  kUrl,
  kSite,
  kRecordIndex,
  kFetchTime,
  kContentDigest,
  kConfidence,
  kAttributeConfidence,
};

// An attribute of a file of records.
struct AttributeColumn {
  int place = 0;              // in the schema of the inputs
  int64_t place_in_file = 0;  // among all attributes of the file
  size_t column = 0;          // as requested
  bool is_list = false;
};

class RecordsReader {
 public:
  // The columns say what is repeated but for the first `num_known` attributes.
  RecordsReader(int num_known, bool with_confidence, EvalInputs* inputs)
      : num_known_(num_known),
        with_confidence_(with_confidence),
        inputs_(inputs) {}

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
    if (with_confidence_) {
      requests.push_back({"confidence", io::ColumnType::kDouble});
      requests.push_back({"attribute_confidence", io::ColumnType::kDoubleList});
    }
    const auto fixed = schema::FixedRecordColumns();
    std::vector<AttributeColumn> attributes;
    int64_t num_attributes = 0;
    for (const io::TableReader::FileColumn& column : table->columns()) {
      if (std::find(fixed.begin(), fixed.end(), column.name) != fixed.end()) {
        continue;
      }
      const int64_t place_in_file = num_attributes++;
      const int place = FindPlace(inputs_->schema, column.name);
      if (place < 0) continue;
      attributes.push_back(
          {place, place_in_file, requests.size(), column.is_list});
      requests.push_back({column.name, column.is_list
                                           ? io::ColumnType::kBytesList
                                           : io::ColumnType::kBytes});
      if (column.is_list && place >= num_known_) {
        inputs_->schema.mutable_attribute(place)->set_repeated(true);
      }
    }
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::RowReader> rows,
                             io::RowReader::Open(file, requests, {}));
    io::Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, rows->Next(&row));
      if (!more) return absl::OkStatus();
      if (with_confidence_ &&
          row.list_size(kAttributeConfidence) != num_attributes) {
        return absl::InvalidArgumentError(
            StrCat(file.name, ": attribute_confidence has ",
                   row.list_size(kAttributeConfidence), " values where ",
                   Counted(num_attributes, "attribute"), " are"));
      }
      Add(attributes, row);
    }
  }

 private:
  void Add(const std::vector<AttributeColumn>& attributes, const io::Row& row) {
    const std::string url(row.bytes(kUrl));
    const auto found = inputs_->pages.find(url);
    if (found == inputs_->pages.end()) {
      ++inputs_->records_without_truth;
      return;
    }
    EvalPage& page = found->second;
    if (!row.is_null(kSite)) page.site = row.bytes(kSite);
    Version version;
    if (!row.is_null(kFetchTime)) version.age = -row.int64(kFetchTime);
    version.digest = row.bytes(kContentDigest);
    Version& best = versions_.try_emplace(url, version).first->second;
    if (best < version) return;
    if (version < best) {
      best = version;
      page.extracted.clear();
    }
    const auto [entry, is_new] =
        page.extracted.try_emplace(row.int64(kRecordIndex));
    if (is_new) entry->second = ReadRecord(attributes, row);
  }

  eval::StatedRecord ReadRecord(const std::vector<AttributeColumn>& attributes,
                                const io::Row& row) const {
    eval::StatedRecord stated;
    stated.record = record::Record(inputs_->schema);
    if (with_confidence_) stated.confidence = row.float64(kConfidence);
    for (const AttributeColumn& attribute : attributes) {
      record::AttributeValues& read =
          stated.record.attributes[static_cast<size_t>(attribute.place)];
      if (with_confidence_) {
        read.confidence =
            row.list_float64(kAttributeConfidence, attribute.place_in_file);
      }
      if (!attribute.is_list) {
        read.values.emplace_back(row.bytes(attribute.column));
        continue;
      }
      for (int64_t k = 0; k < row.list_size(attribute.column); ++k) {
        read.values.emplace_back(row.list_bytes(attribute.column, k));
      }
    }
    return stated;
  }

  const int num_known_;
  const bool with_confidence_;
  EvalInputs* const inputs_;
  std::map<std::string, Version> versions_;  // by URL
};

// The sites of rejected pages.
absl::Status ReadRejects(const io::Path& table, EvalInputs* inputs) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(table));
  if (entry.kind == io::EntryKind::kNone) return absl::OkStatus();
  return io::VisitRows(
      table,
      {{"url", io::ColumnType::kBytes}, {"site", io::ColumnType::kBytes}},
      [&](const io::Row& row) {
        const auto found = inputs->pages.find(std::string(row.bytes(0)));
        if (found != inputs->pages.end() && !found->second.site.has_value()) {
          found->second.site = row.bytes(1);
        }
        return absl::OkStatus();
      });
}

}  // namespace

absl::Status ReadAnnotatedUrls(const io::Path& file,
                               std::set<std::string>* urls) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(file));
  std::vector<annotation::AnnotationProblem> problems;
  for (const annotation::Annotation& annotation :
       annotation::ParseAnnotations(text, &problems)) {
    urls->insert(TableText(annotation.url));
  }
  if (problems.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      annotation::DescribeProblems(file.name, problems));
}

absl::StatusOr<EvalInputs> ReadInputs(const proto::Schema& schema,
                                      const std::vector<io::Path>& truth_files,
                                      const io::Path& records,
                                      bool with_confidence) {
  EvalInputs inputs;
  inputs.schema = schema;
  for (const io::Path& file : truth_files) {
    TROMMEL_RETURN_IF_ERROR(ReadTruth(file, &inputs));
  }
  TROMMEL_ASSIGN_OR_RETURN(const tables::ExtractOutput output,
                           tables::FindExtractOutput(records));
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(output.records));
  RecordsReader reader(schema.attribute_size(), with_confidence, &inputs);
  for (const io::Entry& file : files) {
    TROMMEL_RETURN_IF_ERROR(reader.Read(file.path));
  }
  TROMMEL_RETURN_IF_ERROR(ReadRejects(output.rejects, &inputs));
  return inputs;
}

}  // namespace trommel::jobs::eval_job
