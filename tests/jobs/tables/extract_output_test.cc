#include "jobs/tables/extract_output.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_replace.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::tables {
namespace {

using testing_support::TempDir;

TEST(ExtractOutput, TablesBesideRecords) {
  struct Case {
    const char* records;
    const char* rejects;
  };
  const Case cases[] = {
      {"records", "rejects"},
      {"a/records/", "a/rejects"},
      {"/records", "/rejects"},
      {"/a/films", "/a/films-rejects"},
      {"hdfs://h:1/a/records", "hdfs://h:1/a/rejects"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(BesideRecords(c.records, kRejectsFolder), c.rejects);
  }
}

TEST(ExtractOutput, FoundInEitherLayout) {
  struct Case {
    const char* folder;  // that exists
    const char* given;
    const char* records;  // that are found
    const char* rejects;
  };
  const Case cases[] = {
      {"a/records", "a", "a/records", "a/rejects"},
      {"b/records", "b/records", "b/records", "b/rejects"},
      {"c/records/schema=s", "c/records/schema=s", "c/records/schema=s",
       "c/rejects"},
      {"d/_rejects", "d", "d", "d/_rejects"},
      {"e/records/date=1/schema=s", "e/records/date=1", "e/records/date=1",
       "e/rejects/date=1"},
      // A night that a former version left.
      {"f/records/date=1/_rejects", "f/records/date=1", "f/records/date=1",
       "f/records/date=1/_rejects"},
      {"g/films/date=1", "g/films", "g/films", "g/films-rejects"},
      // Rejects alone are no records.
      {"h/rejects", "h", "h/records", "h/rejects"},
      {"i", "i/none", "i/none", "i/none-rejects"},
  };
  const TempDir temp;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.given);
    std::filesystem::create_directories(temp / c.folder);
    const auto output = FindExtractOutput(*io::ResolvePath(temp / c.given));
    ASSERT_TRUE(output.ok()) << output.status();
    EXPECT_EQ(output->records.path, temp / c.records);
    EXPECT_EQ(output->rejects.path, temp / c.rejects);
    EXPECT_EQ(output->figures.path,
              temp / absl::StrReplaceAll(c.rejects, {{"rejects", "figures"}}));
  }
}

}  // namespace
}  // namespace trommel::jobs::tables
