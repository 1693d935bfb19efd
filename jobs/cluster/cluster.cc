#include "jobs/cluster/cluster.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/signature/page_signature.h"
#include "jobs/cluster/names.h"
#include "jobs/cluster/place_step.h"
#include "jobs/cluster/read_report.h"
#include "jobs/cluster/report.h"
#include "jobs/cluster/sign_step.h"
#include "jobs/cluster/template_step.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/summaries/cluster.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"

namespace trommel {
namespace {

constexpr size_t kSitesInText = 20;
constexpr char kReportFile[] = "report.html";

class ClusterVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "cluster"; }
  std::string_view summary() const override {
    return "group the pages of each site by the template that made them";
  }
  std::string_view description() const override {
    return "Computes a signature of every page from its tags, finds the "
           "templates of each site\non a sample, and places all pages. Writes "
           "the tables clusters/ (one row per\ntemplate), assignments/ (one "
           "row per page), sites/ and signatures/, and report.html.\nA table "
           "of signatures can be clustered again without its crawl: "
           "--signatures,\nwhich is not copied into the output.\n\nA page that "
           "no signature covers is placed by "
           "its resemblance to a template, or\nnowhere. With --merge=false "
           "the clusters are those of the three passes of the Vertex\n"
           "paper, one signature each.";
  }
  std::string_view example() const override {
    return "trommel cluster --crawl=crawl --out=clusters";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl to cluster");
    flags->Texts("signatures", &signatures_,
                 "instead of a crawl: table of signatures written earlier");
    flags->Text("out", &out_, "where the clusters are written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags->Choice("site-key", &site_key_, {"host", "registered_domain"},
                  "what is one site: a host, or all hosts of a domain");
    flags->Text("site", &site_, "all pages are one site with this name");
    flags
        ->Integer("shingle", &shingle_length_,
                  "length of shingles: so many tags in a row")
        .Between(kMinShingleLength, kMaxShingleLength);
    flags->Bool("merge", &merge_,
                "merge clusters that are one template, and place pages that "
                "no signature covers");
    flags
        ->Integer("max-page-bytes", &max_page_bytes_,
                  "larger pages are rejected")
        .Between(1, double{1 << 30});
    flags->Integer("reducers", &num_reducers_, "reduce tasks per round")
        .Between(1, 10000);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    if (crawls_.empty() == signatures_.empty()) {
      return absl::InvalidArgumentError(
          crawls_.empty() ? "--crawl is missing (or --signatures)"
                          : "--crawl and --signatures exclude each other");
    }
    if (!site_.empty() && site_key_ != kDefaultSiteKey) {
      return absl::InvalidArgumentError(
          "--site and --site-key exclude each other");
    }
    if (!signatures_.empty() &&
        (!site_.empty() || site_key_ != kDefaultSiteKey ||
         shingle_length_ != kDefaultShingleLength ||
         max_page_bytes_ != kDefaultMaxPageBytes)) {
      return absl::InvalidArgumentError(
          "--site, --site-key, --shingle and --max-page-bytes were chosen when "
          "the signatures were made; they go with --crawl");
    }
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeSignStep());
    steps.push_back(MakeTemplateStep());
    steps.push_back(MakePlaceStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    TROMMEL_ASSIGN_OR_RETURN(const mr::JobResult result,
                             engine_.Run(MakeJob(), MakeSteps(), output.get()));
    mr::Counters counters = {{kPagesPlacedBySignature, 0},
                             {kPagesPlacedBySketch, 0},
                             {kPagesUncovered, 0},
                             {kPagesTooShort, 0}};
    for (const mr::StepResult& step : result.steps) {
      for (const auto& [name, count] : step.counters) counters[name] += count;
    }
    // Of the first round; the others read rows of our own.
    counters[std::string(mr::kRowsRead)] =
        result.steps[0].counter(mr::kRowsRead);

    TROMMEL_ASSIGN_OR_RETURN(
        ClusterReport report,
        ReadReport(output->staging().Child(kSitesTable),
                   output->staging().Child(kClustersTable)));
    report.rejected = counters[std::string(mr::kRowsRejected)];
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(output->staging().Child(kReportFile),
                                          ReportHtml(report)));

    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = crawls_.empty() ? signatures_ : crawls_;
    manifest.flags = engine_.ManifestFlags();
    manifest.flags.emplace_back("merge", merge_ ? "true" : "false");
    if (signatures_.empty()) {  // else they were chosen when those were made
      manifest.flags.insert(manifest.flags.end(),
                            {{"site-key", site_key_},
                             {"site", site_},
                             {"shingle", StrCat(shingle_length_)},
                             {"max-page-bytes", StrCat(max_page_bytes_)}});
    }
    manifest.counts.assign(counters.begin(), counters.end());
    manifest.shards = result.shards;
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return MakeReport(report, counters);
  }

 private:
  static constexpr char kDefaultSiteKey[] = "host";
  static constexpr int64_t kDefaultMaxPageBytes = int64_t{8} << 20;

  mr::Job MakeJob() const {
    mr::Job job;
    job.name = name();
    mr::TableInput signatures;
    if (signatures_.empty()) {
      SignSettings settings;
      settings.site_key =
          site_.empty() ? site_key_ : SiteRule::Fixed(site_).key();
      settings.site = site_;
      settings.shingle_length = shingle_length_;
      settings.max_page_bytes = max_page_bytes_;
      job.steps.push_back(SignSpec(crawls_, settings));
      signatures.from_output = kSignaturesTable;
    } else {
      signatures.paths = signatures_;
    }
    const int num_reducers = static_cast<int>(num_reducers_);
    job.steps.push_back(TemplateSpec(signatures, merge_, num_reducers));
    job.steps.push_back(PlaceSpec(signatures, num_reducers));
    return job;
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
    summary.out = out_;
    summary.pages = totals.pages;
    summary.sites = totals.sites;
    summary.clusters = totals.clusters;
    summary.sampled = totals.sampled;
    summary.by_signature = totals.by_signature;
    summary.by_sketch = totals.by_sketch;
    summary.uncovered = totals.uncovered;
    summary.too_short = totals.too_short;
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
    for (const auto& [reason, count] : mr::RejectsByReason(counters)) {
      absl::StrAppendFormat(&report.text, "rejected, %s: %d\n", reason, count);
    }
    size_t width = 4;
    const size_t shown = std::min(totals.largest_sites.size(), kSitesInText);
    std::vector<std::string> names;
    for (size_t i = 0; i < shown; ++i) {
      names.push_back(Printable(totals.largest_sites[i].site));
      width = std::max(width, names.back().size());
    }
    absl::StrAppendFormat(&report.text, "%-*s %10s %9s %9s\n",
                          static_cast<int>(width), "site", "pages", "clusters",
                          "covered");
    for (size_t i = 0; i < shown; ++i) {
      const ClusterReport::Site& site = totals.largest_sites[i];
      absl::StrAppendFormat(
          &report.text, "%-*s %10d %9d %8.2f%%\n", static_cast<int>(width),
          names[i], site.pages, site.num_clusters,
          100 * ShareOf(site.pages - site.uncovered, site.pages));
    }
    if (totals.sites > static_cast<int64_t>(shown)) {
      absl::StrAppendFormat(&report.text, "... and %d more, in %s/%s\n",
                            totals.sites - static_cast<int64_t>(shown), out_,
                            kSitesTable);
    }
    absl::StrAppendFormat(&report.text, "clusters: %s (%s shows them)\n", out_,
                          kReportFile);
    return report;
  }

  std::vector<std::string> crawls_;
  std::vector<std::string> signatures_;
  std::string out_;
  bool force_ = false;
  std::string site_key_ = kDefaultSiteKey;
  std::string site_;
  int64_t shingle_length_ = kDefaultShingleLength;
  bool merge_ = true;
  int64_t max_page_bytes_ = kDefaultMaxPageBytes;
  int64_t num_reducers_ = 4;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeClusterVerb() {
  return std::make_unique<ClusterVerb>();
}

}  // namespace trommel
