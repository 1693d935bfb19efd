#include "jobs/compare/compare_step.h"

#include <arrow/type.h>

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_split.h"
#include "absl/time/civil_time.h"
#include "core/base/civil_date.h"
#include "core/base/hash.h"
#include "core/base/json_fields.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/monitor/value_summary.h"
#include "jobs/cli/settings.h"
#include "jobs/compare/deliveries_table.h"
#include "jobs/compare/delivery_key.h"
#include "jobs/compare/site_comparison.h"
#include "jobs/tables/figures_table.h"
#include "jobs/value_summaries/record_columns.h"
#include "jobs/value_summaries/summary_codec.h"
#include "mapreduce/io/path.h"

// Mappers make summaries of the values of each rule and attribute, and of the
// pages with and without records, and pass on figures and earlier rows as they
// are; a reducer has all of a site and judges it (site_comparison.h). What is
// summarised does not depend on splits, and the keys decide the order of the
// rest, so rows do not depend on either.
//
// Cost: a mapper holds kMaxSummaries at a time, each of some 15 kB. A site
// sends its figures, up to UrlSample::kMaxUrls URLs of records and as many of
// rejects, and for each attribute of a rule a summary; a reducer holds what
// site_comparison.cc says.

namespace trommel::jobs::compare {
namespace {

using value_summaries::RecordColumns;

constexpr char kName[] = "compare";
constexpr char kBlockedSideData[] = "blocked";
// What a table of deliveries is in the root of the output.
constexpr char kDeliveriesFolder[] = ".";

// Summaries and samples that a mapper holds.
constexpr size_t kMaxSummaries = 2048;
// Earlier dates than this before tonight do not count.
constexpr int kDaysOfHistory = 40;

// What each input has: "figures", "rejects", "before", or "records," and what
// RecordColumns::Text() says.
constexpr char kFiguresInput[] = "figures";
constexpr char kRejectsInput[] = "rejects";
constexpr char kBeforeInput[] = "before";
constexpr std::string_view kRecordsInput = "records,";

struct CompareTask {
  std::string date;
  std::vector<std::string> inputs;
  bool has_blocked = false;

  void Define(cli::Flags* flags) {
    flags->Text("date", &date, "tonight");
    flags->Texts("inputs", &inputs, "what each input has");
    flags->Bool("has-blocked", &has_blocked, "whether sites are blocked");
  }
};

// The columns of the other tables.
enum FigureColumn : size_t { kFigureSite, kFigureRule, kEvent, kCount };
enum RejectColumn : size_t { kRejectUrl, kRejectSite };

std::vector<io::ColumnRequest> FigureColumns() {
  return {{"site", io::ColumnType::kBytes},
          {"rule_id", io::ColumnType::kBytes},
          {"event", io::ColumnType::kBytes},
          {"count", io::ColumnType::kInt64}};
}
std::vector<io::ColumnRequest> RejectColumns() {
  return {{"url", io::ColumnType::kBytes}, {"site", io::ColumnType::kBytes}};
}

// The first date that counts.
std::string FirstDate(const std::string& tonight) {
  absl::CivilDay day;
  ParseDate(tonight, &day);
  return absl::FormatCivilTime(day - kDaysOfHistory);
}

class CompareMapper final : public mr::Mapper {
 public:
  enum class Kind { kFigures, kRejects, kBefore, kRecords };
  struct Input {
    Kind kind = Kind::kFigures;
    RecordColumns columns;
  };

  CompareMapper(const std::string& date, std::vector<Input> inputs)
      : date_(date), first_date_(FirstDate(date)), inputs_(std::move(inputs)) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    const Input& table = inputs_[static_cast<size_t>(input)];
    switch (table.kind) {
      case Kind::kFigures:
        return MapFigure(row, out);
      case Kind::kBefore:
        return MapBefore(row, out);
      case Kind::kRejects:
        AddReject(row);
        break;
      case Kind::kRecords:
        AddRecord(table.columns, row);
        break;
    }
    return summaries_.size() + urls_.size() > kMaxSummaries ? Send(out)
                                                            : absl::OkStatus();
  }

  absl::Status Finish(mr::MapOutput* out) override { return Send(out); }

