#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/engine/job_verb.h"
#include "jobs/monitor/drift_step.h"
#include "jobs/monitor/findings.h"
#include "jobs/monitor/html_report.h"
#include "jobs/monitor/result_tables.h"
#include "jobs/monitor/visit_step.h"
#include "jobs/monitor/visits_table.h"
#include "jobs/monitor/watch.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/site_rule.h"
#include "jobs/value_summaries/record_sets.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::monitor_job {
namespace {

// Rows of drift/ that the reports are made of.
constexpr size_t kMaxDriftRows = 5000;

class MonitorVerb final : public engine::JobVerb {
 public:
  MonitorVerb() : engine::JobVerb("monitor", kMonitorHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl with the pages of today")
        .Input()
        .Required();
    flags
        ->Texts("rules", &rules_, "output of trommel learn, or its rules.binpb")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags
        ->Text("records-before", &records_before_,
               "output of trommel extract of an earlier day, or its "
               "records/; needs --records-after")
        .Input();
    flags
        ->Text("records-after", &records_after_,
               "the same of today; needs --records-before")
        .Input();
    DefineOutputFlags(flags, "where report and tables are written").Required();
    flags->Bool("fail-on-break", &fail_on_break_,
                "exit with 3 when a rule is broken");
    flags
        ->Number("rule-threshold", &thresholds_.rule,
                 "a test of a rule fails at more than this share of its "
                 "crawled bellwethers")
        .Between(0, 1)
        .Recorded();
    flags
        ->Number("site-threshold", &thresholds_.site,
                 "a site has changed at this share of the crawled bellwethers "
                 "of its broken rules")
        .Between(0, 1)
        .Recorded();
    flags
        ->Integer("min-bellwethers", &thresholds_.min_bellwethers,
                  "a rule with fewer crawled bellwethers is unknown, unless "
                  "these are all it has")
        .Between(1, 1000)
        .Recorded();
    drift_.Define(flags, /*is_recorded=*/!records_before_.empty());
    DefineReducers(flags, "reduce tasks of drift");
    page_.Define(flags);
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    if (records_before_.empty() != records_after_.empty()) {
      return absl::InvalidArgumentError(
          records_before_.empty()
              ? "--records-after needs --records-before to compare with"
              : "--records-before needs --records-after to compare with");
    }
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeVisitStep(), MakeDriftStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    Findings findings;
    findings.out = out();
    findings.crawls = crawls_;
    findings.rule_sets = rules_;
    findings.records_before = records_before_;
    findings.records_after = records_after_;
    findings.thresholds = thresholds_;

    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Path> rule_files,
                             tables::FindRulesFiles(rules_));
    TROMMEL_ASSIGN_OR_RETURN(
        proto::RuleSet rules,
        tables::ReadRuleFiles(rule_files, tables::RuleParts::kForWatching));
    TROMMEL_RETURN_IF_ERROR(tables::CheckRules(rules));
    TROMMEL_ASSIGN_OR_RETURN(const tables::SiteRule site_rule,
                             tables::SiteRuleOf(rules));
    findings.cluster_flag = site_rule.ClusterFlag();
    std::vector<std::string> inputs = engine::Joined({crawls_, rules_});
    std::vector<mr::StepSpec> steps = {VisitSpec(crawls_, rule_files, page_)};
    if (findings.has_records()) {
      TROMMEL_ASSIGN_OR_RETURN(
          const auto before, value_summaries::FindRecordSets(records_before_));
      TROMMEL_ASSIGN_OR_RETURN(const auto after,
                               value_summaries::FindRecordSets(records_after_));
      findings.notes = SchemaNotes(rules, before, after);
      steps.push_back(DriftSpec(before, after, drift_, num_reducers()));
      inputs.insert(inputs.end(), {records_before_, records_after_});
    }
    if (rules.rule_size() == 0) {
      findings.notes.push_back(
          "there are no rules, so there is nothing to test");
    }

    TROMMEL_ASSIGN_OR_RETURN(engine::JobOutput output,
                             RunJob(std::move(inputs), std::move(steps)));
    findings.counters = output.Counters();
    if (output.steps()[0].counter(mr::kRowsRead) == 0) {
      findings.notes.push_back("the crawl has no pages");
    }
    Watch watch(std::move(rules));
    TROMMEL_RETURN_IF_ERROR(
        ReadVisits(output.staging().Child(kVisitsFolder), [&](Visit visit) {
          watch.Add(std::move(visit));
          return absl::OkStatus();
        }));
    findings.watch = watch.Judge(thresholds_);
    const proto::RuleSet renewed = watch.RenewBellwethers(findings.watch);
    CountWatch(findings.watch, &findings.totals);
    if (findings.has_records()) {
      TROMMEL_RETURN_IF_ERROR(
          ReadDriftRows(output.staging().Child(kDriftFolder), &findings));
    }
    TROMMEL_RETURN_IF_ERROR(WriteResults(findings, &output));
    TROMMEL_RETURN_IF_ERROR(output.WriteFile(tables::kRenewedRulesFile,
                                             rule::EncodeRules(renewed),
                                             renewed.rule_size()));
    const Totals& totals = findings.totals;
    output.Count(findings.counters);
    output.Count("rules.fine", totals.fine_rules);
    output.Count("rules.broken", totals.broken_rules);
    output.Count("rules.unknown", totals.unknown_rules);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    cli::Report report = MakeMonitorReport(findings);
    if (fail_on_break_ && findings.totals.broken_rules > 0) {
      report.exit_code = cli::ExitCode::kCheckFlagged;
    }
    return report;
  }

