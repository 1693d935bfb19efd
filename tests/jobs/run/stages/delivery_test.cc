#include "jobs/run/stages/delivery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/run/scheduling/stage_state.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::stages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

constexpr char kDate[] = "2026-01-01";

class DeliveryTest : public testing::Test {
 protected:
  DeliveryTest() : layout_(MakePipeline()) {}

  proto::Pipeline MakePipeline() const {
    proto::Pipeline pipeline;
    pipeline.set_records(temp_ / "records");
    pipeline.set_rejects(temp_ / "rejects");
    pipeline.set_figures(temp_ / "figures");
    return pipeline;
  }

  // Writes a finished output of these files, which each say their own name and
  // `content`.
  void WriteOutput(const std::string& folder,
                   const std::vector<std::string>& files,
                   const std::string& content = "") const {
    io::Manifest manifest;
    manifest.verb = "extract";
    manifest.counts = {{"records.written", 7}};
    for (const std::string& file : files) {
      const std::string bytes = StrCat(file, content);
      WriteWholeFile(StrCat(folder, "/", file), bytes);
      manifest.shards.push_back(
          {file, 1, static_cast<int64_t>(bytes.size()), "digest"});
    }
    ASSERT_TRUE(io::WriteManifest(*io::ResolvePath(folder), manifest).ok());
  }
  void WriteExtracted(const std::string& content = "") const {
    WriteOutput(layout_.Extracted(kDate),
                {"records/schema=movie/part-0.parquet",
                 "records/schema=book/part-0.parquet", "rejects/part-0.parquet",
                 "figures/part-0.parquet"},
                content);
  }
  // Writes a night as former versions left it.
  void WriteFormerNight() const {
    WriteOutput(layout_.Records(kDate),
                {"schema=movie/part-0.parquet", "_rejects/part-0.parquet",
                 "_figures/part-0.parquet"});
    scheduling::StageState state;
    state.version = "1";
    state.output = *scheduling::DigestOfOutput(layout_.Records(kDate));
    ASSERT_TRUE(
        scheduling::WriteStageState(layout_.Records(kDate), state).ok());
  }

