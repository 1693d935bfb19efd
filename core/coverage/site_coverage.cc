#include "core/coverage/site_coverage.h"

#include <algorithm>
#include <utility>

// Changes as drops of coverage (Vertex, section IV-B).
//
// The paper clusters a site on one day and measures, on the days that follow,
// the share of pages whose vectors the clusters' signatures cover. A drop
// beyond a threshold is a change of the site. It leaves open what happens
// afterwards: by the old clusters the coverage would stay low, and every later
// change would be measured against the ruins of the first. So the site is
// clustered anew from the pages of the day on which it changed, and the
// coverage by these clusters is what the next day is compared with: one change
// counts once.
//
// With which clusters a day is measured therefore depends on the threshold:
// what is a change at 10% may be none at 50%, where the old clusters stay in
// use. Each threshold has a timeline of its own, and so has either way of
// counting pages that only a sketch places. Timelines share clusters as long as
// they agree: all begin with the same, and those that see a change on the same
// day go on with the same new ones. A page is placed once per set in use, which
// is mostly one.
//
// Days are the days with pages. A site that is not crawled on a day is compared
// when it comes back; that it was away is for the reader of the table to see. A
// site without any cluster (it is new, or had too few pages) is clustered from
// its pages, and that is no change.
//
// Only the pages with the smallest ranks of two days are held, so memory does
// not grow with the site. The coverage of a day counts all pages; the coverage
// by new clusters counts the kept ones, for the others have gone by when the
// clusters are made. A site with up to 20,000 pages a day is kept whole.