  mr::RowName Name(int input, const io::Row& row) const override {
    switch (inputs_[static_cast<size_t>(input)].kind) {
      case Kind::kFigures:
        return {"", std::string(row.bytes(kFigureSite))};
      case Kind::kBefore:
        return {"", std::string(SiteOfDelivery(row))};
      case Kind::kRejects:
        return {std::string(row.bytes(kRejectUrl)),
                std::string(row.bytes(kRejectSite))};
      case Kind::kRecords:
        break;
    }
    return {std::string(row.bytes(value_summaries::kUrl)),
            std::string(row.bytes(value_summaries::kSite))};
  }

 private:
  using SiteAndKey = std::pair<std::string, std::string>;

  static absl::Status MapFigure(const io::Row& row, mr::MapOutput* out) {
    const EventCount figure = {std::string(row.bytes(kFigureRule)),
                               std::string(row.bytes(kEvent)),
                               row.int64(kCount)};
    const std::string value = EncodeFigure(figure);
    DeliveryKey key;
    key.part = DeliveryPart::kFigure;
    key.order = value;
    const std::string_view site = row.bytes(kFigureSite);
    TROMMEL_RETURN_IF_ERROR(out->Emit(site, key.Encode(), value));
    if (figure.rule_id.empty()) return absl::OkStatus();
    key.level = DeliveryLevel::kRule;
    key.rule = LastingPartOfRuleId(figure.rule_id);
    return out->Emit(site, key.Encode(), value);
  }

  absl::Status MapBefore(const io::Row& row, mr::MapOutput* out) const {
    const std::string_view date = DateOfDelivery(row);
    if (date >= date_ || date < first_date_) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(const DeliveryRow before, ReadDelivery(row));
    const std::string value = EncodeDelivery(before);
    DeliveryKey key;
    key.level = !before.attribute.empty() ? DeliveryLevel::kAttribute
                : !before.rule_id.empty() ? DeliveryLevel::kRule
                                          : DeliveryLevel::kSite;
    if (key.level == DeliveryLevel::kAttribute) {
      key.schema = before.schema;
      key.attribute = before.attribute;
    }
    key.rule = LastingPartOfRuleId(before.rule_id);
    // A date that is there twice has an order, too.
    key.order = StrCat(date, Hex64(Hash64(value)));
    return out->Emit(before.site, key.Encode(), value);
  }

  void AddReject(const io::Row& row) {
    const std::string_view url = row.bytes(kRejectUrl);
    const std::string site(row.bytes(kRejectSite));
    SiteSummary(site, PagesKey()).AddRecord(url, 0, {});
    SiteUrls(site, DeliveryPart::kRejectUrls)
        .Add(monitor::RecordHash(url, 0), url);
  }

  void AddRecord(const RecordColumns& columns, const io::Row& row) {
    const std::string_view url = row.bytes(value_summaries::kUrl);
    const std::string site(row.bytes(value_summaries::kSite));
    const int64_t index = row.int64(value_summaries::kRecordIndex);
    const std::string rule_id(row.bytes(value_summaries::kRuleId));
    SiteSummary(site, PagesKey()).AddRecord(url, 0, {"a page"});
    SiteUrls(site, DeliveryPart::kRecordUrls)
        .Add(monitor::RecordHash(url, index), url);
    DeliveryKey key;
    key.rule = LastingPartOfRuleId(rule_id);
    key.level = DeliveryLevel::kRule;
    key.part = DeliveryPart::kSchema;
    schemas_.insert({{site, key.Encode()}, columns.schema});
    key.level = DeliveryLevel::kAttribute;
    key.part = DeliveryPart::kSummary;
    key.order = rule_id;
    key.schema = columns.schema;
    for (size_t i = 0; i < columns.attributes.size(); ++i) {
      columns.GetValues(row, i, &values_);
      key.attribute = columns.attributes[i].name;
      SiteSummary(site, key.Encode()).AddRecord(url, index, values_);
    }
  }

  static std::string PagesKey() {
    DeliveryKey key;
    key.part = DeliveryPart::kSummary;
    return key.Encode();
  }
  monitor::ValueSummary& SiteSummary(const std::string& site, std::string key) {
    return summaries_[{site, std::move(key)}];
  }
  UrlSample& SiteUrls(const std::string& site, DeliveryPart part) {
    DeliveryKey key;
    key.part = part;
    return urls_[{site, key.Encode()}];
  }

