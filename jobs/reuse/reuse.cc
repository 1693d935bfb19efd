#include "jobs/reuse/reuse.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/learn/site_learning.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/page/page_flags.h"
#include "jobs/reuse/field_step.h"
#include "jobs/reuse/names.h"
#include "jobs/reuse/outcome.h"
#include "jobs/reuse/overlap_step.h"
#include "jobs/reuse/plan.h"
#include "jobs/reuse/repair_step.h"
#include "jobs/reuse/report.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/decisions_table.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/rules_folder.h"
#include "jobs/tables/signatures_table.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace trommel {
namespace {

constexpr char kAssignmentsFolder[] = "assignments";

class ReuseVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "reuse"; }
  std::string_view summary() const override {
    return "keep the rules that still work when sites were clustered anew";
  }
  std::string_view description() const override {
    return "For each cluster of the new crawl: which rule of the old clusters "
           "goes on with it.\nAn old cluster is the new one if they have the "
           "same signature (cluster match), if it\ntakes all pages of the new "
           "one (page match), or, where neither is so, if they have\nURLs in "
           "common; its rule must pass the field test on the old and new "
           "versions of the\npages that were crawled on both days: constant "
           "attributes as they were, mandatory\nones there. A rule that fails "
           "is repaired: the values it used to extract are looked\nfor on the "
           "new pages, and it is learnt again from where they are.\n\n"
           "Writes rules as `trommel learn` does, to_annotate.jsonl (clusters "
           "without a rule, the\nlargest first) and the table decisions/, a "
           "row for each cluster with the reason;\n`trommel explain` shows "
           "it. Rules of sites that are not in the new crawl, or not in\n"
           "--sites, stay as they were.";
  }
  std::string_view example() const override {
    return "trommel reuse --rules=rules --old-clusters=clusters "
           "--old-crawl=day1 --new-clusters=clusters2 --new-crawl=day2 "
           "--out=rules2";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("rules", &rules_, "output of trommel learn or reuse")
        .Required();
    flags
        ->Text("old-clusters", &old_clusters_,
               "output of trommel cluster that the rules are for")
        .Required();
    flags->Texts("old-crawl", &old_crawls_, "crawl that they were made of")
        .Required();
    flags
        ->Text("new-clusters", &new_clusters_,
               "output of trommel cluster of the new crawl")
        .Required();
    flags->Texts("new-crawl", &new_crawls_, "the new crawl").Required();
    flags->Text("new-signatures", &new_signatures_,
                "table of the new crawl's signatures, where the clusters were "
                "made from one and have none of their own");
    flags->Text("out", &out_, "where the rules are written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags->Text("sites", &sites_file_,
                "file with the sites to look at, one a line; without it all");
    flags->Bool("repair", &repair_,
                "learn broken rules again from what they used to extract");
    flags
        ->Number("min-pass", &files_.thresholds.min_pass,
                 "share of the pages that must pass the field test")
        .Between(0.5, 1);
    flags
        ->Number("max-lost", &files_.thresholds.max_lost,
                 "share of the pages from which an attribute may be gone that "
                 "is neither mandatory nor constant")
        .Between(0, 1);
    settings_.learner.Define("how broken rules are learnt again", flags);
    flags->Integer("reducers", &num_reducers_, "reduce tasks per step")
        .Between(1, 10000);
    settings_.page.Define(flags);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    TROMMEL_RETURN_IF_ERROR(settings_.learner.Check());
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeOverlapStep());
    steps.push_back(MakeFieldStep());
    steps.push_back(MakeRepairStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    ReuseFindings findings;
    TROMMEL_RETURN_IF_ERROR(ReadInputs(&findings));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    TROMMEL_ASSIGN_OR_RETURN(const mr::JobResult result,
                             engine_.Run(MakeJob(), MakeSteps(), output.get()));

    const io::Path& staging = output->staging();
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<ReusePlan> plan,
        ReusePlan::Read(files_, staging.Child(kOverlapTable)));
    findings.plan = plan.get();
    TROMMEL_ASSIGN_OR_RETURN(findings.tests,
                             FieldTests::Read(staging.Child(kFieldsTable),
                                              staging.Child(kPagesTable),
                                              FieldTests::Pages::kFresh));
    findings.repair = repair_;
    if (repair_) {
      TROMMEL_ASSIGN_OR_RETURN(findings.repairs,
                               ReadRepairs(staging.Child(kRepairsTable)));
      TROMMEL_ASSIGN_OR_RETURN(
          findings.repaired_tests,
          FieldTests::Read(staging.Child(kRepairedFieldsTable),
                           staging.Child(kRepairedPagesTable),
                           FieldTests::Pages::kFresh));
    }
    TROMMEL_RETURN_IF_ERROR(CheckCrawlsBelong(findings, result));
    ReuseOutcome outcome = MakeOutcome(findings);

    mr::Counters counters = {{kUrlsShared, 0},
                             {kPagesTested, 0},
                             {kPagesUnparsed, 0},
                             {kPagesRelearnt, 0}};
    for (const mr::StepResult& step : result.steps) {
      for (const auto& [counter, count] : step.counters) {
        counters[counter] += count;
      }
    }
    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = {rules_, old_clusters_, new_clusters_};
    manifest.inputs.insert(manifest.inputs.end(), old_crawls_.begin(),
                           old_crawls_.end());
    manifest.inputs.insert(manifest.inputs.end(), new_crawls_.begin(),
                           new_crawls_.end());
    manifest.flags = ManifestFlags();
    manifest.counts.assign(counters.begin(), counters.end());
    TROMMEL_ASSIGN_OR_RETURN(manifest.shards, WriteOutput(staging, &outcome));
    TROMMEL_RETURN_IF_ERROR(RemoveTables(staging, result, &manifest.shards));
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return MakeReuseReport(out_, outcome, counters);
  }

 private:
  // Fills in files_ and the old part of the findings. Finds what does not
  // belong together before any work is done.
  absl::Status ReadInputs(ReuseFindings* findings) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path rules, FindRulesFile(rules_));
    TROMMEL_RETURN_IF_ERROR(ReadRuleFiles({rules}).status());
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(rules));
    TROMMEL_ASSIGN_OR_RETURN(findings->rules, DecodeRules(bytes));
    for (const proto::Rule& rule : findings->rules.rule()) {
      const absl::Status status = CompileRule(rule).status();
      if (!status.ok()) return Annotate(status, rules.name);
    }
    TROMMEL_ASSIGN_OR_RETURN(findings->statuses, ReadClusterStatuses(rules));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path old_clusters,
                             FolderOf(old_clusters_, kClustersFolder, ""));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path new_clusters,
                             FolderOf(new_clusters_, kClustersFolder, ""));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path assignments,
                             FolderOf(old_clusters_, kAssignmentsFolder, ""));
    io::Path signatures;
    if (new_signatures_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(
          signatures,
          FolderOf(new_clusters_, kSignaturesFolder,
                   " (was it clustered with --signatures? give that table as "
                   "--new-signatures)"));
    } else {
      TROMMEL_ASSIGN_OR_RETURN(signatures, io::ResolvePath(new_signatures_));
    }
    files_.rules = rules.Absolute();
    files_.old_clusters = old_clusters.Absolute();
    files_.new_clusters = new_clusters.Absolute();
    assignments_table_ = assignments.Absolute();
    signatures_table_ = signatures.Absolute();
    if (!sites_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(auto known, SitesOf(new_clusters));
      for (const proto::Rule& rule : findings->rules.rule()) {
        known.insert(rule.site());
      }
      TROMMEL_ASSIGN_OR_RETURN(
          const std::set<std::string> sites,
          ReadSitesFile(sites_file_, known,
                        "is in the new clusters or has a rule"));
      files_.sites.insert(sites.begin(), sites.end());
    }
    for (const ClusterStatus& status : findings->statuses) {
      if (status.status == LearnStatusName(LearnStatus::kIgnored)) {
        files_.ignored.insert(status.cluster_id);
      }
    }
    return CheckRulesBelong(findings->rules, old_clusters);
  }

  // A folder in the output of `trommel cluster`.
  static absl::StatusOr<io::Path> FolderOf(const std::string& clusters,
                                           const char* folder,
                                           std::string_view advice) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(clusters));
    const io::Path inside = path.Child(folder);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(inside));
    if (entry.kind == io::EntryKind::kDirectory) return inside;
    return absl::NotFoundError(StrCat(
        clusters, " has no folder ", folder,
        advice.empty() ? "; it is no output of trommel cluster" : advice));
  }

  // The rules are those of the old clusters: at least one of them is, and none
  // was made with other settings.
  absl::Status CheckRulesBelong(const proto::RuleSet& rules,
                                const io::Path& old_clusters) const {
    std::map<std::string, const proto::Rule*> by_cluster;
    for (const proto::Rule& rule : rules.rule()) {
      if (files_.IsWanted(rule.site())) by_cluster[rule.cluster_id()] = &rule;
    }
    if (by_cluster.empty()) return absl::OkStatus();
    int64_t num_found = 0;
    TROMMEL_RETURN_IF_ERROR(
        VisitClusters(old_clusters, [&](ClusterRow cluster) -> absl::Status {
          const auto found = by_cluster.find(cluster.cluster_id);
          if (found == by_cluster.end()) return absl::OkStatus();
          ++num_found;
          if (found->second->site_key() == cluster.site_key &&
              found->second->shingle_length() == cluster.shingle_length) {
            return absl::OkStatus();
          }
          return absl::InvalidArgumentError(
              StrCat("the rule of cluster ", cluster.cluster_id, " in ", rules_,
                     " was made with other settings (site_key ",
                     found->second->site_key(), ", shingle_length ",
                     found->second->shingle_length(), ") than the cluster in ",
                     old_clusters_));
        }));
    if (num_found > 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        StrCat("none of the ",
               Counted(static_cast<int64_t>(by_cluster.size()), "rule"), " in ",
               rules_, " is for a cluster in ", old_clusters_,
               "; --old-clusters are the clusters that the rules were learnt "
               "for"));
  }

  // The crawls are those of the clusters: with others nothing is tested, and
  // all rules would go, or all stay, for no reason.
  absl::Status CheckCrawlsBelong(const ReuseFindings& findings,
                                 const mr::JobResult& result) const {
    int64_t pages = 0;
    int64_t shared_urls = 0;
    for (const auto& [id, cluster] : findings.plan->clusters()) {
      if (cluster.candidates.empty()) continue;
      pages += cluster.pages;
      for (const OldCluster& old : cluster.old) shared_urls += old.shared_urls;
    }
    int64_t tested = 0;
    int64_t compared = 0;
    for (const auto& [key, counts] : findings.tests.counts) {
      tested += counts.shared + counts.unshared;
      compared += counts.shared;
    }
    for (const mr::StepResult& step : result.steps) {
      if (step.counter(kPagesUnparsed) > 0) return absl::OkStatus();
    }
    if (pages > 0 && tested == 0) {
      return absl::InvalidArgumentError(
          StrCat("--new-crawl has none of the ", Counted(pages, "page"),
                 " that --new-clusters=", new_clusters_,
                 " has for old rules; give the crawl that they were made of"));
    }
    if (shared_urls > 0 && compared == 0) {
      return absl::InvalidArgumentError(
          StrCat("--old-crawl has none of the ", Counted(shared_urls, "URL"),
                 " that --old-clusters=", old_clusters_,
                 " and the new crawl have in common; give the crawl that they "
                 "were made of"));
    }
    return absl::OkStatus();
  }

  mr::Job MakeJob() {
    const int num_reducers = static_cast<int>(num_reducers_);
    settings_.num_reducers = num_reducers;
    mr::Job job;
    job.name = name();
    job.steps = {
        OverlapSpec(files_, signatures_table_, assignments_table_,
                    num_reducers),
        FieldSpec(files_, new_crawls_, old_crawls_, /*is_of_repaired=*/false,
                  settings_.page, num_reducers)};
    if (repair_) {
      job.steps.push_back(RepairSpec(files_, new_crawls_, settings_));
      job.steps.push_back(FieldSpec(files_, new_crawls_, old_crawls_,
                                    /*is_of_repaired=*/true, settings_.page,
                                    num_reducers));
    }
    return job;
  }

  std::vector<std::pair<std::string, std::string>> ManifestFlags() const {
    auto flags = engine_.ManifestFlags();
    for (const auto& settings :
         {settings_.page.Settings(), settings_.learner.Settings()}) {
      flags.insert(flags.end(), settings.begin(), settings.end());
    }
    flags.insert(flags.end(),
                 {{"sites", sites_file_},
                  {"repair", repair_ ? "true" : "false"},
                  {"min-pass", StrCat(files_.thresholds.min_pass)},
                  {"max-lost", StrCat(files_.thresholds.max_lost)}});
    return flags;
  }

  static absl::StatusOr<std::vector<io::ShardInfo>> WriteOutput(
      const io::Path& staging, ReuseOutcome* outcome) {
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<io::ShardInfo> shards,
        WriteRulesFolder(staging, &outcome->rules, &outcome->statuses));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> table,
        io::RowWriter::Create(staging.Child(kDecisionsFolder),
                              DecisionsSchema(), {}));
    for (const DecisionRow& decision : outcome->decisions) {
      TROMMEL_RETURN_IF_ERROR(WriteDecision(decision, table.get()));
    }
    TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> written,
                             table->Close());
    for (io::ShardInfo& shard : written) {
      shard.file = StrCat(kDecisionsFolder, "/", shard.file);
      shards.push_back(std::move(shard));
    }
    std::string lines;
    for (const ToAnnotate& line : outcome->to_annotate) {
      StrAppend(&lines, JsonLineText(ToJson(line)), "\n");
    }
    io::ShardInfo& list = shards.emplace_back();
    list.file = kToAnnotateFile;
    list.num_rows = static_cast<int64_t>(outcome->to_annotate.size());
    list.num_bytes = static_cast<int64_t>(lines.size());
    list.digest = ContentDigest(lines);
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(staging.Child(kToAnnotateFile), lines));
    return shards;
  }

  // The tables of the steps; what else they wrote (rejects) stays.
  static absl::Status RemoveTables(const io::Path& staging,
                                   const mr::JobResult& result,
                                   std::vector<io::ShardInfo>* shards) {
    std::set<std::string> removed;
    for (const char* const table :
         {kOverlapTable, kFieldsTable, kPagesTable, kRepairsTable,
          kRepairedFieldsTable, kRepairedPagesTable}) {
      TROMMEL_RETURN_IF_ERROR(io::RemoveAll(staging.Child(table)));
      removed.insert(table);
    }
    for (const io::ShardInfo& shard : result.shards) {
      if (removed.count(shard.file.substr(0, shard.file.find('/'))) == 0) {
        shards->push_back(shard);
      }
    }
    return absl::OkStatus();
  }

  std::string rules_;
  std::string old_clusters_;
  std::vector<std::string> old_crawls_;
  std::string new_clusters_;
  std::vector<std::string> new_crawls_;
  std::string new_signatures_;
  std::string out_;
  bool force_ = false;
  std::string sites_file_;
  bool repair_ = true;
  int64_t num_reducers_ = 4;
  ReuseFiles files_;
  std::string assignments_table_;
  std::string signatures_table_;
  RepairStepSettings settings_;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeReuseVerb() {
  return std::make_unique<ReuseVerb>();
}

}  // namespace trommel
