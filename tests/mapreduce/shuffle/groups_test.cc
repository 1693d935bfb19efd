#include "mapreduce/shuffle/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/codec/shuffle_key.h"
#include "tests/mapreduce/shuffle/sum_combiner.h"
#include "tests/testing/allocations.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"

namespace trommel::mr {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;
using testing_support::AllocationWatch;
using testing_support::BytesThatCollide;
using testing_support::ListSink;
using testing_support::ListStream;
using testing_support::PairList;
using testing_support::TestSeed;

std::string Key(std::string_view group, std::string_view sort_key) {
  std::string key;
  AppendShuffleKey(group, sort_key, &key);
  return key;
}

struct Group {
  std::string name;
  PairList values;  // sort key and value
  bool operator==(const Group&) const = default;
};

void PrintTo(const Group& group, std::ostream* out) {
  *out << testing::PrintToString(group.name) << ": "
       << testing::PrintToString(group.values);
}

// Keeps what it sees: of each group the first `limit` values.
class KeepingReducer final : public Reducer {
 public:
  explicit KeepingReducer(size_t limit) : limit_(limit) {}
  absl::Status Reduce(std::string_view group, Values* values,
                      TaskOutput* /*out*/) override {
    groups.push_back({std::string(group), {}});
    for (size_t i = 0; i < limit_; ++i) {
      if (!values->Next()) {
        EXPECT_FALSE(values->Next());  // the end stays the end
        break;
      }
      groups.back().values.emplace_back(values->sort_key(), values->value());
    }
    return absl::OkStatus();
  }
  absl::Status Finish(TaskOutput* /*out*/) override {
    ++num_finished;
    return absl::OkStatus();
  }

  std::vector<Group> groups;
  int num_finished = 0;

 private:
  size_t limit_;
};

constexpr size_t kAll = std::numeric_limits<size_t>::max();

// Groups that are hard to tell apart: extensions of one another, NULs, empty.
std::vector<Group> HardGroups() {
  std::vector<Group> groups = {
      {"", {{"", "1"}, {"", "2"}, {"a", "3"}}},
      {"\0"s, {{"", ""}}},
      {"\0\0"s, {{"x", "4"}, {"y", "5"}}},
      {"\0\xFF"s, {{"\0\0"s, "6"}}},
      {"a", {{"", "7"}, {"\0"s, "8"}, {"\0\0"s, "9"}, {"\xFF", "10"}}},
      {"a\0"s, {{"", "11"}}},
      {"ab", {{"", "12"}, {"", "12"}}},
      {"\xFF", {{"\xFF", "13"}}},
  };
  return groups;
}

PairList PairsOf(const std::vector<Group>& groups) {
  PairList pairs;
  for (const Group& group : groups) {
    for (const auto& [sort_key, value] : group.values) {
      pairs.emplace_back(Key(group.name, sort_key), value);
    }
  }
  EXPECT_TRUE(std::is_sorted(
      pairs.begin(), pairs.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; }));
  return pairs;
}

TEST(ReduceGroups, ReducersMayLeaveValues) {
  for (const size_t limit : {size_t{0}, size_t{1}, size_t{2}, kAll}) {
    SCOPED_TRACE(limit);
    std::vector<Group> expected = HardGroups();
    ListStream stream(PairsOf(expected));
    for (Group& group : expected) {
      group.values.resize(std::min(group.values.size(), limit));
    }
    KeepingReducer reducer(limit);
    ASSERT_TRUE(ReduceGroups(&stream, &reducer, nullptr).ok());
    EXPECT_EQ(reducer.groups, expected);
    EXPECT_EQ(reducer.num_finished, 1);
  }
}

TEST(ReduceGroups, NoPairsNoGroupsButFinish) {
  ListStream stream(PairList{});
  KeepingReducer reducer(kAll);
  ASSERT_TRUE(ReduceGroups(&stream, &reducer, nullptr).ok());
  EXPECT_TRUE(reducer.groups.empty());
  EXPECT_EQ(reducer.num_finished, 1);
}

