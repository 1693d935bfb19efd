// What Hadoop's commands print, as Hadoop 3.4 printed it.

#include "mapreduce/engine/hadoop/job_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace trommel::mr {
namespace {

using ::testing::HasSubstr;

constexpr char kRunning[] =
    "\n"
    "Job: job_1794845620759_0002\n"
    "Job File: hdfs://127.0.0.1:19937/tmp/staging/job.xml\n"
    "Job Tracking URL : http://localhost:30433/proxy/application_1_0002/\n"
    "Uber job : false\n"
    "Number of maps: 2\n"
    "Number of reduces: 1\n"
    "map() completion: 0.5\n"
    "reduce() completion: 0.25\n"
    "Job state: RUNNING\n"
    "retired: false\n"
    "reason for failure:  \n"
    "Counters: 8\n"
    "\tJob Counters \n"
    "\t\tFailed map tasks=2\n"
    "\ttrommel\n"
    "\t\trows.read=1234\n"
    "\t\trejected.a=b=7\n"
    "\tFile Input Format Counters \n"
    "\t\tBytes Read=0\n";

TEST(ParseJobStatus, Running) {
  const absl::StatusOr<JobStatus> status = ParseJobStatus(kRunning);
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status->state, JobState::kRunning);
  EXPECT_EQ(status->map_progress, 0.5);
  EXPECT_EQ(status->reduce_progress, 0.25);
  EXPECT_EQ(status->failure, "");
  EXPECT_EQ(status->counters,
            (Counters{{"rows.read", 1234}, {"rejected.a=b", 7}}));
}

TEST(ParseJobStatus, States) {
  struct Case {
    const char* text;
    JobState state;
  };
  for (const Case& c : {Case{"Job state: PREP\n", JobState::kPreparing},
                        Case{"Job state: SUCCEEDED\n", JobState::kSucceeded},
                        Case{"Job state: FAILED\n", JobState::kFailed},
                        Case{"Job state: KILLED", JobState::kKilled}}) {
    const absl::StatusOr<JobStatus> status = ParseJobStatus(c.text);
    ASSERT_TRUE(status.ok()) << c.text;
    EXPECT_EQ(status->state, c.state) << c.text;
  }
  EXPECT_TRUE(absl::IsNotFound(
      ParseJobStatus("Could not find job job_1_0001\n").status()));
  EXPECT_TRUE(absl::IsNotFound(ParseJobStatus("").status()));
}

std::string Log(const std::string& name, const std::string& contents) {
  return "Container: container_e01_1_0002_01_000002 on localhost_25348\n"
         "LogAggregationType: AGGREGATED\n"
         "=====\n"
         "LogType:" +
         name +
         "\nLogLastModifiedTime:Mon Nov 16 16:16:03 +0000 2026\n"
         "LogLength:14\nLogContents:\n" +
         contents + "\nEnd of LogType:" + name + "\n*******\n\n";
}

TEST(ErrorThatMatters, LastWordsOfTheProgram) {
  EXPECT_EQ(ErrorThatMatters(
                Log("launch_container.sh", "trommel: not this\n") +
                Log("stderr",
                    "trommel: map task 3: ended at row 7; trying again\n"
                    "trommel task: map task 3: no luck today\n"
                    "log4j:WARN No appenders could be found\n") +
                Log("syslog", "2026 ERROR java.lang.RuntimeException: x\n")),
            "trommel task: map task 3: no luck today");
}

TEST(ErrorThatMatters, LoaderErrorsAreKeptAndNoiseIsNot) {
  EXPECT_EQ(
      ErrorThatMatters(
          Log("stderr",
              "SLF4J: Class path contains multiple bindings.\n"
              "2026-11-16 16:14:22,667 INFO conf.Configuration: x\n"
              "trommel/bin/trommel: /lib/libc.so.6: version `GLIBC_2.36' not "
              "found\n"
              "\tat "
              "org.apache.hadoop.mapred.YarnChild.main(YarnChild.java:172)\n")),
      "trommel/bin/trommel: /lib/libc.so.6: version `GLIBC_2.36' not found");
}

TEST(ErrorThatMatters, CauseOfAJavaException) {
  EXPECT_THAT(
      ErrorThatMatters(
          Log("stderr", "") +
          Log("syslog",
              "2026-11-16 ERROR: java.lang.RuntimeException: Error in "
              "configuring object\n\tat x.y\nCaused by: java.io.IOException: "
              "error=2, No such file or directory\n\tat z\n")),
      HasSubstr("error=2, No such file or directory"));
}

TEST(ErrorThatMatters, NothingToFind) {
  EXPECT_EQ(ErrorThatMatters(""), "");
  EXPECT_EQ(ErrorThatMatters("LogType:stderr\nLogContents:\n"), "");
}

}  // namespace
}  // namespace trommel::mr
