#include "jobs/stats/stats.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/stats/stats_step.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/scratch_folder.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel {
namespace {

constexpr size_t kSitesInText = 40;
constexpr size_t kSitesInJson = 10000;

struct SiteTotals {
  std::string site;
  int64_t pages = 0;
  int64_t bytes = 0;
};

// All sites, those with most pages first.
absl::StatusOr<std::vector<SiteTotals>> ReadTable(const io::Path& table) {
  std::vector<SiteTotals> sites;
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(table,
                                        {{"site", io::ColumnType::kBytes},
                                         {"pages", io::ColumnType::kInt64},
                                         {"bytes", io::ColumnType::kInt64}},
                                        [&](const io::Row& row) {
                                          sites.push_back(
                                              {std::string(row.bytes(0)),
                                               row.int64(1), row.int64(2)});
                                          return absl::OkStatus();
                                        }));
  std::sort(sites.begin(), sites.end(),
            [](const SiteTotals& a, const SiteTotals& b) {
              return a.pages != b.pages ? a.pages > b.pages : a.site < b.site;
            });
  return sites;
}

class StatsVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "stats"; }
  std::string_view summary() const override {
    return "count the pages and bytes of each site of a crawl";
  }
  std::string_view description() const override {
    return "Prints the sites with most pages. With --out all of them become a "
           "table with the\ncolumns site, pages and bytes (of content, "
           "uncompressed). A site is the host of a\npage's URL, or \"-\".";
  }
  std::string_view example() const override {
    return "trommel stats --crawl=crawl";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl to count").Required();
    flags->Text("out", &out_, "where the table is written; none if not given");
    flags->Bool("force", &force_, "replace a finished output");
    engine_.Define(flags);
  }
  absl::Status CheckFlags() const override {
    if (engine_.is_hadoop() && out_.empty()) {
      return absl::InvalidArgumentError(
          "--engine=hadoop needs --out, a place that the cluster can write");
    }
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeStatsStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    const bool keep = !out_.empty();
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::ScratchFolder> scratch,
                             io::ScratchFolder::Create("", "trommel-stats"));
    const std::string place = keep ? out_ : StrCat(scratch->path(), "/out");
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(place, force_));
    const mr::Job job = {std::string(name()), {StatsSpec(crawls_)}};
    TROMMEL_ASSIGN_OR_RETURN(const mr::JobResult result,
                             engine_.Run(job, MakeSteps(), output.get()));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<SiteTotals> sites,
                             ReadTable(output->staging()));
    if (keep) {
      io::Manifest manifest;
      manifest.verb = name();
      manifest.inputs = crawls_;
      manifest.flags = engine_.ManifestFlags();
      manifest.counts.assign(result.steps[0].counters.begin(),
                             result.steps[0].counters.end());
      manifest.shards = result.shards;
      TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    }
    return MakeReport(sites, result.steps[0].counters);
  }

 private:
  cli::Report MakeReport(const std::vector<SiteTotals>& sites,
                         const mr::Counters& counters) const {
    SiteTotals total;
    size_t width = 5;
    for (size_t i = 0; i < sites.size(); ++i) {
      total.pages += sites[i].pages;
      total.bytes += sites[i].bytes;
      if (i < kSitesInText)
        width = std::max(width, Printable(sites[i].site).size());
    }
    cli::Report report;
    nlohmann::ordered_json& json = *report.json;
    if (!out_.empty()) json["out"] = out_;
    json["pages"] = total.pages;
    json["bytes"] = total.bytes;
    json["num_sites"] = sites.size();
    json["sites"] = nlohmann::ordered_json::array();
    const auto line = [&](const std::string& name, int64_t pages,
                          int64_t bytes) {
      absl::StrAppendFormat(&report.text, "%-*s %12d %16d\n",
                            static_cast<int>(width), name, pages, bytes);
    };
    absl::StrAppendFormat(&report.text, "%-*s %12s %16s\n",
                          static_cast<int>(width), "site", "pages", "bytes");
    for (size_t i = 0; i < sites.size(); ++i) {
      const SiteTotals& site = sites[i];
      if (i < kSitesInText) line(Printable(site.site), site.pages, site.bytes);
      if (i < kSitesInJson) {
        json["sites"].push_back({{"site", site.site},
                                 {"pages", site.pages},
                                 {"bytes", site.bytes}});
      }
    }
    if (sites.size() > kSitesInText) {
      absl::StrAppendFormat(&report.text, "... and %d more%s\n",
                            sites.size() - kSitesInText,
                            out_.empty() ? "; --out writes them all" : "");
    }
    line("total", total.pages, total.bytes);
    for (const auto& [reason, count] : mr::RejectsByReason(counters)) {
      absl::StrAppendFormat(&report.text, "rejected, %s: %d\n", reason, count);
    }
    json["counters"] = counters;
    return report;
  }

  std::vector<std::string> crawls_;
  std::string out_;
  bool force_ = false;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeStatsVerb() {
  return std::make_unique<StatsVerb>();
}

}  // namespace trommel
