// A learner of one's own with a kind of program of one's own, three records a
// page, through every verb: learn, extract, monitor, reuse, explain, export,
// eval. All it takes is the folder of rows_learner.cc and the line in main().

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "jobs/cli/command_line.h"
#include "jobs/registry.h"
#include "tests/jobs/own_learner/rows_learner.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::ReadTable;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

constexpr int kPages = 30;
constexpr int kRows = 3;

std::string Url(int page) { return StrCat("http://list.example/p/", page); }
std::string Title(int page, int row) {
  return StrCat("Lamp ", page * 10 + row, "x");
}
// Rows share prices, so a value alone does not say which record it is of.
std::string Price(int page, int row) {
  return StrCat("$", (page + row) / 2, ".50");
}
// The last row of every fifth page has no price.
bool HasPrice(int page, int row) { return page % 5 != 0 || row != kRows - 1; }

std::string ListPage(int page, const std::string& prefix) {
  std::string html =
      "<html><head><title>List</title></head><body><div class=nav><ul><li><a>"
      "Home</a></li></ul></div><h1>Lamps</h1><ul class=list>";
  for (int row = 0; row < kRows; ++row) {
    StrAppend(&html, "<li class=", prefix, "row><h2 class=", prefix, "name>",
              Title(page, row), "</h2><p>buy</p>");
    if (HasPrice(page, row)) {
      StrAppend(&html, "<em class=", prefix, "cost>", Price(page, row),
                "</em>");
    }
    StrAppend(&html, "</li>");
  }
  return StrCat(html, "</ul><div class=foot><p>end</p></div></body></html>");
}

class OwnLearnerTest : public testing::Test {
 protected:
  OwnLearnerTest() {
    WriteWholeFile(temp_ / "schema.textproto",
                   "name: \"lamp\"\n"
                   "attribute { name: \"title\" mandatory: true constant: "
                   "true }\nattribute { name: \"price\" }\n");
    std::string truth;
    for (int page = 1; page <= kPages; ++page) {
      for (int row = 0; row < kRows; ++row) {
        json values = {{"title", {Title(page, row)}}};
        if (HasPrice(page, row)) values["price"] = {Price(page, row)};
        truth += json{{"url", Url(page)}, {"record", row}, {"values", values}}
                     .dump() +
                 "\n";
      }
    }
    WriteWholeFile(temp_ / "truth.jsonl", truth);
    CrawlDay(1, "a-");
    CrawlDay(2, "b-");  // other classes
  }

  void CrawlDay(int day, const std::string& prefix) {
    std::vector<Page> pages;
    for (int page = 1; page <= kPages; ++page) {
      pages.push_back({Url(page), ListPage(page, prefix)});
    }
    WriteCrawl(temp_ / StrCat("crawl", day), pages);
    Run({"cluster", Flag("crawl", StrCat("crawl", day)),
         Flag("out", StrCat("clusters", day))});
  }

  std::string Flag(const std::string& name, const std::string& path) const {
    return StrCat("--", name, "=", temp_ / path);
  }
  static json Run(std::vector<std::string> arguments, int exit_code = 0) {
    arguments.push_back("--json");
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << arguments[0] << result.err;
    return json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  }

  // Two pages annotated, all their records.
  void Learn() {
    Run({"sample", Flag("crawl", "crawl1"), Flag("clusters", "clusters1"),
         "--annotate-pages=false", Flag("out", "samples")});
    std::string lines;
    int annotated = 0;
    const std::vector<TextRow> samples =
        ReadTable(temp_ / "samples/samples", {{"url", io::ColumnType::kBytes}});
    for (int page = 1; page <= kPages && annotated < 2; ++page) {
      if (std::none_of(samples.begin(), samples.end(), [&](const TextRow& row) {
            return row.at("url") == Url(page);
          })) {
        continue;
      }
      ++annotated;
      for (int row = 0; row < kRows; ++row) {
        const auto add = [&](const char* attribute, const std::string& value) {
          lines += json{{"url", Url(page)},
                        {"attribute", attribute},
                        {"value", value},
                        {"record", row}}
                       .dump() +
                   "\n";
        };
        add("title", Title(page, row));
        if (HasPrice(page, row)) add("price", Price(page, row));
      }
      lines += json{{"url", Url(page)}, {"complete", true}}.dump() + "\n";
    }
    WriteWholeFile(temp_ / "annotations.jsonl", lines);
    Run({"learn", "--learner=rows", "--rows-confidence=0.75",
         Flag("samples", "samples"), Flag("annotations", "annotations.jsonl"),
         Flag("schema", "schema.textproto"), Flag("out", "rules")});
    const json status =
        json::parse(ReadWholeFile(temp_ / "rules/status.jsonl"));
    EXPECT_EQ(status["status"], "done") << status;
  }

