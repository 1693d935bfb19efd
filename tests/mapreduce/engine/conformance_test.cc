// What every engine must do: one suite, run once per engine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/status.h"
#include "tests/mapreduce/engine/engine_fixture.h"
#include "tests/testing/seed.h"

namespace trommel::mr {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using testing_support::EchoColumns;
using testing_support::EchoRow;
using testing_support::Rows;
using testing_support::WordColumns;

using Conformance = testing_support::EngineFixture;

TEST_P(Conformance, WordCountWithAndWithoutCombiner) {
  Random random(17);
  std::map<std::string, int64_t> expected;
  std::vector<std::string> texts;
  int64_t total = 0;
  for (int i = 0; i < 400; ++i) {
    std::string text;
    for (int j = 0; j < 50; ++j) {
      const std::string word = StrCat("word", random.Below(300));
      ++expected[word];
      ++total;
      StrAppend(&text, j > 0 ? " " : "", word);
    }
    texts.push_back(std::move(text));
  }
  WriteTexts("in", texts, 150);
  Rows rows;
  for (const auto& [word, count] : expected) {
    rows.push_back(StrCat(word, "|", count));
  }
  std::sort(rows.begin(), rows.end());
  for (const bool combine : {true, false}) {
    SCOPED_TRACE(combine ? "combined" : "not combined");
    StepSpec spec = Spec("words", "in", WordColumns(), 2);
    spec.combine = combine;
    const std::string out = combine ? "combined" : "plain";
    const absl::StatusOr<JobResult> result = Run(spec, out);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(ReadCounts(out), rows);
    const StepResult& step = result->steps[0];
    EXPECT_EQ(step.counter("rows.read"), 400);
    EXPECT_EQ(step.counter("rows.rejected"), 0);
    EXPECT_EQ(step.counter("words.seen"), total);
    EXPECT_EQ(step.counter("words.different"),
              static_cast<int64_t>(expected.size()));
    if (combine) {
      EXPECT_LT(step.counter("values.reduced"), total / 2);
    } else {
      EXPECT_EQ(step.counter("values.reduced"), total);
    }
    EXPECT_FALSE(Exists(out + "/_rejects"));
    int64_t shard_rows = 0;
    for (const io::ShardInfo& shard : result->shards) {
      shard_rows += shard.num_rows;
    }
    EXPECT_EQ(shard_rows, static_cast<int64_t>(rows.size()));
  }
}

// Keys and values of any bytes; order within a group by the sort key, whose
// numbers include negative ones.
TEST_P(Conformance, SecondarySortOfBinaryKeysAndValues) {
  const std::vector<std::string> keys = {std::string("\0", 1),
                                         std::string("\0\0", 2),
                                         "a\tb",
                                         "a\nb",
                                         "a",
                                         std::string("a\0", 2),
                                         "\xFF\xFF",
                                         "",
                                         "reporter:counter:x,y,1\n"};
  Random random(5);
  std::vector<EchoRow> input;
  std::map<std::string, std::map<int64_t, std::string>> expected;
  for (int i = 0; i < 300; ++i) {
    const std::string& key = keys[random.Below(keys.size())];
    const int64_t order = (random.Below(2) == 0 ? -1 : 1) * i * int64_t{99991};
    const std::string value =
        StrCat(std::string("\n\t\0", 3), static_cast<int>(random.Below(100)));
    input.push_back({key, order, value, ""});
    expected[key][order] = value;
  }
  WriteEchoRows("in", input, 120);
  Rows rows;
  for (const auto& [key, values] : expected) {
    std::string all;
    for (const auto& [order, value] : values) {
      StrAppend(&all, order, "=", value, ";");
    }
    rows.push_back(StrCat(key, "|", values.size(), "|", all));
  }
  std::sort(rows.begin(), rows.end());
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 2));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(ReadEcho("out"), rows);
}

TEST_P(Conformance, EmptyInput) {
  WriteEchoRows("in", {}, 10);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 2));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(ReadEcho("out"), IsEmpty());
  EXPECT_EQ(result->steps[0].counter("rows.read"), 0);
  EXPECT_TRUE(Exists("out/_SUCCESS"));
}

