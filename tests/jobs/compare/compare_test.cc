#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/tables/figures_table.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "tests/jobs/monitor/monitor_web.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

// Nights of two shops, from pages to what is different.

namespace trommel::jobs::compare {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::ArticleHtml;
using testing_support::CommandResult;
using testing_support::Design;
using testing_support::MonitorTest;
using testing_support::Page;
using testing_support::ProductHtml;
using testing_support::ReadTable;
using testing_support::RunTrommel;
using testing_support::TextRow;
using testing_support::Url;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

constexpr int kPages = 60;

// How a shop is on a night.
struct Shop {
  std::string site;
  int products = kPages;
  std::function<bool(int)> has_price = [](int) { return true; };
  std::function<bool(int)> is_product = [](int) { return true; };
  std::string name_prefix = "Gadget ";
};

const std::vector<io::ColumnRequest>& Columns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"date", io::ColumnType::kBytes},
      {"site", io::ColumnType::kBytes},
      {"schema", io::ColumnType::kBytes},
      {"rule_id", io::ColumnType::kBytes},
      {"attribute", io::ColumnType::kBytes},
      {"state", io::ColumnType::kBytes},
      {"pages", io::ColumnType::kInt64},
      {"placed", io::ColumnType::kInt64},
      {"refused", io::ColumnType::kInt64},
      {"records", io::ColumnType::kInt64},
      {"filled", io::ColumnType::kInt64},
      {"values", io::ColumnType::kInt64},
      {"shapes", io::ColumnType::kBytes},
      {"lengths", io::ColumnType::kInt64List},
      {"compared", io::ColumnType::kInt64},
      {"changed", io::ColumnType::kInt64},
      {"lost", io::ColumnType::kInt64},
      {"gained", io::ColumnType::kInt64},
      {"still_blank", io::ColumnType::kInt64},
      {"example_urls", io::ColumnType::kBytesList},
      {"found", io::ColumnType::kBytesList},
      {"baseline_days", io::ColumnType::kInt64},
      {"sample", io::ColumnType::kBytes},
      {"histograms", io::ColumnType::kBytes}};
  return *columns;
}

class CompareTest : public MonitorTest {
 protected:
  CompareTest() { MakeRules({"a.example", "b.example"}); }

