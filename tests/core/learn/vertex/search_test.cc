#include "core/learn/vertex/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <tuple>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::learn::vertex {
namespace {

using testing::ElementsAre;

Bits Set(size_t size, const std::vector<size_t>& members) {
  Bits bits(size);
  for (const size_t i : members) bits.Set(i);
  return bits;
}

// One annotated page with candidates 0 to 4, of which 0 is the right one, and
// unannotated pages of five candidates each.
Candidates Pages(size_t unannotated) {
  Candidates candidates;
  const size_t n = 5 * (1 + unannotated);
  for (size_t page = 0; page <= unannotated; ++page) {
    candidates.pages.push_back({5 * page, 5 * page + 5, page == 0});
  }
  candidates.positive = Set(n, {0});
  candidates.negative = Set(n, {1, 2, 3, 4});
  for (size_t i = 0; i < n; ++i) candidates.text.push_back(i);
  return candidates;
}

TEST(SearchPaper, PropertiesInTheirOrder) {
  const Candidates candidates = Pages(2);
  const size_t n = candidates.text.size();
  const std::vector<SearchFeature> features = {
      {Set(n, {0, 1, 5, 10}), 0, 0},  // near, imprecise
      {Set(n, {0, 5}), 2, 0},         // precise, half of the pages
      {Set(n, {0, 5, 10}), 2, 0},     // precise, all pages
      {Set(n, {0, 5, 10}), 3, 0},     // further away
      {Set(n, {0, 2, 5, 10}), 1, 0},  // imprecise, but not with the first
  };
  // {0, 4} is precise at distance 1: distance before the number of features.
  SearchResult best = FindBestFeatures(candidates, features, {});
  EXPECT_TRUE(best.is_precise);
  EXPECT_THAT(best.features, ElementsAre(0, 4));
  EXPECT_EQ(best.distance, 1);
  EXPECT_EQ(best.support, 1);
  // Without them, support decides between equals in distance.
  best =
      FindBestFeatures(candidates, {features[1], features[2], features[3]}, {});
  EXPECT_THAT(best.features, ElementsAre(1));
}

// The printed algorithm shares min_dist and max_sup between precise and
// imprecise candidates: the imprecise one here, nearer than the precise one,
// would hide it.
TEST(SearchPaper, AnImpreciseCandidateDoesNotHideAPreciseOne) {
  const Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  const SearchResult best = FindBestFeatures(
      candidates, {{Set(n, {0, 1, 5}), 0, 0}, {Set(n, {0, 5}), 3, 0}}, {});
  EXPECT_TRUE(best.is_precise);
  EXPECT_THAT(best.features, ElementsAre(1));
  EXPECT_EQ(best.distance, 3);
}

TEST(Search, SeveralNodesOfAnUnannotatedPageAreImprecise) {
  Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  const std::vector<SearchFeature> features = {{Set(n, {0, 5, 6}), 0, 0},
                                               {Set(n, {0, 5}), 1, 0}};
  EXPECT_THAT(FindBestFeatures(candidates, features, {}).features,
              ElementsAre(1));
  // Not if they say the same, or if the attribute is repeated.
  candidates.text[6] = candidates.text[5];
  EXPECT_THAT(FindBestFeatures(candidates, features, {}).features,
              ElementsAre(0));
  candidates.text[6] = 77;
  candidates.is_repeated = true;
  candidates.max_per_page = 10;
  EXPECT_THAT(FindBestFeatures(candidates, features, {}).features,
              ElementsAre(0));
}

TEST(Search, WithoutAPreciseSetTheMostPreciseIsGiven) {
  const Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  const SearchResult best = FindBestFeatures(
      candidates, {{Set(n, {0, 1, 2, 5}), 0, 0}, {Set(n, {0, 1, 3, 5}), 1, 0}},
      {});
  EXPECT_FALSE(best.is_precise);
  EXPECT_THAT(best.features, ElementsAre(0, 1));
  EXPECT_DOUBLE_EQ(best.precision, 0.5);
}

TEST(Search, LeastSupport) {
  const Candidates candidates = Pages(2);
  const size_t n = candidates.text.size();
  const std::vector<SearchFeature> features = {{Set(n, {0, 5}), 0, 0},
                                               {Set(n, {0, 5, 10}), 4, 0}};
  EXPECT_THAT(FindBestFeatures(candidates, features, {}).features,
              ElementsAre(0));
  SearchOptions options;
  options.min_support = 0.9;
  EXPECT_THAT(FindBestFeatures(candidates, features, options).features,
              ElementsAre(1));
}

TEST(Search, FragileFeaturesLoseTies) {
  const Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  EXPECT_THAT(
      FindBestFeatures(candidates,
                       {{Set(n, {0, 5}), 1, 4}, {Set(n, {0, 5}), 1, 0}}, {})
          .features,
      ElementsAre(1));
}

TEST(Search, OutOfTimeEndsWithTheBestSoFar) {
  const Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  SearchOptions options;
  options.is_out_of_time = [] { return true; };
  const SearchResult best = FindBestFeatures(
      candidates, {{Set(n, {0, 1, 5}), 0, 0}, {Set(n, {0, 2, 5}), 0, 0}},
      options);
  EXPECT_FALSE(best.is_precise);
  EXPECT_EQ(best.features.size(), 1u);
}

// The features of each of the results.
std::vector<std::vector<size_t>> FeaturesOf(
    const std::vector<SearchResult>& results) {
  std::vector<std::vector<size_t>> features;
  for (const SearchResult& result : results) {
    features.push_back(result.features);
  }
  return features;
}

TEST(FindFeatureSetsTest, DifferentSelectionsTheBestFirst) {
  const Candidates candidates = Pages(2);
  const size_t n = candidates.text.size();
  const std::vector<SearchFeature> features = {
      {Set(n, {0, 5}), 0, 0},      // near, half of the pages
      {Set(n, {0, 6, 11}), 2, 0},  // all pages, other nodes
      {Set(n, {0, 7, 12}), 1, 0},  // nearer
      {Set(n, {0, 7, 12}), 1, 4},  // the same nodes, more fragile
      {Set(n, {0, 1, 8}), 0, 0},   // imprecise
  };
  SearchOptions options;
  options.max_features = 1;
  options.max_results = 10;
  std::vector<SearchResult> results =
      FindFeatureSets(candidates, features, options);
  EXPECT_THAT(FeaturesOf(results),
              ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(1)));
  for (const SearchResult& result : results) EXPECT_TRUE(result.is_precise);
  options.max_results = 2;
  results = FindFeatureSets(candidates, features, options);
  EXPECT_THAT(FeaturesOf(results), ElementsAre(ElementsAre(0), ElementsAre(2)));
}

