#include "mapreduce/shuffle/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/codec/shuffle_key.h"
#include "tests/mapreduce/shuffle/sum_combiner.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using testing::HasSubstr;
using testing_support::BytesThatCollide;
using testing_support::ListStream;
using testing_support::PairList;
using testing_support::ReadPairs;
using testing_support::TempDir;
using testing_support::TestSeed;

bool KeyBefore(const PairList::value_type& a, const PairList::value_type& b) {
  return a.first < b.first;
}

// Sorted lists whose values say where they were: list and place.
std::vector<PairList> RandomLists(Random* random, size_t count, size_t min_size,
                                  size_t max_size) {
  std::vector<PairList> lists(count);
  for (size_t i = 0; i < count; ++i) {
    lists[i].resize(min_size + random->Below(max_size - min_size + 1));
    for (auto& [key, value] : lists[i]) {
      // Keys of all lengths around the eight bytes that are compared first,
      // the highest ones too.
      key = std::string(random->Below(2) * 8, random->Below(2) ? '\xFF' : 'p') +
            BytesThatCollide(random, 3);
    }
    std::stable_sort(lists[i].begin(), lists[i].end(), KeyBefore);
    for (size_t j = 0; j < lists[i].size(); ++j) {
      lists[i][j].second = StrCat(i, " ", j);
    }
  }
  return lists;
}

// What a merge must give: equal keys in the order of the lists.
PairList Merged(const std::vector<PairList>& lists) {
  PairList all;
  for (const PairList& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
  }
  std::stable_sort(all.begin(), all.end(), KeyBefore);
  return all;
}

TEST(MergeStreams, AgreesWithAStableSort) {
  Random random(TestSeed(1));
  for (size_t count = 0; count <= 33; ++count) {
    for (const size_t max_size : {0, 1, 20}) {
      SCOPED_TRACE(testing::Message() << count << " of " << max_size);
      const std::vector<PairList> lists =
          RandomLists(&random, count, 0, max_size);
      std::vector<std::unique_ptr<PairStream>> streams;
      for (const PairList& list : lists) {
        streams.push_back(std::make_unique<ListStream>(list));
      }
      const auto merged = MergeStreams(std::move(streams));
      ASSERT_TRUE(merged.ok()) << merged.status();
      const auto pairs = ReadPairs(merged->get());
      ASSERT_TRUE(pairs.ok()) << pairs.status();
      EXPECT_EQ(*pairs, Merged(lists));
      Pair pair;
      EXPECT_FALSE(*(*merged)->Next(&pair));  // the end stays the end
    }
  }
}

TEST(MergeStreams, ErrorOfAStreamComesOut) {
  for (const size_t size : {0, 1, 2}) {
    for (const size_t broken : {0, 1, 2}) {
      std::vector<std::unique_ptr<PairStream>> streams;
      for (size_t i = 0; i < 3; ++i) {
        streams.push_back(std::make_unique<ListStream>(
            PairList(size, {"key", "value"}),
            i == broken ? absl::DataLossError("broken") : absl::OkStatus()));
      }
      const auto merged = MergeStreams(std::move(streams));
      const absl::Status status =
          merged.ok() ? ReadPairs(merged->get()).status() : merged.status();
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss)
          << size << ' ' << broken;
    }
  }
}

// Runs of several partitions; the lists of partition p are in lists[p].
class MergeRunsTest : public testing::Test {
 protected:
  static constexpr size_t kPartitions = 3;

  void WriteRuns(Random* random, size_t count, size_t min_size,
                 size_t max_size) {
    for (size_t p = 0; p < kPartitions; ++p) {
      lists_.push_back(RandomLists(random, count, min_size, max_size));
    }
    WriteRuns(lists_);
  }

  void WriteRuns(const std::vector<std::vector<PairList>>& lists) {
    for (size_t i = 0; i < lists[0].size(); ++i) {
      auto writer = RunWriter::Create(StrCat(inputs_.path(), "/run-", i));
      ASSERT_TRUE(writer.ok()) << writer.status();
      for (const std::vector<PairList>& partition : lists) {
        for (const auto& [key, value] : partition[i]) {
          ASSERT_TRUE((*writer)->sink()->Append({key, value}).ok());
        }
        (*writer)->EndSection();
      }
      const auto run = (*writer)->Close();
      ASSERT_TRUE(run.ok()) << run.status();
      runs_.push_back(*run);
    }
  }

  MergeOptions Options(size_t max_fan_in) const {
    MergeOptions options;
    options.max_fan_in = max_fan_in;
    options.directory = temporary_.path();
    return options;
  }

  size_t NumTemporary() const {
    return static_cast<size_t>(std::distance(
        std::filesystem::directory_iterator(temporary_.path()), {}));
  }

  TempDir inputs_;
  TempDir temporary_;
  std::vector<std::vector<PairList>> lists_;
  std::vector<mr::Run> runs_;
};

