#include "jobs/monitor/drift_step.h"

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "tests/jobs/monitor/monitor_web.h"
#include "tests/testing/former_layout.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::monitor_job {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::GiveFormerLayout;
using testing_support::MonitorTest;
using testing_support::Page;
using testing_support::ProductHtml;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TextRow;
using testing_support::Url;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

class DriftOfRecordsTest : public MonitorTest {
 protected:
  // Records of a day on which a page has a price if `has_price`.
  void MakeRecords(const std::string& name, const std::string& rules,
                   const std::function<bool(int)>& has_price) {
    std::vector<Page> pages;
    for (int i = 0; i < 200; ++i) {
      std::string html = ProductHtml({}, i);
      if (!has_price(i)) {
        html.replace(html.find("class=price"), 11, "class=other");
      }
      pages.push_back({Url("a.example", i), html});
    }
    WriteCrawl(temp_ / (name + "-crawl"), pages);
    const CommandResult result =
        RunTrommel({"extract", Flag("crawl", name + "-crawl"),
                    Flag("rules", rules), Flag("out", name)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  json Compare(const std::string& before, const std::string& after) const {
    return Monitor({Flag("crawl", "day1"), Flag("out", "out"), "--force",
                    Flag("records-before", before),
                    Flag("records-after", after)});
  }
  TextRow RowOf(const std::string& attribute) const {
    for (const TextRow& row : Drift("out")) {
      if (row.at("attribute") == attribute) return row;
    }
    return {};
  }
};

TEST_F(DriftOfRecordsTest, FillRate) {
  MakeRules({"a.example"});
  MakeRecords("all", "rules", [](int) { return true; });
  MakeRecords("some", "rules", [](int i) { return i % 2 == 0; });
  json report = Compare("all", "some");
  EXPECT_EQ(report["attributes"],
            (json{{"fine", 1}, {"drifted", 1}, {"unknown", 0}}));
  EXPECT_EQ(RowOf("price").at("reasons"), "[filled: 100% before, 50% after]");
  EXPECT_EQ(RowOf("price").at("filled_after"), "100");
  EXPECT_EQ(RowOf("name").at("state"), "fine");
  EXPECT_THAT(ReadWholeFile(temp_ / "out/report.html"),
              HasSubstr("filled: 100% before, 50% after"));

  // The records themselves, and those of a former version.
  EXPECT_EQ(Compare("all/records", "some/records")["attributes"],
            report["attributes"]);
  GiveFormerLayout(temp_ / "all");
  EXPECT_EQ(Compare("all", "some")["attributes"], report["attributes"]);

  report = Compare("all", "all");
  EXPECT_EQ(report["attributes"]["drifted"], 0);
  EXPECT_THAT(ReadWholeFile(temp_ / "out/report.html"),
              HasSubstr("None of 2 attributes drifted"));
}

TEST_F(DriftOfRecordsTest, SitesAndSchemasOfOneDayAreUnknown) {
  MakeRules({"a.example"});
  MakeRecords("shop", "rules", [](int) { return true; });
  proto::RuleSet other = rules_;
  other.mutable_rule(0)->mutable_schema()->set_name("other");
  WriteWholeFile(temp_ / "other-rules/rules.binpb", rule::EncodeRules(other));
  MakeRecords("other", "other-rules", [](int) { return true; });
  const json report = Compare("shop", "other");
  EXPECT_EQ(report["attributes"],
            (json{{"fine", 0}, {"drifted", 0}, {"unknown", 4}}));
  EXPECT_THAT(report["notes"].dump(),
              AllOf(HasSubstr("only the records before have the schema shop"),
                    HasSubstr("only the records after have the schema other"),
                    HasSubstr("no rule is for the schema other")));
}

// An attribute that the later schema lacks is filled no more.
TEST_F(DriftOfRecordsTest, AttributeThatGoesAway) {
  MakeRules({"a.example"});
  MakeRecords("both", "rules", [](int) { return true; });
  proto::RuleSet fewer = rules_;
  fewer.mutable_rule(0)->mutable_schema()->mutable_attribute()->RemoveLast();
  fewer.mutable_rule(0)
      ->mutable_program()
      ->mutable_fields()
      ->mutable_attribute()
      ->RemoveLast();
  WriteWholeFile(temp_ / "fewer-rules/rules.binpb", rule::EncodeRules(fewer));
  MakeRecords("name-only", "fewer-rules", [](int) { return true; });
  Compare("both", "name-only");
  EXPECT_EQ(RowOf("price").at("reasons"), "[filled: 100% before, 0% after]");
}

// Columns that somebody added to the records are no attributes.
TEST_F(DriftOfRecordsTest, ColumnsOfOnesOwn) {
  MakeRules({"a.example"});
  auto writer = io::RowWriter::Create(
      *io::ResolvePath(temp_ / "own/schema=shop"),
      arrow::schema({arrow::field("url", arrow::utf8()),
                     arrow::field("site", arrow::utf8()),
                     arrow::field("score", arrow::int64()),
                     arrow::field("a,b", arrow::utf8()),
                     arrow::field("marked*", arrow::utf8()),
                     arrow::field("name", arrow::utf8())}),
      {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  for (int i = 0; i < 10; ++i) {
    (*writer)
        ->Text(Url("a.example", i))
        .Text("a.example")
        .Int64(i)
        .Text("x")
        .Text("y")
        .Text("Lamp");
    ASSERT_TRUE((*writer)->EndRow().ok());
  }
  ASSERT_TRUE((*writer)->Close().ok());
  EXPECT_EQ(Compare("own", "own")["attributes"],
            (json{{"fine", 1}, {"drifted", 0}, {"unknown", 0}}));
  EXPECT_EQ(RowOf("name").at("state"), "fine");
}

TEST_F(DriftOfRecordsTest, BadFlags) {
  MakeRules({"a.example"});
  MakeRecords("all", "rules", [](int) { return true; });
  const std::vector<std::string> common = {
      Flag("crawl", "day1"), Flag("rules", "rules"), Flag("out", "out")};
  const auto with = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(), common.begin(), common.end());
    return flags;
  };
  EXPECT_THAT(Failure(with({Flag("records-before", "all")}), 2),
              HasSubstr("--records-before needs --records-after"));
  EXPECT_THAT(Failure(with({Flag("records-after", "all")}), 2),
              HasSubstr("--records-after needs --records-before"));
  EXPECT_THAT(Failure(with({Flag("records-before", "all"),
                            Flag("records-after", "none")})),
              HasSubstr("none does not exist"));
  EXPECT_THAT(Failure(with({Flag("records-before", "all"),
                            Flag("records-after", "day1")})),
              HasSubstr("has no folder schema=NAME"));
  EXPECT_THAT(Failure({Flag("crawl", "nowhere"), Flag("rules", "rules"),
                       Flag("out", "out")}),
              HasSubstr("nowhere"));
  EXPECT_THAT(Failure({Flag("crawl", "day1"), Flag("rules", "day1"),
                       Flag("out", "out")}),
              HasSubstr("has no rules.binpb"));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "out"));
}

}  // namespace
}  // namespace trommel::jobs::monitor_job
