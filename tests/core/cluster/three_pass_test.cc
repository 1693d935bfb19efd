#include "core/cluster/three_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"

namespace trommel::cluster {
namespace {

// A found signature as text: "1.2.*.4.5.6.7.8: 20", in group 3 "... 20 (3)".
std::string Text(const Signature& signature) {
  std::string text =
      StrCat(signature.vector.Text(), ": ", signature.importance);
  if (signature.group != 0) StrAppend(&text, " (", signature.group, ")");
  return text;
}

std::vector<std::string> Texts(const std::vector<Signature>& signatures) {
  std::vector<std::string> texts;
  for (const Signature& signature : signatures) {
    texts.push_back(Text(signature));
  }
  return texts;
}

using Strings = std::vector<std::string>;

// ---------------------------------------------------------------------------
// Algorithm 1 as it is printed, page by page over a table of all masked
// vectors, with nothing of the code under test but the types of its answers.

struct Page {
  signature::ShingleVector vector;
  int32_t group;
};

constexpr int kWild = 256;  // behind all bytes

// Sorts as ties break: fewer wild cards, then bytes from the left.
struct SlowVector {
  int num_wild = 0;
  std::array<int, 8> bytes = {};

  friend auto operator<=>(const SlowVector&, const SlowVector&) = default;

  bool Covers(const SlowVector& vector) const {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != kWild && bytes[i] != vector.bytes[i]) return false;
    }
    return true;
  }
  std::string Text() const {
    std::string text;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (i > 0) text += ".";
      text += bytes[i] == kWild ? "*" : std::to_string(bytes[i]);
    }
    return text;
  }
};

SlowVector Unmasked(signature::ShingleVector vector) {
  SlowVector slow;
  for (size_t i = 0; i < 8; ++i) {
    slow.bytes[i] = static_cast<int>(vector >> (56 - 8 * i) & 0xFF);
  }
  return slow;
}

std::vector<SlowVector> AllCovering(signature::ShingleVector vector) {
  std::set<SlowVector> all;
  for (size_t i = 0; i < 8; ++i) {
    for (size_t j = 0; j < 8; ++j) {
      SlowVector none = Unmasked(vector), one = none, two = none;
      one.num_wild = 1;
      one.bytes[i] = kWild;
      two.num_wild = 2;
      two.bytes[i] = two.bytes[j] = kWild;
      all.insert(none);
      all.insert(one);
      if (i != j) all.insert(two);
    }
  }
  EXPECT_EQ(all.size(), 37u);
  return {all.begin(), all.end()};
}

struct SlowResult {
  Strings signatures;         // as Texts() has them, sorted by importance
  Strings signature_of_page;  // empty for none; without groups
};

SlowResult SlowThreePasses(const std::vector<Page>& pages, int64_t threshold) {
  // First pass.
  struct Entry {
    int64_t count = 0;
    std::set<int32_t> groups;
  };
  std::map<SlowVector, Entry> table;
  std::map<std::pair<signature::ShingleVector, int32_t>, int64_t> sizes;
  for (const Page& page : pages) {
    for (const SlowVector& masked : AllCovering(page.vector)) {
      Entry& entry = table[masked];
      ++entry.count;
      entry.groups.insert(page.group);
    }
    ++sizes[{page.vector, page.group}];
  }
  // Masked vectors of two groups are not considered.
  std::erase_if(
      table, [](const auto& entry) { return entry.second.groups.size() > 1; });

  // Second pass, in increasing order of counts, ties by bytes.
  std::vector<std::tuple<int64_t, signature::ShingleVector, int32_t>> order;
  for (const auto& [key, size] : sizes) {
    order.emplace_back(size, key.first, key.second);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [size, vector, group] : order) {
    const std::vector<SlowVector> covering = AllCovering(vector);
    const SlowVector* chosen = nullptr;
    for (const SlowVector& masked : covering) {  // sorted as ties break
      if (table.count(masked) == 0) continue;
      if (chosen == nullptr || table[masked].count > table[*chosen].count) {
        chosen = &masked;
      }
    }
    for (const SlowVector& masked : covering) {
      if (table.count(masked) == 0 || &masked == chosen) continue;
      table[masked].count -= size;
    }
  }
  std::erase_if(
      table, [&](const auto& entry) { return entry.second.count < threshold; });

  // Third pass.
  std::vector<std::pair<int64_t, SlowVector>> sorted;
  for (const auto& [masked, entry] : table) {
    sorted.emplace_back(-entry.count, masked);
  }
  std::sort(sorted.begin(), sorted.end());
  SlowResult result;
  for (const auto& [negative_count, masked] : sorted) {
    const int32_t group = *table[masked].groups.begin();
    std::string text = StrCat(masked.Text(), ": ", -negative_count);
    if (group != 0) StrAppend(&text, " (", group, ")");
    result.signatures.push_back(text);
  }
  for (const Page& page : pages) {
    std::string page_signature;
    for (const auto& [negative_count, masked] : sorted) {
      if (!masked.Covers(Unmasked(page.vector))) continue;
      page_signature = StrCat(masked.Text(), ": ", -negative_count);
      break;
    }
    result.signature_of_page.push_back(page_signature);
  }
  return result;
}

