#include "mapreduce/shuffle/run_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/testing/pairs.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using testing::HasSubstr;
using testing_support::PairList;
using testing_support::ReadPairs;
using testing_support::TempDir;

absl::StatusOr<Run> WriteRun(const std::string& path,
                             const std::vector<PairList>& sections) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<RunWriter> writer,
                           RunWriter::Create(path));
  for (const PairList& section : sections) {
    for (const auto& [key, value] : section) {
      TROMMEL_RETURN_IF_ERROR(writer->sink()->Append({key, value}));
    }
    writer->EndSection();
  }
  return writer->Close();
}

TEST(RunFile, SectionsComeBackInAnyOrder) {
  const TempDir dir;
  const std::vector<PairList> sections = {
      {}, {{"a", "1"}, {"b", "2"}}, {}, {{"", ""}}, {}};
  const auto run = WriteRun(dir / "run", sections);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->path, dir / "run");
  ASSERT_EQ(run->section_ends.size(), sections.size());
  EXPECT_EQ(run->section_ends.back(),
            static_cast<int64_t>(std::filesystem::file_size(run->path)));
  for (size_t i = sections.size(); i-- > 0;) {
    const auto section = RunSection::Open(*run, i, 1024);
    ASSERT_TRUE(section.ok()) << section.status();
    const auto pairs = ReadPairs(section->get());
    ASSERT_TRUE(pairs.ok()) << pairs.status();
    EXPECT_EQ(*pairs, sections[i]) << i;
  }
}

TEST(RunFile, AbandonedRunIsRemoved) {
  const TempDir dir;
  {
    const auto writer = RunWriter::Create(dir / "run");
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_TRUE((*writer)->sink()->Append({"key", "value"}).ok());
    (*writer)->EndSection();
    EXPECT_TRUE(std::filesystem::exists(dir / "run"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(RunFile, ErrorsNameTheFile) {
  const TempDir dir;
  const auto writer = RunWriter::Create(dir / "absent/run");
  EXPECT_EQ(writer.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(writer.status().message()),
              HasSubstr(dir / "absent/run"));
  const auto section = RunSection::Open({dir / "run", {10}}, 0, 1024);
  EXPECT_EQ(section.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(section.status().message()), HasSubstr(dir / "run"));
}

TEST(RunFile, FullDiskIsAnErrorAndLeavesNothing) {
  const TempDir dir;
  // Through a link: the writer removes its path, which must not be the device.
  std::filesystem::create_symlink("/dev/full", dir / "run");
  {
    const auto writer = RunWriter::Create(dir / "run");
    ASSERT_TRUE(writer.ok()) << writer.status();
    const std::string value(2 << 20, 'x');
    const absl::Status status = (*writer)->sink()->Append({"key", value});
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(status.message()), HasSubstr(dir / "run"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

}  // namespace
}  // namespace trommel::mr
