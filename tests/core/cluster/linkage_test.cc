#include "core/cluster/linkage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "core/base/random.h"
#include "tests/core/cluster/sketches.h"
#include "tests/testing/seed.h"

namespace trommel::cluster {
namespace {

using testing_support::Changed;
using testing_support::EmptySketch;
using testing_support::Lowered;
using testing_support::RandomSketch;
using testing_support::Shuffle;
using testing_support::Spliced;
using Groups = std::vector<int32_t>;

Groups GroupsOf(const std::vector<signature::Sketch>& pages,
                int64_t min_pages = 20) {
  std::vector<const signature::Sketch*> pointers;
  for (const signature::Sketch& page : pages) pointers.push_back(&page);
  return GroupByStructure(pointers, min_pages);
}

int NumGroups(const Groups& groups) {
  return groups.empty() ? 0
                        : *std::max_element(groups.begin(), groups.end()) + 1;
}

// Returns `num_pages` pages that differ from `centre` in `num_slots` slots.
std::vector<signature::Sketch> Around(const signature::Sketch& centre,
                                      int num_pages, size_t num_slots,
                                      Random* random) {
  std::vector<signature::Sketch> pages;
  for (; num_pages > 0; --num_pages) {
    pages.push_back(Changed(centre, num_slots, random));
  }
  return pages;
}

TEST(LinkageTest, NoneAndOne) {
  EXPECT_EQ(GroupsOf({}), Groups());
  EXPECT_EQ(GroupsOf({EmptySketch()}), Groups({0}));
  Random random(1);
  EXPECT_EQ(GroupsOf({RandomSketch(&random)}), Groups({0}));
}

TEST(LinkageTest, GroupsAreNumberedByTheirFirstPages) {
  Random random(testing_support::TestSeed(420));
  const signature::Sketch a = RandomSketch(&random), b = RandomSketch(&random),
                          c = RandomSketch(&random);
  EXPECT_EQ(GroupsOf({b, a, b, c, a, c}), Groups({0, 1, 0, 2, 1, 2}));
  EXPECT_EQ(GroupsOf({c, b, a}), Groups({0, 1, 2}));
  EXPECT_EQ(GroupsOf({a, a, a}), Groups({0, 0, 0}));
}

TEST(LinkageTest, PagesWithoutStructureAreLikeNoOther) {
  Random random(2);
  EXPECT_EQ(GroupsOf({EmptySketch(), RandomSketch(&random), EmptySketch()}),
            Groups({0, 1, 0}));
}

// Each page has a section more than the one before. The ends of such a chain
// share next to nothing; it is one template all the same.
TEST(LinkageTest, ChainsAreOneGroup) {
  Random random(testing_support::TestSeed(421));
  const auto longer = [&](const signature::Sketch& page) {
    return Lowered(page, random.Below(signature::Sketch::kSlots), 32, &random);
  };
  std::vector<signature::Sketch> chain = {RandomSketch(&random)};
  while (chain.size() < 15) chain.push_back(longer(chain.back()));
  EXPECT_LT(
      signature::CompareSketches(chain.front(), chain.back()).Resemblance(),
      0.25);
  EXPECT_EQ(NumGroups(GroupsOf(chain)), 1);
  // A gap of 0.2 parts it.
  std::vector<signature::Sketch> broken(chain.begin(), chain.begin() + 7);
  broken.push_back(Changed(broken.back(), 102, &random));
  while (broken.size() < 14) broken.push_back(longer(broken.back()));
  EXPECT_EQ(GroupsOf(broken),
            Groups({0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}));
}

// Two dense groups, each with sections that the other has not.
TEST(LinkageTest, WhatTellsTemplatesFromSections) {
  Random random(testing_support::TestSeed(427));
  struct Case {
    const char* label;
    size_t only_first, only_second;  // slots of 128
    int groups;
  };
  const Case kCases[] = {
      {"a section more", 0, 20, 1},
      {"nearly too much more", 0, 38, 1},
      {"too much more", 0, 39, 2},
      {"next to nothing the other way", 3, 20, 1},
      {"something the other way", 4, 20, 2},
      {"as much each way", 15, 15, 2},
  };
  for (const Case& c : kCases) {
    const signature::Sketch shared = RandomSketch(&random);
    const signature::Sketch first = Lowered(shared, 0, c.only_first, &random);
    const signature::Sketch second =
        Lowered(shared, 64, c.only_second, &random);
    std::vector<signature::Sketch> pages(6, first);
    pages.insert(pages.end(), 6, second);
    EXPECT_EQ(NumGroups(GroupsOf(pages)), c.groups) << c.label;
  }
}

TEST(LinkageTest, AStrayPageBetweenDenseGroupsBridgesNothing) {
  Random random(testing_support::TestSeed(422));
  const signature::Sketch a = RandomSketch(&random), b = RandomSketch(&random);
  const signature::Sketch stray = Spliced(a, b, 64);
  std::vector<signature::Sketch> pages = Around(a, 8, 4, &random);
  const std::vector<signature::Sketch> others = Around(b, 8, 4, &random);
  pages.insert(pages.end(), others.begin(), others.end());
  pages.push_back(stray);
  EXPECT_EQ(GroupsOf(pages),
            Groups({0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2}));
  // Among single pages the same half is the best there is, and links.
  EXPECT_EQ(GroupsOf({a, b, stray}), Groups({0, 0, 0}));
}

// Copies of a page are neighbours of each other.
TEST(LinkageTest, DuplicatesMakeAPageDense) {
  Random random(testing_support::TestSeed(424));
  const signature::Sketch a = RandomSketch(&random);
  const signature::Sketch b = Lowered(a, 0, 51, &random);  // 0.6
  struct Case {
    int copies_of_a, copies_of_b, groups;
  };
  for (const Case& c : {Case{1, 1, 1}, Case{2, 1, 1}, Case{4, 1, 1},
                        Case{5, 1, 2}, Case{1, 5, 2}, Case{9, 9, 2}}) {
    std::vector<signature::Sketch> pages(static_cast<size_t>(c.copies_of_a), a);
    pages.insert(pages.end(), static_cast<size_t>(c.copies_of_b), b);
    EXPECT_EQ(NumGroups(GroupsOf(pages)), c.groups)
        << c.copies_of_a << " and " << c.copies_of_b;
  }
}

// Where groups may be small, the fourth neighbour may be of another.
TEST(LinkageTest, SmallGroupsAreAskedForFewerNeighbours) {
  Random random(testing_support::TestSeed(428));
  const signature::Sketch shared = RandomSketch(&random);
  const signature::Sketch first = Lowered(shared, 0, 20, &random);
  const signature::Sketch second = Lowered(shared, 64, 20, &random);
  const std::vector<signature::Sketch> pages = {first,  first,  first,
                                                second, second, second};
  EXPECT_EQ(GroupsOf(pages, /*min_pages=*/2), Groups({0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(GroupsOf(pages, /*min_pages=*/3), Groups({0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(GroupsOf(pages, /*min_pages=*/4), Groups({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(GroupsOf(pages, /*min_pages=*/20), Groups({0, 0, 0, 0, 0, 0}));
}

// The definition, page by page over all pairs. The nearest other pages
// (ties by the order of sketches) give a page its density and looseness; a link
// needs 0.7 of the larger of two densities and 0.25, and a smaller difference
// of three slots over the smaller of two loosenesses, at most.
Groups SlowGroups(const std::vector<signature::Sketch>& pages,
                  size_t num_neighbours) {
  const size_t n = pages.size();
  const auto overlap = [&](size_t i, size_t j) {
    return pages[i] == pages[j]
               ? signature::Overlap{1, 0, 0}
               : signature::CompareSketches(pages[i], pages[j]);
  };
  const auto smaller_difference = [&](size_t i, size_t j) {
    return std::min(overlap(i, j).only_first, overlap(i, j).only_second);
  };
  std::vector<double> density(n);
  std::vector<int> looseness(n);
  for (size_t i = 0; i < n; ++i) {
    std::vector<std::tuple<double, signature::Sketch, size_t>> others;
    for (size_t j = 0; j < n; ++j) {
      const double both = overlap(i, j).Resemblance();
      if (i != j && both > 0) others.emplace_back(-both, pages[j], j);
    }
    std::sort(others.begin(), others.end());
    if (others.size() > num_neighbours) others.resize(num_neighbours);
    for (const auto& [negative_both, sketch, j] : others) {
      density[i] = -negative_both;
      looseness[i] = std::max(looseness[i], smaller_difference(i, j));
    }
  }
  const auto linked = [&](size_t i, size_t j) {
    return overlap(i, j).Resemblance() >=
               std::max(0.25, 0.7 * std::max(density[i], density[j])) &&
           smaller_difference(i, j) <= 3 + std::min(looseness[i], looseness[j]);
  };
  // Each page takes the number of its group's first page, until none changes.
  std::vector<size_t> first(n);
  for (size_t i = 0; i < n; ++i) first[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        if (first[j] <= first[i] || !linked(i, j)) continue;
        first[j] = first[i];
        changed = true;
      }
    }
  }
  std::map<size_t, int32_t> numbers;
  Groups groups;
  for (const size_t page : first) {
    const int32_t next = static_cast<int32_t>(numbers.size());
    groups.push_back(numbers.try_emplace(page, next).first->second);
  }
  return groups;
}

TEST(LinkageProperty, AgreesWithTheDefinition) {
  Random random(testing_support::TestSeed(426));
  std::set<int> seen;
  for (int round = 0; round < 1500; ++round) {
    std::vector<signature::Sketch> pages;
    const uint64_t num_pages = random.Below(round % 100 == 0 ? 300 : 25);
    // Some rounds have short pages, with many empty slots.
    const uint64_t empty_slots = random.Chance(0.4) ? random.Below(129) : 0;
    while (pages.size() < num_pages) {
      signature::Sketch page = RandomSketch(&random);
      const double kind = random.Unit();
      if (!pages.empty() && kind < 0.9) {
        const signature::Sketch& a = pages[random.Below(pages.size())];
        const signature::Sketch& b = pages[random.Below(pages.size())];
        const size_t slots = random.Below(90);
        page = kind < 0.3   ? Changed(a, slots / 3, &random)
               : kind < 0.6 ? Lowered(a, random.Below(128), slots, &random)
               : kind < 0.7 ? a
                            : Spliced(a, b, random.Below(129));
      }
      for (uint64_t i = 0; i < empty_slots; ++i) {
        page.slots[i] =
            random.Chance(0.05) ? int16_t{1} : signature::Sketch::kEmpty;
      }
      pages.push_back(page);
    }
    // Four neighbours, or fewer where groups may have fewer pages.
    const int64_t min_pages = random.Between(2, 8);
    const Groups expected = SlowGroups(
        pages, std::min<size_t>(4, static_cast<size_t>(min_pages) - 1));
    seen.insert(NumGroups(expected));
    ASSERT_EQ(GroupsOf(pages, min_pages), expected) << "round " << round;
  }
  EXPECT_GT(seen.size(), 5u) << "different numbers of groups";
}

TEST(LinkageProperty, DoesNotDependOnTheOrderOfPages) {
  Random random(testing_support::TestSeed(425));
  for (int round = 0; round < 60; ++round) {
    std::vector<signature::Sketch> pages;
    for (int group = 0; group < 5; ++group) {
      const std::vector<signature::Sketch> more =
          Around(RandomSketch(&random), static_cast<int>(random.Below(8)),
                 random.Below(70), &random);
      pages.insert(pages.end(), more.begin(), more.end());
    }
    for (int i = 0; i < 5 && !pages.empty(); ++i) {
      const signature::Sketch& a = pages[random.Below(pages.size())];
      const signature::Sketch& b = pages[random.Below(pages.size())];
      pages.push_back(Spliced(a, b, random.Below(129)));
    }
    // The groups as sets of sketches.
    const auto partition = [](const std::vector<signature::Sketch>& all) {
      std::map<int32_t, std::multiset<signature::Sketch>> members;
      const Groups groups = GroupsOf(all);
      for (size_t i = 0; i < all.size(); ++i) members[groups[i]].insert(all[i]);
      std::set<std::multiset<signature::Sketch>> sets;
      for (const auto& [number, set] : members) sets.insert(set);
      return sets;
    };
    const auto expected = partition(pages);
    Shuffle(&pages, &random);
    ASSERT_EQ(partition(pages), expected) << "round " << round;
  }
}

}  // namespace
}  // namespace trommel::cluster
