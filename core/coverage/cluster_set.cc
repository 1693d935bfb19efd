#include "core/coverage/cluster_set.h"

#include <cstddef>
#include <utility>

namespace trommel::coverage {
namespace {

// Those with a page. All pages that the others cover are covered by a more
// important one too; they are no clusters, and do not take later pages.
std::vector<cluster::Template> NotEmpty(
    std::vector<cluster::Template> templates, const DayPages& pages) {
  std::vector<bool> has_page(templates.size());
  const cluster::SiteTemplates site(templates);
  for (const DayPage& page : pages.kept()) {
    if (!page.signature.has_value()) continue;
    if (const std::optional<cluster::Placement> found =
            site.Place(*page.signature)) {
      has_page[found->place] = true;
    }
  }
  std::vector<cluster::Template> result;
  for (size_t i = 0; i < templates.size(); ++i) {
    if (has_page[i]) result.push_back(std::move(templates[i]));
  }
  return result;
}

}  // namespace

ClusterSet::ClusterSet(std::vector<cluster::Template> templates,
                       std::vector<std::string> cluster_ids,
                       std::optional<int64_t> clustered_on)
    : templates_(std::move(templates)),
      cluster_ids_(std::move(cluster_ids)),
      clustered_on_(clustered_on),
      today_(EmptyDay()),
      yesterday_(EmptyDay()) {}

ClusterSet ClusterSet::FromPages(std::string_view site, int64_t day,
                                 const DayPages& pages, bool merge) {
  const std::vector<signature::PageSignature> sample = pages.Sample();
  std::vector<cluster::Template> templates =
      NotEmpty(merge ? cluster::MergedTemplates(sample)
                     : cluster::ThreePassTemplates(sample),
               pages);
  std::vector<std::string> ids;
  ids.reserve(templates.size());
  for (const cluster::Template& tmpl : templates)
    ids.push_back(cluster::ClusterId(site, tmpl));
  ClusterSet set(std::move(templates), std::move(ids), day);
  for (const DayPage& page : pages.kept()) set.Add(page, /*kept=*/true);
  return set;
}

ClusterSet::Day ClusterSet::EmptyDay() const {
  Day day;
  day.pages.resize(cluster_ids_.size());
  day.by_sketch.resize(cluster_ids_.size());
  return day;
}

const std::string* ClusterSet::IdOf(const PlacedPage& page) const {
  return page.place < 0 ? nullptr
                        : &cluster_ids_[static_cast<size_t>(page.place)];
}

void ClusterSet::Add(const DayPage& page, bool kept) {
  PlacedPage placed;
  ++today_.counts.pages;
  if (!page.signature.has_value()) {
    ++today_.counts.too_short;
  } else if (const std::optional<cluster::Placement> placement =
                 templates_.Place(*page.signature)) {
    placed = {static_cast<int32_t>(placement->place), placement->by};
    ++today_.pages[placement->place];
    if (placement->by == cluster::PlacedBy::kSignature) {
      ++today_.counts.by_signature;
    } else {
      ++today_.counts.by_sketch;
      ++today_.by_sketch[placement->place];
    }
  }
  if (kept) today_.placed.push_back(placed);
}

std::vector<ClusterDay> ClusterSet::Compare(
    const std::vector<std::pair<size_t, size_t>>& common) const {
  std::vector<ClusterDay> clusters(cluster_ids_.size());
  for (const auto& [i, j] : common) {
    const PlacedPage& before = yesterday_.placed[i];
    if (before.place < 0) continue;
    ClusterDay& cluster = clusters[static_cast<size_t>(before.place)];
    const PlacedPage& now = today_.placed[j];
    const bool stayed = now.place == before.place;
    ++cluster.urls.compared;
    cluster.urls.lost += stayed ? 0 : 1;
    if (before.by != cluster::PlacedBy::kSignature) continue;
    ++cluster.urls_by_signature.compared;
    cluster.urls_by_signature.lost +=
        stayed && now.by == cluster::PlacedBy::kSignature ? 0 : 1;
  }
  for (size_t i = 0; i < clusters.size(); ++i) {
    ClusterDay& cluster = clusters[i];
    cluster.cluster_id = cluster_ids_[i];
    cluster.pages = today_.pages[i];
    cluster.by_sketch = today_.by_sketch[i];
    const int64_t before = yesterday_.counts.pages;
    const int64_t now = today_.counts.pages;
    cluster.broken = IsBroken(cluster.urls, {yesterday_.pages[i], before},
                              {today_.pages[i], now});
    cluster.broken_by_signature =
        IsBroken(cluster.urls_by_signature,
                 {yesterday_.pages[i] - yesterday_.by_sketch[i], before},
                 {today_.pages[i] - today_.by_sketch[i], now});
  }
  return clusters;
}

void ClusterSet::EndDay() {
  yesterday_ = std::move(today_);
  today_ = EmptyDay();
}

void ClusterSet::SetDayBefore(const CoverageCounts& counts,
                              const std::vector<int64_t>& pages,
                              const std::vector<int64_t>& by_sketch) {
  yesterday_.counts = counts;
  yesterday_.pages = pages;
  yesterday_.by_sketch = by_sketch;
}

}  // namespace trommel::coverage
