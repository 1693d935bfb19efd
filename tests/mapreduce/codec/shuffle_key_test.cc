#include "mapreduce/codec/shuffle_key.h"

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/codec/ordered.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"

namespace trommel::mr {
namespace {

using testing_support::BytesThatCollide;
using testing_support::TestSeed;

std::string ShuffleKey(std::string_view group, std::string_view sort_key) {
  std::string key;
  AppendShuffleKey(group, sort_key, &key);
  return key;
}

TEST(ShuffleKey, SortsByGroupThenSortKey) {
  Random random(TestSeed(1));
  for (int i = 0; i < 20000; ++i) {
    const std::string group_a = BytesThatCollide(&random, 4);
    const std::string group_b = BytesThatCollide(&random, 4);
    const std::string sort_a = BytesThatCollide(&random, 3);
    const std::string sort_b = BytesThatCollide(&random, 3);
    EXPECT_EQ(std::tie(group_a, sort_a) <=> std::tie(group_b, sort_b),
              ShuffleKey(group_a, sort_a) <=> ShuffleKey(group_b, sort_b))
        << testing::PrintToString(group_a) << ' '
        << testing::PrintToString(group_b);
  }
}

TEST(ShuffleKey, EncodedGroupDependsOnTheGroupAlone) {
  Random random(TestSeed(2));
  for (int i = 0; i < 1000; ++i) {
    const std::string group = BytesThatCollide(&random, 8);
    const std::string key = ShuffleKey(group, BytesThatCollide(&random, 8));
    std::string encoded;
    AppendOrderedBytes(group, &encoded);
    EXPECT_EQ(EncodedGroup(key), encoded);
  }
}

TEST(ShuffleKey, MalformedKeyHasNoGroup) {
  using std::string_literals::operator""s;
  for (const std::string& key : {""s, "abc"s, "abc\0"s, "abc\0\1\0\0"s}) {
    EXPECT_EQ(EncodedGroup(key), "") << testing::PrintToString(key);
  }
}

TEST(PartitionOf, IsInRangeAndEven) {
  for (const uint32_t num_partitions : {1u, 2u, 3u, 7u, 100u}) {
    std::vector<int> counts(num_partitions);
    constexpr int kGroups = 20000;
    for (int i = 0; i < kGroups; ++i) {
      const std::string key = ShuffleKey("site" + std::to_string(i), "");
      const uint32_t partition = PartitionOf(EncodedGroup(key), num_partitions);
      ASSERT_LT(partition, num_partitions);
      ++counts[partition];
    }
    const int even = kGroups / static_cast<int>(num_partitions);
    for (const int count : counts) EXPECT_NEAR(count, even, even * 0.4);
  }
}

// Rows must be in the same shards on every engine and in every release. The
// numbers are XXH3_64bits() of the encoded group, modulo 1000.
TEST(PartitionOf, StaysAsItIs) {
  const auto partition = [](std::string_view group) {
    return PartitionOf(EncodedGroup(ShuffleKey(group, "x")), 1000);
  };
  EXPECT_EQ(partition(""), 213u);
  EXPECT_EQ(partition("films.example"), 775u);
  EXPECT_EQ(partition("a"), 535u);
}

// Java: WritableComparator.hashBytes(), then (hash & MAX_VALUE) % n, with
// 32-bit arithmetic that wraps around and bytes that have a sign.
uint32_t JavaPartition(std::string_view bytes, uint32_t num_partitions) {
  int64_t hash = 1;
  for (const char c : bytes) {
    const int64_t byte = c & 0x80 ? (c & 0xFF) - 256 : c & 0xFF;
    hash = (31 * hash + byte) % (int64_t{1} << 32);
  }
  const int64_t wrapped = (hash + (int64_t{1} << 32)) % (int64_t{1} << 32);
  return static_cast<uint32_t>(wrapped % (int64_t{1} << 31) % num_partitions);
}

TEST(HadoopPartition, KnownHashes) {
  // Arrays.hashCode() of the same bytes, which is the same polynomial.
  constexpr uint32_t kNoModulus = 0x80000000u;
  EXPECT_EQ(HadoopPartition("", kNoModulus), 1u);
  EXPECT_EQ(HadoopPartition("a", kNoModulus), 128u);
  EXPECT_EQ(HadoopPartition("\xFF", kNoModulus), 30u);
  EXPECT_EQ(HadoopPartition("\x80", kNoModulus), 0x7FFFFFFFu - 96);
  EXPECT_EQ(HadoopPartition("abcd", kNoModulus), 3910595u);
}

TEST(HadoopPartition, AgreesWithJavaArithmetic) {
  Random random(TestSeed(3));
  for (int i = 0; i < 10000; ++i) {
    const std::string bytes = BytesThatCollide(&random, 20);
    const auto num_partitions = static_cast<uint32_t>(1 + random.Below(5000));
    EXPECT_EQ(HadoopPartition(bytes, num_partitions),
              JavaPartition(bytes, num_partitions))
        << testing::PrintToString(bytes);
  }
}

TEST(PartitionPrefixes, EveryPartitionHasAPrefixThatLeadsThere) {
  std::vector<uint32_t> numbers(300);
  std::iota(numbers.begin(), numbers.end(), 1);
  numbers.insert(numbers.end(), {1000, 5000, 65536});
  for (const uint32_t num_partitions : numbers) {
    SCOPED_TRACE(num_partitions);
    const std::vector<std::string> prefixes = PartitionPrefixes(num_partitions);
    ASSERT_EQ(prefixes.size(), num_partitions);
    for (uint32_t partition = 0; partition < num_partitions; ++partition) {
      ASSERT_EQ(prefixes[partition].size(), kPartitionPrefixBytes);
      ASSERT_EQ(JavaPartition(prefixes[partition], num_partitions), partition);
      ASSERT_EQ(HadoopPartition(prefixes[partition], num_partitions),
                partition);
    }
  }
}

}  // namespace
}  // namespace trommel::mr
