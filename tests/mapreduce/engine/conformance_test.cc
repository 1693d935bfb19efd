// What every engine must do. One suite, run once per engine: with the local
// one always, with Hadoop where TROMMEL_TEST_HDFS names the root of a cluster's
// file system (deploy/test starts one).

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/status.h"
#include "mapreduce/engine/engine.h"
#include "mapreduce/engine/hadoop/hadoop_engine.h"
#include "mapreduce/engine/local/local_engine.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "tests/mapreduce/engine/test_steps.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using testing_support::EchoColumns;
using testing_support::MakeTestSteps;
using testing_support::TempDir;
using testing_support::WordColumns;

struct EchoRow {
  std::string key;
  int64_t order = 0;
  std::string value;
  std::string action;
};

// Rows as text, columns separated by '|', sorted.
using Rows = std::vector<std::string>;

std::string Hdfs() {
  const char* const root = std::getenv("TROMMEL_TEST_HDFS");
  return root == nullptr ? "" : root;
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  bool is_hadoop() const { return GetParam() == "hadoop"; }

  void SetUp() override {
    if (!is_hadoop()) {
      root_ = temp_.path();
    } else if (Hdfs().empty()) {
      GTEST_SKIP() << "no cluster: set TROMMEL_TEST_HDFS";
    } else {
      const auto* const test =
          testing::UnitTest::GetInstance()->current_test_info();
      std::string name = test->name();
      std::replace(name.begin(), name.end(), '/', '-');
      root_ = StrCat(Hdfs(), "/conformance-", ::getpid(), "/", name);
    }
    limits_.row_timeout_s = 3;
    limits_.memory_mb = is_hadoop() ? 512 : 400;
    limits_.sort_memory_mb = 16;
  }

  void TearDown() override {
    if (root_.empty() || !is_hadoop()) return;
    (void)io::RemoveAll(*io::ResolvePath(root_));
  }

  std::unique_ptr<Engine> MakeEngine() const {
    if (is_hadoop()) {
      HadoopOptions options;
      options.limits = limits_;
      absl::StatusOr<std::unique_ptr<Engine>> engine =
          MakeHadoopEngine(options);
      EXPECT_TRUE(engine.ok()) << engine.status();
      return engine.ok() ? *std::move(engine) : nullptr;
    }
    LocalOptions options;
    options.workers = workers_;
    options.limits = limits_;
    return MakeLocalEngine(options);
  }

  // Writes a table in row groups of `rows_per_group` rows; each becomes a
  // split, as JobOptions::split_bytes is 1.
  void WriteTable(const std::string& name,
                  const std::shared_ptr<arrow::Schema>& schema,
                  size_t num_rows, size_t rows_per_group,
                  const std::function<void(size_t, io::RowWriter*)>& fill) {
    for (size_t begin = 0; begin == 0 || begin < num_rows;
         begin += rows_per_group) {
      io::ShardWriter::Options options;
      options.prefix = StrCat("part-", 1000000 + begin);
      absl::StatusOr<std::unique_ptr<io::RowWriter>> writer =
          io::RowWriter::Create(*io::ResolvePath(StrCat(root_, "/", name)),
                                schema, options);
      ASSERT_TRUE(writer.ok()) << writer.status();
      for (size_t i = begin; i < std::min(begin + rows_per_group, num_rows);
           ++i) {
        fill(i, writer->get());
        ASSERT_TRUE((*writer)->EndRow().ok());
      }
      ASSERT_TRUE((*writer)->Close().ok());
    }
  }

  void WriteTexts(const std::string& name, const std::vector<std::string>& texts,
                  size_t rows_per_group) {
    WriteTable(name, arrow::schema({arrow::field("text", arrow::utf8())}),
               texts.size(), rows_per_group,
               [&](size_t i, io::RowWriter* row) { row->Text(texts[i]); });
  }

  void WriteEchoRows(const std::string& name, const std::vector<EchoRow>& rows,
                     size_t rows_per_group) {
    WriteTable(name,
               arrow::schema({arrow::field("key", arrow::binary()),
                              arrow::field("order", arrow::int64()),
                              arrow::field("value", arrow::binary()),
                              arrow::field("action", arrow::utf8())}),
               rows.size(), rows_per_group, [&](size_t i, io::RowWriter* row) {
                 row->Bytes(rows[i].key)
                     .Int64(rows[i].order)
                     .Bytes(rows[i].value)
                     .Text(rows[i].action);
               });
  }

  StepSpec Spec(const std::string& step, const std::string& input,
                const std::vector<io::ColumnRequest>& columns,
                int num_reducers) const {
    StepSpec spec;
    spec.step = step;
    spec.inputs = {{{StrCat(root_, "/", input)}, "", columns}};
    spec.num_reducers = num_reducers;
    return spec;
  }

  // Runs and commits the job into `out`.
  absl::StatusOr<JobResult> Run(const Job& job, const std::string& out = "out") {
    const std::unique_ptr<Engine> engine = MakeEngine();
    if (engine == nullptr) return absl::InternalError("no engine");
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::OutputDir> output,
        io::OutputDir::Create(StrCat(root_, "/", out), /*force=*/false));
    JobOptions options;
    options.split_bytes = 1;
    options.max_bad_fraction = max_bad_fraction_;
    TROMMEL_ASSIGN_OR_RETURN(
        JobResult result,
        RunJob(job, MakeTestSteps(), options, engine.get(), output.get()));
    io::Manifest manifest;
    manifest.shards = result.shards;
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return result;
  }
  absl::StatusOr<JobResult> Run(const StepSpec& spec,
                                const std::string& out = "out") {
    return Run(Job{"test", {spec}}, out);
  }

  // The table's rows; of the types b (bytes) and i (integer).
  Rows Read(const std::string& table, std::vector<io::ColumnRequest> columns) {
    Rows rows;
    const absl::StatusOr<std::vector<io::Entry>> files =
        io::ListTableFiles(*io::ResolvePath(StrCat(root_, "/", table)));
    EXPECT_TRUE(files.ok()) << files.status();
    if (!files.ok()) return rows;
    for (const io::Entry& file : *files) {
      absl::StatusOr<std::unique_ptr<io::RowReader>> reader =
          io::RowReader::Open(file.path, columns, {});
      EXPECT_TRUE(reader.ok()) << reader.status();
      io::Row row;
      while (*(*reader)->Next(&row)) {
        std::string text;
        for (size_t i = 0; i < columns.size(); ++i) {
          if (i > 0) text += "|";
          if (columns[i].type == io::ColumnType::kBytes) {
            text += row.bytes(i);
          } else {
            StrAppend(&text, row.int64(i));
          }
        }
        rows.push_back(std::move(text));
      }
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  Rows ReadCounts(const std::string& table) {
    return Read(table, {{"word"}, {"count", io::ColumnType::kInt64}});
  }
  Rows ReadEcho(const std::string& table) {
    return Read(table,
                {{"key"}, {"count", io::ColumnType::kInt64}, {"values"}});
  }
  Rows ReadRejects(const std::string& out = "out") {
    return Read(StrCat(out, "/_rejects"), {{"url"}, {"reason"}, {"detail"}});
  }
  bool Exists(const std::string& name) {
    const absl::StatusOr<io::Entry> entry =
        io::Stat(*io::ResolvePath(StrCat(root_, "/", name)));
    return entry.ok() && entry->kind != io::EntryKind::kNone;
  }

  TempDir temp_;
  std::string root_;
  TaskLimits limits_;
  int workers_ = 2;
  double max_bad_fraction_ = 1;
};

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
    EXPECT_FALSE(Exists(out + "/_rejects"));
    int64_t shard_rows = 0;
    for (const io::ShardInfo& shard : result->shards) {
      shard_rows += shard.num_rows;
    }
    EXPECT_EQ(shard_rows, static_cast<int64_t>(rows.size()));
  }
}

