#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/learn/site_learning.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "jobs/engine/job_verb.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
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
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::reuse_job {
namespace {

constexpr char kAssignmentsFolder[] = "assignments";

class ReuseVerb final : public engine::JobVerb {
 public:
  ReuseVerb() : engine::JobVerb("reuse", kReuseHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("rules", &rules_, "output of trommel learn or reuse")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags
        ->Text("old-clusters", &old_clusters_,
               "output of trommel cluster that the rules are for")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags->Texts("old-crawl", &old_crawls_, "crawl that they were made of")
        .Input()
        .Required();
    flags
        ->Text("new-clusters", &new_clusters_,
               "output of trommel cluster of the new crawl")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags->Texts("new-crawl", &new_crawls_, "the new crawl").Input().Required();
    flags
        ->Text("new-signatures", &new_signatures_,
               "table of the new crawl's signatures, where the clusters were "
               "made from one and have none of their own")
        .Input();
    DefineOutputFlags(flags, "where the rules are written").Required();
    flags
        ->Text("sites", &sites_file_,
               "file with the sites to look at, one a line; without it all")
        .Input()
        .Recorded();
    flags
        ->Bool("repair", &repair_,
               "learn broken rules again from what they used to extract")
        .Recorded();
    files_.thresholds.Define(flags);
    settings_.learner.Define(flags, "how broken rules are learnt again");
    DefineReducers(flags, "reduce tasks per step");
    settings_.page.Define(flags);
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    TROMMEL_RETURN_IF_ERROR(settings_.learner.Check());
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeOverlapStep(), MakeFieldStep(),
                           MakeRepairStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    ReuseFindings findings;
    TROMMEL_RETURN_IF_ERROR(ReadInputs(&findings));
    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(engine::Joined({{rules_, old_clusters_, new_clusters_},
                               old_crawls_,
                               new_crawls_}),
               Steps()));

    const io::Path& staging = output.staging();
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
    TROMMEL_RETURN_IF_ERROR(CheckCrawlsBelong(findings, output));
    ReuseOutcome outcome = MakeOutcome(findings);

    const mr::Counters counters = output.Counters(
        {kUrlsShared, kPagesTested, kPagesUnparsed, kPagesRelearnt});
    output.Count(counters);
    TROMMEL_RETURN_IF_ERROR(WriteResults(&outcome, &output));
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReuseReport(out(), outcome, counters);
  }

 private:
  // Fills in files_ and the old part of the findings. Finds what does not
  // belong together before any work is done.
  absl::Status ReadInputs(ReuseFindings* findings) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path rules,
                             tables::FindRulesFile(rules_));
    TROMMEL_RETURN_IF_ERROR(tables::ReadRuleFiles({rules}).status());
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes,
                             io::ReadListedFile(rules));
    TROMMEL_ASSIGN_OR_RETURN(findings->rules, rule::DecodeRules(bytes));
    for (const proto::Rule& rule : findings->rules.rule()) {
      const absl::Status status = rule::CompileRule(rule).status();
      if (!status.ok()) return Annotate(status, rules.name);
    }
    TROMMEL_ASSIGN_OR_RETURN(findings->statuses,
                             tables::ReadClusterStatuses(rules));
    TROMMEL_ASSIGN_OR_RETURN(
        const io::Path old_clusters,
        FolderOf(old_clusters_, tables::kClustersFolder, ""));
    TROMMEL_ASSIGN_OR_RETURN(
        const io::Path new_clusters,
        FolderOf(new_clusters_, tables::kClustersFolder, ""));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path assignments,
                             FolderOf(old_clusters_, kAssignmentsFolder, ""));
    io::Path signatures;
    if (new_signatures_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(
          signatures,
          FolderOf(new_clusters_, tables::kSignaturesFolder,
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
      TROMMEL_ASSIGN_OR_RETURN(auto known, tables::SitesOf(new_clusters));
      for (const proto::Rule& rule : findings->rules.rule()) {
        known.insert(rule.site());
      }
      TROMMEL_ASSIGN_OR_RETURN(
          files_.sites,
          tables::ReadSitesFile(sites_file_, known,
                                "is in the new clusters or has a rule"));
    }
    for (const tables::ClusterStatus& status : findings->statuses) {
      if (status.status ==
          learn::LearnStatusName(learn::LearnStatus::kIgnored)) {
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
    TROMMEL_RETURN_IF_ERROR(tables::VisitClusters(
        old_clusters, [&](tables::ClusterRow cluster) -> absl::Status {
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
                                 const engine::JobOutput& output) const {
    int64_t pages = 0;
    int64_t shared_urls = 0;
    for (const auto& [id, cluster] : findings.plan->clusters()) {
      if (cluster.candidates.empty()) continue;
      pages += cluster.pages;
      for (const reuse::OldCluster& old : cluster.old)
        shared_urls += old.shared_urls;
    }
    int64_t tested = 0;
    int64_t compared = 0;
    for (const auto& [key, counts] : findings.tests.counts) {
      tested += counts.shared + counts.unshared;
      compared += counts.shared;
    }
    if (mr::CounterOf(output.Counters(), kPagesUnparsed) > 0) {
      return absl::OkStatus();
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

  std::vector<mr::StepSpec> Steps() {
    settings_.num_reducers = num_reducers();
    std::vector<mr::StepSpec> steps = {
        OverlapSpec(files_, signatures_table_, assignments_table_,
                    num_reducers()),
        FieldSpec(files_, new_crawls_, old_crawls_, /*is_of_repaired=*/false,
                  settings_.page, num_reducers())};
    if (repair_) {
      steps.push_back(RepairSpec(files_, new_crawls_, settings_));
      steps.push_back(FieldSpec(files_, new_crawls_, old_crawls_,
                                /*is_of_repaired=*/true, settings_.page,
                                num_reducers()));
    }
    return steps;
  }

  // Writes what was decided in the place of the steps' tables; what else they
  // wrote (rejects) stays.
  static absl::Status WriteResults(ReuseOutcome* outcome,
                                   engine::JobOutput* output) {
    for (const char* const table :
         {kOverlapTable, kFieldsTable, kPagesTable, kRepairsTable,
          kRepairedFieldsTable, kRepairedPagesTable}) {
      TROMMEL_RETURN_IF_ERROR(output->RemoveFolder(table));
    }
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<io::ShardInfo> rule_files,
        tables::WriteRulesFolder(output->staging(), &outcome->rules,
                                 &outcome->statuses));
    output->List("", std::move(rule_files));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> table,
        io::RowWriter::Create(output->staging().Child(tables::kDecisionsFolder),
                              tables::DecisionsSchema(), {}));
    for (const tables::DecisionRow& decision : outcome->decisions) {
      TROMMEL_RETURN_IF_ERROR(tables::WriteDecision(decision, table.get()));
    }
    TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> decisions,
                             table->Close());
    output->List(tables::kDecisionsFolder, std::move(decisions));
    std::string lines;
    for (const tables::ToAnnotate& line : outcome->to_annotate) {
      StrAppend(&lines, JsonLineText(ToJson(line)), "\n");
    }
    return output->WriteFile(kToAnnotateFile, lines,
                             static_cast<int64_t>(outcome->to_annotate.size()));
  }

  std::string rules_;
  std::string old_clusters_;
  std::vector<std::string> old_crawls_;
  std::string new_clusters_;
  std::vector<std::string> new_crawls_;
  std::string new_signatures_;
  std::string sites_file_;
  bool repair_ = true;
  ReuseFiles files_;
  std::string assignments_table_;
  std::string signatures_table_;
  RepairStepSettings settings_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeReuseVerb() {
  return std::make_unique<ReuseVerb>();
}

}  // namespace trommel::jobs::reuse_job
