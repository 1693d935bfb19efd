#include "mapreduce/shuffle/sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/codec/shuffle_key.h"
#include "mapreduce/shuffle/groups.h"
#include "mapreduce/shuffle/merge.h"
#include "tests/mapreduce/shuffle/sum_combiner.h"
#include "tests/testing/allocations.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;
using testing_support::AllocationWatch;
using testing_support::BytesThatCollide;
using testing_support::PairList;
using testing_support::ReadPairs;
using testing_support::TempDir;
using testing_support::TestSeed;

struct Placed {
  uint32_t partition;
  std::string key;
  std::string value;
};

Sorter::Options MakeOptions(const TempDir& dir, uint32_t num_partitions,
                            size_t memory_bytes) {
  Sorter::Options options;
  options.memory_bytes = memory_bytes;
  options.num_partitions = num_partitions;
  options.directory = dir.path();
  return options;
}

// Everything a sorter gives back, merged, by partition.
absl::StatusOr<std::vector<PairList>> ReadAll(const std::vector<Run>& runs,
                                              uint32_t num_partitions) {
  std::vector<PairList> lists;
  MergeOptions options;
  options.max_fan_in = runs.size() + 1;
  options.memory_bytes = size_t{1} << 30;
  for (uint32_t i = 0; i < num_partitions; ++i) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PairStream> stream,
                             MergeRuns(runs, i, options));
    TROMMEL_ASSIGN_OR_RETURN(PairList list, ReadPairs(stream.get()));
    lists.push_back(std::move(list));
  }
  return lists;
}

// What must come out.
std::vector<PairList> Sorted(std::vector<Placed> pairs,
                             uint32_t num_partitions) {
  std::stable_sort(
      pairs.begin(), pairs.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.partition, a.key) < std::tie(b.partition, b.key);
      });
  std::vector<PairList> lists(num_partitions);
  for (Placed& pair : pairs) {
    lists[pair.partition].emplace_back(std::move(pair.key),
                                       std::move(pair.value));
  }
  return lists;
}

bool IsEmpty(const TempDir& dir) {
  return std::filesystem::is_empty(dir.path());
}

struct KeyKind {
  const char* label;
  std::function<std::string(Random*)> make;
};

// Keys that go through every way of telling them apart: by the first bytes,
// by later ones, by length, or only by when they came.
const std::vector<KeyKind>& KeyKinds() {
  static const auto* const kinds = new std::vector<KeyKind>{
      {"short", [](Random* random) { return BytesThatCollide(random, 4); }},
      {"any bytes",
       [](Random* random) { return BytesThatCollide(random, 30); }},
      {"one key", [](Random*) { return std::string("one key for all pairs"); }},
      {"empty", [](Random*) { return std::string(); }},
      {"begin alike",
       [](Random* random) {
         return "https://www.shop.example/product?id=" +
                StrCat(random->Below(5000));
       }},
      {"part at any place",
       [](Random* random) {
         const std::string common = "common\0\0\0\0\0\0\0\0\xFF\xFF\xFF of it"s;
         return common.substr(0, random->Below(common.size() + 1)) +
                BytesThatCollide(random, 2);
       }},
      {"zeros of any number",
       [](Random* random) { return std::string(random->Below(40), '\0'); }},
      {"alike for long",
       [](Random* random) {
         return std::string(500 + 20 * random->Below(3), 'x') +
                BytesThatCollide(random, 3);
       }},
  };
  return *kinds;
}

TEST(Sorter, AgreesWithAStableSort) {
  Random random(TestSeed(1));
  for (const KeyKind& kind : KeyKinds()) {
    for (const uint32_t num_partitions : {1u, 2u, 100u}) {
      for (const size_t memory : {size_t{1}, size_t{20000}, size_t{4} << 20}) {
        SCOPED_TRACE(testing::Message() << kind.label << ", " << num_partitions
                                        << " partitions, memory " << memory);
        const TempDir dir;
        Sorter sorter(MakeOptions(dir, num_partitions, memory));
        std::vector<Placed> pairs(memory == 1 ? 300 : 3000);
        for (size_t i = 0; i < pairs.size(); ++i) {
          pairs[i] = {static_cast<uint32_t>(random.Below(num_partitions)),
                      kind.make(&random), StrCat(i)};
          ASSERT_TRUE(
              sorter.Add(pairs[i].partition, pairs[i].key, pairs[i].value)
                  .ok());
        }
        const auto runs = sorter.Finish();
        ASSERT_TRUE(runs.ok()) << runs.status();
        if (memory >= size_t{4} << 20) {
          EXPECT_EQ(runs->size(), 1u);
        } else {
          EXPECT_GT(runs->size(), 1u);
        }
        const auto lists = ReadAll(*runs, num_partitions);
        ASSERT_TRUE(lists.ok()) << lists.status();
        EXPECT_TRUE(*lists == Sorted(pairs, num_partitions));
      }
    }
  }
}