// 250 MB of values under one key, with 16 MB to sort them in and processes
// that may not grow beyond 200 MB. One key is also fewer than reducers.
TEST_P(Conformance, OneGroupLargerThanMemoryAndMoreReducersThanKeys) {
  limits_.memory_mb = is_hadoop() ? 350 : 200;  // there, Java is in it too
  WriteTexts("in", {"90000", "80000", "80000"}, 1);
  const absl::StatusOr<JobResult> result =
      Run(Spec("flood", "in", WordColumns(), 2));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Read("out", {{"key"},
                           {"count", io::ColumnType::kInt64},
                           {"ordered", io::ColumnType::kInt64}}),
              ElementsAre("everything|250000|1"));
}

TEST_P(Conformance, SideDataSideTablesAndASecondStep) {
  ASSERT_TRUE(io::MakeDirectories(*io::ResolvePath(root_ + "/greetings")).ok());
  ASSERT_TRUE(
      io::WriteFile(*io::ResolvePath(root_ + "/greetings/first.txt"), "hello")
          .ok());
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 40; ++i) {
    input.push_back({i % 3 == 0 ? "fizz" : "other", i, "", ""});
  }
  WriteEchoRows("in", input, 20);
  StepSpec first = Spec("sides", "in", EchoColumns(), 0);
  first.side_data = {{"greetings", root_ + "/greetings", ""}};
  StepSpec second;
  second.step = "second";
  const std::vector<io::ColumnRequest> columns = {
      {"word"}, {"count", io::ColumnType::kInt64}};
  second.inputs = {{{}, "odd", columns}, {{}, "_scratch/all", columns}};
  second.num_reducers = 1;
  const absl::StatusOr<JobResult> result = Run(Job{"test", {first, second}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(ReadCounts("out/odd"), SizeIs(20));
  EXPECT_THAT(ReadCounts("out/even"), SizeIs(20));
  EXPECT_FALSE(Exists("out/_scratch"));
  EXPECT_THAT(ReadCounts("out/counts"),
              ElementsAre("input 0 hello fizz|7", "input 0 hello other|13",
                          "input 1 hello fizz|14", "input 1 hello other|26"));
  for (const io::ShardInfo& shard : result->shards) {
    EXPECT_TRUE(Exists("out/" + shard.file)) << shard.file;
  }
}

TEST_P(Conformance, FailingReducerFailsTheJobWithItsOwnWords) {
  limits_.max_attempts = 2;
  WriteEchoRows("in", {{"good", 1, "v", ""}, {"reduce-fail", 1, "v", ""}}, 10);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(
      std::string(result.status().message()),
      AllOf(HasSubstr("cannot reduce this group"), HasSubstr("reduce")));
  EXPECT_FALSE(Exists("out"));
}

TEST_P(Conformance, FailingMapperFailsTheJobWithItsOwnWords) {
  limits_.max_attempts = 1;
  WriteEchoRows("in", {{"good", 1, "v", ""}, {"k", 1, "v", "bad"}}, 10);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()),
              HasSubstr("this is all wrong"));
  EXPECT_FALSE(Exists("out"));
}

// Processes killed from outside cost nothing but time: not a row is lost,
// doubled or rejected.
TEST_P(Conformance, KilledTasksAreRepeated) {
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 200; ++i) {
    input.push_back({StrCat("key", i % 10), i, StrCat("value", i), ""});
  }
  input[50].action = StrCat("once:", temp_ / "mapper");
  input[150].action = StrCat("once:", temp_ / "another");
  if (is_hadoop()) input[151].action = StrCat("parent:", temp_ / "supervisor");
  input.push_back({StrCat("reduce-once:", temp_ / "reducer"), 1, "v", ""});
  WriteEchoRows("in", input, 100);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 2));
  ASSERT_TRUE(result.ok()) << result.status();
  std::vector<std::string> marks = {"mapper", "another", "reducer"};
  if (is_hadoop()) marks.push_back("supervisor");
  for (const std::string& file : marks) {
    EXPECT_EQ(::access((temp_ / file).c_str(), F_OK), 0) << file;
  }
  const Rows rows = ReadEcho("out");
  ASSERT_THAT(rows, SizeIs(11));
  EXPECT_THAT(rows[0], AllOf(HasSubstr("key0|20|0=value0;10=value10;")));
  EXPECT_EQ(result->steps[0].counter("rows.read"), 201);
  EXPECT_EQ(result->steps[0].counter("rows.rejected"), 0);
  EXPECT_FALSE(Exists("out/_rejects"));
  EXPECT_FALSE(Exists("out/_attempts"));
}

