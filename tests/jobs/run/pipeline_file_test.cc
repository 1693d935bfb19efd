#include "jobs/run/pipeline_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run {
namespace {

using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

constexpr char kVertical[] =
    "vertical { name: 'movie' schema: 'movie.textproto' "
    "annotations: 'a/{date}.jsonl' }";

class PipelineFileTest : public testing::Test {
 protected:
  PipelineFileTest() {
    WriteWholeFile(temp_ / "movie.textproto",
                   "name: 'movie' attribute { name: 'title' }");
  }
  absl::StatusOr<proto::Pipeline> Read(const std::string& text) {
    WriteWholeFile(temp_ / "p.textproto", text);
    return ReadPipelineFile(temp_ / "p.textproto");
  }

  TempDir temp_;
};

TEST_F(PipelineFileTest, DefaultsAndPaths) {
  const auto pipeline = Read(StrCat("crawl: 'hdfs://h:1/{date}' ", kVertical));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  EXPECT_EQ(pipeline->crawl(), "hdfs://h:1/{date}");
  EXPECT_EQ(pipeline->work(), temp_ / "work");
  EXPECT_EQ(pipeline->records(), temp_ / "records");
  EXPECT_EQ(pipeline->rejects(), temp_ / "rejects");
  EXPECT_EQ(pipeline->figures(), temp_ / "figures");
  EXPECT_EQ(pipeline->vertical(0).annotations(), temp_ / "a/{date}.jsonl");
  EXPECT_EQ(pipeline->engine().engine(), "local");
  EXPECT_EQ(pipeline->limits().attempts(), 3);
}

// Two pipelines whose records are beside each other keep the rest apart, too.
TEST_F(PipelineFileTest, OtherTablesAreBesideTheRecords) {
  struct Case {
    std::string records;
    std::string rejects;
  };
  const Case cases[] = {
      {"lake/records/", temp_ / "lake/rejects"},
      {"lake/films", temp_ / "lake/films-rejects"},
      {"/lake/records", "/lake/rejects"},
      {"hdfs://h:1/films", "hdfs://h:1/films-rejects"},
  };
  for (const Case& c : cases) {
    const auto pipeline =
        Read(StrCat("crawl: '{date}' records: '", c.records, "' ", kVertical));
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    EXPECT_EQ(pipeline->rejects(), c.rejects);
  }
}

TEST_F(PipelineFileTest, WhatIsWrongIsNamed) {
  struct Case {
    std::string text;
    std::string error;
  };
  const std::string vertical = kVertical;
  const Case cases[] = {
      {"crawl: 'gs://b/{date}'" + vertical,
       "crawl: gs://b/{date}: gs:// is not supported"},
      {"crawl: '{date}' records: 's3a://b/r'" + vertical,
       "records: s3a://b/r: s3a:// is not supported"},
      {"crawl: 'c'" + vertical, "crawl must be a path with {date}"},
      {"crawl: '{date}'", "it has no vertical"},
      {"crawl: '{date}' crawll: 'x'", "Did you mean \"crawl\"?"},
      {"crawl: '{date}'" + vertical + vertical, "\"movie\" is there twice"},
      {"crawl: '{date}' vertical { name: 'a b' }", "vertical \"a b\": name"},
      {"crawl: '{date}' vertical { name: 'a' schema: 's' }",
       "annotations must be a path with {date}"},
      {"crawl: '{date}' rejects: 'records/rejects'" + vertical,
       "records/rejects is the folder of the records, or inside it"},
      {"crawl: '{date}' figures: 'rejects'" + vertical,
       "rejects is the folder of the figures, or inside it"},
      {"crawl: '{date}' engine { engine: 'spark' }" + vertical,
       "neither local nor hadoop"},
      {"crawl: 'c/{date}' engine { engine: 'hadoop' }" + vertical,
       "c/{date} is a folder of this machine"},
      {"crawl: 'hdfs://h:1/{date}' engine { engine: 'hadoop' }" + vertical,
       "work is a folder of this machine"},
      {"crawl: 'hdfs://h:1/{date}' work: 'hdfs://h:1/w' "
       "rules: 'hdfs://h:1/r' records: 'file:///r' "
       "engine { engine: 'hadoop' }" +
           vertical,
       "records: file:///r is a folder of this machine"},
      {"crawl: '{date}' stage { name: 'clutser' }" + vertical,
       "stage \"clutser\" does not exist; there are crawl, cluster, "},
      {"crawl: '{date}' stage { name: 'cluster' flag: 'x' }" + vertical,
       "\"x\" does not begin with --"},
      {"crawl: '{date}' stage { name: 'crawl' flag: '--x' }" + vertical,
       "stage \"crawl\": flag: \"--x\": the stage takes no flags"},
      {"crawl: '{date}' stage { name: 'publish' flag: '--x' }" + vertical,
       "stage \"publish\": flag: \"--x\": the stage takes no flags"},
      {"crawl: '{date}' stage { name: 'check' flag: '--x' }" + vertical,
       "the stage takes no flags; it takes those of stage \"monitor\""},
      {"crawl: '{date}' stage { name: 'coverage' off: true } "
       "stage { name: 'coverage' flag: '--x' }" +
           vertical,
       "stage \"coverage\" is there twice"},
      {"crawl: '{date}' reports: 'hdfs://h:1/r'" + vertical,
       "must be a local folder"},
      {"crawl: '{date}' limits { attempts: -1 }" + vertical, "is negative"},
      {"crawl: '{date}' limits { min_confidence: 1.5 }" + vertical,
       "min_confidence is a probability from 0 to 1"},
      {"crawl: '{date}' limits { min_confidence: nan }" + vertical,
       "min_confidence is a probability from 0 to 1"},
      {"crawl: '{date}' vertical { name: 'a' schema: 'movie.textproto' "
       "annotations: '{date}' site: 's' site: 's' }",
       "site \"s\" is in a vertical twice"},
  };
  for (const Case& c : cases) {
    const auto pipeline = Read(c.text);
    EXPECT_THAT(std::string(pipeline.status().message()),
                testing::AllOf(HasSubstr("p.textproto"), HasSubstr(c.error)))
        << c.text;
  }
}

TEST_F(PipelineFileTest, FileThatIsNone) {
  EXPECT_THAT(std::string(ReadPipelineFile(temp_ / "no").status().message()),
              HasSubstr("/no does not exist"));
  EXPECT_THAT(std::string(ReadPipelineFile(temp_ / ".").status().message()),
              HasSubstr("is a folder"));
}

}  // namespace
}  // namespace trommel::jobs::run
