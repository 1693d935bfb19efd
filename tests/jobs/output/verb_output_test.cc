#include "jobs/output/verb_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::output {
namespace {

class PressVerb final : public cli::Verb {
 public:
  explicit PressVerb(std::string out)
      : Verb("press", "press apples\n\nMakes juice.\n\nExample:\n  press\n") {
    flags_.out = std::move(out);
  }
  void DefineFlags(cli::Flags* flags) override {
    flags_.Define(flags, "where to").Required();
    flags->Integer("apples", &apples_, "how many").Recorded();
  }
  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(VerbOutput output,
                             VerbOutput::Create(this, {"tree"}, flags_));
    TROMMEL_RETURN_IF_ERROR(output.WriteFile("juice", "sweet", 1));
    const io::Path folder = output.staging().Child("peel");
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(folder));
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(folder.Child("part"), "green"));
    output.List("peel", {{"part", 2, 5, "digest"}});
    if (throws_peel_away_) {
      TROMMEL_RETURN_IF_ERROR(output.RemoveFolder("peel"));
    }
    output.Record("weather", "fine");
    output.Count("bottles", 3);
    apples_ = 13;  // the manifest says what it was in the end
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return cli::Report();
  }
  void ThrowPeelAway() { throws_peel_away_ = true; }

 private:
  OutputFlags flags_;
  int64_t apples_ = 12;
  bool throws_peel_away_ = false;
};

nlohmann::json ManifestIn(const std::string& folder) {
  return nlohmann::json::parse(
      testing_support::ReadWholeFile(StrCat(folder, "/_SUCCESS")));
}

std::vector<std::string> FilesOf(const nlohmann::json& manifest) {
  std::vector<std::string> files;
  for (const auto& shard : manifest["shards"]) files.push_back(shard["file"]);
  return files;
}

TEST(VerbOutput, ManifestSaysWhatIsThere) {
  const testing_support::TempDir temp;
  PressVerb verb(temp / "out");
  ASSERT_TRUE(verb.Run().ok());
  const nlohmann::json manifest = ManifestIn(temp / "out");
  EXPECT_EQ(manifest["verb"], "press");
  EXPECT_EQ(manifest["inputs"], nlohmann::json({"tree"}));
  EXPECT_EQ(manifest["flags"],
            nlohmann::json({{"apples", "13"}, {"weather", "fine"}}));
  EXPECT_EQ(manifest["counts"], nlohmann::json({{"bottles", 3}}));
  EXPECT_THAT(FilesOf(manifest), testing::ElementsAre("juice", "peel/part"));
  EXPECT_EQ(verb.Run().status().code(), absl::StatusCode::kAlreadyExists);
}

TEST(VerbOutput, WhatIsRemovedIsNotListed) {
  const testing_support::TempDir temp;
  PressVerb verb(temp / "out");
  verb.ThrowPeelAway();
  ASSERT_TRUE(verb.Run().ok());
  EXPECT_THAT(FilesOf(ManifestIn(temp / "out")), testing::ElementsAre("juice"));
}

}  // namespace
}  // namespace trommel::jobs::output