TEST_P(Conformance, RowsThatKillTheirTaskAreRejectedAndNoOthers) {
  limits_.row_timeout_s = 3;
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 200; ++i) {
    input.push_back({StrCat("key", i), i, "v", ""});
  }
  input[0].action = "crash";
  input[60].action = "abort";
  input[61].action = "exit";
  input[99].action = "eat";
  input[100].action = "hang";
  input[150].action = "reject";
  WriteEchoRows("in", input, 100);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(ReadEcho("out"), SizeIs(194));
  EXPECT_THAT(
      ReadRejects(),
      ElementsAre("key0|crashed|a fatal signal", "key100|timeout|more than 3 s",
                  "key150|unwanted|it said so itself",
                  "key60|crashed|a fatal signal", "key61|crashed|exit code 7",
                  StrCat("key99|crashed|more than ", limits_.memory_mb,
                         " MB of memory")));
  const StepResult& step = result->steps[0];
  EXPECT_EQ(step.counter("rows.read"), 200);
  EXPECT_EQ(step.counter("rows.rejected"), 6);
  EXPECT_EQ(step.counter("rejected.crashed"), 4);
  EXPECT_EQ(step.counter("rejected.timeout"), 1);
  EXPECT_EQ(step.counter("rejected.unwanted"), 1);
}

TEST_P(Conformance, AllRowsRejected) {
  WriteEchoRows("in", {{"a", 1, "v", "reject"}, {"b", 2, "v", "reject"}}, 1);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(ReadEcho("out"), IsEmpty());
  EXPECT_THAT(ReadRejects(), ElementsAre("a|unwanted|it said so itself",
                                         "b|unwanted|it said so itself"));
}

TEST_P(Conformance, OnePageInTenThousandKillsItsTask) {
  Random random(testing_support::TestSeed(41));
  std::vector<EchoRow> input;
  Rows killers;
  for (int64_t i = 0; i < 40000; ++i) {
    input.push_back({StrCat("page", i), i, "v", ""});
    if (random.Below(10000) == 0) {
      input.back().action = "crash";
      killers.push_back(StrCat(input.back().key, "|crashed|a fatal signal"));
    }
  }
  ASSERT_FALSE(killers.empty());
  std::sort(killers.begin(), killers.end());
  WriteEchoRows("in", input, 20000);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(ReadRejects(), killers);
  EXPECT_THAT(ReadEcho("out"), SizeIs(40000 - killers.size()));
  EXPECT_EQ(result->steps[0].counter("rows.read"), 40000);
}

TEST_P(Conformance, TooManyBadRowsEndTheJob) {
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 100; ++i) {
    input.push_back({StrCat("key", i), i, "v", i % 4 == 0 ? "reject" : ""});
  }
  WriteEchoRows("in", input, 60);
  max_bad_fraction_ = 0.24;
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()),
              AllOf(HasSubstr("of 100 rows were bad"),
                    HasSubstr("--max-bad-fraction=0.24")));
  EXPECT_FALSE(Exists("out"));
}

INSTANTIATE_TEST_SUITE_P(Local, Conformance, testing::Values("local"));
INSTANTIATE_TEST_SUITE_P(Hadoop, Conformance, testing::Values("hadoop"));

// Many small jobs, which take seconds here and minutes on a cluster.
class ConformanceOfManyJobs : public testing_support::EngineFixture {};

