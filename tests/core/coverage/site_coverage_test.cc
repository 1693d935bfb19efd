#include "core/coverage/site_coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/core/coverage/day_of_pages.h"
#include "tests/testing/seed.h"

namespace trommel::coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CoverageSettings ThreePasses(std::vector<int> thresholds = {10, 20, 30, 40,
                                                            50}) {
  CoverageSettings settings;
  settings.thresholds = std::move(thresholds);
  settings.merge = false;
  return settings;
}

// Looks 1 and 2 are known, and cover 80 and 20 of 100 pages.
FirstClusters TwoClusters() {
  FirstClusters first;
  first.templates = {TemplateOf(1, 80), TemplateOf(2, 20)};
  first.cluster_ids = {"one", "two"};
  first.sizes = {80, 20};
  first.sizes_by_sketch = {0, 0};
  first.counts = CoverageCounts{100, 0, 100, 0};
  return first;
}

SiteDay RunDay(SiteCoverage* site, int64_t day, std::vector<DayPage> pages) {
  site->BeginDay(day);
  for (DayPage& page : pages) site->Add(std::move(page));
  return site->EndDay();
}

// The thresholds at which the day is a change.
std::vector<int> Changes(const SiteDay& day, Counting counting) {
  std::vector<int> thresholds;
  for (const TimelineDay& timeline : day.timelines) {
    if (timeline.counting == counting && timeline.change) {
      thresholds.push_back(timeline.threshold);
    }
  }
  return thresholds;
}

std::vector<int> Changes(const SiteDay& day) {
  EXPECT_EQ(Changes(day, Counting::kPlaced),
            Changes(day, Counting::kSignature));
  return Changes(day, Counting::kPlaced);
}

const TimelineDay& At(const SiteDay& day, int threshold) {
  for (const TimelineDay& timeline : day.timelines) {
    if (timeline.threshold == threshold) return timeline;
  }
  ADD_FAILURE() << threshold;
  return day.timelines[0];
}

TEST(SiteCoverageTest, OneChangeCountsOnce) {
  SiteCoverage site("a.example", ThreePasses(), TwoClusters());
  SiteDay day = RunDay(&site, 1, PagesOf({{0, 80, 1}, {80, 20, 2}}));
  EXPECT_THAT(Changes(day), IsEmpty());
  EXPECT_EQ(At(day, 10).coverage, (Share{100, 100}));
  EXPECT_EQ(At(day, 10).before, (Share{100, 100}));  // when it was clustered
  EXPECT_FALSE(day.previous_day.has_value());

  // A third of the site has a new look: 33 points.
  day = RunDay(&site, 2, PagesOf({{0, 47, 1}, {47, 33, 3}, {80, 20, 2}}));
  EXPECT_THAT(Changes(day), ElementsAre(10, 20, 30));
  EXPECT_EQ(At(day, 10).coverage, (Share{67, 100}));
  EXPECT_EQ(At(day, 10).anew, (Share{100, 100}));
  EXPECT_FALSE(At(day, 40).anew.has_value());
  EXPECT_EQ(day.previous_day, 1);

  // It keeps it: nothing changes any more, whatever clusters are in use.
  day = RunDay(&site, 3, PagesOf({{0, 47, 1}, {47, 33, 3}, {80, 20, 2}}));
  EXPECT_THAT(Changes(day), IsEmpty());
  EXPECT_EQ(At(day, 10).coverage, (Share{100, 100}));
  EXPECT_EQ(At(day, 40).coverage, (Share{67, 100}));
  ASSERT_EQ(day.sets.size(), 2u);
  EXPECT_EQ(day.sets[At(day, 10).set].clustered_on, 2);
  EXPECT_FALSE(day.sets[At(day, 40).set].clustered_on.has_value());

  // All is new: a drop of 100 points by the new clusters, of 67 by the old.
  day = RunDay(&site, 4, PagesOf({{0, 100, 4}}));
  EXPECT_THAT(Changes(day), ElementsAre(10, 20, 30, 40, 50));
  EXPECT_EQ(At(day, 40).before, (Share{67, 100}));
  // From here on all timelines have the same clusters again.
  day = RunDay(&site, 5, PagesOf({{0, 100, 4}}));
  EXPECT_EQ(day.sets.size(), 1u);
  EXPECT_THAT(Changes(day), IsEmpty());
}

TEST(SiteCoverageTest, SlowDecayIsNoChange) {
  // Ten points a day, which is not beyond ten.
  SiteCoverage site("a.example", ThreePasses({10}), TwoClusters());
  for (uint64_t day = 1; day <= 8; ++day) {
    const SiteDay result =
        RunDay(&site, static_cast<int64_t>(day),
               PagesOf({{0, 10 * day, 3}, {10 * day, 100 - 10 * day, 1}}));
    EXPECT_THAT(Changes(result), IsEmpty()) << day;
  }
}