TEST_F(MergeRunsTest, AnyFanInGivesTheSame) {
  Random random(TestSeed(2));
  WriteRuns(&random, 41, 0, 30);
  for (const size_t fan_in : {0, 1, 2, 3, 7, 40, 41, 128}) {
    for (size_t p = 0; p < kPartitions; ++p) {
      SCOPED_TRACE(testing::Message() << fan_in << ' ' << p);
      auto merged = MergeRuns(runs_, p, Options(fan_in));
      ASSERT_TRUE(merged.ok()) << merged.status();
      // No more intermediate files than can be read at once.
      EXPECT_LE(NumTemporary(), std::max<size_t>(fan_in, 2));
      const auto pairs = ReadPairs(merged->get());
      ASSERT_TRUE(pairs.ok()) << pairs.status();
      EXPECT_EQ(*pairs, Merged(lists_[p]));
      merged->reset();
      EXPECT_EQ(NumTemporary(), 0u);
    }
  }
  for (const mr::Run& run : runs_)
    EXPECT_TRUE(std::filesystem::exists(run.path));
}

TEST_F(MergeRunsTest, LittleMemoryIsLikeASmallFanIn) {
  Random random(TestSeed(3));
  WriteRuns(&random, 9, 1, 30);
  MergeOptions options = Options(128);
  options.memory_bytes = 1;
  const auto merged = MergeRuns(runs_, 1, options);
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_GT(NumTemporary(), 0u);
  const auto pairs = ReadPairs(merged->get());
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  EXPECT_EQ(*pairs, Merged(lists_[1]));
}

TEST_F(MergeRunsTest, NoRunsAndEmptyRuns) {
  auto merged = MergeRuns({}, 0, Options(2));
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_TRUE(ReadPairs(merged->get())->empty());
  WriteRuns({{{}, {}, {}, {{"a", "1"}}, {}}, {{}, {}, {}, {}, {}}});
  for (const auto& [partition, size] : {std::pair(0, 1), std::pair(1, 0)}) {
    merged = MergeRuns(runs_, static_cast<size_t>(partition), Options(2));
    ASSERT_TRUE(merged.ok()) << merged.status();
    EXPECT_EQ(NumTemporary(), 0u);  // empty ones do not count
    EXPECT_EQ(ReadPairs(merged->get())->size(), static_cast<size_t>(size));
  }
}

TEST_F(MergeRunsTest, CombinerActsOnIntermediateRuns) {
  Random random(TestSeed(4));
  std::vector<PairList> lists(30);
  PairList all;
  for (PairList& list : lists) {
    for (int i = 0; i < 20; ++i) {
      std::string key;
      AppendShuffleKey(StrCat("group", random.Below(4)),
                       StrCat(random.Below(2)), &key);
      list.emplace_back(key, StrCat(random.Below(100)));
    }
    std::stable_sort(list.begin(), list.end(), KeyBefore);
    all.insert(all.end(), list.begin(), list.end());
  }
  WriteRuns({lists});
  MergeOptions options = Options(3);
  SumCombiner combiner;
  options.combiner = &combiner;
  const auto merged = MergeRuns(runs_, 0, options);
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_GT(combiner.num_calls, 0);
  const auto pairs = ReadPairs(merged->get());
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  EXPECT_TRUE(std::is_sorted(pairs->begin(), pairs->end(), KeyBefore));
  EXPECT_LT(pairs->size(), all.size() / 4);
  EXPECT_EQ(Sums(*pairs), Sums(all));
}

// A run that lost its end: the error names it and no file stays behind.
TEST_F(MergeRunsTest, DamagedRunIsNamedAndNothingIsLeft) {
  Random random(TestSeed(5));
  WriteRuns(&random, 12, 1, 30);
  const int64_t size = runs_[11].section_ends.back();
  std::filesystem::resize_file(runs_[11].path,
                               static_cast<uintmax_t>(size - 1));
  for (const size_t fan_in : {2, 3, 128}) {
    SCOPED_TRACE(fan_in);
    absl::Status status;
    {
      const auto merged = MergeRuns(runs_, 2, Options(fan_in));
      status =
          merged.ok() ? ReadPairs(merged->get()).status() : merged.status();
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr(runs_[11].path));
    EXPECT_EQ(NumTemporary(), 0u);
  }
}

TEST_F(MergeRunsTest, MissingRunIsNamed) {
  Random random(TestSeed(6));
  WriteRuns(&random, 4, 1, 30);
  std::filesystem::remove(runs_[3].path);
  for (const size_t fan_in : {2, 128}) {
    const auto merged = MergeRuns(runs_, 0, Options(fan_in));
    EXPECT_EQ(merged.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(merged.status().message()),
                HasSubstr(runs_[3].path));
    EXPECT_EQ(NumTemporary(), 0u);
  }
}

}  // namespace
}  // namespace trommel::mr