TEST(ReduceGroups, RandomGroups) {
  Random random(TestSeed(1));
  for (int round = 0; round < 200; ++round) {
    std::map<std::string, PairList> by_group;
    PairList pairs;
    for (uint64_t i = random.Below(60); i > 0; --i) {
      const std::string group = BytesThatCollide(&random, 2);
      const std::string sort_key = BytesThatCollide(&random, 2);
      const std::string value = std::to_string(i);
      by_group[group].emplace_back(sort_key, value);
      pairs.emplace_back(Key(group, sort_key), value);
    }
    const auto by_key = [](const auto& a, const auto& b) {
      return a.first < b.first;
    };
    std::stable_sort(pairs.begin(), pairs.end(), by_key);
    std::vector<Group> expected;
    for (auto& [group, values] : by_group) {
      std::stable_sort(values.begin(), values.end(), by_key);
      expected.push_back({group, values});
    }
    ListStream stream(pairs);
    KeepingReducer reducer(kAll);
    ASSERT_TRUE(ReduceGroups(&stream, &reducer, nullptr).ok());
    EXPECT_EQ(reducer.groups, expected);
  }
}

// Wherever the stream breaks, the error comes out and nothing is finished: to
// the reducer it looks like a group's end.
TEST(ReduceGroups, BrokenStreamIsAnError) {
  const PairList pairs = PairsOf(HardGroups());
  for (size_t size = 0; size <= pairs.size(); ++size) {
    for (const size_t limit : {size_t{0}, size_t{1}, kAll}) {
      SCOPED_TRACE(testing::Message() << size << ' ' << limit);
      ListStream stream(
          PairList(pairs.begin(), pairs.begin() + static_cast<int64_t>(size)),
          absl::DataLossError("broken"));
      KeepingReducer reducer(limit);
      const absl::Status status = ReduceGroups(&stream, &reducer, nullptr);
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
      EXPECT_THAT(std::string(status.message()), HasSubstr("broken"));
      EXPECT_EQ(reducer.num_finished, 0);
    }
  }
}

TEST(ReduceGroups, MalformedKeyIsDataLoss) {
  for (const std::string& key : {""s, "b"s, "b\0"s, "b\0\1"s}) {
    for (const bool first : {true, false}) {
      SCOPED_TRACE(testing::PrintToString(key));
      PairList pairs = {{key, "value"}};
      if (!first) pairs.insert(pairs.begin(), {Key("a", ""), "value"});
      ListStream stream(pairs);
      KeepingReducer reducer(kAll);
      EXPECT_EQ(ReduceGroups(&stream, &reducer, nullptr).code(),
                absl::StatusCode::kDataLoss);
      EXPECT_EQ(reducer.groups.size(), first ? 0u : 1u);
      EXPECT_EQ(reducer.num_finished, 0);
    }
  }
}

TEST(ReduceGroups, ErrorOfTheReducerEndsIt) {
  class FailingReducer final : public Reducer {
   public:
    absl::Status Reduce(std::string_view group, Values* /*values*/,
                        TaskOutput* /*out*/) override {
      ++num_groups;
      return group == "b" ? absl::AbortedError("no b") : absl::OkStatus();
    }
    int num_groups = 0;
  };
  ListStream stream(
      PairList{{Key("a", ""), ""}, {Key("b", ""), ""}, {Key("c", ""), ""}});
  FailingReducer reducer;
  EXPECT_EQ(ReduceGroups(&stream, &reducer, nullptr).code(),
            absl::StatusCode::kAborted);
  EXPECT_EQ(reducer.num_groups, 2);
}

// Values made as they are asked for.
class EndlessGroup final : public PairStream {
 public:
  explicit EndlessGroup(int count) : left_(count), value_(1000, 'v') {}
  absl::StatusOr<bool> Next(Pair* pair) override {
    if (left_-- == 0) return false;
    *pair = {key_, value_};
    return true;
  }

 private:
  int left_;
  std::string key_ = Key("group", "sort key");
  std::string value_;
};