TEST(SiteCoverageTest, GapsAreComparedAcross) {
  SiteCoverage site("a.example", ThreePasses(), TwoClusters());
  RunDay(&site, 10, PagesOf({{0, 100, 1}}));
  const SiteDay day = RunDay(&site, 17, PagesOf({{0, 100, 3}}));
  EXPECT_EQ(day.previous_day, 10);
  EXPECT_THAT(Changes(day), ElementsAre(10, 20, 30, 40, 50));
}

TEST(SiteCoverageTest, WithoutFiguresOfTheClusteringTheFirstDayIsNoChange) {
  FirstClusters first = TwoClusters();
  first.counts.reset();
  SiteCoverage site("a.example", ThreePasses(), std::move(first));
  SiteDay day = RunDay(&site, 1, PagesOf({{0, 100, 3}}));
  EXPECT_THAT(Changes(day), IsEmpty());
  EXPECT_FALSE(At(day, 10).before.has_value());
  EXPECT_EQ(At(day, 10).coverage, (Share{0, 100}));
  EXPECT_FALSE(day.sets[0].clusters[0].broken);
}

TEST(SiteCoverageTest, ASiteWithoutClustersIsClusteredAndThatIsNoChange) {
  SiteCoverage site("a.example", ThreePasses(), FirstClusters());
  // One page alone is no cluster, so it is tried again.
  SiteDay day = RunDay(&site, 1, PagesOf({{0, 1, 1}}));
  EXPECT_THAT(Changes(day), IsEmpty());
  EXPECT_EQ(At(day, 10).anew, (Share{0, 1}));
  day = RunDay(&site, 2, PagesOf({{0, 50, 1}, {50, 10, 0}}));
  EXPECT_THAT(Changes(day), IsEmpty());
  EXPECT_EQ(At(day, 10).coverage, (Share{0, 60}));
  EXPECT_EQ(At(day, 10).anew, (Share{50, 60}));
  day = RunDay(&site, 3, PagesOf({{0, 50, 3}, {50, 10, 0}}));
  EXPECT_THAT(Changes(day), ElementsAre(10, 20, 30, 40, 50));
}

TEST(SiteCoverageTest, FirstDayIsComparedWithTheClustering) {
  SiteCoverage site("a.example", ThreePasses(), TwoClusters());
  const SiteDay day = RunDay(&site, 1, PagesOf({{0, 80, 1}, {80, 20, 5}}));
  EXPECT_THAT(Changes(day), ElementsAre(10));  // 20 points are not beyond 20
  // No URL is known of the day of clustering: shares decide, and of the example
  // only the page that is new.
  ASSERT_EQ(day.sets[0].clusters.size(), 2u);
  EXPECT_FALSE(day.sets[0].clusters[0].broken);
  EXPECT_TRUE(day.sets[0].clusters[1].broken);
  ASSERT_EQ(day.sets[0].examples.size(), 1u);
  EXPECT_FALSE(day.sets[0].examples[0].before.has_value());
  EXPECT_EQ(day.sets[0].examples[0].after->url, "http://a.example/80");
}

TEST(SiteCoverageTest, ExamplesShowAPageBeforeAndAfter) {
  SiteCoverage site("a.example", ThreePasses({10}), TwoClusters());
  RunDay(&site, 1, PagesOf({{0, 80, 1}, {80, 20, 2}}));
  const SiteDay day = RunDay(&site, 2, PagesOf({{0, 80, 1}, {80, 20, 7}}));
  ASSERT_EQ(day.sets.size(), 1u);
  const std::vector<ChangedPage>& examples = day.sets[0].examples;
  ASSERT_EQ(examples.size(), SiteCoverage::kExamples);
  EXPECT_EQ(examples[0].before->url, "http://a.example/80");
  EXPECT_EQ(examples[0].before->cluster_id, "two");
  EXPECT_EQ(examples[0].before->signature, 0x0202020202020202u);
  EXPECT_EQ(examples[0].after->url, "http://a.example/80");
  EXPECT_FALSE(examples[0].after->cluster_id.has_value());
  EXPECT_EQ(examples[0].after->signature, 0x0707070707070707u);
  EXPECT_EQ(examples[0].new_cluster_id,
            cluster::ClusterId("a.example", TemplateOf(7, 1)));
}

TEST(SiteCoverageTest, OtherUrlsAltogether) {
  SiteCoverage site("a.example", ThreePasses({10}), TwoClusters());
  RunDay(&site, 1, PagesOf({{0, 80, 1}, {80, 20, 2}}));
  const SiteDay day = RunDay(&site, 2, PagesOf({{1000, 80, 1}, {1080, 20, 7}}));
  EXPECT_FALSE(day.sets[0].clusters[0].broken);
  EXPECT_TRUE(day.sets[0].clusters[1].broken);
  ASSERT_EQ(day.sets[0].examples.size(), 1u);
  EXPECT_EQ(day.sets[0].examples[0].before->url, "http://a.example/0");
  EXPECT_EQ(day.sets[0].examples[0].after->url, "http://a.example/1080");
}