// ---------------------------------------------------------------------------

// The vectors of pages with groups, in the order of the second pass.
std::vector<VectorCount> Counted(const std::vector<Page>& pages) {
  std::map<std::pair<int32_t, signature::ShingleVector>, int64_t> counts;
  for (const Page& page : pages) ++counts[{page.group, page.vector}];
  std::vector<VectorCount> vectors;
  for (const auto& [key, count] : counts) {
    vectors.push_back({key.second, count, key.first});
  }
  SortForSecondPass(&vectors);
  return vectors;
}

void ExpectSlowResult(const std::vector<Page>& pages, int64_t threshold) {
  const SlowResult expected = SlowThreePasses(pages, threshold);
  const std::vector<Signature> found =
      FindSignatures(Counted(pages), threshold);
  ASSERT_EQ(Texts(found), expected.signatures);
  for (size_t i = 0; i < pages.size(); ++i) {
    const Signature* const signature = FindCovering(found, pages[i].vector);
    const std::string text =
        signature == nullptr
            ? ""
            : StrCat(signature->vector.Text(), ": ", signature->importance);
    ASSERT_EQ(text, expected.signature_of_page[i])
        << signature::VectorText(pages[i].vector);
  }
}

// Example 3.1 swaps v2 and v3 from its second paragraph on: mv1 =
// <0,0,0,0,0,1,*,*> covers v1 and v2, not v3. With the names put right, the
// order in which the paper takes the three vectors is v1, v3, v2.
constexpr signature::ShingleVector kV1 =
    signature::VectorOf({0, 0, 0, 0, 0, 1, 2, 4});
constexpr signature::ShingleVector kV2 =
    signature::VectorOf({0, 0, 0, 0, 0, 1, 5, 3});
constexpr signature::ShingleVector kV3 =
    signature::VectorOf({0, 0, 0, 0, 0, 6, 2, 3});

TEST(ThreePassPaper, Example31) {
  const std::vector<Signature> found =
      FindSignatures({{kV1, 1}, {kV3, 1}, {kV2, 1}}, /*threshold=*/1);
  // mv1 with 2 and mv3 with 1; mv2, with 0, is gone.
  EXPECT_EQ(Texts(found),
            (Strings{"0.0.0.0.0.1.*.*: 2", "0.0.0.0.0.*.*.3: 1"}));
  EXPECT_EQ(FindCovering(found, kV1), &found[0]);
  EXPECT_EQ(FindCovering(found, kV2), &found[0]);
  EXPECT_EQ(FindCovering(found, kV3), &found[1]);
}

// The order of our own takes v2 before v3. Then mv3 loses v2 first, and v3
// finds no masked vector with a count over its own 1: the clusters are the
// same, with v3 itself as the signature of the second.
TEST(ThreePassPaper, Example31InOurOrder) {
  const std::vector<VectorCount> vectors = CountVectors({kV3, kV2, kV1});
  ASSERT_EQ(vectors.size(), 3u);
  EXPECT_EQ(vectors[0].vector, kV1);
  EXPECT_EQ(vectors[1].vector, kV2);
  EXPECT_EQ(vectors[2].vector, kV3);
  const std::vector<Signature> found = FindSignatures(vectors, 1);
  EXPECT_EQ(Texts(found),
            (Strings{"0.0.0.0.0.1.*.*: 2", "0.0.0.0.0.6.2.3: 1"}));
  EXPECT_EQ(FindCovering(found, kV2), &found[0]);
  EXPECT_EQ(FindCovering(found, kV3), &found[1]);
}