TEST(ReduceGroups, LargeGroupsStream) {
  class CountingReducer final : public Reducer {
   public:
    absl::Status Reduce(std::string_view /*group*/, Values* values,
                        TaskOutput* /*out*/) override {
      while (values->Next()) num_bytes += values->value().size();
      return absl::OkStatus();
    }
    size_t num_bytes = 0;
  };
  EndlessGroup stream(500000);
  CountingReducer reducer;
  const AllocationWatch watch;
  ASSERT_TRUE(ReduceGroups(&stream, &reducer, nullptr).ok());
  EXPECT_EQ(reducer.num_bytes, size_t{500000000});
  EXPECT_LT(watch.Peak(), size_t{10000});
}

TEST(CopyCombined, WithoutACombinerAllPairsPass) {
  const PairList pairs = {{"not", "1"}, {"a", "2"}, {"shuffle key", "3"}};
  ListStream stream(pairs);
  ListSink sink;
  ASSERT_TRUE(CopyCombined(&stream, nullptr, &sink).ok());
  EXPECT_EQ(sink.pairs, pairs);
}

// Values of a group with different sort keys stay apart.
TEST(CopyCombined, CombinesValuesOfOneKey) {
  ListStream stream(PairList{{Key("a", ""), "1"},
                             {Key("a", ""), "2"},
                             {Key("a", "x"), "4"},
                             {Key("b", "x"), "8"},
                             {Key("b", "x"), "16"}});
  ListSink sink;
  SumCombiner combiner;
  ASSERT_TRUE(CopyCombined(&stream, &combiner, &sink).ok());
  EXPECT_EQ(sink.pairs, (PairList{{Key("a", ""), "3"},
                                  {Key("a", "x"), "4"},
                                  {Key("b", "x"), "24"}}));
}

TEST(CopyCombined, CombinerMayEmitAnyNumberAndLeaveValues) {
  class LazyCombiner final : public Combiner {
   public:
    absl::Status Combine(std::string_view group, Values* values,
                         Output* out) override {
      if (group == "none") return absl::OkStatus();
      EXPECT_TRUE(values->Next());
      const std::string first(values->value());
      TROMMEL_RETURN_IF_ERROR(out->Emit(first));
      return out->Emit(first + " again");
    }
  };
  ListStream stream(PairList{{Key("a", ""), "1"},
                             {Key("a", ""), "2"},
                             {Key("none", ""), "3"},
                             {Key("z", ""), "4"}});
  ListSink sink;
  LazyCombiner combiner;
  ASSERT_TRUE(CopyCombined(&stream, &combiner, &sink).ok());
  EXPECT_EQ(sink.pairs, (PairList{{Key("a", ""), "1"},
                                  {Key("a", ""), "1 again"},
                                  {Key("z", ""), "4"},
                                  {Key("z", ""), "4 again"}}));
}

TEST(CopyCombined, ErrorsComeOut) {
  class FailingCombiner final : public Combiner {
   public:
    absl::Status Combine(std::string_view /*group*/, Values* /*values*/,
                         Output* /*out*/) override {
      return absl::AbortedError("cannot");
    }
  };
  const PairList good = {{Key("a", ""), "1"}};
  SumCombiner sum;
  FailingCombiner failing;
  struct Case {
    const char* label;
    PairList pairs;
    absl::Status end;
    Combiner* combiner;
    absl::StatusCode expected;
  };
  const Case cases[] = {
      {"broken stream", good, absl::UnavailableError("gone"), nullptr,
       absl::StatusCode::kUnavailable},
      {"broken stream to a combiner", good, absl::UnavailableError("gone"),
       &sum, absl::StatusCode::kUnavailable},
      {"malformed key",
       {{"a", "1"}},
       absl::OkStatus(),
       &sum,
       absl::StatusCode::kDataLoss},
      {"the combiner's own", good, absl::OkStatus(), &failing,
       absl::StatusCode::kAborted},
  };
  for (const Case& c : cases) {
    ListStream stream(c.pairs, c.end);
    ListSink sink;
    EXPECT_EQ(CopyCombined(&stream, c.combiner, &sink).code(), c.expected)
        << c.label;
  }
}

}  // namespace
}  // namespace trommel::mr