 private:
  // What the schemas of rules and records have to do with each other.
  static std::vector<std::string> SchemaNotes(
      const proto::RuleSet& rules, const value_summaries::RecordSets& before,
      const value_summaries::RecordSets& after) {
    const std::map<std::string, proto::Schema> rule_schemas =
        tables::SchemasOf(rules);
    std::set<std::string> record_schemas;
    for (const auto& [schema, set] : before) record_schemas.insert(schema);
    for (const auto& [schema, set] : after) record_schemas.insert(schema);
    std::vector<std::string> notes;
    for (const std::string& schema : record_schemas) {
      if (before.count(schema) == 0 || after.count(schema) == 0) {
        notes.push_back(StrCat("only the records ",
                               before.count(schema) == 0 ? "after" : "before",
                               " have the schema ", schema));
      }
      if (rule_schemas.count(schema) == 0) {
        notes.push_back(StrCat("no rule is for the schema ", schema,
                               ", which the records have; only their drift is "
                               "known"));
      }
    }
    for (const auto& [schema, unused] : rule_schemas) {
      if (record_schemas.count(schema) == 0) {
        notes.push_back(StrCat("the records have nothing of the schema ",
                               schema, ", which rules are for"));
      }
    }
    return notes;
  }

  // Counts all rows, keeps the first that need a look: those that drifted, then
  // those of which nothing is known.
  static absl::Status ReadDriftRows(const io::Path& table, Findings* findings) {
    Totals* const totals = &findings->totals;
    std::vector<DriftRow> unknown;
    TROMMEL_RETURN_IF_ERROR(ReadDrift(table, [&](DriftRow row) {
      if (row.state == monitor::DriftStateName(monitor::DriftState::kFine)) {
        ++totals->fine_attributes;
      } else if (row.state ==
                 monitor::DriftStateName(monitor::DriftState::kDrifted)) {
        ++totals->drifted_attributes;
        KeepSmallest(std::move(row), &findings->drift);
      } else {
        ++totals->unknown_attributes;
        KeepSmallest(std::move(row), &unknown);
      }
    }));
    for (std::vector<DriftRow>* const rows : {&findings->drift, &unknown}) {
      std::sort(rows->begin(), rows->end(), Before);
    }
    for (DriftRow& row : unknown) {
      if (findings->drift.size() == kMaxDriftRows) break;
      findings->drift.push_back(std::move(row));
    }
    return absl::OkStatus();
  }

  static bool Before(const DriftRow& a, const DriftRow& b) {
    return std::tie(a.site, a.schema, a.attribute) <
           std::tie(b.site, b.schema, b.attribute);
  }

  // A heap of the first rows, whatever the order in which they come.
  static void KeepSmallest(DriftRow row, std::vector<DriftRow>* rows) {
    rows->push_back(std::move(row));
    std::push_heap(rows->begin(), rows->end(), Before);
    if (rows->size() <= kMaxDriftRows) return;
    std::pop_heap(rows->begin(), rows->end(), Before);
    rows->pop_back();
  }

  // Writes tables, report and flagged sites.
  static absl::Status WriteResults(const Findings& findings,
                                   engine::JobOutput* output) {
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<io::ShardInfo> tables,
        WriteResultTables(findings.watch, output->staging()));
    output->List("", std::move(tables));
    TROMMEL_RETURN_IF_ERROR(output->RemoveFolder(kVisitsFolder));
    TROMMEL_RETURN_IF_ERROR(output->WriteFile(tables::kFlaggedSitesFile,
                                              FlaggedSites(findings.watch)));
    return output->WriteFile(kReportFile, MonitorPage(findings));
  }

  std::vector<std::string> crawls_;
  std::vector<std::string> rules_;
  std::string records_before_;
  std::string records_after_;
  bool fail_on_break_ = false;
  monitor::VerdictThresholds thresholds_;
  DriftSettings drift_;
  page::PageFlags page_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeMonitorVerb() {
  return std::make_unique<MonitorVerb>();
}

}  // namespace trommel::jobs::monitor_job
