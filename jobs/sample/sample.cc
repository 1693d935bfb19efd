#include "jobs/sample/sample.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/page/page_flags.h"
#include "jobs/sample/annotate_files.h"
#include "jobs/sample/choose_step.h"
#include "jobs/summaries/sample.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "jobs/tables/sites_file.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel {
namespace {

constexpr size_t kSitesInText = 20;

// What the report says of a site.
struct SiteTotals {
  int64_t clusters = 0;  // all
  int64_t sampled = 0;   // of them, clusters with pages in the crawl
  int64_t pages = 0;
};

class SampleVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "sample"; }
  std::string_view summary() const override {
    return "choose the pages of each cluster that are worth annotating";
  }
  std::string_view description() const override {
    return "Of each cluster the pages that show most of what its template "
           "shows anywhere, the\nbest first: whoever annotates begins at rank "
           "0 and stops when `trommel learn` is\ncontent. Writes the table "
           "samples/ (pages with their content), a copy of clusters/,\nand "
           "annotate.html, the way to one page per site on which to annotate "
           "in a browser.\n\nWhere a URL was crawled several times its latest "
           "version counts. A cluster with\nfewer pages than --pages has all "
           "of them in its sample.";
  }
  std::string_view example() const override {
    return "trommel sample --crawl=crawl --clusters=clusters "
           "--schema=schemas/movie.textproto --out=samples";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl that was clustered").Required();
    flags->Text("clusters", &clusters_, "output of trommel cluster").Required();
    flags->Text("schema", &schema_file_,
                "attributes to annotate (textproto); without it they are named "
                "on the annotation page");
    flags->Text("sites", &sites_file_,
                "file with the sites to sample, one a line; without it all");
    flags->Text("out", &out_, "where the samples are written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags
        ->Integer("pages", &settings_.pages_per_cluster,
                  "pages in the sample of a cluster, at most")
        .Between(1, 1000);
    flags
        ->Integer("compare", &settings_.compared_per_cluster,
                  "pages of a cluster, by URL hash, among which to choose")
        .Between(1, 100000);
    flags->Bool("annotate-pages", &annotate_pages_,
                "write annotate.html and a page for each site");
    flags->Integer("reducers", &num_reducers_, "reduce tasks")
        .Between(1, 10000);
    settings_.page.Define(flags);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    if (settings_.compared_per_cluster < settings_.pages_per_cluster) {
      return absl::InvalidArgumentError(
          StrCat("--compare=", settings_.compared_per_cluster,
                 " is less than --pages=", settings_.pages_per_cluster));
    }
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeChooseStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    std::optional<proto::Schema> schema;
    if (!schema_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(schema, ReadSchemaFile(schema_file_));
    }
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path clusters,
                             io::ResolvePath(clusters_));
    const io::Path clusters_table = clusters.Child(kSampledClustersFolder);
    if (!sites_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const auto known, SitesOf(clusters_table));
      TROMMEL_ASSIGN_OR_RETURN(
          settings_.sites,
          ReadSitesFile(sites_file_, known, "is in the clusters"));
    }
    settings_.num_reducers = static_cast<int>(num_reducers_);
    mr::Job job;
    job.name = name();
    job.steps = {ChooseSpec(crawls_, clusters_table.Absolute(), settings_)};
    TROMMEL_ASSIGN_OR_RETURN(mr::JobResult result,
                             engine_.Run(job, MakeSteps(), output.get()));

    std::map<std::string, SiteTotals> sites;
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<io::ShardInfo> copied,
        CopyClusters(clusters_table,
                     output->staging().Child(kSampledClustersFolder), &sites));
    for (io::ShardInfo& shard : copied) {
      shard.file = StrCat(kSampledClustersFolder, "/", shard.file);
      result.shards.push_back(std::move(shard));
    }
    TROMMEL_RETURN_IF_ERROR(
        CountSamples(output->staging().Child(kSamplesFolder), &sites));
    if (annotate_pages_) {
      const std::unique_ptr<html::Parser> parser = settings_.page.MakeParser();
      TROMMEL_RETURN_IF_ERROR(WriteAnnotateFiles(
          output->staging(), schema.has_value() ? &*schema : nullptr,
          result.steps[0].counter(kPagesChosen), parser.get()));
    }

    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = crawls_;
    manifest.inputs.push_back(clusters_);
    manifest.flags = engine_.ManifestFlags();
    for (const auto& setting : settings_.page.Settings()) {
      manifest.flags.push_back(setting);
    }
    manifest.flags.insert(manifest.flags.end(),
                          {{"pages", StrCat(settings_.pages_per_cluster)},
                           {"compare", StrCat(settings_.compared_per_cluster)},
                           {"schema", schema_file_},
                           {"sites", sites_file_}});
    mr::Counters counters = {{kPagesInClusters, 0},
                             {kPagesCompared, 0},
                             {kPagesChosen, 0},
                             {kClustersSampled, 0}};
    for (const auto& [counter, count] : result.steps[0].counters) {
      counters[counter] = count;
    }
    manifest.counts.assign(counters.begin(), counters.end());
    manifest.shards = result.shards;
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return MakeReport(sites, counters);
  }

 private:
  absl::StatusOr<std::vector<io::ShardInfo>> CopyClusters(
      const io::Path& from, const io::Path& to,
      std::map<std::string, SiteTotals>* sites) const {
    io::ShardWriter::Options options;
    options.plain_columns = {"sketch"};
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> table,
        io::RowWriter::Create(to, ClustersSchema(), options));
    TROMMEL_RETURN_IF_ERROR(VisitClusters(from, [&](ClusterRow cluster) {
      if (!settings_.sites.empty() &&
          settings_.sites.count(cluster.site) == 0) {
        return absl::OkStatus();
      }
      ++(*sites)[cluster.site].clusters;
      return WriteCluster(cluster, table.get());
    }));
    return table->Close();
  }

  static absl::Status CountSamples(const io::Path& samples,
                                   std::map<std::string, SiteTotals>* sites) {
    // Without the pages themselves.
    return io::VisitRows(
        samples,
        {{"site", io::ColumnType::kBytes}, {"rank", io::ColumnType::kInt64}},
        [&](const io::Row& row) {
          SiteTotals& site = (*sites)[std::string(row.bytes(0))];
          ++site.pages;
          site.sampled += row.int64(1) == 0 ? 1 : 0;
          return absl::OkStatus();
        });
  }

  cli::Report MakeReport(const std::map<std::string, SiteTotals>& sites,
                         const mr::Counters& counters) const {
    SiteTotals all;
    size_t width = 4;
    std::vector<std::pair<std::string, SiteTotals>> largest;
    for (const auto& [site, totals] : sites) {
      all.clusters += totals.clusters;
      all.sampled += totals.sampled;
      all.pages += totals.pages;
      largest.emplace_back(Printable(site), totals);
    }
    std::stable_sort(largest.begin(), largest.end(),
                     [](const auto& a, const auto& b) {
                       return a.second.pages > b.second.pages;
                     });
    cli::Report report;
    summaries::Sample summary;
    summary.out = out_;
    summary.sites = static_cast<int64_t>(sites.size());
    summary.clusters = all.clusters;
    summary.clusters_sampled = all.sampled;
    summary.pages = all.pages;
    summary.counters = counters;
    *report.json = ToJson(summary);

    absl::StrAppendFormat(&report.text, "%s of %s of %s, chosen among %d\n",
                          Counted(all.pages, "page"),
                          Counted(all.sampled, "cluster"),
                          Counted(static_cast<int64_t>(sites.size()), "site"),
                          counters.find(kPagesCompared)->second);
    if (all.sampled < all.clusters) {
      absl::StrAppendFormat(&report.text, "%s without a page in this crawl\n",
                            Counted(all.clusters - all.sampled, "cluster"));
    }
    for (const auto& [reason, count] : mr::RejectsByReason(counters)) {
      absl::StrAppendFormat(&report.text, "rejected, %s: %d\n", reason, count);
    }
    const size_t shown = std::min(largest.size(), kSitesInText);
    for (size_t i = 0; i < shown; ++i) {
      width = std::max(width, largest[i].first.size());
    }
    absl::StrAppendFormat(&report.text, "%-*s %9s %7s\n",
                          static_cast<int>(width), "site", "clusters", "pages");
    for (size_t i = 0; i < shown; ++i) {
      absl::StrAppendFormat(&report.text, "%-*s %9d %7d\n",
                            static_cast<int>(width), largest[i].first,
                            largest[i].second.sampled, largest[i].second.pages);
    }
    if (largest.size() > shown) {
      absl::StrAppendFormat(&report.text, "... and %d more\n",
                            largest.size() - shown);
    }
    absl::StrAppendFormat(&report.text, "samples: %s\n", out_);
    if (annotate_pages_) {
      absl::StrAppendFormat(&report.text, "annotate: open %s/%s in a browser\n",
                            out_, kAnnotateIndex);
    }
    return report;
  }

  std::vector<std::string> crawls_;
  std::string clusters_;
  std::string schema_file_;
  std::string sites_file_;
  std::string out_;
  bool force_ = false;
  bool annotate_pages_ = true;
  int64_t num_reducers_ = 4;
  ChooseSettings settings_;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeSampleVerb() {
  return std::make_unique<SampleVerb>();
}

}  // namespace trommel