// A set that is no better than the best may still be the second.
TEST(FindFeatureSetsTest, SetsThatAreWorseThanTheBestAreGrown) {
  const Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  const std::vector<SearchFeature> features = {
      {Set(n, {0, 5}), 0, 0},     // the best
      {Set(n, {0, 1, 6}), 1, 0},  // imprecise, but not with the next
      {Set(n, {0, 2, 6, 7}), 1, 0},
  };
  SearchOptions options;
  options.max_results = 2;
  EXPECT_THAT(FeaturesOf(FindFeatureSets(candidates, features, options)),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2)));
}

TEST(FindFeatureSetsTest, WithoutAPreciseSetTheBestImpreciseOne) {
  const Candidates candidates = Pages(1);
  const size_t n = candidates.text.size();
  SearchOptions options;
  options.max_results = 3;
  const std::vector<SearchResult> results = FindFeatureSets(
      candidates, {{Set(n, {0, 1, 2, 5}), 0, 0}, {Set(n, {0, 1, 5}), 1, 0}},
      options);
  EXPECT_THAT(FeaturesOf(results), ElementsAre(ElementsAre(1)));
  EXPECT_FALSE(results[0].is_precise);
}

// All subsets of features, by the four properties.
std::optional<std::tuple<double, int, double>> BestByBruteForce(
    const Candidates& candidates, const std::vector<SearchFeature>& features,
    bool* is_precise) {
  using Value = std::tuple<bool, double, int, double>;
  std::optional<Value> best;  // the smaller the better
  for (size_t mask = 1; mask < size_t{1} << features.size(); ++mask) {
    Bits selected(candidates.text.size());
    for (size_t i = 0; i < candidates.text.size(); ++i) selected.Set(i);
    int distance = 0;
    for (size_t f = 0; f < features.size(); ++f) {
      if ((mask >> f & 1) == 0) continue;
      selected.And(features[f].bits);
      distance = std::max(distance, features[f].distance);
    }
    const SearchResult judged = Judge(candidates, selected);
    const Value value = {!judged.is_precise, -judged.precision, distance,
                         -judged.support};
    if (!best.has_value() || value < *best) best = value;
  }
  if (!best.has_value()) return std::nullopt;
  *is_precise = !std::get<0>(*best);
  return std::tuple(-std::get<1>(*best), std::get<2>(*best),
                    -std::get<3>(*best));
}

