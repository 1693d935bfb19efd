// Rules and a rule store of the program as it was before rules held programs
// (tests/golden/rules_format1) are read by today's verbs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/rule/rule.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::rules {
namespace {

using nlohmann::json;
using testing_support::CommandResult;
using testing_support::ReadTable;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

constexpr char kUrl[] = "https://films.example/movie/7446/the-last-daughter/";
const std::string kGolden =
    StrCat(TROMMEL_SOURCE_DIR, "/tests/golden/rules_format1");

class FormerFormatTest : public testing::Test {
 protected:
  FormerFormatTest() {
    std::filesystem::copy(StrCat(kGolden, "/store"), temp_ / "store",
                          std::filesystem::copy_options::recursive);
    WriteCrawl(temp_ / "crawl",
               {{kUrl, ReadWholeFile(kGolden + "/page.html")}});
  }

  std::string Flag(const std::string& name, const std::string& file) const {
    return StrCat("--", name, "=", temp_ / file);
  }
  static json Run(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }

  TempDir temp_;
};

TEST_F(FormerFormatTest, ExtractsTheSameRecord) {
  Run({"extract", Flag("crawl", "crawl"), Flag("rules", "store/v000001"),
       Flag("out", "records")});
  const std::vector<TextRow> rows =
      ReadTable(temp_ / "records/records/schema=movie",
                {{"title", io::ColumnType::kBytes},
                 {"runtime", io::ColumnType::kBytes},
                 {"director", io::ColumnType::kBytesList}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("title"), "The Last Daughter");
  EXPECT_EQ(rows[0].at("runtime"), "147 min");
  EXPECT_EQ(rows[0].at("director"), "[Grimsby, Rachel]");
}

// Records, and a store's memory of what was learnt, go by these ids.
TEST_F(FormerFormatTest, RulesKeepTheirIds) {
  const auto rules =
      rule::DecodeRules(ReadWholeFile(temp_ / "store/v000001/rules.binpb"));
  ASSERT_TRUE(rules.ok()) << rules.status();
  ASSERT_EQ(rules->rule_size(), 1);
  EXPECT_EQ(rule::RuleId(rules->rule(0)), "595111503dda9fbf@cd871c0ee4ed");
  EXPECT_THAT(ReadWholeFile(temp_ / "store/v000001/version.json"),
              testing::HasSubstr(rule::RuleId(rules->rule(0))));
}

TEST_F(FormerFormatTest, BellwethersStillWatch) {
  const json report = Run({"monitor", Flag("crawl", "crawl"),
                           Flag("rules", "store/v000001"), Flag("out", "out")});
  EXPECT_EQ(report["bellwethers"]["present"], 1);
  EXPECT_EQ(report["bellwethers"]["failed"], 0);
}

TEST_F(FormerFormatTest, TheStoreGoesOn) {
  const json list = Run({"rules", "list", Flag("store", "store")});
  EXPECT_EQ(list["current"], "v000001");
  // The same rules in today's format are no change. (learn wrote them anew.)
  const auto rules =
      rule::DecodeRules(ReadWholeFile(temp_ / "store/v000001/rules.binpb"));
  ASSERT_TRUE(rules.ok()) << rules.status();
  std::filesystem::copy(temp_ / "store/v000001", temp_ / "learnt");
  // The manifest is that of the file of then.
  std::filesystem::remove(temp_ / "learnt/_SUCCESS");
  std::filesystem::remove(temp_ / "learnt/rules.binpb");
  WriteWholeFile(temp_ / "learnt/rules.binpb", rule::EncodeRules(*rules));
  Run({"rules", "publish", Flag("store", "store"), "--date=2026-01-02",
       StrCat("--learnt=later=", temp_ / "learnt")});
  EXPECT_EQ(Run({"rules", "list", Flag("store", "store")})["current"],
            "v000001");
}

}  // namespace
}  // namespace trommel::jobs::rules
