#include "core/words/own_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"
#include "tests/testing/walls.h"

namespace trommel::words {
namespace {

using testing_support::AllWalls;
using testing_support::RandomWords;
using testing_support::SiteNavigation;
using testing_support::Wall;
using testing_support::WallRequest;

PageWords WordsOf(const std::string& url, const std::string& html) {
  WordCollector collector;
  collector.Begin(url, html);
  html::ScanTags(html, collector);
  return collector.Take(html::Encoding::FromLabel("utf-8"));
}

std::optional<int64_t> OwnWordsOf(const std::vector<PageWords>& pages) {
  return TypicalOwnWords(pages, OwnWordsOfPages(pages));
}

// Pages as `html` makes them.
template <typename Html>
std::vector<PageWords> Pages(int count, Html html) {
  std::vector<PageWords> pages;
  for (int i = 0; i < count; ++i) {
    const WallRequest request(i);
    pages.push_back(WordsOf(request.url, html(request)));
  }
  return pages;
}

// A record of a few words of its own in a small template.
std::string SmallRecord(const WallRequest& request, int own_words) {
  Random random(request.random);
  return StrCat("<html><head><title>Shop</title></head><body><h1>",
                RandomWords(&random, own_words),
                "</h1><p>Add to basket</p></body></html>");
}

TEST(OwnWordsTest, WallsSayTheSame) {
  for (const Wall& wall : AllWalls()) {
    const std::optional<int64_t> own = OwnWordsOf(Pages(64, wall.html));
    ASSERT_TRUE(own.has_value()) << wall.label;
    std::printf("%-42s %d own words\n", wall.label, static_cast<int>(*own));
    EXPECT_TRUE(SayTheSame(own)) << wall.label << ": " << *own;
  }
}

TEST(OwnWordsTest, SmallWallsAreKnownFromThreePagesOn) {
  for (const Wall& wall : AllWalls()) {
    const bool is_long = wall.text == nullptr;
    for (const int count : {0, 1, 2, 3, 4, 8, 31, 32}) {
      const std::optional<int64_t> own = OwnWordsOf(Pages(count, wall.html));
      EXPECT_EQ(own.has_value(), count >= (is_long ? 32 : 3)) << wall.label;
      if (own.has_value()) {
        EXPECT_TRUE(SayTheSame(own)) << wall.label << " " << count;
      }
    }
  }
}

TEST(OwnWordsTest, SmallRecordsSayTheirOwn) {
  for (const int own_words : {5, 8, 20, 100}) {
    const std::optional<int64_t> own =
        OwnWordsOf(Pages(64, [&](const WallRequest& request) {
          return SmallRecord(request, own_words);
        }));
    ASSERT_TRUE(own.has_value());
    EXPECT_FALSE(SayTheSame(own)) << own_words << ": " << *own;
    EXPECT_NEAR(static_cast<double>(*own), own_words, 0.25 * own_words);
  }
}

// Ten own words among two hundred.
TEST(OwnWordsTest, SmallRecordsInALargeFrameSayTheirOwn) {
  const std::string navigation = SiteNavigation();
  const std::optional<int64_t> own =
      OwnWordsOf(Pages(64, [&](const WallRequest& request) {
        return navigation + SmallRecord(request, 10);
      }));
  EXPECT_FALSE(SayTheSame(own)) << *own;
  EXPECT_NEAR(static_cast<double>(*own), 10, 4);
}

TEST(OwnWordsTest, AFewGoodPagesAmongCopiesChangeNothing) {
  for (const Wall& wall : AllWalls()) {
    int i = 0;
    const std::vector<PageWords> pages =
        Pages(64, [&](const WallRequest& request) {
          return ++i % 20 == 0 ? SmallRecord(request, 80) : wall.html(request);
        });
    EXPECT_TRUE(SayTheSame(OwnWordsOf(pages))) << wall.label;
  }
}

TEST(OwnWordsTest, AFewCopiesAmongGoodPagesChangeNothing) {
  const Wall wall = AllWalls().front();
  int i = 0;
  const std::vector<PageWords> pages =
      Pages(64, [&](const WallRequest& request) {
        return ++i % 20 == 0 ? wall.html(request) : SmallRecord(request, 20);
      });
  EXPECT_FALSE(SayTheSame(OwnWordsOf(pages)));
}

TEST(OwnWordsTest, AWallMayHaveVariants) {
  const std::vector<Wall> walls = AllWalls();
  int i = 0;
  const std::vector<PageWords> pages =
      Pages(64, [&](const WallRequest& request) {
        return walls[static_cast<size_t>(++i % 3)].html(request);
      });
  EXPECT_TRUE(SayTheSame(OwnWordsOf(pages))) << *OwnWordsOf(pages);
}

TEST(OwnWordsTest, AWallMayTellOneOfAFewJokes) {
  std::vector<std::string> jokes;
  Random random(5);
  for (int i = 0; i < 5; ++i) jokes.push_back(RandomWords(&random, 15));
  const std::vector<PageWords> pages =
      Pages(64, [&](const WallRequest& request) {
        return StrCat(AllWalls().front().html(request),
                      "<p>Meanwhile: ", jokes[random.Below(jokes.size())]);
      });
  EXPECT_TRUE(SayTheSame(OwnWordsOf(pages))) << *OwnWordsOf(pages);
}

TEST(OwnWordsProperty, TheOrderOfPagesMakesNoDifference) {
  Random random(testing_support::TestSeed(31));
  for (int round = 0; round < 20; ++round) {
    std::vector<PageWords> pages = Pages(
        static_cast<int>(random.Between(3, 64)),
        [&](const WallRequest& request) {
          return SmallRecord(request, static_cast<int>(random.Between(0, 60)));
        });
    const std::optional<int64_t> own = OwnWordsOf(pages);
    for (size_t i = pages.size(); i > 1; --i) {
      std::swap(pages[i - 1], pages[random.Below(i)]);
    }
    EXPECT_EQ(OwnWordsOf(pages), own);
  }
}

TEST(OwnWordsTest, PagesWithoutWordsSayTheSame) {
  EXPECT_EQ(OwnWordsOf(std::vector<PageWords>(3)), 0);
  EXPECT_EQ(OwnWordsOf({}), std::nullopt);
  EXPECT_FALSE(SayTheSame(std::nullopt));
}

}  // namespace
}  // namespace trommel::words
