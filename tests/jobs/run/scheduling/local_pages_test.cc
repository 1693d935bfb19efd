#include "jobs/run/scheduling/local_pages.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/run/layout/layout.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::scheduling {
namespace {

using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

layout::Layout LayoutOf(const std::string& work, const std::string& engine) {
  proto::Pipeline pipeline;
  pipeline.set_work(work);
  pipeline.set_reports("/reports");
  pipeline.mutable_engine()->set_engine(engine);
  return layout::Layout(std::move(pipeline));
}

TEST(LocalPagesTest, CopiesWhatPeopleOpenAndNothingElse) {
  const TempDir temp;
  const std::string output = temp / "output";
  std::filesystem::create_directories(output + "/annotate");
  std::filesystem::create_directories(output + "/samples");
  WriteWholeFile(output + "/annotate.html", "index");
  WriteWholeFile(output + "/annotate/a.example.html", "a");
  WriteWholeFile(output + "/samples/part-0.parquet", "rows");
  WriteWholeFile(output + "/_SUCCESS", "{}");
  // A second time replaces the first.
  for (const std::string text : {"old", "new"}) {
    WriteWholeFile(output + "/report.html", text);
    const absl::Status status = CopyPages(output, temp / "reports/d/sample");
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(ReadWholeFile(temp / "reports/d/sample/report.html"), text);
  }
  EXPECT_EQ(ReadWholeFile(temp / "reports/d/sample/annotate.html"), "index");
  EXPECT_EQ(ReadWholeFile(temp / "reports/d/sample/annotate/a.example.html"),
            "a");
  EXPECT_FALSE(std::filesystem::exists(temp / "reports/d/sample/samples"));
  EXPECT_FALSE(std::filesystem::exists(temp / "reports/d/sample/_SUCCESS"));
}

TEST(LocalPagesTest, OutputWithoutPagesLeavesNoFolder) {
  const TempDir temp;
  std::filesystem::create_directories(temp / "output");
  ASSERT_TRUE(CopyPages(temp / "output", temp / "pages").ok());
  EXPECT_FALSE(std::filesystem::exists(temp / "pages"));
}

TEST(LocalPagesTest, PeopleOpenLocalOutputsThemselves) {
  const layout::Layout layout = LayoutOf("/work", "local");
  EXPECT_EQ(layout.SamplePages("movie", "2026-01-01"),
            layout.Samples("movie", "2026-01-01"));
  EXPECT_EQ(layout.Coverage("2026-01-01"), "/reports/day=2026-01-01/coverage");
}

TEST(LocalPagesTest, OutputsOnHdfsHaveCopiesAmongTheReports) {
  const layout::Layout layout = LayoutOf("hdfs://h:1/work", "hadoop");
  EXPECT_EQ(layout.SamplePages("movie", "2026-01-01"),
            "/reports/day=2026-01-01/sample-movie");
  EXPECT_EQ(layout.LearntPages("movie", "2026-01-01"),
            "/reports/day=2026-01-01/learn-movie");
  EXPECT_EQ(layout.Coverage("2026-01-01"),
            "hdfs://h:1/work/day=2026-01-01/coverage");
  EXPECT_EQ(
      layout.Pages(layout.Coverage("2026-01-01"), "2026-01-01", "coverage"),
      "/reports/day=2026-01-01/coverage");
}

}  // namespace
}  // namespace trommel::jobs::run::scheduling