  absl::Status Send(mr::MapOutput* out) {
    for (const auto& [key, summary] : summaries_) {
      TROMMEL_RETURN_IF_ERROR(out->Emit(
          key.first, key.second, value_summaries::EncodeSummary(summary)));
    }
    for (const auto& [key, urls] : urls_) {
      TROMMEL_RETURN_IF_ERROR(out->Emit(key.first, key.second, urls.Encode()));
    }
    for (const auto& [key, schema] : schemas_) {
      TROMMEL_RETURN_IF_ERROR(out->Emit(key.first, key.second, schema));
    }
    summaries_.clear();
    urls_.clear();
    schemas_.clear();
    return absl::OkStatus();
  }

  const std::string date_;
  const std::string first_date_;
  const std::vector<Input> inputs_;
  std::map<SiteAndKey, monitor::ValueSummary> summaries_;
  std::map<SiteAndKey, UrlSample> urls_;
  std::map<SiteAndKey, std::string> schemas_;  // of rules
  std::vector<std::string_view> values_;
};

class CompareCombiner final : public mr::Combiner {
 public:
  absl::Status Combine(std::string_view /*site*/, mr::Values* values,
                       Output* out) override {
    monitor::ValueSummary summary;
    UrlSample urls;
    DeliveryPart part = DeliveryPart::kBefore;
    std::string schema;
    while (values->Next()) {
      TROMMEL_ASSIGN_OR_RETURN(const DeliveryKey key,
                               DeliveryKey::Decode(values->sort_key()));
      part = key.part;
      switch (part) {
        case DeliveryPart::kBefore:
        case DeliveryPart::kFigure:
          TROMMEL_RETURN_IF_ERROR(out->Emit(values->value()));
          break;
        case DeliveryPart::kSchema:
          schema = values->value();
          break;
        case DeliveryPart::kSummary: {
          TROMMEL_ASSIGN_OR_RETURN(
              const monitor::ValueSummary one,
              value_summaries::DecodeSummary(values->value()));
          summary.Merge(one);
          break;
        }
        case DeliveryPart::kRecordUrls:
        case DeliveryPart::kRejectUrls: {
          TROMMEL_ASSIGN_OR_RETURN(const UrlSample one,
                                   UrlSample::Decode(values->value()));
          urls.Merge(one);
          break;
        }
      }
    }
    switch (part) {
      case DeliveryPart::kBefore:
      case DeliveryPart::kFigure:
        return absl::OkStatus();
      case DeliveryPart::kSchema:
        return out->Emit(schema);
      case DeliveryPart::kSummary:
        return out->Emit(value_summaries::EncodeSummary(summary));
      case DeliveryPart::kRecordUrls:
      case DeliveryPart::kRejectUrls:
        return out->Emit(urls.Encode());
    }
    return absl::OkStatus();
  }
};

// The tables of a task.
class TaskTables final : public ComparisonOutput {
 public:
  explicit TaskTables(mr::TaskOutput* out) : out_(out) {}

  absl::Status WriteRow(const DeliveryRow& row,
                        const monitor::Baseline& baseline) override {
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out_->Table(0));
    return WriteDelivery(row, baseline, table);
  }
  absl::Status WriteFinding(
      const summaries::Compare::Finding& finding) override {
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out_->Table(1));
    table->Int64(finding.severity == "critical" ? 1 : 0)
        .Int64(finding.affected)
        .Text(JsonLineText(ToJson(finding)));
    return table->EndRow();
  }
  void Count(std::string_view counter, int64_t amount) override {
    out_->Count(counter, amount);
  }

 private:
  mr::TaskOutput* const out_;
};

class CompareReducer final : public mr::Reducer {
 public:
  CompareReducer(std::string date, std::map<std::string, std::string> walls)
      : date_(std::move(date)), walls_(std::move(walls)) {}

  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    const auto wall = walls_.find(std::string(site));
    TaskTables tables(out);
    SiteComparison comparison(
        std::string(site), date_,
        wall == walls_.end() ? std::string() : wall->second, &tables);
    while (values->Next()) {
      TROMMEL_ASSIGN_OR_RETURN(const DeliveryKey key,
                               DeliveryKey::Decode(values->sort_key()));
      TROMMEL_RETURN_IF_ERROR(comparison.Add(key, values->value()));
    }
    return comparison.Finish();
  }

 private:
  const std::string date_;
  const std::map<std::string, std::string> walls_;
};