  void ExpectAllRecords(const std::string& crawl, const std::string& rules,
                        const std::string& out) {
    const json report = Run({"extract", Flag("crawl", crawl),
                             Flag("rules", rules), Flag("out", out)});
    EXPECT_EQ(report["pages"], kPages);
    EXPECT_EQ(report["records"], kPages * kRows);
    EXPECT_EQ(report["coverage"], 1.0);
    // Fill rates are of records: two pages in ten have one without a price.
    EXPECT_NEAR(report["sites"][0]["fill_rates"]["price"].get<double>(),
                1 - 0.2 / kRows, 1e-9);
    const json scores =
        Run({"eval", Flag("records", out), Flag("truth", "truth.jsonl")});
    EXPECT_EQ(scores["overall"]["strict"]["f1"], 1.0) << scores;
  }

  TempDir temp_;
};

TEST_F(OwnLearnerTest, ThroughEveryVerb) {
  Learn();
  ExpectAllRecords("crawl1", "rules", "records1");
  for (const TextRow& row : ReadTable(temp_ / "records1/records/schema=lamp",
                                      {{"url", io::ColumnType::kBytes},
                                       {"record_index", io::ColumnType::kInt64},
                                       {"title", io::ColumnType::kBytes}})) {
    const int page = std::stoi(row.at("url").substr(Url(0).size() - 1));
    EXPECT_EQ(row.at("title"), Title(page, std::stoi(row.at("record_index"))));
  }

  const json same = Run({"monitor", Flag("crawl", "crawl1"),
                         Flag("rules", "rules"), Flag("out", "monitor1")});
  EXPECT_EQ(same["rules"]["broken"], 0) << same;
  const json broken = Run({"monitor", Flag("crawl", "crawl2"),
                           Flag("rules", "rules"), Flag("out", "monitor2")});
  EXPECT_EQ(broken["rules"]["broken"], 1) << broken;

  const json reuse =
      Run({"reuse", Flag("rules", "rules"), Flag("old-clusters", "clusters1"),
           Flag("old-crawl", "crawl1"), Flag("new-clusters", "clusters2"),
           Flag("new-crawl", "crawl2"), Flag("out", "rules2")});
  EXPECT_THAT(ReadWholeFile(temp_ / "rules2/rules.textproto"),
              HasSubstr("b-row"))
      << reuse;
  ExpectAllRecords("crawl2", "rules2", "records2");

  const json explained =
      Run({"explain", Flag("rules", "rules"), StrCat("--url=", Url(7)),
           Flag("crawl", "crawl1")});
  ASSERT_EQ(explained["records"].size(), 3u) << explained;
  EXPECT_EQ(explained["records"][1]["values"]["title"], json({Title(7, 1)}));
  EXPECT_EQ(explained["records"][1]["confidence"], 0.75);
  EXPECT_EQ(explained["parts"][0]["row"], "a-row");

  const json exported =
      Run({"export", Flag("rules", "rules"), Flag("out", "xslt")});
  EXPECT_THAT(exported["not_exported"][0].get<std::string>(),
              HasSubstr("rows"));
  EXPECT_THAT(ReadWholeFile(temp_ / "xslt/xpaths.jsonl"),
              HasSubstr("\"row\":\"a-row\""));
}

// A list of no records is no record: it is a reject with its reason.
TEST_F(OwnLearnerTest, AListWithoutRecords) {
  Learn();
  std::string empty = ListPage(1, "a-");
  const size_t begin = empty.find("<li class=a-row>");
  empty.erase(begin, empty.find("</ul><div class=foot>") - begin);
  WriteCrawl(temp_ / "empty", {{Url(1), empty}});
  const json report = Run({"extract", Flag("crawl", "empty"),
                           Flag("rules", "rules"), Flag("out", "none")});
  EXPECT_EQ(report["records"], 0);
  EXPECT_EQ(report["rejected"], 1);
}

