#include "jobs/summaries/cluster.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/cli/text_table.h"
#include "jobs/cluster/cluster_settings.h"
#include "jobs/cluster/names.h"
#include "jobs/cluster/place_step.h"
#include "jobs/cluster/read_report.h"
#include "jobs/cluster/report.h"
#include "jobs/cluster/sign_step.h"
#include "jobs/cluster/template_step.h"
#include "jobs/engine/job_verb.h"
#include "jobs/page/admission.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::cluster_job {
namespace {

constexpr size_t kSitesInText = 20;
constexpr char kReportFile[] = "report.html";

// Empty where the site has no pages that say nothing of their own.
std::string AlikeLine(const ClusterReport::Site& site) {
  if (site.alike == 0) return "";
  return StrCat("alike on ", Printable(site.site), ": ",
                Counted(site.alike, "page"),
                site.alike_text.empty()
                    ? ""
                    : StrCat(", \"", Printable(site.alike_text), "\""),
                "\n");
}

class ClusterVerb final : public engine::JobVerb {
 public:
  ClusterVerb() : engine::JobVerb("cluster", kClusterHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl to cluster").Input();
    flags
        ->Texts("signatures", &signatures_,
                "instead of a crawl: table of signatures written earlier")
        .Input();
    DefineOutputFlags(flags, "where the clusters are written").Required();
    settings_.Define(flags, /*is_signing=*/signatures_.empty());
    admission_.Define(flags, /*is_recorded=*/signatures_.empty());
    DefineReducers(flags, "reduce tasks per round");
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    if (crawls_.empty() == signatures_.empty()) {
      return absl::InvalidArgumentError(
          crawls_.empty() ? "--crawl is missing (or --signatures)"
                          : "--crawl and --signatures exclude each other");
    }
    const ClusterSettings usual;
    const page::AdmissionFlags usual_admission;
    const bool has_site_key = settings_.site_key != usual.site_key;
    if (!settings_.site.empty() && has_site_key) {
      return absl::InvalidArgumentError(
          "--site and --site-key exclude each other");
    }
    if (!signatures_.empty() &&
        (!settings_.site.empty() || has_site_key ||
         settings_.shingle_length != usual.shingle_length ||
         admission_.max_page_bytes != usual_admission.max_page_bytes ||
         admission_.truncated != usual_admission.truncated)) {
      return absl::InvalidArgumentError(
          "--site, --site-key, --shingle, --max-page-bytes and --truncated "
          "were "
          "chosen when the signatures were made; they go with --crawl");
    }
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeSignStep(), MakeTemplateStep(), MakePlaceStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(crawls_.empty() ? signatures_ : crawls_, Steps()));
    mr::Counters counters =
        output.Counters({kPagesPlacedBySignature, kPagesPlacedBySketch,
                         kPagesUncovered, kPagesTooShort});
    // Of the first round; the others read rows of our own.
    counters[std::string(mr::kRowsRead)] =
        output.steps()[0].counter(mr::kRowsRead);

    TROMMEL_ASSIGN_OR_RETURN(
        ClusterReport report,
        ReadReport(output.staging().Child(kSitesTable),
                   output.staging().Child(kClustersTable)));
    report.rejected = page::NumRejects(counters);
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(output.staging().Child(kReportFile), ReportHtml(report)));
    output.Count(counters);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(report, counters);
  }

 private:
  std::vector<mr::StepSpec> Steps() const {
    std::vector<mr::StepSpec> steps;
    mr::TableInput signatures;
    if (signatures_.empty()) {
      steps.push_back(SignSpec(crawls_, settings_, admission_));
      signatures.from_output = kSignaturesTable;
    } else {
      signatures.paths = signatures_;
    }
    steps.push_back(TemplateSpec(signatures, settings_, num_reducers()));
    steps.push_back(PlaceSpec(signatures, num_reducers()));
    return steps;
  }

  cli::Report MakeReport(const ClusterReport& totals,
                         const mr::Counters& counters) const {
    const int64_t placed = totals.by_signature + totals.by_sketch;
    cli::Report report;
    const int64_t three_pass_clusters =
        mr::CounterOf(counters, kThreePassClusters);
    const double three_pass_coverage =
        ShareOf(mr::CounterOf(counters, kThreePassCovered), totals.sampled);
    summaries::Cluster summary;
    summary.out = out();
    summary.pages = totals.pages;
    summary.sites = totals.sites;
    summary.clusters = totals.clusters;
    summary.sampled = totals.sampled;
    summary.by_signature = totals.by_signature;
    summary.by_sketch = totals.by_sketch;
    summary.uncovered = totals.uncovered;
    summary.too_short = totals.too_short;
    summary.alike = totals.alike;
    summary.alike_sites = totals.alike_sites;
    summary.rejected = totals.rejected;
    summary.coverage = ShareOf(placed, totals.pages);
    summary.coverage_by_signature = ShareOf(totals.by_signature, totals.pages);
    summary.counters = counters;
    summary.three_passes = {three_pass_clusters, three_pass_coverage};
    *report.json = ToJson(summary);

    absl::StrAppendFormat(
        &report.text, "%s of %s, %s; %s sampled\n",
        Counted(totals.pages, "page"), Counted(totals.sites, "site"),
        Counted(totals.clusters, "cluster"), Counted(totals.sampled, "page"));
    absl::StrAppendFormat(
        &report.text,
        "placed: %.2f%% by signature, %.2f%% by sketch; uncovered %d (of them "
        "too short: %d)\n",
        100 * ShareOf(totals.by_signature, totals.pages),
        100 * ShareOf(totals.by_sketch, totals.pages), totals.uncovered,
        totals.too_short);
    absl::StrAppendFormat(
        &report.text,
        "the three passes alone: %s that cover %.2f%% of the sample\n",
        Counted(three_pass_clusters, "signature"), 100 * three_pass_coverage);
    if (totals.alike > 0) {
      absl::StrAppendFormat(
          &report.text, "alike: %s of %s say nothing of their own\n",
          Counted(totals.alike, "page"), Counted(totals.alike_sites, "site"));
    }
    StrAppend(&report.text, engine::RejectLines(counters));
    cli::TextTable table({cli::TextTable::Left("site"),
                          cli::TextTable::Right("pages", 10),
                          cli::TextTable::Right("clusters", 9),
                          cli::TextTable::Right("covered", 9)});
    const size_t shown = std::min(totals.largest_sites.size(), kSitesInText);
    for (size_t i = 0; i < shown; ++i) {
      const ClusterReport::Site& site = totals.largest_sites[i];
      table.Add(
          site.site, site.pages, site.num_clusters,
          absl::StrFormat("%.2f%%", 100 * ShareOf(site.pages - site.uncovered,
                                                  site.pages)));
    }
    StrAppend(&report.text, table.Text());
    for (size_t i = 0; i < shown; ++i) {
      StrAppend(&report.text, AlikeLine(totals.largest_sites[i]));
    }
    if (totals.sites > static_cast<int64_t>(shown)) {
      absl::StrAppendFormat(&report.text, "... and %d more, in %s/%s\n",
                            totals.sites - static_cast<int64_t>(shown), out(),
                            kSitesTable);
    }
    absl::StrAppendFormat(&report.text, "clusters: %s (%s shows them)\n", out(),
                          kReportFile);
    return report;
  }

  std::vector<std::string> crawls_;
  std::vector<std::string> signatures_;
  ClusterSettings settings_;
  page::AdmissionFlags admission_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeClusterVerb() {
  return std::make_unique<ClusterVerb>();
}

}  // namespace trommel::jobs::cluster_job