TEST(ThreePassTest, CountVectorsSortsByCountThenBytes) {
  const std::vector<VectorCount> counts =
      CountVectors({9, 3, 7, 9, 7, uint64_t{1} << 63, 5, 9});
  std::vector<std::pair<signature::ShingleVector, int64_t>> pairs;
  for (const VectorCount& count : counts) {
    pairs.emplace_back(count.vector, count.count);
    EXPECT_EQ(count.group, 0);
  }
  EXPECT_EQ(pairs,
            (std::vector<std::pair<signature::ShingleVector, int64_t>>{
                {3, 1}, {5, 1}, {uint64_t{1} << 63, 1}, {7, 2}, {9, 3}}));
  EXPECT_TRUE(CountVectors({}).empty());
}

TEST(ThreePassTest, Table) {
  struct Case {
    const char* label;
    std::vector<VectorCount> vectors;
    int64_t threshold;
    Strings found;
  };
  const Case kCases[] = {
      {"nothing", {}, 1, {}},
      {"one vector", {{1, 20}}, 20, {"0.0.0.0.0.0.0.1: 20"}},
      {"one vector below the threshold", {{1, 19}}, 20, {}},
      {"one byte differs", {{1, 5}, {2, 15}}, 20, {"0.0.0.0.0.0.0.*: 20"}},
      {"two bytes differ", {{1, 5}, {0x200, 15}}, 20, {"0.0.0.0.0.0.*.*: 20"}},
      {"three bytes differ", {{1, 5}, {0x20200, 15}}, 20, {}},
      {"three bytes differ, low threshold",
       {{1, 5}, {0x20200, 15}},
       5,
       {"0.0.0.0.0.2.2.0: 15", "0.0.0.0.0.0.0.1: 5"}},
      {"two groups keep apart",
       {{1, 5, 1}, {2, 15, 2}},
       5,
       {"0.0.0.0.0.0.0.2: 15 (2)", "0.0.0.0.0.0.0.1: 5 (1)"}},
      {"two groups with one vector have no signature",
       {{1, 5, 1}, {1, 15, 2}},
       1,
       {}},
      {"nor does it count for its neighbours",
       {{1, 5, 1}, {1, 15, 2}, {2, 20, 2}},
       1,
       {"0.0.0.0.0.0.0.2: 20 (2)"}},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Texts(FindSignatures(c.vectors, c.threshold)), c.found)
        << c.label;
  }
}

// The count of a signature is not the size of its cluster: a page may choose
// one masked vector in the second pass and another in the third.
TEST(ThreePassTest, ThirdPassTakesTheMostImportantCovering) {
  std::vector<Signature> signatures = {
      {*signature::MaskedVector::Parse("1.2.3.4.5.6.7.8"), 10, 0},
      {*signature::MaskedVector::Parse("1.2.3.4.5.6.*.*"), 20, 0},
      {*signature::MaskedVector::Parse("1.2.3.4.*.6.7.*"), 20, 0},
      {*signature::MaskedVector::Parse("1.2.3.4.5.6.7.*"), 20, 0},
      {*signature::MaskedVector::Parse("9.9.9.9.9.9.9.9"), 99, 0},
  };
  std::sort(signatures.begin(), signatures.end());
  EXPECT_EQ(Texts(signatures),
            (Strings{"9.9.9.9.9.9.9.9: 99", "1.2.3.4.5.6.7.*: 20",
                     "1.2.3.4.5.6.*.*: 20", "1.2.3.4.*.6.7.*: 20",
                     "1.2.3.4.5.6.7.8: 10"}));
  struct Case {
    const char* label;
    signature::ShingleVector vector;
    int place;  // -1 for none
  };
  const Case kCases[] = {
      {"importance before closeness",
       signature::VectorOf({1, 2, 3, 4, 5, 6, 7, 8}), 1},
      {"only one covers", signature::VectorOf({1, 2, 3, 4, 0, 6, 7, 8}), 3},
      {"wild at the end", signature::VectorOf({1, 2, 3, 4, 5, 6, 0, 0}), 2},
      {"none", signature::VectorOf({1, 2, 3, 4, 0, 0, 0, 8}), -1},
  };
  for (const Case& c : kCases) {
    const Signature* const found = FindCovering(signatures, c.vector);
    EXPECT_EQ(found == nullptr ? -1 : found - signatures.data(), c.place)
        << c.label;
  }
  EXPECT_EQ(FindCovering({}, 0), nullptr);
}