// What many rows have taken together is not the fault of the one at which the
// process is found to be too large.
TEST_P(ConformanceOfManyJobs, MemoryOfManyRowsIsNotBlamedOnOne) {
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 1500; ++i) {
    input.push_back({StrCat("key", i), i, std::string(200000, 'x'), "sleep"});
  }
  WriteEchoRows("in", input, 1500);
  split_bytes_ = int64_t{1} << 30;
  limits_.memory_mb = 150;
  limits_.sort_memory_mb = 400;
  limits_.max_attempts = 2;
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()),
              HasSubstr("raise --task-memory-mb"));
}

TEST_P(ConformanceOfManyJobs, MapperThatAlwaysDiesElsewhereIsGivenUp) {
  // Every row kills its process the first time it is seen.
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 60; ++i) {
    input.push_back(
        {StrCat("key", i), i, "v", StrCat("once:", temp_ / StrCat("mark", i))});
  }
  WriteEchoRows("in", input, 60);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()),
              HasSubstr("times at different rows"));
}

TEST_P(ConformanceOfManyJobs, MapperThatDiesAtMostRowsIsGivenUp) {
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 60; ++i) {
    input.push_back({StrCat("key", i), i, "v", "crash"});
  }
  WriteEchoRows("in", input, 60);
  limits_.max_killer_rows = 5;
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()),
              HasSubstr("more than 5 rows of one split"));
}

TEST_P(ConformanceOfManyJobs, BothStepsOfAJobKeepTheirRejects) {
  WriteEchoRows("in", {{"a", 1, "v", "reject"}, {"b", 2, "v", ""}}, 10);
  const StepSpec step = Spec("echo", "in", EchoColumns(), 1);
  const absl::StatusOr<JobResult> result = Run(Job{"test", {step, step}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(ReadRejects(), SizeIs(2));
  EXPECT_THAT(ReadEcho("out"), SizeIs(2));
}

TEST_P(ConformanceOfManyJobs, SpecificationsThatCannotWork) {
  WriteEchoRows("in", {{"a", 1, "v", ""}}, 10);
  StepSpec spec = Spec("echo", "in", EchoColumns(), 100000);
  EXPECT_THAT(std::string(Run(spec).status().message()),
              HasSubstr("100000 reducers"));
  spec = Spec("nosuchstep", "in", EchoColumns(), 1);
  EXPECT_THAT(std::string(Run(spec).status().message()),
              AllOf(HasSubstr("nosuchstep"), HasSubstr("echo")));
  spec = Spec("sides", "in", EchoColumns(), 0);
  spec.side_data = {{"greetings", root_ + "/nowhere", ""}};
  EXPECT_THAT(std::string(Run(spec).status().message()), HasSubstr("/nowhere"));
  spec.side_data.clear();
  EXPECT_THAT(std::string(Run(spec).status().message()),
              HasSubstr("greetings"));
}

TEST_P(ConformanceOfManyJobs, RowsDoNotDependOnWorkersOrReducers) {
  std::vector<EchoRow> input;
  Random random(23);
  for (int64_t i = 0; i < 3000; ++i) {
    input.push_back({StrCat("key", random.Below(200)), i, StrCat("v", i), ""});
  }
  WriteEchoRows("in", input, 170);
  Rows first;
  for (const int workers : {1, 2, 7}) {
    for (const int reducers : {1, 3, 16}) {
      SCOPED_TRACE(StrCat(workers, " workers, ", reducers, " reducers"));
      workers_ = workers;
      const std::string out = StrCat("out-", workers, "-", reducers);
      const absl::StatusOr<JobResult> result =
          Run(Spec("echo", "in", EchoColumns(), reducers), out);
      ASSERT_TRUE(result.ok()) << result.status();
      const Rows rows = ReadEcho(out);
      if (first.empty()) first = rows;
      ASSERT_THAT(rows, SizeIs(200));
      EXPECT_EQ(rows, first);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Local, ConformanceOfManyJobs,
                         testing::Values("local"));

}  // namespace
}  // namespace trommel::mr
