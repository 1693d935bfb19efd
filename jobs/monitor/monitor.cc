#include "jobs/monitor/monitor.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/monitor/drift_step.h"
#include "jobs/monitor/findings.h"
#include "jobs/monitor/html_report.h"
#include "jobs/monitor/record_sets.h"
#include "jobs/monitor/result_tables.h"
#include "jobs/monitor/visit_step.h"
#include "jobs/monitor/visits_table.h"
#include "jobs/monitor/watch.h"
#include "jobs/page/page_flags.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"

namespace trommel {
namespace {

// Rows of drift/ that the reports are made of.
constexpr size_t kMaxDriftRows = 5000;

class MonitorVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "monitor"; }
  std::string_view summary() const override {
    return "test rules on today's crawl: which are broken, which sites changed";
  }
  std::string_view description() const override {
    return "Every rule has bellwethers, pages with what it extracted from them "
           "when it was\nlearnt. Those that are in the crawl are placed among "
           "their site's templates and\nextracted again, and fail in three "
           "ways:\n"
           "  signature changed   the page is no longer placed in the rule's "
           "template\n"
           "  null extraction     a mandatory attribute, or a constant one "
           "that had a value,\n                      is missing; without "
           "mandatory attributes, any that had one\n"
           "  wrong extraction    a constant attribute has another value\n"
           "A rule is broken if the signature of a majority changed, or a "
           "majority fails by\nextraction; a site has changed if nearly all "
           "bellwethers of its broken rules fail.\nBellwethers that are not "
           "in the crawl, or cannot be parsed, are absent; a rule with\ntoo "
           "few others is unknown.\n\n"
           "Writes sites/, rules/ and bellwethers/ (a row for each), "
           "flagged_sites.txt (sites\nwith a broken rule, for trommel reuse "
           "--sites) and report.html. With --records-before\nand "
           "--records-after also drift/: whether fill rates, shapes, lengths "
           "and the variety of\nvalues are what they were, by site and "
           "attribute; that needs no bellwethers.";
  }
  std::string_view example() const override {
    return "trommel monitor --crawl=web/day=2026-01-02/crawl --rules=rules "
           "--out=monitored --fail-on-break";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl with the pages of today").Required();
    flags
        ->Texts("rules", &rules_, "output of trommel learn, or its rules.binpb")
        .Required();
    flags->Text("records-before", &records_before_,
                "records of an earlier day; needs --records-after");
    flags->Text("records-after", &records_after_,
                "records of today; needs --records-before");
    flags->Text("out", &out_, "where report and tables are written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags->Bool("fail-on-break", &fail_on_break_,
                "exit with 3 when a rule is broken");
    flags
        ->Number("rule-threshold", &thresholds_.rule,
                 "a test of a rule fails at more than this share of its "
                 "crawled bellwethers")
        .Between(0, 1);
    flags
        ->Number("site-threshold", &thresholds_.site,
                 "a site has changed at this share of the crawled bellwethers "
                 "of its broken rules")
        .Between(0, 1);
    flags
        ->Integer("min-bellwethers", &thresholds_.min_bellwethers,
                  "a rule with fewer crawled bellwethers is unknown, unless "
                  "these are all it has")
        .Between(1, 1000);
    flags
        ->Number("drift-fill-margin", &drift_thresholds_.fill_margin,
                 "differences of fill rates up to this are no drift")
        .Between(0, 1);
    flags
        ->Number("drift-shape-margin", &drift_thresholds_.shape_margin,
                 "distances of shapes, lengths and variety up to this are no "
                 "drift")
        .Between(0, 1);
    flags
        ->Number("drift-significance", &drift_thresholds_.significance,
                 "probability of a false alarm of each test of drift")
        .Between(1e-15, 0.5);
    flags->Integer("reducers", &num_reducers_, "reduce tasks of drift")
        .Between(1, 10000);
    page_.Define(flags);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    if (records_before_.empty() != records_after_.empty()) {
      return absl::InvalidArgumentError(
          records_before_.empty()
              ? "--records-after needs --records-before to compare with"
              : "--records-before needs --records-after to compare with");
    }
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeVisitStep());
    steps.push_back(MakeDriftStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    Findings findings;
    findings.out = out_;
    findings.crawls = crawls_;
    findings.rule_sets = rules_;
    findings.records_before = records_before_;
    findings.records_after = records_after_;
    findings.thresholds = thresholds_;

    std::vector<std::string> rule_files;
    TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules, ReadRules(&rule_files));
    TROMMEL_RETURN_IF_ERROR(CheckRules(rules));
    TROMMEL_ASSIGN_OR_RETURN(const SiteRule site_rule, SiteRuleOf(rules));
    findings.cluster_flag = site_rule.ClusterFlag();
    mr::Job job;
    job.name = name();
    job.steps = {VisitSpec(crawls_, rule_files, page_)};
    if (findings.has_records()) {
      TROMMEL_ASSIGN_OR_RETURN(const auto before,
                               FindRecordSets(records_before_));
      TROMMEL_ASSIGN_OR_RETURN(const auto after,
                               FindRecordSets(records_after_));
      findings.notes = SchemaNotes(rules, before, after);
      job.steps.push_back(DriftSpec(before, after, drift_thresholds_,
                                    static_cast<int>(num_reducers_)));
    }
    if (rules.rule_size() == 0) {
      findings.notes.push_back(
          "there are no rules, so there is nothing to test");
    }

    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    TROMMEL_ASSIGN_OR_RETURN(const mr::JobResult result,
                             engine_.Run(job, MakeSteps(), output.get()));
    for (const mr::StepResult& step : result.steps) {
      for (const auto& [counter, count] : step.counters) {
        findings.counters[counter] += count;
      }
    }
    if (result.steps[0].counter(mr::kRowsRead) == 0) {
      findings.notes.push_back("the crawl has no pages");
    }
    Watch watch(std::move(rules));
    TROMMEL_RETURN_IF_ERROR(
        ReadVisits(output->staging().Child(kVisitsFolder), [&](Visit visit) {
          watch.Add(std::move(visit));
          return absl::OkStatus();
        }));
    findings.watch = watch.Judge(thresholds_);
    CountWatch(findings.watch, &findings.totals);
    if (findings.has_records()) {
      TROMMEL_RETURN_IF_ERROR(
          ReadDriftRows(output->staging().Child(kDriftFolder), &findings));
    }
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<io::ShardInfo> shards,
        WriteOutput(output->staging(), findings, result.shards));
    TROMMEL_RETURN_IF_ERROR(output->Commit(MakeManifest(findings, shards)));
    cli::Report report = MakeMonitorReport(findings);
    if (fail_on_break_ && findings.totals.broken_rules > 0) {
      report.exit_code = cli::ExitCode::kCheckFlagged;
    }
    return report;
  }

 private:
  absl::StatusOr<proto::RuleSet> ReadRules(
      std::vector<std::string>* names) const {
    std::vector<io::Path> files;
    for (const std::string& rules : rules_) {
      TROMMEL_ASSIGN_OR_RETURN(io::Path file, FindRulesFile(rules));
      names->push_back(file.Absolute());
      files.push_back(std::move(file));
    }
    return ReadRuleFiles(files, RuleParts::kForWatching);
  }

  // What the schemas of rules and records have to do with each other.
  static std::vector<std::string> SchemaNotes(
      const proto::RuleSet& rules,
      const std::map<std::string, RecordSet>& before,
      const std::map<std::string, RecordSet>& after) {
    const std::map<std::string, proto::Schema> of_rules = SchemasOf(rules);
    std::set<std::string> of_records;
    for (const auto& [schema, set] : before) of_records.insert(schema);
    for (const auto& [schema, set] : after) of_records.insert(schema);
    std::vector<std::string> notes;
    for (const std::string& schema : of_records) {
      if (before.count(schema) == 0 || after.count(schema) == 0) {
        notes.push_back(StrCat("only the records ",
                               before.count(schema) == 0 ? "after" : "before",
                               " have the schema ", schema));
      }
      if (of_rules.count(schema) == 0) {
        notes.push_back(StrCat("no rule is for the schema ", schema,
                               ", which the records have; only their drift is "
                               "known"));
      }
    }
    for (const auto& [schema, unused] : of_rules) {
      if (of_records.count(schema) == 0) {
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
      if (row.state == DriftStateName(DriftState::kFine)) {
        ++totals->fine_attributes;
      } else if (row.state == DriftStateName(DriftState::kDrifted)) {
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

  // Writes tables, report and flagged sites; the files of the output.
  static absl::StatusOr<std::vector<io::ShardInfo>> WriteOutput(
      const io::Path& staging, const Findings& findings,
      const std::vector<io::ShardInfo>& of_job) {
    TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> shards,
                             WriteResultTables(findings.watch, staging));
    const std::string visits = StrCat(kVisitsFolder, "/");
    for (const io::ShardInfo& shard : of_job) {
      if (shard.file.rfind(visits, 0) != 0) shards.push_back(shard);
    }
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(staging.Child(kVisitsFolder)));
    for (const auto& [file, text] :
         {std::pair(kFlaggedSitesFile, FlaggedSites(findings.watch)),
          std::pair(kReportFile, MonitorPage(findings))}) {
      TROMMEL_RETURN_IF_ERROR(io::WriteFile(staging.Child(file), text));
      shards.push_back(
          {file, 0, static_cast<int64_t>(text.size()), ContentDigest(text)});
    }
    return shards;
  }

  io::Manifest MakeManifest(const Findings& findings,
                            const std::vector<io::ShardInfo>& shards) const {
    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = crawls_;
    manifest.inputs.insert(manifest.inputs.end(), rules_.begin(), rules_.end());
    manifest.flags = engine_.ManifestFlags();
    for (const auto& setting : page_.Settings()) {
      manifest.flags.push_back(setting);
    }
    manifest.flags.insert(
        manifest.flags.end(),
        {{"rule-threshold", StrCat(thresholds_.rule)},
         {"site-threshold", StrCat(thresholds_.site)},
         {"min-bellwethers", StrCat(thresholds_.min_bellwethers)}});
    if (findings.has_records()) {
      manifest.inputs.insert(manifest.inputs.end(),
                             {records_before_, records_after_});
      manifest.flags.insert(
          manifest.flags.end(),
          {{"drift-fill-margin", StrCat(drift_thresholds_.fill_margin)},
           {"drift-shape-margin", StrCat(drift_thresholds_.shape_margin)},
           {"drift-significance", StrCat(drift_thresholds_.significance)}});
    }
    manifest.counts.assign(findings.counters.begin(), findings.counters.end());
    const Totals& totals = findings.totals;
    manifest.counts.insert(manifest.counts.end(),
                           {{"rules.fine", totals.fine_rules},
                            {"rules.broken", totals.broken_rules},
                            {"rules.unknown", totals.unknown_rules}});
    manifest.shards = shards;
    return manifest;
  }

  std::vector<std::string> crawls_;
  std::vector<std::string> rules_;
  std::string records_before_;
  std::string records_after_;
  std::string out_;
  bool force_ = false;
  bool fail_on_break_ = false;
  VerdictThresholds thresholds_;
  DriftThresholds drift_thresholds_;
  int64_t num_reducers_ = 4;
  PageFlags page_;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeMonitorVerb() {
  return std::make_unique<MonitorVerb>();
}

}  // namespace trommel