// Few values in few places, so that vectors are often equal or near.
std::vector<Page> RandomPages(Random* random, int32_t num_groups) {
  const uint64_t num_values = 1 + random->Below(3);
  const uint64_t num_places = 1 + random->Below(5);
  const size_t num_pages = 1 + random->Below(30);
  std::vector<Page> pages(num_pages);
  for (Page& page : pages) {
    page.vector = 0;
    for (uint64_t i = 0; i < num_places; ++i) {
      page.vector |= random->Below(num_values + 1) << (8 * (i * 11 % 8));
    }
    page.group =
        static_cast<int32_t>(random->Below(static_cast<uint64_t>(num_groups)));
  }
  return pages;
}

TEST(ThreePassProperty, AgreesWithAlgorithm1PageByPage) {
  Random random(testing_support::TestSeed(410));
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const std::vector<Page> pages = RandomPages(&random, 1);
    const int64_t threshold = random.Between(1, 4);
    ASSERT_NO_FATAL_FAILURE(ExpectSlowResult(pages, threshold));
  }
}

TEST(ThreePassProperty, AgreesWithAlgorithm1WithinGroups) {
  Random random(testing_support::TestSeed(411));
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const int32_t num_groups = static_cast<int32_t>(random.Between(2, 4));
    const std::vector<Page> pages = RandomPages(&random, num_groups);
    const int64_t threshold = random.Between(1, 4);
    ASSERT_NO_FATAL_FAILURE(ExpectSlowResult(pages, threshold));
  }
}

// More vectors than the tables of the first pass begin with: spread over all
// bytes, and differing in two bytes only, where most masked words are equal.
TEST(ThreePassProperty, AgreesWithAlgorithm1OnManyVectors) {
  Random random(testing_support::TestSeed(412));
  for (const bool spread : {true, false}) {
    for (const int32_t num_groups : {1, 2}) {
      SCOPED_TRACE(StrCat(spread, " ", num_groups));
      std::vector<Page> pages(6000);
      for (Page& page : pages) {
        page.vector = spread ? random.Next() & 0x0303030303030303u
                             : random.Next() & 0xFF00007F00u;
        // Groups by the first byte, so that not every candidate is shared.
        page.group =
            num_groups == 1
                ? 0
                : static_cast<int32_t>(page.vector >> (spread ? 57 : 36)) & 1;
      }
      ASSERT_NO_FATAL_FAILURE(ExpectSlowResult(pages, 3));
    }
  }
}

TEST(ThreePassProperty, DoesNotDependOnTheOrderOfPages) {
  Random random(testing_support::TestSeed(413));
  for (int round = 0; round < 300; ++round) {
    std::vector<signature::ShingleVector> vectors;
    for (const Page& page : RandomPages(&random, 1)) {
      vectors.push_back(page.vector);
    }
    const Strings expected = Texts(FindSignatures(CountVectors(vectors), 1));
    for (size_t i = vectors.size(); i > 1; --i) {
      std::swap(vectors[i - 1], vectors[random.Below(i)]);
    }
    ASSERT_EQ(Texts(FindSignatures(CountVectors(vectors), 1)), expected);
  }
}

// Each page contributes to the count of one masked vector: counts add up.
TEST(ThreePassProperty, CountsAddUpToThePages) {
  Random random(testing_support::TestSeed(414));
  for (int round = 0; round < 300; ++round) {
    const std::vector<Page> pages = RandomPages(&random, 1);
    int64_t sum = 0;
    for (const Signature& found : FindSignatures(Counted(pages), 1)) {
      sum += found.importance;
    }
    ASSERT_EQ(sum, static_cast<int64_t>(pages.size()));
  }
}

}  // namespace
}  // namespace trommel::cluster
