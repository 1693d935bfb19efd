#include "jobs/cli/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace trommel::jobs::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// A setting of each kind.
struct PressSettings {
  std::string out;
  std::vector<std::string> from;
  std::set<std::string, std::less<>> sites;
  int64_t apples = 12;
  double share = 0.5;
  bool wash = true;
  std::string press = "screw";

  bool operator==(const PressSettings&) const = default;

  void Define(Flags* flags) {
    flags->Text("out", &out, "where to");
    flags->Texts("from", &from, "which tree").Recorded();
    flags->Texts("sites", &sites, "which garden");
    flags->Integer("apples", &apples, "how many").Between(1, 99).Recorded();
    flags->Number("share", &share, "of each").Recorded(apples > 1);
    flags->Bool("wash", &wash, "before").Recorded();
    flags->Choice("press", &press, {"screw", "water"}, "what with");
  }
};

class FakeTask final : public mr::TaskContext {
 public:
  explicit FakeTask(std::map<std::string, std::string> config)
      : config_(std::move(config)) {}

  absl::StatusOr<std::string> Config(std::string_view name) const override {
    const auto found = config_.find(std::string(name));
    if (found != config_.end()) return found->second;
    return absl::NotFoundError(StrCat("no setting ", name));
  }
  absl::StatusOr<std::string> SideDataPath(std::string_view) const override {
    return absl::UnimplementedError("");
  }

 private:
  std::map<std::string, std::string> config_;
};

TEST(Settings, ReachTheTaskAsTheyWere) {
  PressSettings other;
  other.out = "a \"place\"\nof two lines";
  other.from = {"young", "old"};
  other.sites = {"north", "south"};
  other.apples = 99;
  other.share = 0.123456789;
  other.wash = false;
  other.press = "water";
  for (const PressSettings& settings : {PressSettings(), other}) {
    mr::StepSpec spec;
    AddSettings(settings, &spec);
    const auto read = ReadSettings<PressSettings>(FakeTask(spec.config));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, settings);
  }
}

struct BadCase {
  std::string label;
  std::string name;
  std::string value;
};

TEST(Settings, ErrorsNameTheSetting) {
  for (const BadCase& bad :
       {BadCase{"no integer", "apples", "many"},
        BadCase{"out of bounds", "apples", "100"},
        BadCase{"no number", "share", ""}, BadCase{"no bool", "wash", "maybe"},
        BadCase{"no choice", "press", "feet"}}) {
    SCOPED_TRACE(bad.label);
    mr::StepSpec spec;
    AddSettings(PressSettings(), &spec);
    spec.config[bad.name] = bad.value;
    const absl::Status status =
        ReadSettings<PressSettings>(FakeTask(spec.config)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(status.message()),
              StrCat(bad.name, " is \"", bad.value, "\""));
  }
  EXPECT_EQ(ReadSettings<PressSettings>(FakeTask({})).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(Settings, ManifestsSayThoseThatAreRecorded) {
  PressSettings settings;
  settings.from = {"young", "old"};
  Flags flags;
  settings.Define(&flags);
  EXPECT_THAT(RecordedFlags(flags),
              ElementsAre(Pair("from", "young,old"), Pair("apples", "12"),
                          Pair("share", "0.5"), Pair("wash", "true")));
  EXPECT_THAT(RecordedFlags(Flags()), IsEmpty());
}

}  // namespace
}  // namespace trommel::jobs::cli
