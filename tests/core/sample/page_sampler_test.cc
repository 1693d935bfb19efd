#include "core/sample/page_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::sample {
namespace {

using testing::ElementsAre;

// A page by what it says where.
using PageText = std::vector<std::pair<std::string, std::string>>;

PageSampler SamplerOf(const std::vector<PageText>& pages) {
  PageSampler sampler;
  for (const PageText& page : pages) {
    std::vector<PathContent> contents;
    for (const auto& [path, content] : page) {
      contents.push_back({Hash64(path), Hash64(content)});
    }
    sampler.AddPage(contents);
  }
  return sampler;
}

std::vector<size_t> ChosenPages(const PageSampler& sampler, size_t max_pages) {
  std::vector<size_t> pages;
  for (const PageSampler::ChosenPage& page : sampler.Choose(max_pages)) {
    pages.push_back(page.page);
  }
  return pages;
}

// Of the formula in III-B, by hand: M = 4 pages.
TEST(PageSamplerPaper, InformativenessOfNavigationAndContent) {
  std::vector<PageText> pages;
  for (int i = 0; i < 4; ++i) {
    pages.push_back({{"nav", "Home"},
                     {"title", "Title " + std::to_string(i)},
                     {"genre", i < 2 ? "Drama" : "Comedy"}});
    // A list: the same three rows on all pages, one of its own.
    for (const char* row : {"a", "b", "c"}) pages[i].push_back({"row", row});
    pages[i].push_back({"row", "own " + std::to_string(i)});
    if (i == 0) pages[i].push_back({"note", "New!"});
  }
  const PageSampler sampler = SamplerOf(pages);
  ASSERT_EQ(sampler.num_paths(), 5u);
  // Repeated navigation: 1 - 4 / (4 * 1).
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[0], 0);
  // Distinct content: 1 - 4 / (4 * 4).
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[1], 0.75);
  // Two values, each on two pages: 1 - 4 / (4 * 2).
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[2], 0.5);
  // Seven rows; three on four pages, four on one: 1 - 16 / (4 * 7).
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[3], 1 - 16.0 / 28);
  // On one page only: 1 - 1 / (4 * 1).
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[4], 0.75);
  EXPECT_EQ(sampler.Frequency(1), 4);
  EXPECT_EQ(sampler.Frequency(4), 1);
  EXPECT_DOUBLE_EQ(sampler.Weights()[1], 3);
  EXPECT_DOUBLE_EQ(sampler.Weights()[4], 0.75);
}

TEST(PageSamplerPaper, InformativenessApproachesOneWithThePages) {
  std::vector<PageText> pages;
  for (int i = 0; i < 400; ++i) {
    pages.push_back({{"nav", "Home"}, {"title", std::to_string(i)}});
  }
  const PageSampler sampler = SamplerOf(pages);
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[0], 0);
  EXPECT_DOUBLE_EQ(sampler.Informativeness()[1], 1 - 1.0 / 400);
}

TEST(PageSampler, AContentTwiceOnAPageCountsOnce) {
  const PageSampler once =
      SamplerOf({{{"a", "x"}}, {{"a", "y"}}, {{"a", "y"}}});
  const PageSampler twice =
      SamplerOf({{{"a", "x"}, {"a", "x"}}, {{"a", "y"}}, {{"a", "y"}}});
  EXPECT_DOUBLE_EQ(once.Informativeness()[0], 0.5);  // 1 - 3 / (3 * 2)
  EXPECT_DOUBLE_EQ(twice.Informativeness()[0], 0.5);
}

// The page with the most frequent informative XPaths comes first, although
// another has more XPaths.
TEST(PageSampler, WeightDecidesNotTheNumberOfXPaths) {
  std::vector<PageText> pages;
  for (int i = 0; i < 10; ++i) {
    const std::string own = std::to_string(i);
    pages.push_back({{"title", own}, {"nav", "Home"}});
    if (i >= 5) pages[i].push_back({"price", own});
  }
  for (int i = 0; i < 5; ++i) {
    pages[0].push_back({"advert " + std::to_string(i), "Buy"});
  }
  const PageSampler sampler = SamplerOf(pages);
  // Title 10 * 0.9, price 5 * 0.9: 13.5; the adverts 5 * 0.9 and no price.
  EXPECT_THAT(sampler.PathsOf(0), testing::SizeIs(7));
  const auto chosen = sampler.Choose(2);
  EXPECT_EQ(chosen[0].page, 0u);  // 9 + 4.5 as well: a tie, the first wins
  EXPECT_DOUBLE_EQ(chosen[0].gain, 13.5);
  EXPECT_EQ(chosen[1].page, 5u);
  EXPECT_DOUBLE_EQ(chosen[1].gain, 4.5);
}

