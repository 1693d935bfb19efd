#include "mapreduce/task/task_spec.h"

#include <gtest/gtest.h>

#include <string>

namespace trommel::mr {
namespace {

TEST(TaskSpec, RoundTrip) {
  TaskSpec spec;
  spec.step = "cluster.assign";
  spec.config = {{"site-key", "host"}, {"odd", "\" \n\\ \xE2\x82\xAC"}};
  spec.side_data = {{"rules", "hdfs://node:1/rules"}};
  spec.inputs = {{{"dropped"},
                  "dropped",
                  {{"url", io::ColumnType::kBytes, true},
                   {"fetch_time", io::ColumnType::kTimestamp, false}},
                  32}};
  spec.num_reducers = 7;
  spec.combine = false;
  spec.limits = {100, 20, 3, 4, 5};
  const absl::StatusOr<TaskSpec> read = TaskSpecFromJson(ToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->step, spec.step);
  EXPECT_EQ(read->config, spec.config);
  EXPECT_EQ(read->side_data, spec.side_data);
  ASSERT_EQ(read->inputs.size(), 1u);
  EXPECT_EQ(read->inputs[0].max_batch_rows, 32);
  ASSERT_EQ(read->inputs[0].columns.size(), 2u);
  EXPECT_EQ(read->inputs[0].columns[1].name, "fetch_time");
  EXPECT_EQ(read->inputs[0].columns[1].type, io::ColumnType::kTimestamp);
  EXPECT_FALSE(read->inputs[0].columns[1].required);
  EXPECT_EQ(read->num_reducers, 7);
  EXPECT_FALSE(read->combine);
  EXPECT_EQ(read->limits.memory_mb, 100);
  EXPECT_EQ(read->limits.sort_memory_mb, 20);
  EXPECT_EQ(read->limits.row_timeout_s, 3);
  EXPECT_EQ(read->limits.max_attempts, 4);
  EXPECT_EQ(read->limits.max_killer_rows, 5);
}

TEST(AttemptSpec, RoundTrip) {
  AttemptSpec spec;
  spec.task_spec = "/tmp/step.json";
  spec.is_map = false;
  spec.directory = "/tmp/attempt";
  spec.tables = "hdfs://node:1/out";
  spec.clear_tables = true;
  spec.published_result = "hdfs://node:1/out/_results/x.json";
  spec.split = {3, {{1, "/data/a b.parquet", 2, 5, 99}}};
  spec.killer_rows = {{17, "crashed", "signal 11"}};
  spec.as_stream = true;
  spec.partition = 6;
  spec.runs = {{"/tmp/run-0", {10, 10, 25}}};
  const absl::StatusOr<AttemptSpec> read = AttemptSpecFromJson(ToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), ToJson(spec));
  EXPECT_EQ(read->split.pieces[0].file, "/data/a b.parquet");
  EXPECT_EQ(read->killer_rows[0].detail, "signal 11");
  EXPECT_EQ(read->runs[0].section_begin(1), 10);
}

TEST(AttemptResult, RoundTrip) {
  AttemptResult result;
  result.status = absl::NotFoundError("no \"such\" file");
  result.counters = {{"rows.read", 12}, {"group.event", -1}};
  result.shards["."] = {{"part-m-00001-00000.parquet", 5, 1234, "abcd"}};
  result.runs = {{"/tmp/run", {7}}};
  const absl::StatusOr<AttemptResult> read =
      AttemptResultFromJson(ToJson(result));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->status, result.status);
  EXPECT_EQ(read->counters, result.counters);
  EXPECT_EQ(read->shards.at(".")[0].digest, "abcd");
  EXPECT_EQ(read->runs[0].section_ends, result.runs[0].section_ends);
}

TEST(TaskFiles, DamageIsAnError) {
  for (const char* const text : {"", "{", "[]", "{\"step\": 3}", "null"}) {
    EXPECT_FALSE(TaskSpecFromJson(text).ok()) << text;
    EXPECT_FALSE(AttemptSpecFromJson(text).ok()) << text;
    EXPECT_FALSE(AttemptResultFromJson(text).ok()) << text;
  }
}

}  // namespace
}  // namespace trommel::mr
