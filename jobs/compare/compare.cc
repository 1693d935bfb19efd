#include "jobs/summaries/compare.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/time/civil_time.h"
#include "core/base/civil_date.h"
#include "core/base/json_fields.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "jobs/compare/compare_step.h"
#include "jobs/compare/deliveries_table.h"
#include "jobs/compare/report.h"
#include "jobs/compare/site_comparison.h"
#include "jobs/engine/job_verb.h"
#include "jobs/registry.h"
#include "jobs/tables/extract_output.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::compare {
namespace {

// Findings in the summary.
constexpr size_t kMaxFindings = 1000;

// Whether the first finding comes first: the most severe, then the largest.
struct RankedFinding {
  int64_t is_critical = 0;
  int64_t affected = 0;
  std::string json;

  bool operator<(const RankedFinding& other) const {
    return std::tie(other.is_critical, other.affected, json) <
           std::tie(is_critical, affected, other.json);
  }
};

// Returns the absolute path of a table, or nothing where its folder has no
// files.
absl::StatusOr<std::string> TableIfAny(const io::Path& path) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
  if (entry.kind == io::EntryKind::kNone) return std::string();
  const absl::StatusOr<std::vector<io::Entry>> files = io::ListTableFiles(path);
  if (absl::IsNotFound(files.status())) return std::string();
  TROMMEL_RETURN_IF_ERROR(files.status());
  return path.Absolute();
}

