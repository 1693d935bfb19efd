#include <arrow/type.h>
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/tables/records_table.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::eval_job {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

struct Record {
  std::string url;
  std::vector<std::string> title;
  std::vector<std::string> genre;
  std::string site = "a.example";
  int64_t record_index = 0;
  std::optional<int64_t> fetch_time_us = {};
  std::string digest = "d";
  double confidence = 1;
  std::vector<double> attribute_confidence = {1, 1};
};

class EvalTest : public testing::Test {
 protected:
  void WriteRecords(const std::vector<Record>& records,
                    const std::string& name = "records") {
    proto::Schema schema;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "name: 's' attribute { name: 'title' } "
        "attribute { name: 'genre' repeated: true }",
        &schema));
    auto table =
        io::RowWriter::Create(*io::ResolvePath(temp_ / (name + "/schema=s")),
                              tables::RecordsSchema(schema), {});
    ASSERT_TRUE(table.ok()) << table.status();
    for (const Record& record : records) {
      tables::RecordRow row;
      row.url = record.url;
      row.site = record.site;
      row.cluster_id = "c";
      row.rule_id = "c@1";
      row.record_index = record.record_index;
      row.fetch_time_us = record.fetch_time_us;
      row.content_digest = record.digest;
      row.confidence = record.confidence;
      row.attribute_confidence = record.attribute_confidence;
      tables::BeginRecord(row, table->get());
      tables::WriteAttribute(record.title, false, table->get());
      tables::WriteAttribute(record.genre, true, table->get());
      ASSERT_TRUE((*table)->EndRow().ok());
    }
    ASSERT_TRUE((*table)->Close().ok());
  }

  struct Reject {
    const char* url;
    const char* site;
  };
  void WriteRejects(const std::vector<Reject>& rejects,
                    const std::string& name) {
    auto table = io::RowWriter::Create(
        *io::ResolvePath(temp_ / name),
        arrow::schema({arrow::field("url", arrow::utf8()),
                       arrow::field("site", arrow::utf8())}),
        {});
    ASSERT_TRUE(table.ok()) << table.status();
    for (const Reject& reject : rejects) {
      (*table)->Text(reject.url).Text(reject.site);
      ASSERT_TRUE((*table)->EndRow().ok());
    }
    ASSERT_TRUE((*table)->Close().ok());
  }

  CommandResult Run(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"eval", "--records=" + temp_ / "records",
                                 "--truth=" + temp_ / "truth.jsonl"});
    return RunTrommel(flags);
  }
  json Eval(std::vector<std::string> flags = {}) {
    flags.push_back("--json");
    const CommandResult result = Run(flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }

  // Of a site and attribute: right, extracted and true pages.
  static std::vector<int> Counts(const json& report, const std::string& site,
                                 const std::string& attribute,
                                 const std::string& kind = "strict") {
    for (const json& row : report["sites"]) {
      if (row["site"] != site) continue;
      for (const json& of : row["attributes"]) {
        if (of["attribute"] != attribute) continue;
        const json& tally = of[kind];
        return {tally["right"], tally["extracted"], tally["true"]};
      }
    }
    return {};
  }

  TempDir temp_;
};

