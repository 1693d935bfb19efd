#include "mapreduce/codec/hadoop_pairs.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/base/random.h"
#include "mapreduce/codec/shuffle_key.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"

namespace trommel::mr {
namespace {

using testing_support::BytesThatCollide;
using testing_support::ListSink;
using testing_support::ListStream;
using testing_support::PairList;
using testing_support::ReadPairs;
using testing_support::TestSeed;

PairList RandomPairs(Random* random, int count) {
  PairList pairs;
  for (int i = 0; i < count; ++i) {
    std::string key;
    AppendShuffleKey(BytesThatCollide(random, 5), BytesThatCollide(random, 5),
                     &key);
    pairs.emplace_back(key, BytesThatCollide(random, 5));
  }
  return pairs;
}

TEST(HadoopPairs, PrefixLeadsHadoopToOurPartition) {
  Random random(TestSeed(1));
  constexpr uint32_t kPartitions = 13;
  const PairList pairs = RandomPairs(&random, 1000);
  ListSink sink;
  PrefixingSink prefixing(kPartitions, &sink);
  for (const auto& [key, value] : pairs) {
    ASSERT_TRUE(prefixing.Append({key, value}).ok());
  }
  ASSERT_EQ(sink.pairs.size(), pairs.size());
  std::set<uint32_t> seen;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::string& sent = sink.pairs[i].first;
    ASSERT_EQ(sent.substr(kPartitionPrefixBytes), pairs[i].first);
    const uint32_t partition =
        HadoopPartition(sent.substr(0, kPartitionPrefixBytes), kPartitions);
    EXPECT_EQ(partition,
              PartitionOf(EncodedGroup(pairs[i].first), kPartitions));
    seen.insert(partition);
  }
  EXPECT_EQ(seen.size(), kPartitions);
}

TEST(HadoopPairs, RoundTrip) {
  Random random(TestSeed(2));
  const PairList pairs = RandomPairs(&random, 1000);
  ListSink sink;
  PrefixingSink prefixing(5, &sink);
  for (const auto& [key, value] : pairs) {
    ASSERT_TRUE(prefixing.Append({key, value}).ok());
  }
  ListStream stream(sink.pairs);
  UnprefixedPairs unprefixed(&stream);
  const auto back = ReadPairs(&unprefixed);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, pairs);
}

TEST(HadoopPairs, KeyWithoutPrefixIsDataLoss) {
  for (const char* key : {"", "a", "abc"}) {
    ListStream stream(PairList{{key, "value"}});
    UnprefixedPairs unprefixed(&stream);
    EXPECT_EQ(ReadPairs(&unprefixed).status().code(),
              absl::StatusCode::kDataLoss)
        << key;
  }
}

TEST(HadoopPairs, ErrorOfTheStreamIsPassedOn) {
  ListStream stream(PairList{{"prefkey", "value"}},
                    absl::UnavailableError("gone"));
  UnprefixedPairs unprefixed(&stream);
  EXPECT_EQ(ReadPairs(&unprefixed).status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace trommel::mr
