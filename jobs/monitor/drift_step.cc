#include "jobs/monitor/drift_step.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "jobs/cli/settings.h"
#include "jobs/monitor/drift_table.h"
#include "mapreduce/codec/ordered.h"

// Each mapper keeps a summary for every site and attribute it sees, and sends
// them on when they become many; the reducer of a site merges those of each
// day and compares the days. Summaries are small, merge in any order and do not
// depend on splits, so neither do the rows.

namespace trommel::jobs::monitor_job {
namespace {

constexpr char kName[] = "monitor-drift";

// Summaries that a mapper holds, each of some 10 kB.
constexpr size_t kMaxSummaries = 2048;

// The first columns of a table of records.
enum Column : size_t { kUrl, kSite, kRecordIndex, kFirstAttribute };

std::string Encode(const monitor::ValueSummary& summary) {
  std::string bytes;
  const auto number = [&](int64_t value) {
    mr::AppendOrderedInt64(value, &bytes);
  };
  number(summary.records);
  number(summary.filled);
  number(summary.values);
  number(static_cast<int64_t>(summary.shapes.size()));
  for (const auto& [shape, count] : summary.shapes) {
    mr::AppendOrderedBytes(shape, &bytes);
    number(count);
  }
  for (const int64_t count : summary.lengths) number(count);
  for (const auto& [record, values] : summary.sample) {
    mr::AppendOrderedUint64(record, &bytes);
    mr::AppendOrderedUint64(values, &bytes);
  }
  return bytes;
}

absl::StatusOr<monitor::ValueSummary> Decode(std::string_view bytes) {
  monitor::ValueSummary summary;
  bool is_fine = true;
  const auto number = [&](int64_t* value) {
    is_fine = is_fine && mr::ConsumeOrderedInt64(&bytes, value);
  };
  int64_t num_shapes = 0;
  number(&summary.records);
  number(&summary.filled);
  number(&summary.values);
  number(&num_shapes);
  for (int64_t i = 0; is_fine && i < num_shapes; ++i) {
    std::string shape;
    is_fine = mr::ConsumeOrderedBytes(&bytes, &shape);
    number(&summary.shapes[shape]);
  }
  for (int64_t& count : summary.lengths) number(&count);
  while (is_fine && !bytes.empty()) {
    uint64_t record = 0;
    uint64_t values = 0;
    is_fine = mr::ConsumeOrderedUint64(&bytes, &record) &&
              mr::ConsumeOrderedUint64(&bytes, &values);
    summary.sample[record] = values;
  }
  if (!is_fine) return absl::DataLossError("a summary of values is cut off");
  return summary;
}

// What the values of a group are sorted and merged by.
struct SummaryKey {
  std::string schema;
  std::string attribute;
  bool is_after = false;

  std::string Encode() const {
    std::string key;
    mr::AppendOrderedBytes(schema, &key);
    mr::AppendOrderedBytes(attribute, &key);
    mr::AppendOrderedInt64(is_after ? 1 : 0, &key);
    return key;
  }
  static absl::StatusOr<SummaryKey> Decode(std::string_view bytes) {
    SummaryKey key;
    int64_t is_after = 0;
    if (!mr::ConsumeOrderedBytes(&bytes, &key.schema) ||
        !mr::ConsumeOrderedBytes(&bytes, &key.attribute) ||
        !mr::ConsumeOrderedInt64(&bytes, &is_after)) {
      return absl::DataLossError("the key of a summary is cut off");
    }
    key.is_after = is_after != 0;
    return key;
  }
};

class DriftMapper final : public mr::Mapper {
 public:
  // By input: the key of each attribute, and whether its column is a list.
  struct Attribute {
    std::string key;
    bool is_list = false;
  };
  explicit DriftMapper(std::vector<std::vector<Attribute>> inputs)
      : inputs_(std::move(inputs)) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    const std::vector<Attribute>& attributes =
        inputs_[static_cast<size_t>(input)];
    for (size_t i = 0; i < attributes.size(); ++i) {
      const size_t column = kFirstAttribute + i;
      values_.clear();
      if (attributes[i].is_list) {
        for (int64_t k = 0; k < row.list_size(column); ++k) {
          values_.push_back(row.list_bytes(column, k));
        }
      } else {
        values_.push_back(row.bytes(column));
      }
      summaries_[{std::string(row.bytes(kSite)), attributes[i].key}].AddRecord(
          row.bytes(kUrl), row.int64(kRecordIndex), values_);
    }
    return summaries_.size() > kMaxSummaries ? Send(out) : absl::OkStatus();
  }

  absl::Status Finish(mr::MapOutput* out) override { return Send(out); }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(kUrl)), std::string(row.bytes(kSite))};
  }

 private:
  absl::Status Send(mr::MapOutput* out) {
    for (const auto& [key, summary] : summaries_) {
      TROMMEL_RETURN_IF_ERROR(
          out->Emit(key.first, key.second, Encode(summary)));
    }
    summaries_.clear();
    return absl::OkStatus();
  }

  const std::vector<std::vector<Attribute>> inputs_;
  std::map<std::pair<std::string, std::string>, monitor::ValueSummary>
      summaries_;
  std::vector<std::string_view> values_;
};

class DriftCombiner final : public mr::Combiner {
 public:
  absl::Status Combine(std::string_view /*group*/, mr::Values* values,
                       Output* out) override {
    monitor::ValueSummary all;
    while (values->Next()) {
      TROMMEL_ASSIGN_OR_RETURN(const monitor::ValueSummary summary,
                               Decode(values->value()));
      all.Merge(summary);
    }
    return out->Emit(Encode(all));
  }
};