  // The pages of a night, extracted into night-NUMBER.
  void Extract(int number, const std::vector<Shop>& shops) {
    std::vector<Page> pages;
    for (const Shop& shop : shops) {
      for (int i = 0; i < shop.products; ++i) {
        Design design;
        design.day = number + 1;  // a day more, a hundred more
        design.name_prefix = shop.name_prefix;
        std::string html =
            shop.is_product(i) ? ProductHtml(design, i) : ArticleHtml(i);
        if (!shop.has_price(i) && shop.is_product(i)) {
          html.replace(html.find("class=price"), 11, "class=other");
        }
        pages.push_back({Url(shop.site, i), html});
      }
    }
    WriteCrawl(temp_ / Name("crawl", number), pages);
    const CommandResult result = RunTrommel(
        {"extract", Flag("crawl", Name("crawl", number)),
         Flag("rules", "rules"), Flag("out", Name("night", number))});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  static std::string Name(const std::string& what, int number) {
    return StrCat(what, "-", number);
  }
  static std::string Date(int number) {
    return StrCat("2026-01-", 10 + number);
  }

  std::vector<std::string> Arguments(int number) const {
    std::vector<std::string> arguments = {
        "compare", StrCat("--date=", Date(number)),
        Flag("extracted", Name("night", number))};
    for (int before = number - 1; before >= 0; --before) {
      arguments.push_back(Flag("before", Name("deliveries", before)));
    }
    return arguments;
  }

  // Compares a night with all before.
  json Compare(int number, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = Arguments(number);
    arguments.insert(arguments.end(),
                     {"--json", Flag("out", Name("deliveries", number))});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }

  // Nights on which nothing happens.
  void UsualNights(int nights) {
    for (int i = 0; i < nights; ++i) {
      Extract(i, {{"a.example"}, {"b.example"}});
      const json summary = Compare(i);
      EXPECT_EQ(summary["findings"], json::array()) << "night " << i;
    }
  }

  std::vector<TextRow> Rows(const std::string& out) const {
    return ReadTable(temp_ / out, Columns());
  }
  TextRow RowOf(const std::string& out, const std::string& site,
                const std::string& attribute) const {
    for (const TextRow& row : Rows(out)) {
      if (row.at("site") == site && row.at("attribute") == attribute &&
          row.at("rule_id") == "null") {
        return row;
      }
    }
    ADD_FAILURE() << site << " has no row of " << attribute;
    return {};
  }
};

TEST_F(CompareTest, WhatIsDifferentIsFoundTheSameNight) {
  UsualNights(4);
  // A row for each site, rule, attribute, and attribute of a rule.
  EXPECT_EQ(Rows("deliveries-3").size(), 2u * (1 + 1 + 2 + 2));
  const TextRow usual = RowOf("deliveries-3", "a.example", "null");
  EXPECT_EQ(usual.at("date"), "2026-01-13");
  EXPECT_EQ(usual.at("state"), "good");
  EXPECT_EQ(usual.at("pages"), "60");
  EXPECT_EQ(usual.at("placed"), "60");
  EXPECT_EQ(usual.at("records"), "60");
  EXPECT_EQ(usual.at("filled"), "null");
  EXPECT_EQ(usual.at("compared"), "60");
  EXPECT_EQ(usual.at("baseline_days"), "3");
  EXPECT_THAT(usual.at("example_urls"), HasSubstr("http://a.example/p/"));
  const TextRow price = RowOf("deliveries-3", "a.example", "price");
  EXPECT_EQ(price.at("schema"), "shop");
  EXPECT_EQ(price.at("filled"), "60");
  EXPECT_EQ(price.at("shapes"), "$9$9 100%");
  EXPECT_EQ(price.at("lengths"), "[7, 7, 7]");
  EXPECT_EQ(price.at("changed"), "60");  // every price, every day

  Shop fewer_prices{"a.example"};
  fewer_prices.has_price = [](int i) { return i % 10 != 0; };
  Extract(4, {fewer_prices});
  const json summary = Compare(4);
  EXPECT_EQ(summary["records"], 60);
  EXPECT_EQ(summary["usual_records"], 120);
  EXPECT_EQ(summary["sites"],
            (json{{"good", 1}, {"blocked", 0}, {"missing", 1}}));
  ASSERT_EQ(summary["findings"].size(), 2u) << summary;
  const json& missing = summary["findings"][0];
  EXPECT_EQ(missing["kind"], "site_missing");
  EXPECT_EQ(missing["site"], "b.example");
  EXPECT_EQ(missing["before"], 60);
  EXPECT_EQ(missing["example_urls"].size(), 3u);
  const json& fill = summary["findings"][1];
  EXPECT_EQ(fill["kind"], "fill_drop");
  EXPECT_EQ(fill["severity"], "critical");
  EXPECT_EQ(fill["site"], "a.example");
  EXPECT_EQ(fill["schema"], "shop");
  EXPECT_EQ(fill["attribute"], "price");
  EXPECT_EQ(fill["before"], 1);
  EXPECT_EQ(fill["after"], 0.9);
  EXPECT_EQ(fill["message"],
            "a.example, price: filled in 90% of 60 records, usually in "
            "100%; 6 of 60 records looked at again lost the value");
  ASSERT_EQ(fill["example_urls"].size(), 3u);
  for (const json& url : fill["example_urls"]) {
    EXPECT_THAT(url.get<std::string>(), testing::EndsWith("0"));
  }
  EXPECT_EQ(RowOf("deliveries-4", "b.example", "null").at("state"), "missing");
  EXPECT_EQ(RowOf("deliveries-4", "a.example", "price").at("found"),
            "[fill_drop]");

  // The text.
  std::vector<std::string> arguments = Arguments(4);
  arguments.push_back(Flag("out", "again"));
  const CommandResult text = RunTrommel(arguments);
  EXPECT_THAT(text.out,
              AllOf(HasSubstr("60 records, 50.0% of the usual 120; 1 site "
                              "missing\n"),
                    HasSubstr("critical site_missing: b.example: no page came"),
                    HasSubstr("critical fill_drop: a.example, price: ")));

  // It goes on until it is made good.
  Extract(5, {fewer_prices, {"b.example"}});
  const json still = Compare(5);
  ASSERT_EQ(still["findings"].size(), 1u) << still;
  EXPECT_EQ(still["findings"][0]["kind"], "fill_drop");
  Extract(6, {{"a.example"}, {"b.example"}});
  EXPECT_EQ(Compare(6)["findings"], json::array());
}

TEST_F(CompareTest, RecordsAndValues) {
  UsualNights(4);
  Shop half{"a.example"};
  half.is_product = [](int i) { return i % 3 != 0; };
  Shop renamed{"b.example"};
  renamed.name_prefix = "Accept all cookies ";
  Extract(4, {half, renamed});
  const json summary = Compare(4);
  ASSERT_EQ(summary["findings"].size(), 2u) << summary;
  const json& drop = summary["findings"][0];
  EXPECT_EQ(drop["kind"], "records_drop");
  EXPECT_EQ(drop["site"], "a.example");
  EXPECT_EQ(drop["before"], 60);
  EXPECT_EQ(drop["after"], 40);
  EXPECT_EQ(drop["example_urls"].size(), 3u);
  const json& changed = summary["findings"][1];
  EXPECT_EQ(changed["kind"], "values_changed");
  EXPECT_EQ(changed["severity"], "warning");
  EXPECT_EQ(changed["attribute"], "name");
  EXPECT_EQ(changed["example_urls"].size(), 3u);
}

// The page was there and met its rule; what it gave was not delivered.
TEST_F(CompareTest, DoubtfulPagesAreNotDelivered) {
  UsualNights(4);
  Extract(4, {{"a.example"}});
  tables::Figures figures;
  figures.Add("b.example", "b@1", tables::kMatchedEvent, 60);
  figures.Add("b.example", "b@1", tables::kRecordsEvent, 20);
  figures.Add("b.example", "b@1", tables::kExtractedEvent, 20);
  figures.Add("b.example", "b@1", "doubtful", 40);
  figures.Add("b.example", "b@1", tables::kDoubtfulRecordsEvent, 40);
  auto table = io::RowWriter::Create(*io::ResolvePath(temp_ / "doubtful"),
                                     tables::FiguresSchema(), {});
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_TRUE(figures.Write(table->get()).ok());
  ASSERT_TRUE((*table)->Close().ok());
  std::filesystem::copy(temp_ / "doubtful/part-00000.parquet",
                        temp_ / "night-4/figures/part-90000.parquet");
  const json summary = Compare(4);
  const TextRow row = RowOf("deliveries-4", "b.example", "null");
  EXPECT_EQ(row.at("pages"), "60");
  EXPECT_EQ(row.at("placed"), "60");
  EXPECT_EQ(row.at("refused"), "0");
  EXPECT_EQ(row.at("records"), "20");
  ASSERT_EQ(summary["findings"].size(), 1u) << summary;
  EXPECT_EQ(summary["findings"][0]["kind"], "records_drop");
  EXPECT_EQ(summary["findings"][0]["site"], "b.example");
  EXPECT_EQ(summary["findings"][0]["after"], 20);
}

TEST_F(CompareTest, NightsWithoutAnything) {
  UsualNights(3);
  // The crawl is empty.
  Extract(3, {});
  const json empty = Compare(3);
  EXPECT_EQ(empty["records"], 0);
  EXPECT_EQ(empty["sites"]["missing"], 2);
  EXPECT_EQ(empty["findings"].size(), 2u) << empty;
  // It is no day to compare with.
  Extract(4, {{"a.example"}, {"b.example"}});
  const json back = Compare(4);
  EXPECT_EQ(back["findings"], json::array());
  EXPECT_EQ(back["usual_records"], 120);
  EXPECT_EQ(RowOf("deliveries-4", "a.example", "null").at("baseline_days"),
            "3");

  // A first night, and one with nothing at all.
  std::vector<std::string> arguments = {
      "compare", "--date=2026-01-01", Flag("extracted", "night-0"),
      Flag("before", "deliveries-3"), Flag("out", "first")};
  EXPECT_EQ(RunTrommel(arguments).out,
            "120 records; there is no day before to compare with\n");
  arguments = {"compare", "--date=2026-01-01", Flag("extracted", "night-3"),
               Flag("out", "nothing")};
  EXPECT_EQ(RunTrommel(arguments).out,
            "0 records; there is no day before to compare with\n");
  EXPECT_TRUE(Rows("nothing").empty());

  // A site that is gone for good has rows for a month.
  Extract(5, {{"a.example"}});
  arguments = {"compare", "--json", Flag("extracted", "night-5"),
               Flag("before", "deliveries-0"), Flag("before", "deliveries-1")};
  for (const auto& [date, missing] :
       {std::pair("2026-02-10", 1), std::pair("2026-02-11", 0)}) {
    std::vector<std::string> one = arguments;
    one.insert(one.end(),
               {StrCat("--date=", date), Flag("out", StrCat("at-", date))});
    const CommandResult result = RunTrommel(one);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(json::parse(result.out)["sites"]["missing"], missing) << date;
  }
}

TEST_F(CompareTest, BlockedSites) {
  UsualNights(3);
  WriteWholeFile(temp_ / "blocked", "b.example\ta captcha\nother.example\tx\n");
  Shop few{"b.example"};
  few.products = 10;
  Extract(3, {{"a.example"}, few});
  const json summary = Compare(3, {Flag("blocked", "blocked")});
  ASSERT_EQ(summary["findings"].size(), 1u) << summary;
  EXPECT_EQ(summary["findings"][0]["kind"], "site_blocked");
  EXPECT_EQ(summary["findings"][0]["message"],
            "b.example: the site is behind a wall: a captcha; 10 records, "
            "usually 60");
  EXPECT_EQ(summary["sites"]["blocked"], 1);
  // Such a day does not become usual.
  Extract(4, {{"a.example"}, {"b.example"}});
  Compare(4);
  EXPECT_EQ(RowOf("deliveries-4", "b.example", "price").at("baseline_days"),
            "3");
}

TEST_F(CompareTest, SameRowsForAnyWorkersSplitsAndTables) {
  UsualNights(3);
  Shop fewer_prices{"a.example"};
  fewer_prices.has_price = [](int i) { return i % 5 != 0; };
  Extract(3, {fewer_prices, {"b.example", 20}});
  const json summary = Compare(3);
  const std::vector<TextRow> rows = Rows("deliveries-3");
  EXPECT_EQ(rows.size(), 12u);
  const std::vector<std::vector<std::string>> others = {
      {"--workers=1", "--reducers=1"},
      {"--workers=4", "--reducers=7", "--split-mb=1"},
      {"--sort-memory-mb=1"}};
  for (const std::vector<std::string>& flags : others) {
    // Days before in another order, and the tables one by one.
    std::vector<std::string> arguments = {"compare",
                                          "--json",
                                          "--force",
                                          StrCat("--date=", Date(3)),
                                          Flag("records", "night-3/records"),
                                          Flag("rejects", "night-3/rejects"),
                                          Flag("figures", "night-3/figures"),
                                          Flag("before", "deliveries-1"),
                                          Flag("before", "deliveries-0"),
                                          Flag("before", "deliveries-2"),
                                          Flag("out", "other")};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const CommandResult result = RunTrommel(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Rows("other"), rows);
    EXPECT_EQ(json::parse(result.out)["findings"], summary["findings"]);
  }
}

TEST_F(CompareTest, WrongFlags) {
  struct Case {
    std::vector<std::string> flags;
    const char* message;
  };
  const Case cases[] = {
      {{"--date=2026-1-5", "--extracted=x"}, "is not a date like 2026-01-31"},
      {{"--date=2026-01-05"}, "either --extracted is needed"},
      {{"--date=2026-01-05", "--records=x"}, "either --extracted is needed"},
      {{"--date=2026-01-05", "--extracted=x", "--figures=y"},
       "either --extracted is needed"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments = {"compare", Flag("out", "out")};
    arguments.insert(arguments.end(), c.flags.begin(), c.flags.end());
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.message));
  }
  const CommandResult result =
      RunTrommel({"compare", "--date=2026-01-05", Flag("extracted", "none"),
                  Flag("out", "out")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("none does not exist"));
}

}  // namespace
}  // namespace trommel::jobs::compare