// The printed loop runs while |S| <= K and would choose one page more.
TEST(PageSamplerPaper, Algorithm2ChoosesKPagesNotOneMore) {
  std::vector<PageText> pages;
  for (int i = 0; i < 40; ++i) {
    pages.push_back({{"own " + std::to_string(i), "x"}});
  }
  EXPECT_EQ(ChosenPages(SamplerOf(pages), 20).size(), 20u);
}

TEST(PageSampler, SmallClustersAreSampledWhole) {
  const PageText page = {{"title", "same"}};
  const PageSampler sampler = SamplerOf({page, page, page});
  EXPECT_THAT(ChosenPages(sampler, 20), ElementsAre(0, 1, 2));
  for (const auto& chosen : sampler.Choose(20)) EXPECT_EQ(chosen.gain, 0);
  EXPECT_TRUE(PageSampler().Choose(20).empty());
}

TEST(PageSampler, PagesWithoutContentComeLast) {
  const PageSampler sampler =
      SamplerOf({{}, {{"a", "x"}}, {}, {{"a", "y"}, {"b", "z"}}});
  EXPECT_THAT(ChosenPages(sampler, 20), ElementsAre(3, 0, 1, 2));
}

// The obvious implementation: every gain computed anew for every choice.
std::vector<std::pair<size_t, double>> ChooseByRescan(
    const PageSampler& sampler, size_t max_pages) {
  std::set<PageSampler::PathNumber> covered;
  std::set<size_t> taken;
  std::vector<std::pair<size_t, double>> chosen;
  while (chosen.size() < std::min(max_pages, sampler.num_pages())) {
    size_t best = 0;
    double best_gain = -1;
    for (size_t page = 0; page < sampler.num_pages(); ++page) {
      if (taken.count(page) > 0) continue;
      double gain = 0;
      for (const auto path : sampler.PathsOf(page)) {
        if (covered.count(path) == 0) gain += sampler.Weights()[path];
      }
      if (gain > best_gain) {
        best = page;
        best_gain = gain;
      }
    }
    taken.insert(best);
    chosen.emplace_back(best, best_gain);
    covered.insert(sampler.PathsOf(best).begin(), sampler.PathsOf(best).end());
  }
  return chosen;
}

// Counted from scratch, by the definition.
double InformativenessByDefinition(const std::vector<PageText>& pages,
                                   const std::string& path) {
  std::map<std::string, std::set<size_t>> pages_of_content;
  for (size_t i = 0; i < pages.size(); ++i) {
    for (const auto& [where, content] : pages[i]) {
      if (where == path) pages_of_content[content].insert(i);
    }
  }
  size_t sum = 0;
  for (const auto& [content, where] : pages_of_content) sum += where.size();
  return 1 - static_cast<double>(sum) /
                 static_cast<double>(pages.size() * pages_of_content.size());
}

TEST(PageSampler, LazyGreedyAgreesWithRescanningOnRandomClusters) {
  const uint64_t seed = testing_support::TestSeed(20260102);
  Random random(seed);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    const size_t num_pages = 1 + random.Below(30);
    const uint64_t num_paths = 1 + random.Below(25);
    std::vector<PageText> pages(num_pages);
    for (PageText& page : pages) {
      for (uint64_t i = random.Below(20); i > 0; --i) {
        page.emplace_back("path " + std::to_string(random.Below(num_paths)),
                          std::to_string(random.Below(6)));
      }
    }
    const PageSampler sampler = SamplerOf(pages);
    const size_t max_pages = random.Below(num_pages + 5);
    std::vector<std::pair<size_t, double>> chosen;
    for (const auto& page : sampler.Choose(max_pages)) {
      chosen.emplace_back(page.page, page.gain);
    }
    ASSERT_EQ(chosen, ChooseByRescan(sampler, max_pages));

    // Paths are numbered as they come.
    std::vector<std::string> names;
    for (const PageText& page : pages) {
      for (const auto& [path, content] : page) {
        if (std::find(names.begin(), names.end(), path) == names.end()) {
          names.push_back(path);
        }
      }
    }
    ASSERT_EQ(names.size(), sampler.num_paths());
    for (uint32_t i = 0; i < names.size(); ++i) {
      ASSERT_DOUBLE_EQ(sampler.Informativeness()[i],
                       InformativenessByDefinition(pages, names[i]));
    }
  }
}

}  // namespace
}  // namespace trommel::sample