class DriftReducer final : public mr::Reducer {
 public:
  explicit DriftReducer(const monitor::DriftThresholds& thresholds)
      : thresholds_(thresholds) {}

  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    site_ = site;
    SummaryKey last;
    bool has_last = false;
    while (values->Next()) {
      TROMMEL_ASSIGN_OR_RETURN(const SummaryKey key,
                               SummaryKey::Decode(values->sort_key()));
      if (has_last &&
          (key.schema != last.schema || key.attribute != last.attribute)) {
        TROMMEL_RETURN_IF_ERROR(Write(last, out));
      }
      TROMMEL_ASSIGN_OR_RETURN(const monitor::ValueSummary summary,
                               Decode(values->value()));
      (key.is_after ? after_ : before_).Merge(summary);
      last = key;
      has_last = true;
    }
    return has_last ? Write(last, out) : absl::OkStatus();
  }

 private:
  absl::Status Write(const SummaryKey& key, mr::TaskOutput* out) {
    const monitor::Drift drift =
        monitor::CompareSummaries(before_, after_, thresholds_);
    out->Count(StrCat(kAttributesPrefix, monitor::DriftStateName(drift.state)));
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    TROMMEL_RETURN_IF_ERROR(WriteDrift(site_, key.schema, key.attribute,
                                       before_, after_, drift, table));
    before_ = monitor::ValueSummary();
    after_ = monitor::ValueSummary();
    return absl::OkStatus();
  }

  const monitor::DriftThresholds thresholds_;
  std::string site_;
  monitor::ValueSummary before_;
  monitor::ValueSummary after_;
};

// Of each input: "before" or "after", the schema, and its attributes in the
// order of the columns; with commas between.
struct DriftInputs {
  std::vector<std::string> inputs;

  void Define(cli::Flags* flags) {
    flags->Texts("inputs", &inputs, "what each input has");
  }
};

class DriftStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{kDriftFolder, DriftSchema(), {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    std::vector<std::vector<DriftMapper::Attribute>> inputs;
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<DriftInputs>(context));
    for (const std::string& text : settings.inputs) {
      const std::vector<std::string> parts = absl::StrSplit(text, ',');
      if (parts.size() < 2) {
        return absl::InvalidArgumentError(StrCat("inputs has \"", text, "\""));
      }
      std::vector<DriftMapper::Attribute>& attributes = inputs.emplace_back();
      for (size_t i = 2; i < parts.size(); ++i) {
        // A list is marked by a star, which no name has.
        const bool is_list = parts[i].back() == '*';
        const std::string attribute =
            is_list ? parts[i].substr(0, parts[i].size() - 1) : parts[i];
        attributes.push_back(
            {SummaryKey{parts[1], attribute, parts[0] == "after"}.Encode(),
             is_list});
      }
    }
    return std::make_unique<DriftMapper>(std::move(inputs));
  }
  absl::StatusOr<std::unique_ptr<mr::Combiner>> MakeCombiner(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<DriftCombiner>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto thresholds,
                             cli::ReadSettings<DriftSettings>(context));
    return std::make_unique<DriftReducer>(thresholds);
  }
};

// Attributes that only the other day has are asked for as well, and empty: an
// attribute that goes away is filled no more.
std::vector<io::ColumnRequest> AttributesOfEither(
    const RecordSet& set, const std::map<std::string, RecordSet>& others,
    const std::string& schema) {
  std::vector<io::ColumnRequest> attributes = set.attributes;
  std::set<std::string> names;
  for (const io::ColumnRequest& column : attributes) names.insert(column.name);
  const auto other = others.find(schema);
  if (other == others.end()) return attributes;
  for (const io::ColumnRequest& column : other->second.attributes) {
    if (names.insert(column.name).second) attributes.push_back(column);
  }
  return attributes;
}

void AddInputs(const std::map<std::string, RecordSet>& sets,
               const std::map<std::string, RecordSet>& others, const char* day,
               DriftInputs* settings, mr::StepSpec* spec) {
  for (const auto& [schema, set] : sets) {
    std::string about = StrCat(day, ",", schema);
    mr::TableInput input;
    input.paths = {set.path};
    input.columns = {{"url", io::ColumnType::kBytes},
                     {"site", io::ColumnType::kBytes},
                     {"record_index", io::ColumnType::kInt64,
                      /*required=*/false}};
    for (const io::ColumnRequest& attribute :
         AttributesOfEither(set, others, schema)) {
      StrAppend(&about, ",", attribute.name,
                attribute.type == io::ColumnType::kBytesList ? "*" : "");
      input.columns.push_back(attribute);
    }
    settings->inputs.push_back(about);
    spec->inputs.push_back(std::move(input));
  }
}

}  // namespace

void DriftSettings::Define(cli::Flags* flags, bool is_recorded) {
  flags
      ->Number("drift-fill-margin", &fill_margin,
               "differences of fill rates up to this are no drift")
      .Between(0, 1)
      .Recorded(is_recorded);
  flags
      ->Number("drift-shape-margin", &shape_margin,
               "distances of shapes, lengths and variety up to this are no "
               "drift")
      .Between(0, 1)
      .Recorded(is_recorded);
  flags
      ->Number("drift-significance", &significance,
               "probability of a false alarm of each test of drift")
      .Between(1e-15, 0.5)
      .Recorded(is_recorded);
}

std::unique_ptr<mr::Step> MakeDriftStep() {
  return std::make_unique<DriftStep>();
}

mr::StepSpec DriftSpec(const std::map<std::string, RecordSet>& before,
                       const std::map<std::string, RecordSet>& after,
                       const DriftSettings& settings, int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  DriftInputs inputs;
  AddInputs(before, after, "before", &inputs, &spec);
  AddInputs(after, before, "after", &inputs, &spec);
  cli::AddSettings(inputs, &spec);
  cli::AddSettings(settings, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::monitor_job
