#include "jobs/coverage/read_summary.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::coverage_job {
namespace {

constexpr size_t kMaxSites = 1000;
constexpr size_t kMaxBroken = 1000;

// Sites that changed come first.
bool DropsMore(const CoverageSummary::Site& a, const CoverageSummary::Site& b) {
  const bool changed = a.changes > 0;
  if (changed != (b.changes > 0)) return changed;
  if (a.largest_drop != b.largest_drop) return a.largest_drop > b.largest_drop;
  return a.about.site < b.about.site;
}

bool BreaksMore(const CoverageRow& a, const CoverageRow& b) {
  if (a.Drop() != b.Drop()) return a.Drop() > b.Drop();
  return std::tie(a.site, a.day) < std::tie(b.site, b.day);
}

// Keeps the first `limit` by the order, sorted, now and then.
template <typename T, typename Order>
void KeepFirst(size_t limit, bool now, Order order, std::vector<T>* values) {
  if (!now && values->size() < 4 * limit) return;
  std::sort(values->begin(), values->end(), order);
  if (values->size() > limit) values->resize(limit);
}

// Reads coverage/, in which the rows of a site stand together.
class TimelineReader {
 public:
  explicit TimelineReader(CoverageSummary* summary) : summary_(summary) {
    for (const coverage::Counting counting :
         {coverage::Counting::kPlaced, coverage::Counting::kSignature}) {
      for (const int threshold : summary->thresholds) {
        summary->timelines.push_back({counting, threshold, {}, 0});
      }
    }
    changes_.resize(summary->timelines.size());
  }

  void Add(CoverageRow row) {
    if (row.site != site_.about.site) {
      EndSite();
      site_.about.site = row.site;
    }
    compared_ |= row.before.has_value();
    for (size_t i = 0; i < summary_->timelines.size(); ++i) {
      const CoverageSummary::Timeline& timeline = summary_->timelines[i];
      if (timeline.counting != row.counting ||
          timeline.threshold != row.threshold) {
        continue;
      }
      changes_[i] += row.IsChange() ? 1 : 0;
      if (i == 0) AddDay(std::move(row));
      break;
    }
  }

  void Finish() {
    EndSite();
    KeepFirst(kMaxSites, true, DropsMore, &summary_->shown);
    KeepFirst(kMaxBroken, true, BreaksMore, &summary_->broken);
  }

 private:
  void AddDay(CoverageRow row) {
    summary_->pages_of_day[row.day] += row.counts.pages;
    site_.largest_drop = std::max(site_.largest_drop, row.Drop());
    if (row.IsChange() || row.clusters_broken > 0) {
      ++summary_->num_broken;
      summary_->broken.push_back(row);
      KeepFirst(kMaxBroken, false, BreaksMore, &summary_->broken);
    }
    site_.days.push_back(std::move(row));
  }

  void EndSite() {
    if (!site_.days.empty()) {
      site_.changes = changes_[0];
      if (compared_) {
        ++summary_->sites_compared;
        for (size_t i = 0; i < changes_.size(); ++i) Count(i);
      }
      summary_->shown.push_back(std::move(site_));
      KeepFirst(kMaxSites, false, DropsMore, &summary_->shown);
    }
    site_ = CoverageSummary::Site();
    compared_ = false;
    std::fill(changes_.begin(), changes_.end(), 0);
  }

  void Count(size_t timeline) {
    CoverageSummary::Timeline& totals = summary_->timelines[timeline];
    const auto changes = static_cast<size_t>(changes_[timeline]);
    if (totals.sites.size() <= changes) totals.sites.resize(changes + 1);
    ++totals.sites[changes];
    totals.changes += changes_[timeline];
  }

  CoverageSummary* summary_;
  CoverageSummary::Site site_;  // being read
  bool compared_ = false;
  std::vector<int64_t> changes_;  // of the site, by timeline
};

// The columns of one table have the same rows.
void AlignTimelines(coverage::Counting counting, CoverageSummary* summary) {
  size_t rows = 1;
  for (const auto& timeline : summary->timelines) {
    if (timeline.counting != counting) continue;
    rows = std::max(rows, timeline.sites.size());
  }
  for (auto& timeline : summary->timelines) {
    if (timeline.counting == counting) timeline.sites.resize(rows);
  }
}

absl::Status ReadSites(const io::Path& table, CoverageSummary* summary) {
  std::map<std::string, CoverageSummary::Site*, std::less<>> shown;
  for (auto& site : summary->shown) shown[site.about.site] = &site;
  std::vector<CoverageSummary::Site> never_crawled;
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(
      table, CoveredSiteColumns(), [&](const io::Row& row) -> absl::Status {
        TROMMEL_ASSIGN_OR_RETURN(CoveredSite about, ReadCoveredSite(row));
        ++summary->sites;
        summary->pages += about.pages;
        summary->sites_new += about.clusters == 0 ? 1 : 0;
        summary->sites_never_crawled += about.days == 0 ? 1 : 0;
        summary->sites_vanished += summary->IsVanished(about) ? 1 : 0;
        const auto found = shown.find(about.site);
        if (found != shown.end()) {
          found->second->about = std::move(about);
        } else if (about.days == 0) {
          never_crawled.emplace_back().about = std::move(about);
          KeepFirst(kMaxSites, false, DropsMore, &never_crawled);
        }
        return absl::OkStatus();
      }));
  for (auto& site : never_crawled) summary->shown.push_back(std::move(site));
  KeepFirst(kMaxSites, true, DropsMore, &summary->shown);
  return absl::OkStatus();
}

absl::Status ReadExamples(const io::Path& table, CoverageSummary* summary) {
  std::map<std::string, CoverageSummary::Site*, std::less<>> shown;
  for (auto& site : summary->shown) shown[site.about.site] = &site;
  return io::VisitRows(
      table, ExampleColumns(), [&](const io::Row& row) -> absl::Status {
        const auto found = shown.find(row.bytes(0));
        if (found == shown.end()) return absl::OkStatus();
        TROMMEL_ASSIGN_OR_RETURN(ExampleRow example, ReadExampleRow(row));
        // Those of the clusters that the first timeline uses.
        for (const CoverageRow& day : found->second->days) {
          if (day.day != example.day ||
              day.clustered_on != example.clustered_on) {
            continue;
          }
          found->second->examples.push_back(std::move(example));
          break;
        }
        return absl::OkStatus();
      });
}

}  // namespace

absl::StatusOr<CoverageSummary> ReadSummary(
    const io::Path& output, const std::vector<int>& thresholds,
    const std::vector<int64_t>& crawled_days) {
  CoverageSummary summary;
  summary.thresholds = thresholds;
  TimelineReader timelines(&summary);
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(
      output.Child(kCoverageTable), CoverageColumns(),
      [&](const io::Row& row) -> absl::Status {
        TROMMEL_ASSIGN_OR_RETURN(CoverageRow coverage, ReadCoverageRow(row));
        timelines.Add(std::move(coverage));
        return absl::OkStatus();
      }));
  timelines.Finish();
  AlignTimelines(coverage::Counting::kPlaced, &summary);
  AlignTimelines(coverage::Counting::kSignature, &summary);
  summary.last_day_with_pages = summary.last_day();
  for (const int64_t day : crawled_days) summary.pages_of_day.try_emplace(day);
  TROMMEL_RETURN_IF_ERROR(
      ReadSites(output.Child(kCoveredSitesTable), &summary));
  TROMMEL_RETURN_IF_ERROR(ReadExamples(output.Child(kExamplesTable), &summary));
  return summary;
}

}  // namespace trommel::jobs::coverage_job