// Keys and values of any bytes; order within a group by the sort key, whose
// numbers include negative ones; more reducers than keys in the second run.
TEST_P(Conformance, SecondarySortOfBinaryKeysOverAnyNumberOfReducers) {
  const std::vector<std::string> keys = {
      std::string("\0", 1), std::string("\0\0", 2), "a\tb", "a\nb", "a",
      std::string("a\0", 2), "\xFF\xFF", "", "reporter:counter:x,y,1\n"};
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
  for (const int reducers : {1, 13}) {
    if (is_hadoop() && reducers == 1) continue;  // each reducer takes seconds
    SCOPED_TRACE(reducers);
    const std::string out = StrCat("out", reducers);
    const absl::StatusOr<JobResult> result =
        Run(Spec("echo", "in", EchoColumns(), is_hadoop() ? 11 : reducers),
            out);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(ReadEcho(out), rows);
  }
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
// that may not grow beyond 180 MB.
TEST_P(Conformance, OneGroupLargerThanMemory) {
  limits_.memory_mb = 180;
  WriteTexts("in", {"90000", "80000", "80000"}, 1);
  const absl::StatusOr<JobResult> result =
      Run(Spec("flood", "in", WordColumns(), 2));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(
      Read("out", {{"key"}, {"count", io::ColumnType::kInt64}}),
      ElementsAre("everything|250000"));
}

TEST_P(Conformance, SideDataSideTablesAndASecondStep) {
  ASSERT_TRUE(
      io::WriteFile(*io::ResolvePath(root_ + "/greetings.txt"), "hello").ok());
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 40; ++i) {
    input.push_back({i % 3 == 0 ? "fizz" : "other", i, "", ""});
  }
  WriteEchoRows("in", input, 20);
  StepSpec first = Spec("sides", "in", EchoColumns(), 0);
  first.side_data = {{"greetings", root_ + "/greetings.txt", ""}};
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
  WriteEchoRows("in", {{"good", 1, "v", ""}, {"reduce-fail", 1, "v", ""}}, 10);
  const absl::StatusOr<JobResult> result =
      Run(Spec("echo", "in", EchoColumns(), 1));
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()),
              AllOf(HasSubstr("cannot reduce this group"), HasSubstr("reduce")));
  EXPECT_FALSE(Exists("out"));
}

