#include "jobs/monitor/drift_step.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/cli/settings.h"
#include "jobs/monitor/drift_table.h"
#include "jobs/value_summaries/record_columns.h"
#include "jobs/value_summaries/summary_codec.h"
#include "mapreduce/codec/ordered.h"

// Each mapper keeps a summary for every site and attribute it sees, and sends
// them on when they become many; the reducer of a site merges those of each
// day and compares the days. Summaries are small, merge in any order and do not
// depend on splits, so neither do the rows.

namespace trommel::jobs::monitor_job {
namespace {

using value_summaries::DecodeSummary;
using value_summaries::EncodeSummary;
using value_summaries::RecordColumns;
using value_summaries::RecordSet;
using value_summaries::RecordSets;

constexpr char kName[] = "monitor-drift";
// The days, as the settings name them.
constexpr char kBefore[] = "before";
constexpr char kAfter[] = "after";

// Summaries that a mapper holds, each of some 10 kB.
constexpr size_t kMaxSummaries = 2048;

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

// What an input has: the records of a schema, of one of the days.
struct DriftInput {
  RecordColumns columns;
  std::vector<std::string> keys;  // by attribute
};

class DriftMapper final : public mr::Mapper {
 public:
  explicit DriftMapper(std::vector<DriftInput> inputs)
      : inputs_(std::move(inputs)) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    const DriftInput& records = inputs_[static_cast<size_t>(input)];
    for (size_t i = 0; i < records.keys.size(); ++i) {
      records.columns.GetValues(row, i, &values_);
      summaries_[{std::string(row.bytes(value_summaries::kSite)),
                  records.keys[i]}]
          .AddRecord(row.bytes(value_summaries::kUrl),
                     row.int64(value_summaries::kRecordIndex), values_);
    }
    return summaries_.size() > kMaxSummaries ? Send(out) : absl::OkStatus();
  }

  absl::Status Finish(mr::MapOutput* out) override { return Send(out); }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(value_summaries::kUrl)),
            std::string(row.bytes(value_summaries::kSite))};
  }

 private:
  absl::Status Send(mr::MapOutput* out) {
    for (const auto& [key, summary] : summaries_) {
      TROMMEL_RETURN_IF_ERROR(
          out->Emit(key.first, key.second, EncodeSummary(summary)));
    }
    summaries_.clear();
    return absl::OkStatus();
  }

  const std::vector<DriftInput> inputs_;
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
                               DecodeSummary(values->value()));
      all.Merge(summary);
    }
    return out->Emit(EncodeSummary(all));
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
                               DecodeSummary(values->value()));
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

// Of each input: "before" or "after", and what RecordColumns::Text() says of
// its columns; with a comma between.
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
    std::vector<DriftInput> inputs;
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<DriftInputs>(context));
    for (const std::string& text : settings.inputs) {
      const size_t comma = text.find(',');
      if (comma == std::string::npos) {
        return absl::InvalidArgumentError(StrCat("inputs has \"", text, "\""));
      }
      const bool is_after = text.substr(0, comma) == kAfter;
      DriftInput& input = inputs.emplace_back();
      TROMMEL_ASSIGN_OR_RETURN(input.columns,
                               RecordColumns::Parse(text.substr(comma + 1)));
      for (const RecordColumns::Attribute& attribute :
           input.columns.attributes) {
        input.keys.push_back(
            SummaryKey{input.columns.schema, attribute.name, is_after}
                .Encode());
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
std::vector<io::ColumnRequest> AttributesOfEither(const RecordSet& set,
                                                  const RecordSets& others,
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

void AddInputs(const RecordSets& sets, const RecordSets& others,
               const char* day, DriftInputs* settings, mr::StepSpec* spec) {
  for (const auto& [schema, set] : sets) {
    const RecordColumns columns = value_summaries::ColumnsOf(
        schema, AttributesOfEither(set, others, schema));
    settings->inputs.push_back(StrCat(day, ",", columns.Text()));
    spec->inputs.push_back(columns.Input(set.path));
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

mr::StepSpec DriftSpec(const RecordSets& before, const RecordSets& after,
                       const DriftSettings& settings, int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  DriftInputs inputs;
  AddInputs(before, after, kBefore, &inputs, &spec);
  AddInputs(after, before, kAfter, &inputs, &spec);
  cli::AddSettings(inputs, &spec);
  cli::AddSettings(settings, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::monitor_job