class CompareVerb final : public engine::JobVerb {
 public:
  CompareVerb() : engine::JobVerb("compare", kCompareHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("date", &date_, "the date of the night, YYYY-MM-DD")
        .NotAPath()
        .Required()
        .Recorded();
    flags
        ->Text("extracted", &extracted_,
               "output of trommel extract, or its records/ with the other "
               "tables beside them")
        .Input();
    flags
        ->Text("records", &records_,
               "the same table by table: records, in folders schema=NAME")
        .Input();
    flags->Text("rejects", &rejects_, "rejects; needs --records").Input();
    flags->Text("figures", &figures_, "figures; needs --records").Input();
    flags
        ->Texts("before", &before_,
                "output of this verb for an earlier date; later ones do not "
                "count")
        .Input();
    flags
        ->Text("blocked", &blocked_,
               "file of sites that answered with walls: site, tab, reason")
        .Input();
    DefineOutputFlags(flags, "where the table of deliveries is written")
        .Required();
    DefineReducers(flags, "reduce tasks");
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    absl::CivilDay day;
    if (!ParseDate(date_, &day)) {
      return absl::InvalidArgumentError(
          StrCat("--date=", date_, " is not a date like 2026-01-31"));
    }
    const bool has_all =
        !records_.empty() && !rejects_.empty() && !figures_.empty();
    const bool has_any =
        !records_.empty() || !rejects_.empty() || !figures_.empty();
    if (extracted_.empty() ? !has_all : has_any) {
      return absl::InvalidArgumentError(
          "either --extracted is needed, or all of --records, --rejects and "
          "--figures");
    }
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeCompareStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const CompareInputs inputs, FindInputs());
    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(InputPaths(), {CompareSpec(inputs, num_reducers())}));
    TROMMEL_RETURN_IF_ERROR(EnsureTable(&output));
    const mr::Counters counters = output.Counters();
    summaries::Compare summary;
    summary.out = out();
    summary.date = date_;
    summary.records = mr::CounterOf(counters, kRecordsDelivered);
    summary.usual_records = mr::CounterOf(counters, kRecordsUsual);
    summary.compared_sites = mr::CounterOf(counters, kSitesCompared);
    summary.sites.good = SitesOfState(counters, monitor::DayState::kGood);
    summary.sites.blocked = SitesOfState(counters, monitor::DayState::kBlocked);
    summary.sites.missing = SitesOfState(counters, monitor::DayState::kMissing);
    TROMMEL_RETURN_IF_ERROR(ReadFindings(output.staging(), &summary));
    TROMMEL_RETURN_IF_ERROR(output.RemoveFolder(kFindingsFolder));
    summary.counters = counters;
    output.Count(counters);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeCompareReport(summary);
  }

 private:
  static int64_t SitesOfState(const mr::Counters& counters,
                              monitor::DayState state) {
    return mr::CounterOf(counters,
                         StrCat(kSitesPrefix, monitor::DayStateName(state)));
  }

  std::vector<std::string> InputPaths() const {
    std::vector<std::string> paths;
    for (const std::string& path :
         {extracted_, records_, rejects_, figures_, blocked_}) {
      if (!path.empty()) paths.push_back(path);
    }
    return engine::Joined({paths, before_});
  }

  absl::StatusOr<CompareInputs> FindInputs() const {
    CompareInputs inputs;
    inputs.date = date_;
    TROMMEL_ASSIGN_OR_RETURN(tables::ExtractOutput extracted, FindTables());
    TROMMEL_ASSIGN_OR_RETURN(inputs.records,
                             value_summaries::FindRecordSetsIfAny(
                                 extracted_.empty() ? records_ : extracted_));
    TROMMEL_ASSIGN_OR_RETURN(inputs.rejects, TableIfAny(extracted.rejects));
    TROMMEL_ASSIGN_OR_RETURN(inputs.figures, TableIfAny(extracted.figures));
    if (inputs.figures.empty() && !inputs.records.empty()) {
      return absl::FailedPreconditionError(
          StrCat(extracted.figures.name,
                 " has no figures, which say how many pages there were; they "
                 "are an output of trommel extract"));
    }
    for (const std::string& before : before_) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(before));
      TROMMEL_ASSIGN_OR_RETURN(const std::string table, TableIfAny(path));
      if (!table.empty()) inputs.before.push_back(table);
    }
    if (!blocked_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(blocked_));
      inputs.blocked = path.Absolute();
    }
    return inputs;
  }

  absl::StatusOr<tables::ExtractOutput> FindTables() const {
    tables::ExtractOutput found;
    if (!extracted_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path,
                               io::ResolvePath(extracted_));
      return tables::FindExtractOutput(path);
    }
    TROMMEL_ASSIGN_OR_RETURN(found.records, io::ResolvePath(records_));
    TROMMEL_ASSIGN_OR_RETURN(found.rejects, io::ResolvePath(rejects_));
    TROMMEL_ASSIGN_OR_RETURN(found.figures, io::ResolvePath(figures_));
    return found;
  }

  // A night of which nothing is known has a table, too, without rows: it is
  // there for the nights that follow.
  static absl::Status EnsureTable(engine::JobOutput* output) {
    const absl::StatusOr<std::string> table = TableIfAny(output->staging());
    TROMMEL_RETURN_IF_ERROR(table.status());
    if (!table->empty()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> rows,
        io::RowWriter::Create(output->staging(), DeliveriesSchema(), {}));
    TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> files, rows->Close());
    output->List("", std::move(files));
    return absl::OkStatus();
  }

  // Keeps the first findings in a heap.
  static absl::Status ReadFindings(const io::Path& staging,
                                   summaries::Compare* summary) {
    const io::Path table = staging.Child(kFindingsFolder);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(table));
    if (entry.kind == io::EntryKind::kNone) return absl::OkStatus();
    std::vector<RankedFinding> first;
    TROMMEL_RETURN_IF_ERROR(
        io::VisitRows(table, FindingColumns(), [&](const io::Row& row) {
          ++summary->num_findings;
          first.push_back({row.int64(kIsCritical), row.int64(kAffected),
                           std::string(row.bytes(kFindingJson))});
          std::push_heap(first.begin(), first.end());
          if (first.size() > kMaxFindings) {
            std::pop_heap(first.begin(), first.end());
            first.pop_back();
          }
          return absl::OkStatus();
        }));
    std::sort(first.begin(), first.end());
    for (const RankedFinding& finding : first) {
      TROMMEL_ASSIGN_OR_RETURN(
          summaries::Compare::Finding read,
          FromJsonText<summaries::Compare::Finding>(finding.json));
      summary->findings.push_back(std::move(read));
    }
    return absl::OkStatus();
  }

  std::string date_;
  std::string extracted_;
  std::string records_;
  std::string rejects_;
  std::string figures_;
  std::vector<std::string> before_;
  std::string blocked_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeCompareVerb() {
  return std::make_unique<CompareVerb>();
}

}  // namespace trommel::jobs::compare