TEST(Sorter, SortedAndReversedInput) {
  for (const bool reversed : {false, true}) {
    const TempDir dir;
    Sorter sorter(MakeOptions(dir, 1, size_t{4} << 20));
    std::vector<Placed> pairs;
    for (int i = 0; i < 5000; ++i) {
      pairs.push_back({0, StrCat("number ", 100000 + i), StrCat(i)});
    }
    if (reversed) std::reverse(pairs.begin(), pairs.end());
    for (const Placed& pair : pairs) {
      ASSERT_TRUE(sorter.Add(0, pair.key, pair.value).ok());
    }
    const auto runs = sorter.Finish();
    ASSERT_TRUE(runs.ok()) << runs.status();
    EXPECT_TRUE(*ReadAll(*runs, 1) == Sorted(pairs, 1));
  }
}

TEST(Sorter, MostPartitions) {
  const TempDir dir;
  constexpr uint32_t kPartitions = 65536;
  Sorter sorter(MakeOptions(dir, kPartitions, 1 << 20));
  for (const uint32_t partition : {65535u, 0u, 32768u, 65535u}) {
    ASSERT_TRUE(sorter.Add(partition, "key", StrCat(partition)).ok());
  }
  const auto runs = sorter.Finish();
  ASSERT_TRUE(runs.ok()) << runs.status();
  struct Case {
    uint32_t partition;
    PairList expected;
  };
  const Case cases[] = {
      {0, {{"key", "0"}}},
      {1, {}},
      {32768, {{"key", "32768"}}},
      {65534, {}},
      {65535, {{"key", "65535"}, {"key", "65535"}}},
  };
  for (const Case& c : cases) {
    const auto stream = MergeRuns(*runs, c.partition, {});
    ASSERT_TRUE(stream.ok()) << stream.status();
    EXPECT_EQ(*ReadPairs(stream->get()), c.expected) << c.partition;
  }
}

TEST(Sorter, NothingIn) {
  const TempDir dir;
  for (const bool combine : {false, true}) {
    SumCombiner combiner;
    Sorter::Options options = MakeOptions(dir, 3, 4096);
    if (combine) options.combiner = &combiner;
    Sorter sorter(options);
    const auto runs = sorter.Finish();
    ASSERT_TRUE(runs.ok()) << runs.status();
    EXPECT_TRUE(runs->empty());
    EXPECT_TRUE(IsEmpty(dir));
  }
}

TEST(Sorter, EmptyViewsOfNothing) {
  const TempDir dir;
  Sorter sorter(MakeOptions(dir, 1, 4096));
  ASSERT_TRUE(sorter.Add(0, std::string_view(), std::string_view()).ok());
  const auto runs = sorter.Finish();
  ASSERT_TRUE(runs.ok()) << runs.status();
  EXPECT_EQ((*ReadAll(*runs, 1))[0], (PairList{{"", ""}}));
}

TEST(Sorter, PairLargerThanTheMemory) {
  const TempDir dir;
  Sorter sorter(MakeOptions(dir, 1, 10000));
  std::vector<Placed> pairs;
  for (int i = 0; i < 30; ++i) {
    const size_t size = i % 10 == 5 ? 3000000 : 100;
    pairs.push_back({0, StrCat(i % 3), std::string(size, 'v') + StrCat(i)});
  }
  const AllocationWatch watch;
  for (const Placed& pair : pairs) {
    ASSERT_TRUE(sorter.Add(0, pair.key, pair.value).ok());
  }
  // The memory for the last of the large pairs has been given back.
  EXPECT_LT(watch.Held(), size_t{100000});
  const auto runs = sorter.Finish();
  ASSERT_TRUE(runs.ok()) << runs.status();
  EXPECT_EQ(runs->size(), 7u);
  const auto lists = ReadAll(*runs, 1);
  ASSERT_TRUE(lists.ok()) << lists.status();
  EXPECT_TRUE(*lists == Sorted(pairs, 1));
}

