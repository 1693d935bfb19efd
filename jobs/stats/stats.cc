#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "jobs/cli/text_table.h"
#include "jobs/engine/job_verb.h"
#include "jobs/registry.h"
#include "jobs/stats/stats_step.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/scratch_folder.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::stats {
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

class StatsVerb final : public engine::JobVerb {
 public:
  StatsVerb() : engine::JobVerb("stats", kStatsHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl to count").Input().Required();
    DefineOutputFlags(flags, "where the table is written; none if not given");
    DefineEngineFlags(flags);
  }
  absl::Status CheckFlags() const override {
    if (is_hadoop() && out().empty()) {
      return absl::InvalidArgumentError(
          "--engine=hadoop needs --out, a place that the cluster can write");
    }
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeStatsStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::ScratchFolder> scratch,
                             io::ScratchFolder::Create("", "trommel-stats"));
    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJobInto(out().empty() ? StrCat(scratch->path(), "/out") : out(),
                   crawls_, {StatsSpec(crawls_)}));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<SiteTotals> sites,
                             ReadTable(output.staging()));
    const mr::Counters counters = output.Counters();
    output.Count(counters);
    if (!out().empty()) TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(sites, counters);
  }

 private:
  cli::Report MakeReport(const std::vector<SiteTotals>& sites,
                         const mr::Counters& counters) const {
    cli::TextTable table({cli::TextTable::Left("site"),
                          cli::TextTable::Right("pages", 12),
                          cli::TextTable::Right("bytes", 16)});
    SiteTotals total;
    nlohmann::ordered_json listed = nlohmann::ordered_json::array();
    for (size_t i = 0; i < sites.size(); ++i) {
      const SiteTotals& site = sites[i];
      total.pages += site.pages;
      total.bytes += site.bytes;
      if (i < kSitesInText) {
        table.Add(site.site, site.pages, site.bytes);
      }
      if (i < kSitesInJson) {
        listed.push_back({{"site", site.site},
                          {"pages", site.pages},
                          {"bytes", site.bytes}});
      }
    }
    if (sites.size() > kSitesInText) {
      table.AddLine(StrCat("... and ", sites.size() - kSitesInText, " more",
                           out().empty() ? "; --out writes them all" : ""));
    }
    table.Add("total", total.pages, total.bytes);

    cli::Report report;
    nlohmann::ordered_json& json = *report.json;
    if (!out().empty()) json["out"] = out();
    json["pages"] = total.pages;
    json["bytes"] = total.bytes;
    json["num_sites"] = sites.size();
    json["sites"] = std::move(listed);
    json["counters"] = counters;
    report.text = table.Text() + engine::RejectLines(counters);
    return report;
  }

  std::vector<std::string> crawls_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeStatsVerb() {
  return std::make_unique<StatsVerb>();
}

}  // namespace trommel::jobs::stats