// Reads what the sites of a file answered with: the site, a tab, a text.
absl::StatusOr<std::map<std::string, std::string>> ReadWalls(
    const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(path));
  std::map<std::string, std::string> walls;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits('\t', 1));
    if (IsBlank(parts.first)) continue;
    walls[parts.first] = IsBlank(parts.second) ? "no reason is given"
                                               : NormalizeSpace(parts.second);
  }
  return walls;
}

class CompareStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }

  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {kDeliveriesFolder, DeliveriesSchema(), {"sample", "histograms"}},
        {kFindingsFolder,
         arrow::schema({arrow::field("is_critical", arrow::int64(), false),
                        arrow::field("affected", arrow::int64(), false),
                        arrow::field("finding", arrow::utf8(), false)}),
         {}}};
  }

  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto task,
                             cli::ReadSettings<CompareTask>(context));
    std::vector<CompareMapper::Input> inputs;
    for (const std::string& text : task.inputs) {
      CompareMapper::Input& input = inputs.emplace_back();
      if (text == kFiguresInput) {
        input.kind = CompareMapper::Kind::kFigures;
      } else if (text == kRejectsInput) {
        input.kind = CompareMapper::Kind::kRejects;
      } else if (text == kBeforeInput) {
        input.kind = CompareMapper::Kind::kBefore;
      } else if (text.rfind(kRecordsInput, 0) == 0) {
        input.kind = CompareMapper::Kind::kRecords;
        TROMMEL_ASSIGN_OR_RETURN(
            input.columns, RecordColumns::Parse(std::string_view(text).substr(
                               kRecordsInput.size())));
      } else {
        return absl::InvalidArgumentError(StrCat("inputs has \"", text, "\""));
      }
    }
    return std::make_unique<CompareMapper>(task.date, std::move(inputs));
  }

  absl::StatusOr<std::unique_ptr<mr::Combiner>> MakeCombiner(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<CompareCombiner>();
  }

  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto task,
                             cli::ReadSettings<CompareTask>(context));
    std::map<std::string, std::string> walls;
    if (task.has_blocked) {
      TROMMEL_ASSIGN_OR_RETURN(const std::string file,
                               context.SideDataPath(kBlockedSideData));
      TROMMEL_ASSIGN_OR_RETURN(walls, ReadWalls(file));
    }
    return std::make_unique<CompareReducer>(task.date, std::move(walls));
  }
};

}  // namespace

std::vector<io::ColumnRequest> FindingColumns() {
  return {{"is_critical", io::ColumnType::kInt64},
          {"affected", io::ColumnType::kInt64},
          {"finding", io::ColumnType::kBytes}};
}

std::unique_ptr<mr::Step> MakeCompareStep() {
  return std::make_unique<CompareStep>();
}

mr::StepSpec CompareSpec(const CompareInputs& inputs, int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  CompareTask task;
  task.date = inputs.date;
  const auto add = [&](const std::string& what, mr::TableInput input) {
    task.inputs.push_back(what);
    spec.inputs.push_back(std::move(input));
  };
  const auto table = [](std::vector<std::string> paths,
                        std::vector<io::ColumnRequest> columns) {
    mr::TableInput input;
    input.paths = std::move(paths);
    input.columns = std::move(columns);
    return input;
  };
  if (!inputs.figures.empty()) {
    add(kFiguresInput, table({inputs.figures}, FigureColumns()));
  }
  if (!inputs.rejects.empty()) {
    add(kRejectsInput, table({inputs.rejects}, RejectColumns()));
  }
  if (!inputs.before.empty()) {
    add(kBeforeInput, table(inputs.before, DeliveryColumns()));
  }
  for (const auto& [schema, set] : inputs.records) {
    const RecordColumns columns =
        value_summaries::ColumnsOf(schema, set.attributes);
    add(StrCat(kRecordsInput, columns.Text()), columns.Input(set.path));
  }
  if (!inputs.blocked.empty()) {
    spec.side_data.push_back(
        {kBlockedSideData, inputs.blocked, /*from_output=*/""});
  }
  task.has_blocked = !inputs.blocked.empty();
  cli::AddSettings(task, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::compare