// Of the first page's rows one is doubtful, of the second's all are, of the
// third's none is.
TEST_F(OwnLearnerTest, DoubtfulRecordsOfAPage) {
  Learn();
  std::vector<Page> pages;
  for (int page = 1; page <= 3; ++page) {
    std::string html = ListPage(page, "a-");
    for (int row = 0; row < kRows; ++row) {
      if (page == 3 || (page == 1 && row != 1)) continue;
      const std::string price = StrCat("cost>", Price(page, row), "<");
      html.replace(html.find(price), price.size(),
                   StrCat("cost>about ", Price(page, row), "<"));
    }
    pages.push_back({Url(page), html});
  }
  WriteCrawl(temp_ / "vague", pages);
  const std::vector<std::string> command = {"extract", Flag("crawl", "vague"),
                                            Flag("rules", "rules")};
  const auto extract = [&](const std::string& out, const std::string& limit) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(),
                     {Flag("out", out), "--min-confidence=" + limit});
    return Run(arguments);
  };
  const json report = extract("some", "0.5");
  EXPECT_EQ(report["records"], 5);
  EXPECT_EQ(report["rejects"], (json{{"doubtful", 1}}));
  EXPECT_EQ(report["counters"]["records.doubtful"], 4);
  EXPECT_EQ(report["sites"][0]["pages"], 3);
  EXPECT_EQ(report["sites"][0]["rules"][0]["doubtful_records"], 4);
  EXPECT_EQ(report["sites"][0]["rules"][0]["extracted"], 2);
  // Those that are left are numbered without a gap.
  EXPECT_THAT(
      ReadTable(temp_ / "some/records/schema=lamp",
                {{"url", io::ColumnType::kBytes},
                 {"record_index", io::ColumnType::kInt64},
                 {"title", io::ColumnType::kBytes},
                 {"confidence", io::ColumnType::kDouble},
                 {"attribute_confidence", io::ColumnType::kDoubleList}}),
      Contains(TextRow{{"url", Url(1)},
                       {"record_index", "1"},
                       {"title", Title(1, 2)},
                       {"confidence", "0.75"},
                       {"attribute_confidence", "[0.75, 0.75]"}}));
  const std::vector<TextRow> rejects =
      ReadTable(temp_ / "some/rejects", {{"url", io::ColumnType::kBytes},
                                         {"reason", io::ColumnType::kBytes},
                                         {"detail", io::ColumnType::kBytes}});
  ASSERT_EQ(rejects.size(), 1u);
  EXPECT_EQ(rejects[0].at("url"), Url(2));
  EXPECT_EQ(rejects[0].at("reason"), "doubtful");
  const auto record = [](int row) {
    return json{
        {"confidence", 0.25},
        {"values",
         {{"title", {Title(2, row)}}, {"price", {"about " + Price(2, row)}}}}};
  };
  json expected = record(0);
  expected["others"] = {record(1), record(2)};
  EXPECT_EQ(json::parse(rejects[0].at("detail")), expected);

  EXPECT_EQ(extract("all", "0.25")["records"], 9);
  EXPECT_EQ(extract("none", "0.8")["rejects"], (json{{"doubtful", 3}}));

  // What was doubtful is wrong: that is what the confidence said, more or less.
  const json calibration = Run({"eval", "--calibration", Flag("records", "all"),
                                Flag("truth", "truth.jsonl")})["calibration"];
  const auto counts = [](const json& bin) {
    return std::make_pair(bin["count"].get<int>(), bin["right"].get<int>());
  };
  EXPECT_EQ(counts(calibration["values"]["bins"][2]), std::make_pair(4, 0));
  EXPECT_EQ(counts(calibration["values"]["bins"][7]), std::make_pair(14, 14));
  EXPECT_EQ(calibration["values"]["expected_calibration_error"], 0.25);
  EXPECT_EQ(counts(calibration["records"]["bins"][2]), std::make_pair(4, 0));
  EXPECT_EQ(counts(calibration["records"]["bins"][7]), std::make_pair(5, 5));
}

// Whoever has the rules and not the learner's kind of program is told so.
TEST_F(OwnLearnerTest, AnOptionThatIsNone) {
  const CommandResult result =
      RunTrommel({"learn", "--learner=rows", "--rows-confidence=2",
                  Flag("samples", "samples"), Flag("annotations", "a"),
                  Flag("schema", "schema.textproto"), Flag("out", "rules")});
  EXPECT_NE(result.exit_code, 0);
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) {
  trommel::testing_support::RegisterRowsLearner();
  if (argc > 1 && std::strcmp(argv[1], "task") == 0) {
    return trommel::jobs::cli::RunCommandLine(argc, argv,
                                              trommel::jobs::AllVerbs());
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