  // The files below a folder, by their paths in it.
  std::vector<std::string> Files(const std::string& folder) const {
    std::vector<std::string> files;
    const std::filesystem::path top = temp_ / folder;
    if (!std::filesystem::exists(top)) return files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(top)) {
      if (entry.is_regular_file()) {
        files.push_back(std::filesystem::relative(entry.path(), top));
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  // The files that the manifest of a folder lists.
  std::vector<std::string> Listed(const std::string& folder) const {
    const auto manifest = io::Manifest::FromJson(
        ReadWholeFile(StrCat(temp_ / folder, "/_SUCCESS")));
    EXPECT_TRUE(manifest.ok() && manifest->has_value()) << folder;
    std::vector<std::string> files;
    for (const io::ShardInfo& shard : (*manifest)->shards) {
      files.push_back(shard.file);
    }
    return files;
  }
  void ExpectAdopted() const {
    EXPECT_THAT(Files("records"),
                ElementsAre("date=2026-01-01/_SUCCESS",
                            "date=2026-01-01/schema=movie/part-0.parquet"));
    EXPECT_THAT(Listed("records/date=2026-01-01"),
                ElementsAre("schema=movie/part-0.parquet"));
    for (const char* const table : {"rejects", "figures"}) {
      EXPECT_THAT(Files(table), ElementsAre("date=2026-01-01/_SUCCESS",
                                            "date=2026-01-01/part-0.parquet"));
      EXPECT_THAT(Listed(StrCat(table, "/date=2026-01-01")),
                  ElementsAre("part-0.parquet"));
    }
    EXPECT_EQ(ReadWholeFile(temp_ / "rejects/date=2026-01-01/part-0.parquet"),
              "_rejects/part-0.parquet");
    EXPECT_THAT(Files("extract"), ElementsAre("_date=2026-01-01.stage.json"));
  }

  TempDir temp_;
  layout::Layout layout_;
};

TEST_F(DeliveryTest, TablesGetTheirPlacesAndManifests) {
  for (const char* const content : {"", " again"}) {
    WriteExtracted(content);
    const absl::Status status = DeliverNight(layout_, kDate);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_THAT(Files("records"),
                ElementsAre("date=2026-01-01/_SUCCESS",
                            "date=2026-01-01/schema=book/part-0.parquet",
                            "date=2026-01-01/schema=movie/part-0.parquet"));
    EXPECT_THAT(Files("rejects"),
                ElementsAre("date=2026-01-01/_SUCCESS",
                            "date=2026-01-01/part-0.parquet"));
    EXPECT_THAT(Files("figures"),
                ElementsAre("date=2026-01-01/_SUCCESS",
                            "date=2026-01-01/part-0.parquet"));
    EXPECT_THAT(Files("extract"), IsEmpty());
    EXPECT_EQ(ReadWholeFile(temp_ / "rejects/date=2026-01-01/part-0.parquet"),
              StrCat("rejects/part-0.parquet", content));
    EXPECT_THAT(Listed("records/date=2026-01-01"),
                ElementsAre("schema=movie/part-0.parquet",
                            "schema=book/part-0.parquet"));
  }
}

TEST_F(DeliveryTest, NightWithoutRules) {
  WriteOutput(layout_.Extracted(kDate),
              {"rejects/part-0.parquet", "figures/part-0.parquet"});
  const absl::Status status = DeliverNight(layout_, kDate);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(Files("records"), ElementsAre("date=2026-01-01/_SUCCESS"));
  EXPECT_THAT(Files("rejects"), ElementsAre("date=2026-01-01/_SUCCESS",
                                            "date=2026-01-01/part-0.parquet"));
}

TEST_F(DeliveryTest, NothingElseIsReplaced) {
  WriteExtracted();
  WriteWholeFile(temp_ / "records/date=2026-01-01/mine", "x");
  const absl::Status status = DeliverNight(layout_, kDate);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("is not an output of trommel"));
  EXPECT_EQ(ReadWholeFile(temp_ / "records/date=2026-01-01/mine"), "x");
}

TEST_F(DeliveryTest, NightOfAFormerVersion) {
  WriteFormerNight();
  const absl::StatusOr<int> nights = AdoptFormerNights(layout_);
  ASSERT_TRUE(nights.ok()) << nights.status();
  EXPECT_EQ(*nights, 1);
  ExpectAdopted();
  // The stage finds that nothing has changed.
  const auto state = scheduling::ReadStageState(layout_.Extracted(kDate));
  ASSERT_TRUE(state.ok() && state->has_value());
  EXPECT_EQ((*state)->output,
            *scheduling::DigestOfOutput(layout_.Records(kDate)));
  EXPECT_EQ(*AdoptFormerNights(layout_), 0);
}

TEST_F(DeliveryTest, AdoptionThatWasInterruptedIsFinished) {
  // All but the state was done.
  WriteFormerNight();
  const std::string state =
      ReadWholeFile(temp_ / "records/_date=2026-01-01.stage.json");
  ASSERT_TRUE(AdoptFormerNights(layout_).ok());
  WriteWholeFile(temp_ / "records/_date=2026-01-01.stage.json", state);
  ASSERT_TRUE(AdoptFormerNights(layout_).ok());
  ExpectAdopted();
  // One was copied and not removed.
  WriteFormerNight();
  const absl::StatusOr<int> nights = AdoptFormerNights(layout_);
  ASSERT_TRUE(nights.ok()) << nights.status();
  ExpectAdopted();
  // One that differs is not taken for a copy.
  WriteFormerNight();
  WriteWholeFile(temp_ / "rejects/date=2026-01-01/_SUCCESS", "{}");
  EXPECT_THAT(std::string(AdoptFormerNights(layout_).status().message()),
              HasSubstr("rejects/date=2026-01-01 is there"));
  EXPECT_EQ(ReadWholeFile(temp_ / "records/date=2026-01-01/_rejects/"
                                  "part-0.parquet"),
            "_rejects/part-0.parquet");
}

TEST_F(DeliveryTest, NothingToAdopt) {
  EXPECT_EQ(*AdoptFormerNights(layout_), 0);
  WriteWholeFile(temp_ / "records/_date=mine.txt", "x");
  EXPECT_EQ(*AdoptFormerNights(layout_), 0);
  EXPECT_EQ(ReadWholeFile(temp_ / "records/_date=mine.txt"), "x");
}

}  // namespace
}  // namespace trommel::jobs::run::stages
