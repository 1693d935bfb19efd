#include "jobs/coverage/coverage.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "core/base/status.h"
#include "core/signature/page_signature.h"
#include "jobs/coverage/coverage_step.h"
#include "jobs/coverage/coverage_tables.h"
#include "jobs/coverage/crawl_days.h"
#include "jobs/coverage/html_report.h"
#include "jobs/coverage/read_summary.h"
#include "jobs/coverage/text_report.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"

namespace trommel {
namespace {

constexpr char kClustersFolder[] = "clusters";
constexpr char kClusteredSitesFolder[] = "sites";
constexpr char kReportFile[] = "report.html";

class CoverageVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "coverage"; }
  std::string_view summary() const override {
    return "follow the coverage of clusters through later crawls, and find "
           "sites that changed";
  }
  std::string_view description() const override {
    return "Signs the pages of all crawls (one scan of the bytes, no parsing) "
           "and places them among\nthe clusters of their site. The day of a "
           "page is the folder day=YYYY-MM-DD in the path of\nits crawl, else "
           "the UTC date of its fetch_time; a page with neither is rejected "
           "(no_day).\n\n"
           "Coverage is the share of a site's pages that are in one of its "
           "clusters: by signature, or\nby sketch, which is counted apart. A "
           "drop of more than --threshold points since the last\nday with "
           "pages is a change; the first day is compared with the day of "
           "clustering. After a\nchange the site is clustered anew from that "
           "day's pages (as --clusters were: merged or\nnot), so one change "
           "counts once. Every threshold has its own timeline, with pages "
           "placed\nby sketch and without.\n\n"
           "A cluster is broken on a day when more than half of its URLs that "
           "were crawled on both\ndays are no longer in it; where these are "
           "fewer than five and fewer than half of its\npages, when its share "
           "of the site fell to less than half. Up to 20,000 pages a day and\n"
           "site are compared by URL, those with the smallest hashes.\n\n"
           "A day without pages of a site is passed over: the site is "
           "compared when it comes back.\nA site without clusters is "
           "clustered from its first pages, which is no change.\n\n"
           "Writes coverage/ (site, day, counting, threshold), cluster_days/, "
           "examples/, sites/ and\nreport.html; prints how many sites changed "
           "how often, and which clusters broke.";
  }
  std::string_view example() const override {
    return "trommel coverage --clusters=clusters "
           "--crawl=web/day=2026-01-01/crawl --crawl=web/day=2026-01-02/crawl "
           "--out=coverage";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("clusters", &clusters_, "output of trommel cluster").Required();
    flags->Texts("crawl", &crawls_, "crawl of a day, or of several").Required();
    flags->Text("out", &out_, "where the report is written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags->Texts("threshold", &thresholds_,
                 "drop that is a change, in points of percent");
    flags->Bool("fail-on-drop", &fail_on_drop_,
                "exit with 3 if a site changed, by the lowest threshold");
    flags
        ->Integer("max-page-bytes", &max_page_bytes_,
                  "larger pages are rejected")
        .Between(1, double{1 << 30});
    flags->Integer("reducers", &num_reducers_, "reduce tasks")
        .Between(1, 10000);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    TROMMEL_RETURN_IF_ERROR(Thresholds().status());
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeCoverageStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<int> thresholds, Thresholds());
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<CrawlDay> crawls,
                             FindCrawlDays(crawls_));
    TROMMEL_ASSIGN_OR_RETURN(const CoverageStepSettings settings,
                             Settings(thresholds));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    mr::Job job;
    job.name = name();
    job.steps = {CoverageSpec(crawls, settings)};
    TROMMEL_ASSIGN_OR_RETURN(const mr::JobResult result,
                             engine_.Run(job, MakeSteps(), output.get()));

    std::vector<int64_t> crawled_days;
    for (const CrawlDay& crawl : crawls) {
      if (crawl.day.has_value()) crawled_days.push_back(*crawl.day);
    }
    TROMMEL_ASSIGN_OR_RETURN(
        CoverageSummary summary,
        ReadSummary(output->staging(), thresholds, crawled_days));
    const mr::StepResult& step = result.steps[0];
    summary.rejected = step.counter(mr::kRowsRejected);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> cluster_flags,
                             ClusterFlags(settings));
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(
        output->staging().Child(kReportFile),
        CoverageHtml(summary, {clusters_, crawls, cluster_flags})));

    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = crawls_;
    manifest.inputs.push_back(clusters_);
    manifest.flags = engine_.ManifestFlags();
    manifest.flags.insert(manifest.flags.end(),
                          {{"threshold", absl::StrJoin(thresholds, ",")},
                           {"merge", settings.merge ? "true" : "false"},
                           {"max-page-bytes", StrCat(max_page_bytes_)}});
    manifest.counts.assign(step.counters.begin(), step.counters.end());
    manifest.shards = result.shards;
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));

    cli::Report report = MakeCoverageReport(summary, out_);
    if (fail_on_drop_ && summary.timelines[0].changes > 0) {
      report.exit_code = cli::ExitCode::kCheckFlagged;
    }
    return report;
  }

 private:
  // With which `trommel cluster` makes clusters that can be compared.
  static absl::StatusOr<std::vector<std::string>> ClusterFlags(
      const CoverageStepSettings& settings) {
    TROMMEL_ASSIGN_OR_RETURN(
        const SiteRule site_rule,
        SiteRule::FromTable(settings.site_key, settings.site));
    std::vector<std::string> flags;
    if (!site_rule.ClusterFlag().empty()) {
      flags.push_back(site_rule.ClusterFlag());
    }
    if (settings.shingle_length != kDefaultShingleLength) {
      flags.push_back(StrCat("--shingle=", settings.shingle_length));
    }
    if (!settings.merge) flags.push_back("--merge=false");
    return flags;
  }

  // Rising, each once.
  absl::StatusOr<std::vector<int>> Thresholds() const {
    std::vector<int> thresholds;
    for (const std::string& text : thresholds_) {
      int threshold = 0;
      if (!absl::SimpleAtoi(text, &threshold) || threshold < 1 ||
          threshold > 99) {
        return absl::InvalidArgumentError(StrCat(
            "--threshold=", text, " is not a whole number from 1 to 99"));
      }
      thresholds.push_back(threshold);
    }
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()),
                     thresholds.end());
    return thresholds;
  }

  absl::StatusOr<CoverageStepSettings> Settings(
      const std::vector<int>& thresholds) const {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path root, io::ResolvePath(clusters_));
    const io::Path table = root.Child(kClustersFolder);
    TROMMEL_ASSIGN_OR_RETURN(const ClusterIndex index,
                             ClusterIndex::Read(table));
    CoverageStepSettings settings;
    settings.clusters_table = table.Absolute();
    // Samples have a copy of the clusters without it.
    const io::Path sites = root.Child(kClusteredSitesFolder);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(sites));
    if (entry.kind != io::EntryKind::kNone) {
      settings.sites_table = sites.Absolute();
    }
    settings.site_key = index.site_rule().key();
    settings.site = index.site_rule().SiteOf("");
    settings.shingle_length = index.shingle_length();
    settings.merge = index.merged() || index.empty();
    settings.thresholds = thresholds;
    settings.max_page_bytes = max_page_bytes_;
    settings.num_reducers = static_cast<int>(num_reducers_);
    return settings;
  }

  std::string clusters_;
  std::vector<std::string> crawls_;
  std::string out_;
  bool force_ = false;
  std::vector<std::string> thresholds_ = {"10", "20", "30", "40", "50"};
  bool fail_on_drop_ = false;
  int64_t max_page_bytes_ = int64_t{8} << 20;
  int64_t num_reducers_ = 4;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeCoverageVerb() {
  return std::make_unique<CoverageVerb>();
}

}  // namespace trommel
