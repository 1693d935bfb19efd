#ifndef TROMMEL_TESTS_MAPREDUCE_ENGINE_ENGINE_FIXTURE_H_
#define TROMMEL_TESTS_MAPREDUCE_ENGINE_ENGINE_FIXTURE_H_

// What tests of engines share: tables in, a job, tables out. Run once per
// engine: with the local one always, with Hadoop where TROMMEL_TEST_HDFS names
// the root of a cluster's file system (tests/testing/with_cluster.sh).

#include <arrow/type.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "mapreduce/engine/engine.h"
#include "mapreduce/engine/hadoop/hadoop_engine.h"
#include "mapreduce/engine/local/local_engine.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/table_files.h"
#include "tests/mapreduce/engine/test_steps.h"
#include "tests/testing/temp_dir.h"

namespace trommel::testing_support {

struct EchoRow {
  std::string key;
  int64_t order = 0;
  std::string value;
  std::string action;
};

// Rows as text, columns separated by '|', sorted.
using Rows = std::vector<std::string>;

inline std::string TestHdfs() {
  const char* const root = std::getenv("TROMMEL_TEST_HDFS");
  return root == nullptr ? "" : root;
}

class EngineFixture : public testing::TestWithParam<std::string> {
 protected:
  bool is_hadoop() const { return GetParam() == "hadoop"; }

  void SetUp() override {
    if (!is_hadoop()) {
      root_ = temp_.path();
    } else if (TestHdfs().empty()) {
      GTEST_SKIP() << "no cluster: set TROMMEL_TEST_HDFS";
    } else {
      const auto* const test =
          testing::UnitTest::GetInstance()->current_test_info();
      std::string name = test->name();
      std::replace(name.begin(), name.end(), '/', '-');
      root_ = StrCat(TestHdfs(), "/test-", ::getpid(), "/", name);
    }
    limits_.memory_mb = is_hadoop() ? 512 : 400;
    limits_.sort_memory_mb = 16;
  }

  void TearDown() override {
    if (root_.empty() || !is_hadoop()) return;
    (void)io::RemoveAll(*io::ResolvePath(root_));
  }

  std::unique_ptr<mr::Engine> MakeEngine() const {
    if (is_hadoop()) {
      mr::HadoopOptions options;
      options.limits = limits_;
      // Java processes that live for seconds.
      const std::string java =
          "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";
      options.defines = {"mapreduce.map.java.opts=" + java,
                         "mapreduce.reduce.java.opts=" + java};
      absl::StatusOr<std::unique_ptr<mr::Engine>> engine =
          mr::MakeHadoopEngine(options);
      EXPECT_TRUE(engine.ok()) << engine.status();
      return engine.ok() ? *std::move(engine) : nullptr;
    }
    mr::LocalOptions options;
    options.workers = workers_;
    options.limits = limits_;
    return mr::MakeLocalEngine(options);
  }

  // Writes a table in row groups of `rows_per_group` rows; each becomes a
  // split, as mr::JobOptions::split_bytes is 1.
  void WriteTable(const std::string& name,
                  const std::shared_ptr<arrow::Schema>& schema, size_t num_rows,
                  size_t rows_per_group,
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

  void WriteTexts(const std::string& name,
                  const std::vector<std::string>& texts,
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

  mr::StepSpec Spec(const std::string& step, const std::string& input,
                    const std::vector<io::ColumnRequest>& columns,
                    int num_reducers) const {
    mr::StepSpec spec;
    spec.step = step;
    spec.inputs = {{{StrCat(root_, "/", input)}, "", columns}};
    spec.num_reducers = num_reducers;
    return spec;
  }

  // Runs and commits the job into `out`.
  absl::StatusOr<mr::JobResult> Run(const mr::Job& job,
                                    const std::string& out = "out") {
    const std::unique_ptr<mr::Engine> engine = MakeEngine();
    if (engine == nullptr) return absl::InternalError("no engine");
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::OutputDir> output,
        io::OutputDir::Create(StrCat(root_, "/", out), /*force=*/false));
    mr::JobOptions options;
    options.split_bytes = split_bytes_;
    options.max_bad_fraction = max_bad_fraction_;
    TROMMEL_ASSIGN_OR_RETURN(
        mr::JobResult result,
        mr::RunJob(job, MakeTestSteps(), options, engine.get(), output.get()));
    io::Manifest manifest;
    manifest.shards = result.shards;
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return result;
  }
  absl::StatusOr<mr::JobResult> Run(const mr::StepSpec& spec,
                                    const std::string& out = "out") {
    return Run(mr::Job{"test", {spec}}, out);
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
  mr::TaskLimits limits_;
  int workers_ = 2;
  int64_t split_bytes_ = 1;  // every row group is a split
  double max_bad_fraction_ = 1;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_MAPREDUCE_ENGINE_ENGINE_FIXTURE_H_