TEST(Sorter, TooLongAFieldIsRefused) {
  const TempDir dir;
  Sorter sorter(MakeOptions(dir, 1, 10000));
  // Only its length is looked at.
  const std::string_view huge("", kMaxFieldBytes + 1);
  EXPECT_EQ(sorter.Add(0, huge, "v").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(sorter.Add(0, "k", huge).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Sorter, CombinesEveryKeyToOnePair) {
  Random random(TestSeed(2));
  for (const size_t memory : {size_t{1}, size_t{20000}, size_t{4} << 20}) {
    SCOPED_TRACE(memory);
    const TempDir dir;
    constexpr uint32_t kPartitions = 3;
    Sorter::Options options = MakeOptions(dir, kPartitions, memory);
    SumCombiner combiner;
    options.combiner = &combiner;
    Sorter sorter(options);
    PairList all;
    for (int i = 0; i < 20000; ++i) {
      std::string key;
      AppendShuffleKey(BytesThatCollide(&random, 2),
                       BytesThatCollide(&random, 1), &key);
      all.emplace_back(key, StrCat(random.Below(1000)));
      ASSERT_TRUE(sorter
                      .Add(PartitionOf(EncodedGroup(key), kPartitions), key,
                           all.back().second)
                      .ok());
    }
    const auto runs = sorter.Finish();
    ASSERT_TRUE(runs.ok()) << runs.status();
    ASSERT_EQ(runs->size(), 1u);
    // Nothing but that run is left.
    EXPECT_EQ(
        std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
    const auto lists = ReadAll(*runs, kPartitions);
    ASSERT_TRUE(lists.ok()) << lists.status();
    PairList combined;
    for (uint32_t i = 0; i < kPartitions; ++i) {
      for (const auto& pair : (*lists)[i]) {
        EXPECT_EQ(PartitionOf(EncodedGroup(pair.first), kPartitions), i);
        combined.push_back(pair);
      }
      EXPECT_TRUE(std::is_sorted((*lists)[i].begin(), (*lists)[i].end()));
    }
    EXPECT_EQ(Sums(combined), Sums(all));
    EXPECT_EQ(combined.size(), Sums(all).size());
  }
}

TEST(Sorter, ErrorOfTheCombinerComesOutAndNothingIsLeft) {
  class FailingCombiner final : public Combiner {
   public:
    absl::Status Combine(std::string_view /*group*/, Values* /*values*/,
                         Output* out) override {
      if (--num_calls_left < 0) return absl::AbortedError("cannot");
      return out->Emit("1");
    }
    int num_calls_left = 0;
  };
  for (const int num_calls : {0, 1, 1000, 1900}) {
    SCOPED_TRACE(num_calls);
    const TempDir dir;
    FailingCombiner combiner;
    combiner.num_calls_left = num_calls;
    absl::Status status;
    {
      Sorter::Options options = MakeOptions(dir, 2, 4096);
      options.combiner = &combiner;
      Sorter sorter(options);
      for (uint32_t i = 0; i < 1000 && status.ok(); ++i) {
        std::string key;
        AppendShuffleKey(StrCat(i), "", &key);
        status = sorter.Add(i % 2, key, "1");
      }
      if (status.ok()) status = sorter.Finish().status();
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
    EXPECT_TRUE(IsEmpty(dir));
  }
}

TEST(Sorter, FilesGoWithASorterThatIsNotFinished) {
  const TempDir dir;
  {
    Sorter sorter(MakeOptions(dir, 1, 4096));
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(sorter.Add(0, StrCat(i), "value").ok());
    }
    EXPECT_FALSE(IsEmpty(dir));
  }
  EXPECT_TRUE(IsEmpty(dir));
}

TEST(Sorter, FilesOfAFinishedSorterStay) {
  const TempDir dir;
  std::vector<mr::Run> runs;
  {
    Sorter sorter(MakeOptions(dir, 1, 4096));
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(sorter.Add(0, StrCat(i), "value").ok());
    }
    runs = *sorter.Finish();
  }
  EXPECT_EQ((*ReadAll(runs, 1))[0].size(), 1000u);
}

TEST(Sorter, UnwritableDirectoryIsNamed) {
  const TempDir dir;
  Sorter::Options options = MakeOptions(dir, 1, 4096);
  options.directory = dir / "absent";
  Sorter sorter(options);
  ASSERT_TRUE(sorter.Add(0, "key", "value").ok());
  const auto runs = sorter.Finish();
  EXPECT_EQ(runs.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(runs.status().message()), HasSubstr(dir / "absent"));
}

// One group of 64 MB through a sorter and a merge of 1 MB each.
TEST(Sorter, LargeGroupStaysBounded) {
  class CountingReducer final : public Reducer {
   public:
    absl::Status Reduce(std::string_view /*group*/, Values* values,
                        TaskOutput* /*out*/) override {
      std::string last;
      while (values->Next()) {
        EXPECT_LE(last, values->sort_key());
        last.assign(values->sort_key());
        num_bytes += values->value().size();
      }
      ++num_groups;
      return absl::OkStatus();
    }
    size_t num_bytes = 0;
    int num_groups = 0;
  };
  const TempDir dir;
  Random random(TestSeed(3));
  const AllocationWatch watch;
  Sorter sorter(MakeOptions(dir, 1, 1 << 20));
  const std::string value(1000, 'v');
  for (int i = 0; i < 64000; ++i) {
    std::string key;
    AppendShuffleKey("group", StrCat(random.Next()), &key);
    ASSERT_TRUE(sorter.Add(0, key, value).ok());
  }
  const auto runs = sorter.Finish();
  ASSERT_TRUE(runs.ok()) << runs.status();
  MergeOptions options;
  options.memory_bytes = 1 << 20;
  options.directory = dir.path();
  const auto sorted = MergeRuns(*runs, 0, options);
  ASSERT_TRUE(sorted.ok()) << sorted.status();
  CountingReducer reducer;
  ASSERT_TRUE(ReduceGroups(sorted->get(), &reducer, nullptr).ok());
  EXPECT_EQ(reducer.num_groups, 1);
  EXPECT_EQ(reducer.num_bytes, size_t{64000000});
  EXPECT_LT(watch.Peak(), size_t{4} << 20);
}

}  // namespace
}  // namespace trommel::mr
