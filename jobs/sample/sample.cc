#include "jobs/summaries/sample.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/words/own_words.h"
#include "jobs/cli/text_table.h"
#include "jobs/engine/job_verb.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "jobs/sample/annotate_files.h"
#include "jobs/sample/choose_step.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "jobs/tables/sites_file.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::sample_job {
namespace {

constexpr size_t kSitesInText = 20;

// What the report says of a site.
struct SiteTotals {
  int64_t clusters = 0;  // all
  int64_t sampled = 0;   // of them, clusters with pages in the crawl
  int64_t alike = 0;     // not among them: left out
  int64_t pages = 0;
};

class SampleVerb final : public engine::JobVerb {
 public:
  SampleVerb() : engine::JobVerb("sample", kSampleHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl that was clustered")
        .Input()
        .Required();
    flags->Text("clusters", &clusters_, "output of trommel cluster")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags
        ->Text("schema", &schema_file_,
               "attributes to annotate (textproto); without it they are named "
               "on the annotation page")
        .Input()
        .Recorded();
    flags
        ->Text("sites", &sites_file_,
               "file with the sites to sample, one a line; without it all")
        .Input()
        .Recorded();
    DefineOutputFlags(flags, "where the samples are written").Required();
    settings_.Define(flags);
    flags->Bool("annotate-pages", &annotate_pages_,
                "write annotate.html and a page for each site");
    DefineReducers(flags, "reduce tasks");
    page_.Define(flags);
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    if (settings_.compared_per_cluster < settings_.pages_per_cluster) {
      return absl::InvalidArgumentError(
          StrCat("--compare=", settings_.compared_per_cluster,
                 " is less than --pages=", settings_.pages_per_cluster));
    }
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeChooseStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    std::optional<proto::Schema> schema;
    if (!schema_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(schema, textproto::ReadSchemaFile(schema_file_));
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path clusters,
                             io::ResolvePath(clusters_));
    const io::Path clusters_table =
        clusters.Child(tables::kSampledClustersFolder);
    tables::WantedSites wanted;
    if (!sites_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const auto known,
                               tables::SitesOf(clusters_table));
      TROMMEL_ASSIGN_OR_RETURN(
          wanted,
          tables::ReadSitesFile(sites_file_, known, "is in the clusters"));
    }
    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(engine::Joined({crawls_, {clusters_}}),
               {ChooseSpec(crawls_, clusters_table.Absolute(), settings_,
                           wanted, page_, num_reducers())}));
    const mr::Counters counters =
        output.Counters({kPagesInClusters, kPagesAlike, kPagesCompared,
                         kPagesChosen, kClustersSampled});

    std::map<std::string, SiteTotals> sites;
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<io::ShardInfo> copied,
        CopyClusters(clusters_table,
                     output.staging().Child(tables::kSampledClustersFolder),
                     wanted, &sites));
    output.List(tables::kSampledClustersFolder, std::move(copied));
    TROMMEL_RETURN_IF_ERROR(
        CountSamples(output.staging().Child(tables::kSamplesFolder), &sites));
    if (annotate_pages_) {
      const std::unique_ptr<html::Parser> parser = page_.MakeParser();
      TROMMEL_RETURN_IF_ERROR(WriteAnnotateFiles(
          output.staging(), schema.has_value() ? &*schema : nullptr,
          mr::CounterOf(counters, kPagesChosen), parser.get()));
    }
    output.Count(counters);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(sites, counters);
  }

 private:
  absl::StatusOr<std::vector<io::ShardInfo>> CopyClusters(
      const io::Path& from, const io::Path& to,
      const tables::WantedSites& wanted,
      std::map<std::string, SiteTotals>* sites) {
    io::ShardWriter::Options options;
    options.plain_columns = {"sketch"};
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> table,
        io::RowWriter::Create(to, tables::ClustersSchema(), options));
    TROMMEL_RETURN_IF_ERROR(
        tables::VisitClusters(from, [&](tables::ClusterRow cluster) {
          if (!wanted.Contains(cluster.site)) return absl::OkStatus();
          SiteTotals& site = (*sites)[cluster.site];
          // Nothing could be learnt for it, and no one is to wonder why.
          if (settings_.skip_alike && words::SayTheSame(cluster.own_words)) {
            ++site.alike;
            return absl::OkStatus();
          }
          ++site.clusters;
          return tables::WriteCluster(cluster, table.get());
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
    std::vector<std::pair<std::string, SiteTotals>> largest;
    for (const auto& [site, totals] : sites) {
      all.clusters += totals.clusters;
      all.sampled += totals.sampled;
      all.alike += totals.alike;
      all.pages += totals.pages;
      largest.emplace_back(site, totals);
    }
    std::stable_sort(largest.begin(), largest.end(),
                     [](const auto& a, const auto& b) {
                       return a.second.pages > b.second.pages;
                     });
    cli::Report report;
    summaries::Sample summary;
    summary.out = out();
    summary.sites = static_cast<int64_t>(sites.size());
    summary.clusters = all.clusters;
    summary.clusters_sampled = all.sampled;
    summary.clusters_alike = all.alike;
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
    if (all.alike > 0) {
      absl::StrAppendFormat(
          &report.text, "%s left out: %s pages all say the same\n",
          Counted(all.alike, "template"), all.alike == 1 ? "its" : "their");
    }
    StrAppend(&report.text, engine::RejectLines(counters));
    cli::TextTable table({cli::TextTable::Left("site"),
                          cli::TextTable::Right("clusters", 9),
                          cli::TextTable::Right("pages", 7)});
    const size_t shown = std::min(largest.size(), kSitesInText);
    for (size_t i = 0; i < shown; ++i) {
      table.Add(largest[i].first, largest[i].second.sampled,
                largest[i].second.pages);
    }
    StrAppend(&report.text, table.Text());
    if (largest.size() > shown) {
      absl::StrAppendFormat(&report.text, "... and %d more\n",
                            largest.size() - shown);
    }
    absl::StrAppendFormat(&report.text, "samples: %s\n", out());
    if (annotate_pages_) {
      absl::StrAppendFormat(&report.text, "annotate: open %s/%s in a browser\n",
                            out(), kAnnotateIndex);
    }
    return report;
  }

  std::vector<std::string> crawls_;
  std::string clusters_;
  std::string schema_file_;
  std::string sites_file_;
  bool annotate_pages_ = true;
  ChooseSettings settings_;
  page::PageFlags page_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeSampleVerb() {
  return std::make_unique<SampleVerb>();
}

}  // namespace trommel::jobs::sample_job