namespace trommel::coverage {

std::string_view CountingName(Counting counting) {
  return counting == Counting::kPlaced ? "placed" : "signature";
}

Share CoverageOf(const CoverageCounts& counts, Counting counting) {
  return {counting == Counting::kPlaced ? counts.by_signature + counts.by_sketch
                                        : counts.by_signature,
          counts.pages};
}

SiteCoverage::SiteCoverage(std::string_view site, CoverageSettings settings,
                           FirstClusters first)
    : site_(site),
      settings_(std::move(settings)),
      today_(settings_.max_kept_pages),
      yesterday_(settings_.max_kept_pages) {
  auto set = std::make_shared<ClusterSet>(
      std::move(first.templates), std::move(first.cluster_ids), std::nullopt);
  if (first.counts.has_value()) {
    set->SetDayBefore(*first.counts, first.sizes, first.sizes_by_sketch);
  }
  sets_ = {set};
  for (const Counting counting : {Counting::kPlaced, Counting::kSignature}) {
    for (const int threshold : settings_.thresholds) {
      Timeline timeline = {counting, threshold, set, std::nullopt};
      if (first.counts.has_value() && first.counts->pages > 0) {
        timeline.before = CoverageOf(*first.counts, counting);
      }
      timelines_.push_back(std::move(timeline));
    }
  }
}

void SiteCoverage::BeginDay(int64_t day) {
  day_ = day;
  today_ = DayPages(settings_.max_kept_pages);
}

void SiteCoverage::Add(DayPage page) {
  const bool kept = today_.Add(std::move(page));
  const DayPage& added = kept ? today_.kept().back() : page;
  for (const auto& set : sets_) set->Add(added, kept);
}

std::vector<TimelineDay> SiteCoverage::DecideChanges() const {
  std::vector<TimelineDay> days;
  for (const Timeline& timeline : timelines_) {
    TimelineDay day;
    day.counting = timeline.counting;
    day.threshold = timeline.threshold;
    day.set = static_cast<size_t>(
        std::find(sets_.begin(), sets_.end(), timeline.set) - sets_.begin());
    day.coverage = CoverageOf(timeline.set->counts(), timeline.counting);
    day.before = timeline.before;
    day.change = day.before.has_value() &&
                 DropExceeds(*day.before, day.coverage, timeline.threshold);
    days.push_back(std::move(day));
  }
  return days;
}

SiteDay SiteCoverage::EndDay() {
  SiteDay result;
  result.day = day_;
  result.previous_day = previous_day_;
  result.timelines = DecideChanges();

  const auto begins_anew = [&](size_t i) {
    return result.timelines[i].change || timelines_[i].set->empty();
  };
  std::shared_ptr<ClusterSet> anew;
  for (size_t i = 0; i < timelines_.size() && anew == nullptr; ++i) {
    if (!begins_anew(i)) continue;
    anew = std::make_shared<ClusterSet>(
        ClusterSet::FromPages(site_, day_, today_, settings_.merge));
  }

  const auto common = CommonUrls(yesterday_, today_);
  for (size_t s = 0; s < sets_.size(); ++s) {
    const ClusterSet& set = *sets_[s];
    SetDay day;
    day.clustered_on = set.clustered_on();
    day.counts = set.counts();
    day.clusters = set.Compare(common);
    bool changed = false;
    for (const TimelineDay& timeline : result.timelines) {
      changed |= timeline.set == s && timeline.change;
    }
    for (const ClusterDay& cluster : day.clusters) {
      changed |= cluster.broken || cluster.broken_by_signature;
    }
    if (changed) day.examples = Examples(set, anew.get(), common);
    result.sets.push_back(std::move(day));
  }

  for (size_t i = 0; i < timelines_.size(); ++i) {
    Timeline& timeline = timelines_[i];
    TimelineDay& day = result.timelines[i];
    timeline.before = day.coverage;
    if (!begins_anew(i)) continue;
    timeline.set = anew;
    timeline.before = day.anew = CoverageOf(anew->counts(), timeline.counting);
  }
  sets_.clear();
  for (const Timeline& timeline : timelines_) {
    if (std::find(sets_.begin(), sets_.end(), timeline.set) == sets_.end()) {
      sets_.push_back(timeline.set);
    }
  }
  for (const auto& set : sets_) set->EndDay();
  std::swap(yesterday_, today_);
  previous_day_ = day_;
  return result;
}

ChangedPage::Version SiteCoverage::VersionOf(const DayPage& page,
                                             const ClusterSet& set,
                                             const PlacedPage& placed) const {
  ChangedPage::Version version;
  version.url = page.url;
  if (page.signature.has_value()) version.signature = page.signature->vector;
  if (const std::string* const id = set.IdOf(placed)) version.cluster_id = *id;
  return version;
}

std::vector<ChangedPage> SiteCoverage::Examples(
    const ClusterSet& set, const ClusterSet* anew,
    const std::vector<std::pair<size_t, size_t>>& common) const {
  std::vector<ChangedPage> examples;
  for (const auto& [i, j] : common) {
    const PlacedPage& before = set.placed_before()[i];
    const PlacedPage& now = set.placed()[j];
    if (before.place < 0 || before.place == now.place) continue;
    ChangedPage& page = examples.emplace_back();
    page.before = VersionOf(yesterday_.kept()[i], set, before);
    page.after = VersionOf(today_.kept()[j], set, now);
    if (anew != nullptr) {
      if (const std::string* const id = anew->IdOf(anew->placed()[j])) {
        page.new_cluster_id = *id;
      }
    }
    if (examples.size() == kExamples) return examples;
  }
  if (examples.empty()) examples.push_back(ExampleOfTwo(set, anew));
  return examples;
}

ChangedPage SiteCoverage::ExampleOfTwo(const ClusterSet& set,
                                       const ClusterSet* anew) const {
  ChangedPage example;
  const std::vector<PlacedPage>& before = set.placed_before();
  for (size_t i = 0; i < before.size() && !example.before.has_value(); ++i) {
    if (before[i].place < 0) continue;
    example.before = VersionOf(yesterday_.kept()[i], set, before[i]);
  }
  const std::vector<PlacedPage>& now = set.placed();
  for (size_t j = 0; j < now.size() && !example.after.has_value(); ++j) {
    if (now[j].place >= 0) continue;
    example.after = VersionOf(today_.kept()[j], set, now[j]);
    if (anew == nullptr) continue;
    if (const std::string* const id = anew->IdOf(anew->placed()[j])) {
      example.new_cluster_id = *id;
    }
  }
  return example;
}

}  // namespace trommel::coverage