// Worked out by hand. Titles of a.example: u1 right (of two), u2 wrong, u3
// rejected, u4 extracted though absent, u5 neither, u6 annotated. So right 1,
// extracted 3, true 3: P = R = F1 = 1/3. Genres: u1 the same set, u2 a part of
// it, u4 and u5 have none. So right 1, extracted 2, true 2: 1/2.
TEST_F(EvalTest, ByHand) {
  WriteRecords({{"http://a.example/1", {" The  Film "}, {"War", "Drama"}},
                {"http://a.example/2", {"Wrong"}, {"War"}},
                {"http://a.example/4", {"Ghost"}, {}},
                {"http://a.example/5", {}, {}},
                {"http://a.example/6", {"No"}, {"No"}},
                {"http://a.example/unknown", {"x"}, {}},
                {"http://b.example/1", {"B"}, {}, "b.example"}});
  WriteWholeFile(
      temp_ / "truth.jsonl",
      R"({"url":"http://a.example/1","values":{"title":["The Film","Film"],"genre":["Drama","War"]}}
{"url":"http://a.example/2","values":{"title":["Two"],"genre":["War","Drama"]}}
{"url":"http://a.example/3","values":{"title":["Three"],"genre":[]}}
{"url":"http://a.example/4","values":{"title":[],"genre":[]}}

{"url":"http://a.example/5","values":{}}
{"url":"http://a.example/6","values":{"title":["Six"],"genre":["Six"]}}
{"url":"http://b.example/1","values":{"title":["B"],"genre":[]}}
{"url":"http://b.example/2","values":{"title":["C"],"genre":[]}}
)");
  WriteWholeFile(
      temp_ / "annotations.jsonl",
      R"({"url":"http://a.example/6","attribute":"title","value":"Six"}
{"url":"http://a.example/6","attribute":"genre","absent":true}
)");
  const json report = Eval({"--exclude=" + temp_ / "annotations.jsonl"});
  EXPECT_EQ(report["pages"], 7);
  EXPECT_EQ(report["pages_excluded"], 1);
  EXPECT_EQ(report["pages_with_record"], 5);
  EXPECT_EQ(report["records_without_truth"], 1);
  EXPECT_EQ(Counts(report, "a.example", "title"), (std::vector{1, 3, 3}));
  EXPECT_EQ(Counts(report, "a.example", "genre"), (std::vector{1, 2, 2}));
  EXPECT_EQ(Counts(report, "a.example", "genre", "page_hit"),
            (std::vector{2, 2, 2}));
  EXPECT_EQ(Counts(report, "a.example", "genre", "value"),
            (std::vector{3, 3, 4}));
  // b.example: title right on 1 of 2 pages, P 1, R 1/2, F1 2/3; no genre.
  EXPECT_EQ(Counts(report, "b.example", "title"), (std::vector{1, 1, 2}));
  const json& a = report["sites"][0];
  EXPECT_EQ(a["pages"], 5);
  EXPECT_DOUBLE_EQ(a["strict"]["f1"].get<double>(), (1.0 / 3 + 0.5) / 2);
  const json& overall = report["overall"];
  EXPECT_EQ(overall["sites"], 2);
  EXPECT_DOUBLE_EQ(overall["strict"]["f1"].get<double>(),
                   ((1.0 / 3 + 0.5) / 2 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(overall["strict"]["precision"].get<double>(),
                   ((1.0 / 3 + 0.5) / 2 + 1) / 2);
  EXPECT_DOUBLE_EQ(overall["strict"]["recall"].get<double>(),
                   ((1.0 / 3 + 0.5) / 2 + 0.5) / 2);
  EXPECT_EQ(report["attributes"][0]["attribute"], "genre");
  EXPECT_EQ(report["attributes"][0]["sites"], 1);
  EXPECT_DOUBLE_EQ(report["attributes"][1]["strict"]["f1"].get<double>(),
                   (1.0 / 3 + 2.0 / 3) / 2);

  const CommandResult text = Run({"--exclude=" + temp_ / "annotations.jsonl"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("7 pages scored, 5 with a record; 1 "
                                        "excluded; 1 record without truth"),
                              HasSubstr("all sites"), HasSubstr("0.3333")));
}

// A site is what the records and rejects say, and the host for other pages.
TEST_F(EvalTest, Sites) {
  WriteRecords({{"http://x.a.example/1", {"T"}, {}, "one site"}});
  WriteWholeFile(temp_ / "truth.jsonl",
                 R"({"url":"http://x.a.example/1","values":{"title":["T"]}}
{"url":"http://y.a.example/2","values":{"title":["T"]}}
)");
  const json report = Eval();
  EXPECT_EQ(Counts(report, "one site", "title"), (std::vector{1, 1, 1}));
  EXPECT_EQ(Counts(report, "y.a.example", "title"), (std::vector{0, 0, 1}));
  EXPECT_TRUE(report["sites"][1]["strict"]["precision"].is_null());
}

TEST_F(EvalTest, SchemaSaysWhatIsRepeated) {
  WriteRecords({{"http://a.example/1", {"A"}, {"War"}}});
  WriteWholeFile(
      temp_ / "truth.jsonl",
      R"({"url":"http://a.example/1","values":{"title":["A","B"],"genre":["War","Drama"],"year":["1999"]}}
)");
  EXPECT_EQ(Counts(Eval(), "a.example", "title"), (std::vector{1, 1, 1}));
  EXPECT_EQ(Counts(Eval(), "a.example", "genre"), (std::vector{0, 1, 1}));
  // An attribute that the records do not have.
  EXPECT_EQ(Counts(Eval(), "a.example", "year"), (std::vector{0, 0, 1}));
  WriteWholeFile(temp_ / "schema.textproto",
                 "name: 's' attribute { name: 'title' repeated: true } "
                 "attribute { name: 'genre' }");
  const json report = Eval({"--schema=" + temp_ / "schema.textproto"});
  EXPECT_EQ(Counts(report, "a.example", "title"), (std::vector{0, 1, 1}));
  EXPECT_EQ(Counts(report, "a.example", "genre"), (std::vector{1, 1, 1}));
}

TEST_F(EvalTest, PagesWithSeveralRecordsAndVersions) {
  WriteRecords({{"http://a.example/1", {"A"}, {}},
                {"http://a.example/1", {"x"}, {}, "a.example", 1},
                {"http://a.example/1", {"y"}, {}, "a.example", 2},
                {"http://a.example/2", {"old"}, {}, "a.example", 0, 1000},
                {"http://a.example/2", {"new"}, {}, "a.example", 0, 2000},
                {"http://a.example/2", {"none"}, {}, "a.example", 0},
                {"http://a.example/3", {"z"}, {}, "a.example", 0, {}, "b"},
                {"http://a.example/3", {"C"}, {}, "a.example", 0, {}, "a"}});
  WriteWholeFile(
      temp_ / "truth.jsonl",
      R"({"url":"http://a.example/1","record":0,"values":{"title":["A"]}}
{"url":"http://a.example/1","record":1,"values":{"title":["B"]}}
{"url":"http://a.example/2","values":{"title":["new"]}}
{"url":"http://a.example/3","values":{"title":["C"]}}
)");
  // Right: A, new and C; wrong: x; extracted though absent: y.
  EXPECT_EQ(Counts(Eval(), "a.example", "title"), (std::vector{3, 5, 4}));
}

// An earlier version of a page with more records leaves none of them behind.
TEST_F(EvalTest, LatestVersionOfAPageCountsAsAWhole) {
  WriteRecords({{"http://a.example/1", {"old A"}, {}, "a.example", 0, 1000},
                {"http://a.example/1", {"old B"}, {}, "a.example", 1, 1000},
                {"http://a.example/1", {"A"}, {}, "a.example", 0, 2000}});
  WriteWholeFile(temp_ / "truth.jsonl",
                 R"({"url":"http://a.example/1","values":{"title":["A"]}}
)");
  EXPECT_EQ(Counts(Eval(), "a.example", "title"), (std::vector{1, 1, 1}));
}

// The second of four records is missed, and the third lacks a genre. Titles: 3
// right of 3 extracted and 4 true. Genres: 2 of 2 and 4. Records: 2 right of 3
// and 4, F1 4/7. Shares: P (1 + 1 + 1) / 3, R (1 + 1/2 + 1) / 4 = 5/8.
TEST_F(EvalTest, MissedRecordDoesNotShiftTheOthers) {
  WriteRecords({{"http://a.example/1", {"A"}, {"War"}, "a.example", 0},
                {"http://a.example/1", {"C"}, {}, "a.example", 1},
                {"http://a.example/1", {"D"}, {"War"}, "a.example", 2},
                {"http://b.example/1", {"A"}, {"War"}, "b.example"}});
  WriteWholeFile(
      temp_ / "truth.jsonl",
      R"({"url":"http://a.example/1","record":0,"values":{"title":["A"],"genre":["War"]}}
{"url":"http://a.example/1","record":1,"values":{"title":["B"],"genre":["War"]}}
{"url":"http://a.example/1","record":2,"values":{"title":["C"],"genre":["War"]}}
{"url":"http://a.example/1","record":3,"values":{"title":["D"],"genre":["War"]}}
{"url":"http://b.example/1","values":{"title":["A"],"genre":["War"]}}
)");
  const json report = Eval();
  EXPECT_EQ(Counts(report, "a.example", "title"), (std::vector{3, 3, 4}));
  EXPECT_EQ(Counts(report, "a.example", "genre"), (std::vector{2, 2, 4}));
  const json& site = report["sites"][0];
  EXPECT_EQ(site["record"]["right"], 2);
  EXPECT_EQ(site["record"]["extracted"], 3);
  EXPECT_EQ(site["record"]["true"], 4);
  EXPECT_DOUBLE_EQ(site["record"]["f1"].get<double>(), 4.0 / 7);
  EXPECT_DOUBLE_EQ(site["record_share"]["precision"].get<double>(), 1);
  EXPECT_DOUBLE_EQ(site["record_share"]["recall"].get<double>(), 5.0 / 8);
  EXPECT_DOUBLE_EQ(site["record_share"]["f1"].get<double>(), 10.0 / 13);
  const json& overall = report["overall"];
  EXPECT_DOUBLE_EQ(overall["record"]["f1"].get<double>(), (4.0 / 7 + 1) / 2);
  EXPECT_DOUBLE_EQ(overall["record_share"]["f1"].get<double>(),
                   (10.0 / 13 + 1) / 2);
  EXPECT_THAT(Run({}).out, AllOf(HasSubstr("record F1"), HasSubstr("share F1"),
                                 HasSubstr("0.5714"), HasSubstr("0.7692")));
}

TEST_F(EvalTest, TextOfPagesWithOneRecordHasNoFiguresOfRecords) {
  WriteRecords({{"http://a.example/1", {"A"}, {"War"}}});
  WriteWholeFile(temp_ / "truth.jsonl",
                 R"({"url":"http://a.example/1","values":{"title":["A"]}}
)");
  EXPECT_EQ(
      Run({}).out,
      "1 page scored, 1 with a record; 0 excluded; 0 records without "
      "truth\n"
      "                    strict F1 precision    recall  page hit  value "
      "F1   right extracted    true\n"
      "a.example title        1.0000    1.0000    1.0000    1.0000    "
      "1.0000       1         1       1\n"
      "a.example (mean)       1.0000    1.0000    1.0000    1.0000    "
      "1.0000\n"
      "all sites title        1.0000    1.0000    1.0000    1.0000    "
      "1.0000\n"
      "all sites (mean)       1.0000    1.0000    1.0000    1.0000    "
      "1.0000\n");
  // --json has them nevertheless.
  EXPECT_EQ(Eval()["overall"]["record"]["f1"], 1);
  EXPECT_EQ(Eval()["overall"]["record_share"]["f1"], 1);
}

// Worked out by hand. Titles: u1 right at 0.95, u2 wrong at 0.95, both records
// of u3 right at 0.55 though the one between them is missed; u4 is annotated.
// Genres: u1 a part of the set at 0.35, u3 right at 0.995.
TEST_F(EvalTest, CalibrationByHand) {
  const auto stated = [](Record record, double confidence, double title,
                         double genre) {
    record.confidence = confidence;
    record.attribute_confidence = {title, genre};
    return record;
  };
  WriteRecords({
      stated({"http://a.example/1", {"A"}, {"War"}}, 0.35, 0.95, 0.35),
      stated({"http://a.example/2", {"x"}, {}}, 0.95, 0.95, 0),
      stated({"http://a.example/3", {"C"}, {"War"}, "a.example", 0}, 0.5, 0.55,
             0.995),
      stated({"http://a.example/3", {"E"}, {}, "a.example", 1}, 0.5, 0.55, 0),
      stated({"http://a.example/4", {"y"}, {"y"}}, 1, 1, 1),
      stated({"http://a.example/unknown", {"z"}, {"z"}}, 1, 1, 1),
  });
  WriteWholeFile(
      temp_ / "truth.jsonl",
      R"({"url":"http://a.example/1","values":{"title":["A"],"genre":["War","Drama"]}}
{"url":"http://a.example/2","values":{"title":["B"]}}
{"url":"http://a.example/3","record":0,"values":{"title":["C"],"genre":["War"]}}
{"url":"http://a.example/3","record":1,"values":{"title":["D"]}}
{"url":"http://a.example/3","record":2,"values":{"title":["E"]}}
{"url":"http://a.example/4","values":{"title":["F"]}}
{"url":"http://a.example/5","values":{"title":["G"]}}
)");
  WriteWholeFile(temp_ / "annotations.jsonl",
                 R"({"url":"http://a.example/4","attribute":"title","value":"F"}
)");
  const std::string exclude = "--exclude=" + temp_ / "annotations.jsonl";
  const json report = Eval({exclude, "--calibration"});
  const json& values = report["calibration"]["values"];
  EXPECT_EQ(values["count"], 6);
  ASSERT_EQ(values["bins"].size(), 10u);
  const auto bin = [](const json& of, size_t i) {
    return std::vector<int>{of["bins"][i]["count"], of["bins"][i]["right"]};
  };
  EXPECT_EQ(bin(values, 3), (std::vector{1, 0}));
  EXPECT_EQ(bin(values, 5), (std::vector{2, 2}));
  EXPECT_EQ(bin(values, 9), (std::vector{3, 2}));
  EXPECT_EQ(bin(values, 0), (std::vector{0, 0}));
  EXPECT_TRUE(values["bins"][0]["stated"].is_null());
  EXPECT_DOUBLE_EQ(values["bins"][9]["from"].get<double>(), 0.9);
  EXPECT_DOUBLE_EQ(values["bins"][9]["to"].get<double>(), 1);
  EXPECT_DOUBLE_EQ(values["bins"][9]["stated"].get<double>(),
                   (0.95 + 0.95 + 0.995) / 3);
  EXPECT_DOUBLE_EQ(values["bins"][9]["found"].get<double>(), 2.0 / 3);
  EXPECT_NEAR(values["expected_calibration_error"].get<double>(),
              (0.35 + (2 - 2 * 0.55) + (0.95 + 0.95 + 0.995 - 2)) / 6, 1e-12);
  EXPECT_EQ(values["certain"]["count"], 1);
  EXPECT_EQ(values["certain"]["found"], 1);
  const json& records = report["calibration"]["records"];
  EXPECT_EQ(records["count"], 4);
  EXPECT_EQ(bin(records, 3), (std::vector{1, 0}));
  EXPECT_EQ(bin(records, 5), (std::vector{2, 2}));
  EXPECT_EQ(bin(records, 9), (std::vector{1, 0}));
  EXPECT_EQ(records["certain"]["count"], 0);
  EXPECT_TRUE(records["certain"]["found"].is_null());

  // The other figures are what they are without.
  json others = report;
  others.erase("calibration");
  EXPECT_EQ(others, Eval({exclude}));
  EXPECT_THAT(Run({exclude, "--calibration"}).out,
              AllOf(HasSubstr("calibration of values: expected error 0.3575\n"),
                    HasSubstr("confidence     count  stated   found\n"),
                    HasSubstr("0.5 to 0.6         2  0.5500  1.0000\n"),
                    HasSubstr("0.6 to 0.7         0       -       -\n"),
                    HasSubstr(">= 0.99            1  0.9950  1.0000\n"),
                    HasSubstr("calibration of records: expected error ")));
}

// The schema has more attributes than the truth tells of; which confidence is
// an attribute's does not depend on which others are compared.
TEST_F(EvalTest, CalibrationOfWhatTheTruthTellsOf) {
  Record record = {"http://a.example/1", {"x"}, {"War"}};
  record.attribute_confidence = {0.15, 0.75};
  WriteRecords({record});
  WriteWholeFile(temp_ / "truth.jsonl",
                 R"({"url":"http://a.example/1","values":{"genre":["War"]}}
)");
  WriteWholeFile(temp_ / "schema.textproto",
                 "name: 's' attribute { name: 'title' } "
                 "attribute { name: 'genre' repeated: true }");
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--calibration"},
        {"--calibration", "--schema=" + temp_ / "schema.textproto"}}) {
    const json calibration = Eval(flags)["calibration"];
    EXPECT_EQ(calibration["values"]["count"], 1);
    EXPECT_EQ(calibration["values"]["bins"][7]["right"], 1);
    EXPECT_EQ(calibration["records"]["certain"]["right"], 1);
  }
}

