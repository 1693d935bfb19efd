#include "core/coverage/cluster_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/coverage/day_of_pages.h"

namespace trommel::coverage {
namespace {

void AddAll(const DayPages& pages, ClusterSet* set) {
  for (const DayPage& page : pages.kept()) set->Add(page, true);
}

DayPages Day(const std::vector<Run>& runs) {
  DayPages pages(1000);
  for (DayPage& page : PagesOf(runs)) pages.Add(std::move(page));
  return pages;
}

TEST(ClusterSetTest, CountsPagesAndComparesDays) {
  ClusterSet set({TemplateOf(1, 9), TemplateOf(2, 5)}, {"one", "two"},
                 std::nullopt);
  // Ten pages look like 1, ten like 2, ten like nothing known, one is too
  // short.
  const DayPages before =
      Day({{0, 10, 1}, {10, 10, 2}, {20, 10, 7}, {30, 1, 0}});
  AddAll(before, &set);
  EXPECT_EQ(set.counts().pages, 31);
  EXPECT_EQ(set.counts().by_signature, 20);
  EXPECT_EQ(set.counts().by_sketch, 0);
  EXPECT_EQ(set.counts().too_short, 1);
  set.EndDay();
  // Six of the first ten look new, one of the second is too short and two are
  // not crawled; four that were nowhere are in the first cluster now.
  const DayPages now =
      Day({{0, 6, 8}, {6, 4, 1}, {10, 1, 0}, {11, 7, 2}, {20, 4, 1}});
  AddAll(now, &set);
  const std::vector<ClusterDay> clusters = set.Compare(CommonUrls(before, now));
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].cluster_id, "one");
  EXPECT_EQ(clusters[0].pages, 8);
  EXPECT_EQ(clusters[0].urls.compared, 10);
  EXPECT_EQ(clusters[0].urls.lost, 6);
  EXPECT_TRUE(clusters[0].broken);
  EXPECT_TRUE(clusters[0].broken_by_signature);
  EXPECT_EQ(clusters[1].pages, 7);
  EXPECT_EQ(clusters[1].urls.compared, 8);
  EXPECT_EQ(clusters[1].urls.lost, 1);
  EXPECT_FALSE(clusters[1].broken);
}

TEST(ClusterSetTest, MadeOfADayItCoversIt) {
  const DayPages pages = Day({{0, 30, 1}, {30, 20, 2}, {50, 2, 0}});
  const ClusterSet set =
      ClusterSet::FromPages("a.example", 7, pages, /*merge=*/false);
  EXPECT_EQ(set.clustered_on(), 7);
  EXPECT_EQ(set.counts().pages, 52);
  EXPECT_EQ(set.counts().by_signature, 50);
  ASSERT_EQ(set.placed().size(), 52u);
  // The ids are those of `trommel cluster`.
  EXPECT_EQ(*set.IdOf(set.placed()[0]),
            cluster::ClusterId("a.example",
                               cluster::ThreePassTemplates(pages.Sample())[0]));
  EXPECT_EQ(set.IdOf(set.placed()[51]), nullptr);
}

TEST(ClusterSetTest, PlacedBySketchIsCountedApart) {
  // Two pages of one structure whose vectors have nothing in common: the
  // template is that of the first, and only the sketch knows the second.
  signature::PageSignature first;
  first.vector = 0x0101010101010101u;
  for (size_t i = 0; i < signature::Sketch::kSlots; ++i) {
    first.sketch.slots[i] = static_cast<int16_t>(i);
  }
  cluster::Template tmpl = TemplateOf(1, 9);
  tmpl.sketch = cluster::TypicalSketch::Of({&first.sketch, &first.sketch});
  DayPages before(10), now(10);
  DayPage page = PageOf(1, 1);
  page.signature = first;
  ClusterSet set({tmpl}, {"one"}, std::nullopt);
  set.Add(page, true);
  before.Add(std::move(page));
  set.EndDay();
  page = PageOf(1, 2);
  page.signature->sketch = first.sketch;
  set.Add(page, true);
  now.Add(std::move(page));
  EXPECT_EQ(set.counts().by_signature, 0);
  EXPECT_EQ(set.counts().by_sketch, 1);
  const ClusterDay cluster = set.Compare(CommonUrls(before, now))[0];
  EXPECT_EQ(cluster.by_sketch, 1);
  EXPECT_FALSE(cluster.broken);
  EXPECT_TRUE(cluster.broken_by_signature);
  EXPECT_EQ(cluster.urls_by_signature.lost, 1);
}

}  // namespace
}  // namespace trommel::coverage