TEST(SiteCoverageTest, PagesBeyondTheKeptOnesStillCount) {
  CoverageSettings settings = ThreePasses({10});
  settings.max_kept_pages = 10;
  SiteCoverage site("a.example", settings, TwoClusters());
  SiteDay day = RunDay(&site, 1, PagesOf({{0, 50, 1}, {50, 50, 3}}));
  EXPECT_EQ(At(day, 10).coverage, (Share{50, 100}));
  // Clustered anew from the first ten pages, all of look 1.
  EXPECT_EQ(At(day, 10).anew, (Share{10, 10}));
  day = RunDay(&site, 2, PagesOf({{0, 50, 1}, {50, 50, 3}}));
  EXPECT_EQ(At(day, 10).coverage, (Share{50, 100}));
  EXPECT_EQ(day.sets[0].clusters[0].pages, 50);
  EXPECT_EQ(day.sets[0].clusters[0].urls.compared, 10);
}

// --- A slow, obvious reference -----------------------------------------------

// One timeline at a time, with all pages of all days at hand, and doubles.
struct ReferenceDay {
  double coverage = 0;
  bool change = false;
};
std::vector<ReferenceDay> Reference(
    const std::vector<std::vector<DayPage>>& days, int threshold) {
  std::vector<cluster::Template> clusters = TwoClusters().templates;
  double before = 1;
  std::vector<ReferenceDay> result;
  for (const std::vector<DayPage>& pages : days) {
    const auto coverage = [&] {
      double covered = 0;
      for (const DayPage& page : pages) {
        for (const cluster::Template& tmpl : clusters) {
          if (!page.signature.has_value()) continue;
          if (tmpl.signatures[0].vector.Covers(page.signature->vector)) {
            ++covered;
            break;
          }
        }
      }
      return covered / static_cast<double>(pages.size());
    };
    ReferenceDay day;
    day.coverage = coverage();
    day.change = before - day.coverage > threshold / 100.0 + 1e-9;
    before = day.coverage;
    if (day.change || clusters.empty()) {
      std::vector<signature::PageSignature> sample;
      for (const DayPage& page : pages) {
        if (page.signature.has_value()) sample.push_back(*page.signature);
      }
      clusters = cluster::ThreePassTemplates(sample);
      before = coverage();
    }
    result.push_back(day);
  }
  return result;
}

TEST(SiteCoverageTest, AgreesWithTheReferenceOnRandomSites) {
  Random random(testing_support::TestSeed(7));
  int changes = 0;
  for (int round = 0; round < 200; ++round) {
    // A site of 20 to 80 URLs in groups that get a new look now and then; some
    // URLs are missing on some days.
    const uint64_t num_urls = 20 + random.Below(60);
    const uint64_t num_groups = 1 + random.Below(5);
    std::vector<uint8_t> looks(num_groups);
    for (uint8_t& look : looks) {
      look = static_cast<uint8_t>(1 + random.Below(2));
    }
    std::vector<std::vector<DayPage>> days;
    for (int day = 0; day < 12; ++day) {
      for (uint8_t& look : looks) {
        if (random.Chance(0.15)) {
          look = static_cast<uint8_t>(random.Below(9));
        }
      }
      std::vector<DayPage>& pages = days.emplace_back();
      for (uint64_t url = 0; url < num_urls; ++url) {
        if (random.Chance(0.1) && url > 0) continue;
        pages.push_back(PageOf(url, looks[url % num_groups]));
      }
    }
    SiteCoverage site("a.example", ThreePasses(), TwoClusters());
    std::vector<SiteDay> found;
    for (size_t i = 0; i < days.size(); ++i) {
      found.push_back(RunDay(&site, static_cast<int64_t>(i), days[i]));
    }
    for (size_t t = 0; t < 10; ++t) {
      const std::vector<ReferenceDay> expected =
          Reference(days, found[0].timelines[t].threshold);
      for (size_t i = 0; i < days.size(); ++i) {
        const TimelineDay& day = found[i].timelines[t];
        ASSERT_NEAR(day.coverage.value(), expected[i].coverage, 1e-12)
            << "round " << round << " timeline " << t << " day " << i;
        ASSERT_EQ(day.change, expected[i].change)
            << "round " << round << " timeline " << t << " day " << i;
        changes += day.change ? 1 : 0;
      }
    }
  }
  EXPECT_GT(changes, 1000);  // it is not all quiet
}

}  // namespace
}  // namespace trommel::coverage