TEST(Search, AgreesWithAllSubsets) {
  Random random(testing_support::TestSeed(702));
  int precise = 0;
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    Candidates candidates;
    size_t n = 0;
    const size_t num_pages = 1 + random.Below(5);
    for (size_t page = 0; page < num_pages; ++page) {
      const size_t begin = n;
      n += 1 + random.Below(6);
      candidates.pages.push_back({begin, n, page == 0 || random.Chance(0.3)});
    }
    candidates.is_repeated = random.Chance(0.3);
    candidates.max_per_page = candidates.is_repeated ? 3 : 1;
    candidates.positive = Bits(n);
    candidates.negative = Bits(n);
    for (size_t i = 0; i < n; ++i) {
      candidates.text.push_back(random.Below(4));
    }
    for (const Candidates::Page& page : candidates.pages) {
      if (!page.is_annotated) continue;
      const size_t right = page.begin + random.Below(page.end - page.begin);
      for (size_t i = page.begin; i < page.end; ++i) {
        if (i == right) {
          candidates.positive.Set(i);
        } else if (random.Chance(0.9)) {
          candidates.negative.Set(i);
        }
      }
    }
    std::vector<SearchFeature> features(1 + random.Below(6));
    for (SearchFeature& feature : features) {
      feature.bits = candidates.positive;
      feature.distance = static_cast<int>(random.Below(4));
      for (size_t i = 0; i < n; ++i) {
        if (random.Chance(0.5)) feature.bits.Set(i);
      }
    }
    SearchOptions options;
    options.max_features = 6;
    const SearchResult found = FindBestFeatures(candidates, features, options);
    bool is_precise = false;
    const auto best = BestByBruteForce(candidates, features, &is_precise);
    ASSERT_EQ(found.is_precise, is_precise);
    ASSERT_EQ(std::tuple(found.precision, found.distance, found.support),
              *best);
    precise += is_precise ? 1 : 0;
    // Of several results the first is the same, and no two select the same.
    options.max_results = 3;
    const std::vector<SearchResult> several =
        FindFeatureSets(candidates, features, options);
    ASSERT_EQ(several[0].features, found.features);
    for (size_t i = 1; i < several.size(); ++i) {
      ASSERT_TRUE(several[i].is_precise);
      ASSERT_LE(std::tuple(several[i - 1].distance, -several[i - 1].support),
                std::tuple(several[i].distance, -several[i].support));
      for (size_t k = 0; k < i; ++k) {
        ASSERT_NE(several[i].selected, several[k].selected);
      }
    }
  }
  EXPECT_GT(precise, 300);
}

}  // namespace
}  // namespace trommel::learn::vertex
