#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/signature/page_signature.h"
#include "jobs/coverage/coverage_step.h"
#include "jobs/coverage/coverage_tables.h"
#include "jobs/coverage/crawl_days.h"
#include "jobs/coverage/html_report.h"
#include "jobs/coverage/read_summary.h"
#include "jobs/coverage/text_report.h"
#include "jobs/engine/job_verb.h"
#include "jobs/page/admission.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::coverage_job {
namespace {

constexpr char kClustersFolder[] = "clusters";
constexpr char kClusteredSitesFolder[] = "sites";
constexpr char kReportFile[] = "report.html";

class CoverageVerb final : public engine::JobVerb {
 public:
  CoverageVerb() : engine::JobVerb("coverage", kCoverageHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("clusters", &clusters_, "output of trommel cluster")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags->Texts("crawl", &crawls_, "crawl of a day, or of several")
        .Input()
        .Required();
    DefineOutputFlags(flags, "where the report is written").Required();
    thresholds_.Define(flags);
    flags->Bool("fail-on-drop", &fail_on_drop_,
                "exit with 3 if a site changed, by the lowest threshold");
    admission_.Define(flags);
    DefineReducers(flags, "reduce tasks");
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    TROMMEL_RETURN_IF_ERROR(thresholds_.Parse().status());
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeCoverageStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<int> thresholds,
                             thresholds_.Parse());
    thresholds_.percents.clear();
    for (const int threshold : thresholds) {
      thresholds_.percents.push_back(StrCat(threshold));
    }
    CoverageStepInputs inputs;
    TROMMEL_ASSIGN_OR_RETURN(inputs.crawls, FindCrawlDays(crawls_));
    TROMMEL_ASSIGN_OR_RETURN(const Clustering clustering, FindTables(&inputs));
    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(engine::Joined({crawls_, {clusters_}}),
               {CoverageSpec(inputs, thresholds_, clustering, admission_,
                             num_reducers())}));

    std::vector<int64_t> crawled_days;
    for (const CrawlDay& crawl : inputs.crawls) {
      if (crawl.day.has_value()) crawled_days.push_back(*crawl.day);
    }
    TROMMEL_ASSIGN_OR_RETURN(
        CoverageSummary summary,
        ReadSummary(output.staging(), thresholds, crawled_days));
    const mr::Counters counters = output.Counters();
    summary.rejected = page::NumRejects(counters);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> cluster_flags,
                             ClusterFlags(clustering));
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(
        output.staging().Child(kReportFile),
        CoverageHtml(summary, {clusters_, inputs.crawls, cluster_flags})));
    output.Record("merge", clustering.merge ? "true" : "false");
    output.Count(counters);
    TROMMEL_RETURN_IF_ERROR(output.Commit());

    cli::Report report = MakeCoverageReport(summary, out());
    if (fail_on_drop_ && summary.timelines[0].changes > 0) {
      report.exit_code = cli::ExitCode::kCheckFlagged;
    }
    return report;
  }

 private:
  // With which `trommel cluster` makes clusters that can be compared.
  static absl::StatusOr<std::vector<std::string>> ClusterFlags(
      const Clustering& clustering) {
    TROMMEL_ASSIGN_OR_RETURN(
        const tables::SiteRule site_rule,
        tables::SiteRule::FromTable(clustering.site_key, clustering.site));
    std::vector<std::string> flags;
    if (!site_rule.ClusterFlag().empty()) {
      flags.push_back(site_rule.ClusterFlag());
    }
    if (clustering.shingle_length != signature::kDefaultShingleLength) {
      flags.push_back(StrCat("--shingle=", clustering.shingle_length));
    }
    if (!clustering.merge) flags.push_back("--merge=false");
    return flags;
  }

  // Finds the tables of --clusters, and how they were made.
  absl::StatusOr<Clustering> FindTables(CoverageStepInputs* inputs) const {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path root, io::ResolvePath(clusters_));
    const io::Path table = root.Child(kClustersFolder);
    TROMMEL_ASSIGN_OR_RETURN(const tables::ClusterIndex index,
                             tables::ClusterIndex::Read(table));
    inputs->clusters_table = table.Absolute();
    // Samples have a copy of the clusters without it.
    const io::Path sites = root.Child(kClusteredSitesFolder);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(sites));
    if (entry.kind != io::EntryKind::kNone) {
      inputs->sites_table = sites.Absolute();
    }
    Clustering clustering;
    clustering.site_key = index.site_rule().key();
    clustering.site = index.site_rule().SiteOf("");
    clustering.shingle_length = index.shingle_length();
    clustering.merge = index.merged() || index.empty();
    return clustering;
  }

  std::string clusters_;
  std::vector<std::string> crawls_;
  DropThresholds thresholds_;
  bool fail_on_drop_ = false;
  page::AdmissionFlags admission_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeCoverageVerb() {
  return std::make_unique<CoverageVerb>();
}

}  // namespace trommel::jobs::coverage_job