TEST_P(Conformance, FailingMapperFailsTheJobWithItsOwnWords) {
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
  EXPECT_TRUE(std::getenv("HOME") == nullptr || ::access((temp_ / "mapper").c_str(), F_OK) == 0);
  const Rows rows = ReadEcho("out");
  ASSERT_THAT(rows, SizeIs(11));
  EXPECT_THAT(rows[0], AllOf(HasSubstr("key0|20|0=value0;10=value10;")));
  EXPECT_EQ(result->steps[0].counter("rows.read"), 201);
  EXPECT_EQ(result->steps[0].counter("rows.rejected"), 0);
  EXPECT_FALSE(Exists("out/_rejects"));
  EXPECT_FALSE(Exists("out/_attempts"));
}

TEST_P(Conformance, RowsThatKillTheirTaskAreRejectedAndNoOthers) {
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
      ElementsAre(
          "key0|crashed|signal 11 (Segmentation fault)",
          "key100|timeout|more than 3 s",
          "key150|unwanted|it said so itself",
          "key60|crashed|signal 6 (Aborted)", "key61|crashed|exit code 7",
          StrCat("key99|crashed|more than ", limits_.memory_mb,
                 " MB of memory")));
  const StepResult& step = result->steps[0];
  EXPECT_EQ(step.counter("rows.read"), 200);
  EXPECT_EQ(step.counter("rows.rejected"), 6);
  EXPECT_EQ(step.counter("rejected.crashed"), 4);
  EXPECT_EQ(step.counter("rejected.timeout"), 1);
  EXPECT_EQ(step.counter("rejected.unwanted"), 1);
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
              AllOf(HasSubstr("of 100 rows were rejected"),
                    HasSubstr("--max-bad-fraction=0.24")));
  EXPECT_FALSE(Exists("out"));
}

// The rest needs no cluster to be worth running, and is slow on one.

TEST_P(Conformance, RowsDoNotDependOnWorkersOrReducers) {
  if (is_hadoop()) GTEST_SKIP() << "covered by the tests above";
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

INSTANTIATE_TEST_SUITE_P(Local, Conformance, testing::Values("local"));
INSTANTIATE_TEST_SUITE_P(Hadoop, Conformance, testing::Values("hadoop"));

}  // namespace
}  // namespace trommel::mr