TEST_F(EvalTest, CalibrationNeedsStatements) {
  Record record = {"http://a.example/1", {"A"}, {}};
  record.attribute_confidence = {1};
  WriteRecords({record});
  WriteWholeFile(temp_ / "truth.jsonl",
                 R"({"url":"http://a.example/1","values":{"title":["A"]}}
)");
  EXPECT_EQ(Run({}).exit_code, 0);
  CommandResult result = Run({"--calibration"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("part-00000.parquet: attribute_confidence has 1 values "
                        "where 2 attributes are"));

  // Records of a former version.
  std::filesystem::remove_all(temp_ / "records");
  auto table = io::RowWriter::Create(
      *io::ResolvePath(temp_ / "records/schema=s"),
      arrow::schema({arrow::field("url", arrow::utf8()),
                     arrow::field("confidence", arrow::float64()),
                     arrow::field("title", arrow::utf8())}),
      {});
  ASSERT_TRUE(table.ok()) << table.status();
  (*table)->Text("http://a.example/1").Double(1).Text("A");
  ASSERT_TRUE((*table)->EndRow().ok());
  ASSERT_TRUE((*table)->Close().ok());
  EXPECT_EQ(Run({}).exit_code, 0);
  result = Run({"--calibration"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("attribute_confidence"));
}

// The output, its records or a part of these, in the layout of this version or
// of a former one; of pages without a record the rejects say the site.
TEST_F(EvalTest, RecordsOfEitherLayout) {
  const std::vector<Record> records = {{"http://a.example/1", {"A"}, {}, "s"}};
  struct Case {
    const char* records;
    const char* rejects;
    std::vector<const char*> given;
  };
  const Case cases[] = {
      {"out/records",
       "out/rejects",
       {"out", "out/records", "out/records/schema=s"}},
      {"former", "former/_rejects", {"former"}},
      {"nights/records/date=2026-01-01",
       "nights/rejects/date=2026-01-01",
       {"nights", "nights/records", "nights/records/date=2026-01-01"}},
      {"films/date=2026-01-01",
       "films-rejects/date=2026-01-01",
       {"films", "films/date=2026-01-01"}},
  };
  WriteWholeFile(temp_ / "truth.jsonl",
                 R"({"url":"http://a.example/1","values":{"title":["A"]}}
{"url":"http://a.example/2","values":{"title":["B"]}}
)");
  for (const Case& c : cases) {
    WriteRecords(records, c.records);
    WriteRejects({{"http://a.example/2", "s"}}, c.rejects);
    for (const char* const given : c.given) {
      SCOPED_TRACE(given);
      const CommandResult result =
          RunTrommel({"eval", "--json", "--truth=" + temp_ / "truth.jsonl",
                      "--records=" + temp_ / given});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const json report = json::parse(result.out);
      EXPECT_EQ(report["pages_with_record"], 1);
      ASSERT_EQ(report["sites"].size(), 1u);
      EXPECT_EQ(report["sites"][0]["site"], "s");
      EXPECT_EQ(report["sites"][0]["pages"], 2);
    }
  }
  // Rejects are never taken for records.
  std::filesystem::remove_all(temp_ / "out/records");
  const CommandResult result =
      RunTrommel({"eval", "--truth=" + temp_ / "truth.jsonl",
                  "--records=" + temp_ / "out"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("out/records: no such file"));
}

TEST_F(EvalTest, WrongInputIsNamed) {
  WriteRecords({});
  struct Case {
    const char* truth;
    std::vector<std::string> messages;
  };
  const Case cases[] = {
      {"{\"url\":\"a\",\"values\":{}}\n{]\n", {"truth.jsonl:2", "JSON"}},
      {"{\"values\":{}}\n", {"truth.jsonl:1", "url"}},
      {"{\"url\":\"a\"}\n", {"truth.jsonl:1", "values"}},
      {"{\"url\":\"a\",\"values\":{\"t\":\"x\"}}\n",
       {"truth.jsonl:1", "\"t\""}},
      {"{\"url\":\"a\",\"record\":\"x\",\"values\":{}}\n",
       {"truth.jsonl:1", "record"}},
  };
  for (const Case& c : cases) {
    WriteWholeFile(temp_ / "truth.jsonl", c.truth);
    const CommandResult result = Run({});
    EXPECT_EQ(result.exit_code, 1);
    for (const std::string& message : c.messages) {
      EXPECT_THAT(result.err, HasSubstr(message));
    }
  }
  WriteWholeFile(temp_ / "truth.jsonl", "{\"url\":\"a\",\"values\":{}}\n");
  WriteWholeFile(temp_ / "annotations.jsonl", "{}\n");
  EXPECT_THAT(Run({"--exclude=" + temp_ / "annotations.jsonl"}).err,
              HasSubstr("annotations.jsonl:1"));
  EXPECT_EQ(RunTrommel({"eval", "--records=" + temp_ / "records"}).exit_code,
            2);
  EXPECT_THAT(RunTrommel({"eval", "--records=" + temp_ / "nowhere",
                          "--truth=" + temp_ / "truth.jsonl"})
                  .err,
              HasSubstr("nowhere"));
  // No record, no truth: no figure.
  EXPECT_EQ(Eval()["overall"]["sites"], 0);
}

}  // namespace
}  // namespace trommel::jobs::eval_job
