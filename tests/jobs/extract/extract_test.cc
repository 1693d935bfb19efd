#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/exact_text.h"
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/rule/rule.h"
#include "mapreduce/io/path.h"
#include "tests/jobs/extract/cluster_rules.h"
#include "tests/testing/former_layout.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/seed.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::extract {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::UnorderedElementsAre;
using testing_support::AddClusterRules;
using testing_support::AttributePaths;
using testing_support::CommandResult;
using testing_support::GiveFormerLayout;
using testing_support::Page;
using testing_support::ReadTable;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::WriteCrawl;
using testing_support::WriteForeignCrawl;
using testing_support::WriteWholeFile;

// A page of one of two templates; a price on every third.
std::string Html(bool is_product, int i, size_t filler = 0) {
  std::string html = StrCat(
      "<html><head><title>Shop</title></head><body><div id=nav><ul>"
      "<li><a>Home</a></li><li><a>Help</a></li><li><a>Cart</a></li></ul></div>",
      is_product ? "<div class=product><h1>Product </h1><table><tr><th>Maker"
                   "</th><td><b>ACME</b></td></tr></table><form><select>"
                   "<option>1</option></select></form>"
                 : "<section class=article><h2>Story</h2><blockquote><i>Said"
                   "</i></blockquote><dl><dt>By</dt><dd>Ann</dd></dl><pre>"
                   "</pre>");
  StrAppend(&html, "<p class=own>Own text ", i, "</p><ul class=tags>");
  for (int k = 0; k < i % 4; ++k) StrAppend(&html, "<li>tag ", k, "</li>");
  StrAppend(&html, "</ul>");
  if (i % 3 == 0) StrAppend(&html, "<em class=price>$", i, ".00</em>");
  StrAppend(&html, is_product ? "</div>" : "</section>");
  StrAppend(&html, "<address>Imprint</address><!--", std::string(filler, 'x'),
            "--></body></html>");
  return html;
}

std::string ProductUrl(int i) { return StrCat("http://shop.example/p/", i); }

std::vector<Page> TwoTemplates(int num_pages, size_t filler = 0) {
  std::vector<Page> pages;
  for (int i = 0; i < num_pages; ++i) {
    const bool is_product = i % 2 == 0;
    pages.push_back(
        {is_product ? ProductUrl(i) : StrCat("http://shop.example/a/", i),
         Html(is_product, i, filler)});
  }
  return pages;
}

const std::vector<io::ColumnRequest>& RecordColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"url", io::ColumnType::kBytes},
      {"site", io::ColumnType::kBytes},
      {"cluster_id", io::ColumnType::kBytes},
      {"rule_id", io::ColumnType::kBytes},
      {"record_index", io::ColumnType::kInt64},
      {"fetch_time", io::ColumnType::kTimestamp},
      {"content_digest", io::ColumnType::kBytes},
      {"own", io::ColumnType::kBytes},
      {"price", io::ColumnType::kBytes},
      {"tags", io::ColumnType::kBytesList}};
  return *columns;
}

class ExtractTest : public testing::Test {
 protected:
  ExtractTest() {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "name: 'shop' attribute { name: 'own' mandatory: true } "
        "attribute { name: 'price' } attribute { name: 'tags' repeated: true }",
        &schema_));
  }

  std::string Flag(const std::string& name, const std::string& path) const {
    return StrCat("--", name, "=", temp_ / path);
  }

  void Cluster(const std::string& crawl,
               const std::vector<std::string>& flags = {}) {
    std::vector<std::string> command = {"cluster", Flag("out", "clusters"),
                                        Flag("crawl", crawl), "--force"};
    command.insert(command.end(), flags.begin(), flags.end());
    const CommandResult result = RunTrommel(command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  // Rules for the clusters whose URL pattern contains a text.
  proto::RuleSet Rules(const std::string& url_part) const {
    return Rules(url_part, schema_,
                 {{"own", {"//p[@class='own']/text()", "//p/text()"}},
                  {"price", {"//em[@class='price']/text()"}},
                  {"tags", {"//ul[@class='tags']/li/text()"}}});
  }
  proto::RuleSet Rules(const std::string& url_part, const proto::Schema& schema,
                       const AttributePaths& paths) const {
    proto::RuleSet rules;
    const auto wanted = [&](const tables::ClusterRow& cluster) {
      return cluster.url_regex.find(url_part) != std::string::npos;
    };
    EXPECT_TRUE(AddClusterRules(*io::ResolvePath(temp_ / "clusters/clusters"),
                                schema, paths, wanted, &rules)
                    .ok());
    return rules;
  }
  void WriteRules(const std::string& name, const proto::RuleSet& rules) const {
    WriteWholeFile(temp_ / (name + "/rules.binpb"), rule::EncodeRules(rules));
  }

  json Extract(std::vector<std::string> flags) const {
    flags.insert(flags.begin(), {"extract", "--json"});
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }
  std::string Failure(std::vector<std::string> flags, int exit_code = 1) const {
    flags.insert(flags.begin(), "extract");
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return result.err;
  }

  std::vector<TextRow> Records(const std::string& out) const {
    return ReadTable(temp_ / (out + "/records/schema=shop"), RecordColumns());
  }
  std::vector<TextRow> Rejects(const std::string& out) const {
    return ReadTable(temp_ / (out + "/rejects"),
                     {{"url", io::ColumnType::kBytes},
                      {"site", io::ColumnType::kBytes},
                      {"reason", io::ColumnType::kBytes},
                      {"detail", io::ColumnType::kBytes}});
  }
  std::vector<TextRow> FigureRows(const std::string& out) const {
    return ReadTable(temp_ / (out + "/figures"),
                     {{"site", io::ColumnType::kBytes},
                      {"rule_id", io::ColumnType::kBytes},
                      {"event", io::ColumnType::kBytes},
                      {"count", io::ColumnType::kInt64}});
  }

  // How often each URL is in the records and the rejects.
  std::map<std::string, int> TimesOut(const std::string& out) const {
    std::map<std::string, int> times;
    for (const TextRow& row : Records(out)) ++times[row.at("url")];
    for (const TextRow& row : Rejects(out)) ++times[row.at("url")];
    return times;
  }

  proto::Schema schema_;
  TempDir temp_;
};

TEST_F(ExtractTest, RecordsOfOneTemplate) {
  std::vector<Page> pages = TwoTemplates(120);
  pages[6].fetch_time_us = 1234567;
  WriteCrawl(temp_ / "crawl", pages);
  Cluster("crawl");
  const proto::RuleSet rules = Rules("/p/");
  ASSERT_EQ(rules.rule_size(), 1);
  WriteRules("rules", rules);
  const json report = Extract(
      {Flag("crawl", "crawl"), Flag("rules", "rules"), Flag("out", "records")});
  EXPECT_EQ(report["pages"], 120);
  EXPECT_EQ(report["records"], 60);
  EXPECT_EQ(report["rejected"], 60);
  EXPECT_EQ(report["rejects"], (json{{"no_url_match", 60}}));
  EXPECT_EQ(report["coverage"], 0.5);
  EXPECT_EQ(report["counters"]["pages.matched_by_signature"], 60);
  const json& site = report["sites"][0];
  EXPECT_EQ(site["site"], "shop.example");
  EXPECT_EQ(site["pages"], 120);
  EXPECT_EQ(site["fill_rates"]["own"], 1.0);
  EXPECT_DOUBLE_EQ(site["fill_rates"]["price"].get<double>(), 1.0 / 3);
  EXPECT_EQ(site["rules"][0]["rule_id"], rule::RuleId(rules.rule(0)));
  EXPECT_EQ(site["rules"][0]["matched"], 60);
  EXPECT_EQ(site["rules"][0]["extracted"], 60);

  std::map<std::string, TextRow> records;
  for (const TextRow& row : Records("records")) records[row.at("url")] = row;
  ASSERT_EQ(records.size(), 60u);
  EXPECT_EQ(records[ProductUrl(6)],
            (TextRow{{"url", ProductUrl(6)},
                     {"site", "shop.example"},
                     {"cluster_id", rules.rule(0).cluster_id()},
                     {"rule_id", rule::RuleId(rules.rule(0))},
                     {"record_index", "0"},
                     {"fetch_time", "1234567"},
                     {"content_digest", ContentDigest(pages[6].content)},
                     {"own", "Own text 6"},
                     {"price", "$6.00"},
                     {"tags", "[tag 0, tag 1]"}}));
  EXPECT_EQ(records[ProductUrl(8)]["price"], "null");
  EXPECT_EQ(records[ProductUrl(8)]["tags"], "null");
  EXPECT_EQ(records[ProductUrl(8)]["fetch_time"], "null");
  const json manifest = json::parse(ReadWholeFile(temp_ / "records/_SUCCESS"));
  EXPECT_EQ(manifest["verb"], "extract");
  std::vector<std::string> entries;
  for (const auto& entry :
       std::filesystem::directory_iterator(temp_ / "records")) {
    entries.push_back(entry.path().filename());
  }
  EXPECT_THAT(entries, UnorderedElementsAre("records", "rejects", "figures",
                                            "_SUCCESS"));
  for (const json& shard : manifest["shards"]) {
    EXPECT_THAT(shard["file"].get<std::string>(),
                MatchesRegex("(records/schema=shop|rejects|figures)"
                             "/part-[^/]*\\.parquet"));
  }
}

// The file itself, and rules whose test was not passed, are used as well.
TEST_F(ExtractTest, RulesFile) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  Cluster("crawl");
  proto::RuleSet rules = Rules("/p/");
  rules.mutable_rule(0)->mutable_validity()->set_valid(false);
  WriteRules("rules", rules);
  const json report =
      Extract({Flag("crawl", "crawl"), Flag("rules", "rules/rules.binpb"),
               Flag("out", "records")});
  EXPECT_EQ(report["records"], 30);
}

TEST_F(ExtractTest, EveryReason) {
  std::vector<Page> pages = TwoTemplates(60);
  WriteCrawl(temp_ / "clustered", pages);
  Cluster("clustered");
  WriteRules("rules", Rules("/p/"));
  std::string many_nodes = Html(true, 7);
  for (int i = 0; i < 500; ++i) many_nodes += "<b>x</b>";
  std::string without_own = Html(true, 3);
  without_own.replace(without_own.find("<p class=own>Own text 3</p>"), 27,
                      "<p class=own></p>");
  const std::vector<Page> odd = {
      {"http://other.example/p/1", Html(true, 1)},
      {"no url at all", Html(true, 1)},
      {"http://shop.example/about", Html(true, 1)},
      {ProductUrl(901), Html(false, 1)},
      {ProductUrl(902), "<p>short</p>"},
      {ProductUrl(903), without_own},
      {ProductUrl(904), ""},
      {ProductUrl(905), " \n"},
      {ProductUrl(906), Html(true, 1), {}, 404},
      {ProductUrl(907), Html(true, 1), {}, 200, "application/pdf"},
      {ProductUrl(908), Html(true, 1, 5000)},
      {ProductUrl(909), many_nodes},
      {ProductUrl(910), std::string("\0\xFF\x89PNG", 6)},
      // Broken, but nobody looks at it.
      {"http://other.example/p/2", Html(true, 1), {}, 500},
  };
  pages.insert(pages.end(), odd.begin(), odd.end());
  WriteCrawl(temp_ / "crawl", pages);
  const json report = Extract({Flag("crawl", "crawl"), Flag("rules", "rules"),
                               Flag("out", "records"), "--max-page-bytes=4500",
                               "--max-nodes=300"});
  std::map<std::string, std::string> reasons;
  for (const TextRow& row : Rejects("records")) {
    if (row.at("url").find("/a/") == std::string::npos) {
      reasons[row.at("url")] = row.at("reason");
    } else {
      EXPECT_EQ(row.at("reason"), "no_url_match");
    }
  }
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{
                         {"http://other.example/p/1", "no_rule"},
                         {"no url at all", "no_rule"},
                         {"http://shop.example/about", "no_url_match"},
                         {ProductUrl(901), "no_template"},
                         {ProductUrl(902), "no_template"},
                         {ProductUrl(903), "missing_mandatory"},
                         {ProductUrl(904), "empty"},
                         {ProductUrl(905), "empty"},
                         {ProductUrl(906), "fetch_status"},
                         {ProductUrl(907), "not_html"},
                         {ProductUrl(908), "too_large"},
                         {ProductUrl(909), "too_many_nodes"},
                         {ProductUrl(910), "not_html"},
                         {"http://other.example/p/2", "no_rule"}}));
  EXPECT_EQ(report["counters"]["rows.rejected"], 2);
  EXPECT_EQ(report["counters"]["rows.passed_over"], 42);
  EXPECT_EQ(report["rejects"]["no_rule"], 3);
  EXPECT_EQ(report["records"], 30);
  for (const auto& [url, times] : TimesOut("records"))
    EXPECT_EQ(times, 1) << url;

  // Of a page with no value at all.
  proto::Schema schema = schema_;
  schema.mutable_attribute(0)->set_mandatory(false);
  WriteRules("empty", Rules("/p/", schema, {{"own", {"//nothing/text()"}}}));
  const json empty = Extract({Flag("crawl", "clustered"),
                              Flag("rules", "empty"), Flag("out", "none")});
  EXPECT_EQ(empty["rejects"], (json{{"empty", 30}, {"no_url_match", 30}}));
  // A table all the same.
  EXPECT_THAT(Records("none"), IsEmpty());
}

TEST_F(ExtractTest, ARowWithoutUrlIsNoRecord) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(120));
  Cluster("crawl");
  WriteRules("rules", Rules("/p/"));
  WriteForeignCrawl(temp_ / "foreign", {{std::nullopt, Html(true, 6)},
                                        {"", Html(true, 6)},
                                        {ProductUrl(6), Html(true, 6)}});
  const json report = Extract({Flag("crawl", "foreign"), Flag("rules", "rules"),
                               Flag("out", "records"), "--max-bad-fraction=1"});
  EXPECT_EQ(report["records"], 1);
  EXPECT_EQ(report["rejects"], (json{{"no_url", 2}}));
  ASSERT_EQ(Records("records").size(), 1u);
  EXPECT_EQ(Records("records")[0].at("url"), ProductUrl(6));
  EXPECT_EQ(Rejects("records")[0].at("reason"), "no_url");
}

// Pages that no rule is for do not count as bad, nor do those that no crawl is
// without; broken ones do.
TEST_F(ExtractTest, OnlyBrokenPagesAreHeldAgainstTheJob) {
  std::vector<Page> pages = TwoTemplates(40);
  WriteCrawl(temp_ / "clustered", pages);
  Cluster("clustered");
  WriteRules("rules", Rules("/p/"));
  for (int i = 0; i < 200; ++i) {
    pages.push_back({StrCat("http://other.example/", i), Html(true, i)});
  }
  pages.push_back({ProductUrl(997), Html(true, 1), {}, 404});
  pages.push_back({ProductUrl(998), Html(true, 1), {}, 200, "image/png"});
  WriteCrawl(temp_ / "crawl", pages);
  const json report = Extract({Flag("crawl", "crawl"), Flag("rules", "rules"),
                               Flag("out", "records"), "--max-bad-fraction=0"});
  EXPECT_EQ(report["records"], 20);
  EXPECT_EQ(report["rejected"], 222);
  pages.push_back({ProductUrl(999), Html(true, 1) + std::string(9 << 20, 'x')});
  WriteCrawl(temp_ / "broken", pages);
  EXPECT_THAT(Failure({Flag("crawl", "broken"), Flag("rules", "rules"),
                       Flag("out", "failed"), "--max-bad-fraction=0"}),
              HasSubstr("max-bad-fraction"));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "failed"));
}

TEST_F(ExtractTest, TruncatedPagesAreExtractedUnlessRejected) {
  std::vector<Page> pages = TwoTemplates(40);
  WriteCrawl(temp_ / "clustered", pages);
  Cluster("clustered");
  WriteRules("rules", Rules("/p/"));
  for (Page& page : pages) {
    if (page.url == ProductUrl(0) || page.url == ProductUrl(2)) {
      page.truncated = "length";
    }
  }
  const auto num_truncated =
      std::count_if(pages.begin(), pages.end(),
                    [](const Page& page) { return !page.truncated.empty(); });
  ASSERT_GT(num_truncated, 0);
  WriteCrawl(temp_ / "crawl", pages);
  const json kept = Extract(
      {Flag("crawl", "crawl"), Flag("rules", "rules"), Flag("out", "kept")});
  EXPECT_EQ(kept["records"], 20);
  const json rejected = Extract({Flag("crawl", "crawl"), Flag("rules", "rules"),
                                 Flag("out", "rejected"), "--truncated=reject",
                                 "--max-bad-fraction=0"});
  EXPECT_EQ(rejected["records"], 20 - num_truncated);
  EXPECT_EQ(rejected["rejects"]["truncated"], num_truncated);
}

TEST_F(ExtractTest, TryUrlMatch) {
  std::vector<Page> pages = TwoTemplates(40);
  WriteCrawl(temp_ / "clustered", pages);
  Cluster("clustered");
  WriteRules("rules", Rules("/p/"));
  const std::string strange = "<p class=own>Own</p>";
  pages.push_back({ProductUrl(901), strange});
  pages.push_back({ProductUrl(902), "<p class=other></p>"});
  WriteCrawl(temp_ / "crawl", pages);
  const json without = Extract(
      {Flag("crawl", "crawl"), Flag("rules", "rules"), Flag("out", "without")});
  EXPECT_EQ(without["records"], 20);
  EXPECT_EQ(without["rejects"]["no_template"], 2);
  const json report = Extract({Flag("crawl", "crawl"), Flag("rules", "rules"),
                               Flag("out", "records"), "--try-url-match"});
  EXPECT_EQ(report["records"], 21);
  EXPECT_EQ(report["rejects"]["no_template"], 1);
  EXPECT_EQ(report["counters"]["pages.tried_by_url"], 2);
  EXPECT_EQ(report["counters"]["pages.kept_by_url"], 1);

  // Without a mandatory attribute all that the rule has are asked for.
  proto::Schema schema = schema_;
  schema.mutable_attribute(0)->set_mandatory(false);
  WriteRules("optional", Rules("/p/", schema,
                               {{"own", {"//p[@class='own']/text()"}},
                                {"price", {"//em/text()"}}}));
  const json optional =
      Extract({Flag("crawl", "crawl"), Flag("rules", "optional"),
               Flag("out", "optional-records"), "--try-url-match"});
  EXPECT_EQ(optional["counters"]["pages.kept_by_url"], 0);
}

// What a record is worth is for others to say; here the one with less than the
// mean of the least and the most is doubtful.
class DoubtfulTest : public ExtractTest {
 protected:
  DoubtfulTest() {
    WriteCrawl(temp_ / "crawl", TwoTemplates(120));
    Cluster("crawl");
    WriteRules("rules", Rules("/p/"));
    ExtractTo("all", {});
    double least = 1;
    double most = 0;
    for (const TextRow& row : WithConfidence("all")) {
      const double confidence = std::stod(row.at("confidence"));
      least = std::min(least, confidence);
      most = std::max(most, confidence);
    }
    EXPECT_LT(least, most);
    limit_ = (least + most) / 2;
    for (const TextRow& row : WithConfidence("all")) {
      const bool is_certain = std::stod(row.at("confidence")) >= limit_;
      (is_certain ? certain_ : doubtful_)[row.at("url")] = row;
    }
  }

  json ExtractTo(const std::string& out, std::vector<std::string> flags) const {
    flags.insert(flags.end(), {Flag("crawl", "crawl"), Flag("rules", "rules"),
                               Flag("out", out), "--max-bad-fraction=0"});
    return Extract(flags);
  }
  static std::string AtLeast(double confidence) {
    return StrCat("--min-confidence=", ExactText(confidence));
  }
  std::vector<TextRow> WithConfidence(const std::string& out) const {
    return ReadTable(temp_ / (out + "/records/schema=shop"),
                     {{"url", io::ColumnType::kBytes},
                      {"confidence", io::ColumnType::kDouble},
                      {"attribute_confidence", io::ColumnType::kDoubleList},
                      {"own", io::ColumnType::kBytes},
                      {"price", io::ColumnType::kBytes},
                      {"tags", io::ColumnType::kBytesList}});
  }
  std::set<std::string> UrlsOf(const std::string& out) const {
    std::set<std::string> urls;
    for (const TextRow& row : Records(out)) urls.insert(row.at("url"));
    return urls;
  }

  double limit_ = 0;
  std::map<std::string, TextRow> certain_, doubtful_;  // by URL
};

TEST_F(DoubtfulTest, GoesToTheRejectsWithItsValues) {
  const json report = ExtractTo("out", {AtLeast(limit_)});
  EXPECT_EQ(report["records"], certain_.size());
  EXPECT_EQ(report["rejects"],
            (json{{"doubtful", doubtful_.size()}, {"no_url_match", 60}}));
  EXPECT_EQ(report["counters"]["records.doubtful"], doubtful_.size());
  EXPECT_EQ(report["coverage"], static_cast<double>(certain_.size()) / 120);
  EXPECT_EQ(UrlsOf("out").size(), certain_.size());
  for (const TextRow& row : WithConfidence("out")) {
    EXPECT_EQ(row, certain_.at(row.at("url")));
  }
  size_t num_doubtful = 0;
  for (const TextRow& row : Rejects("out")) {
    if (row.at("reason") != "doubtful") continue;
    ++num_doubtful;
    SCOPED_TRACE(row.at("detail"));
    const TextRow& record = doubtful_.at(row.at("url"));
    json expected;
    expected["confidence"] = std::stod(record.at("confidence"));
    expected["values"]["own"] = {record.at("own")};
    if (record.at("price") != "null") {
      expected["values"]["price"] = {record.at("price")};
    }
    for (int tag = 0; tag < 4; ++tag) {
      const std::string value = StrCat("tag ", tag);
      if (record.at("tags").find(value) != std::string::npos) {
        expected["values"]["tags"].push_back(value);
      }
    }
    EXPECT_EQ(json::parse(row.at("detail")), expected);
  }
  EXPECT_EQ(num_doubtful, doubtful_.size());
  for (const auto& [url, times] : TimesOut("out")) EXPECT_EQ(times, 1) << url;
  EXPECT_EQ(TimesOut("out").size(), 120u);

  std::map<std::string, std::string> figures;
  for (const TextRow& row : FigureRows("out")) {
    if (row.at("rule_id").empty()) continue;
    figures[row.at("event")] = row.at("count");
  }
  EXPECT_EQ(figures["matched"], "60");
  EXPECT_EQ(figures["doubtful"], StrCat(doubtful_.size()));
  EXPECT_EQ(figures["doubtful_records"], StrCat(doubtful_.size()));
  EXPECT_EQ(figures["extracted"], StrCat(certain_.size()));
  const json manifest = json::parse(ReadWholeFile(temp_ / "out/_SUCCESS"));
  EXPECT_EQ(manifest["flags"]["min-confidence"], ExactText(limit_));
  const CommandResult text =
      RunTrommel({"extract", Flag("crawl", "crawl"), Flag("rules", "rules"),
                  Flag("out", "again"), AtLeast(limit_)});
  EXPECT_THAT(text.out,
              AllOf(HasSubstr(StrCat("rejected, doubtful: ", doubtful_.size())),
                    HasSubstr(StrCat("left out as doubtful: ", doubtful_.size(),
                                     " records\n"))));
}

// A record that has just as much is not doubtful, and a flag is not rounded on
// its way to the tasks.
TEST_F(DoubtfulTest, LimitIsExact) {
  double least = 1;
  for (const auto& [url, row] : doubtful_) {
    least = std::min(least, std::stod(row.at("confidence")));
  }
  EXPECT_EQ(ExtractTo("same", {AtLeast(least)})["records"], 60);
  const json more = ExtractTo("more", {AtLeast(std::nextafter(least, 1))});
  EXPECT_LT(more["records"].get<int>(), 60);
}

TEST_F(DoubtfulTest, SameRowsForAnyNumberOfWorkersAndSplits) {
  ExtractTo("one", {AtLeast(limit_), "--workers=1"});
  const std::vector<Page> pages = TwoTemplates(120);
  std::vector<std::string> flags = {Flag("rules", "rules"), Flag("out", "many"),
                                    AtLeast(limit_), "--workers=3"};
  for (int part = 0; part < 4; ++part) {
    const std::string crawl = StrCat("part", part);
    WriteCrawl(temp_ / crawl,
               {pages.begin() + 30 * part, pages.begin() + 30 * (part + 1)});
    flags.push_back(Flag("crawl", crawl));
  }
  Extract(flags);
  EXPECT_EQ(WithConfidence("one"), WithConfidence("many"));
  EXPECT_EQ(Rejects("one"), Rejects("many"));
  EXPECT_EQ(FigureRows("one"), FigureRows("many"));
}

// Those that were left out are no earlier records.
TEST_F(DoubtfulTest, ComesOnceTheLimitIsLower) {
  ExtractTo("strict", {AtLeast(limit_)});
  const json report = ExtractTo("rest", {Flag("since", "strict")});
  EXPECT_EQ(report["records"], doubtful_.size());
  EXPECT_EQ(report["skipped"], certain_.size());
  for (const std::string& url : UrlsOf("rest")) {
    EXPECT_EQ(doubtful_.count(url), 1u) << url;
  }
}

TEST_F(DoubtfulTest, RulesThatAreTriedByUrl) {
  std::vector<Page> pages;
  for (const int i : {901, 902, 903}) {
    pages.push_back(
        {ProductUrl(i), "<p class=own>Own</p><em class=price>$1</em>"});
  }
  WriteCrawl(temp_ / "strange", pages);
  const std::vector<std::string> flags = {
      Flag("crawl", "strange"), Flag("rules", "rules"), "--try-url-match"};
  const auto extract = [&](const std::string& out, double limit) {
    std::vector<std::string> all = flags;
    all.insert(all.end(), {Flag("out", out), AtLeast(limit)});
    return Extract(all);
  };
  EXPECT_EQ(extract("kept", 0)["records"], 3);
  const double confidence =
      std::stod(WithConfidence("kept")[0].at("confidence"));
  ASSERT_LT(confidence, 1);
  const json report = extract("left", std::nextafter(confidence, 1));
  EXPECT_EQ(report["rejects"], (json{{"doubtful", 3}}));
}

TEST_F(ExtractTest, ConfidenceIsFromZeroToOne) {
  for (const char* const wrong : {"-0.1", "1.1", "nan", "much"}) {
    EXPECT_THAT(
        Failure({Flag("crawl", "crawl"), Flag("rules", "rules"),
                 Flag("out", "out"), StrCat("--min-confidence=", wrong)},
                /*exit_code=*/2),
        HasSubstr("--min-confidence"));
  }
}

// The same URL twice is two pages.
TEST_F(ExtractTest, EveryPageOnceWhateverThePages) {
  Random random(testing_support::TestSeed(820));
  std::vector<Page> pages = TwoTemplates(200);
  WriteCrawl(temp_ / "clustered", pages);
  Cluster("clustered");
  WriteRules("rules", Rules("shop"));
  for (int i = 0; i < 600; ++i) {
    std::string content = Html(i % 2 == 0, i);
    switch (random.Below(6)) {
      case 0:  // damage
        for (int k = 0; k < 20; ++k) {
          content[random.Below(content.size())] =
              static_cast<char>(random.Below(256));
        }
        break;
      case 1:  // cut off
        content.resize(random.Below(content.size()));
        break;
      case 2:  // depth
        for (int k = 0; k < 3000; ++k) content += "<div>";
        break;
      case 3:  // anything
        for (char& c : content) c = static_cast<char>(random.Below(256));
        break;
      case 4:  // attributes
        content += "<p ";
        for (int k = 0; k < 3000; ++k) StrAppend(&content, "a", k, "=1 ");
        break;
      default:
        break;
    }
    std::string url = random.Below(3) == 0
                          ? ProductUrl(i % 50)
                          : StrCat("http://shop.example/x/", i);
    if (random.Below(10) == 0) url = "";
    if (random.Below(10) == 0) url += "\xFF\xFE";
    pages.push_back({url, content});
  }
  WriteCrawl(temp_ / "crawl", pages);
  std::map<std::string, int> expected;
  for (const Page& page : pages) {
    std::string url = page.url;
    const size_t bad = url.find('\xFF');
    if (bad != std::string::npos) url.replace(bad, 2, "\uFFFD\uFFFD");
    ++expected[url];
  }
  const json report = Extract({Flag("crawl", "crawl"), Flag("rules", "rules"),
                               Flag("out", "records"), "--try-url-match"});
  EXPECT_EQ(TimesOut("records"), expected);
  EXPECT_EQ(report["records"].get<int>() + report["rejected"].get<int>(), 800);
  int64_t in_figures = 0;
  for (const json& site : report["sites"])
    in_figures += site["pages"].get<int>();
  EXPECT_EQ(in_figures, 800);
}

TEST_F(ExtractTest, RowsDoNotDependOnSplitsWorkersOrOrder) {
  Random random(testing_support::TestSeed(821));
  std::vector<Page> pages = TwoTemplates(1500, /*filler=*/6000);
  WriteCrawl(temp_ / "clustered", pages);
  Cluster("clustered");
  for (int i = 0; i < 60; ++i) {
    pages.push_back({StrCat("http://other.example/", i), Html(true, i, 6000)});
  }
  WriteRules("rules", Rules("/p/"));
  std::vector<TextRow> records, rejects, figures;
  struct Case {
    size_t crawls;
    int split_mb;
    int workers;
  };
  for (const Case& c : {Case{1, 64, 1}, Case{3, 3, 2}, Case{8, 1, 2}}) {
    SCOPED_TRACE(c.crawls);
    const std::string name = StrCat("out", c.crawls);
    for (size_t i = pages.size(); i > 1; --i) {
      std::swap(pages[i - 1], pages[random.Below(i)]);
    }
    std::vector<std::vector<Page>> parts(c.crawls);
    for (size_t i = 0; i < pages.size(); ++i) {
      parts[i % c.crawls].push_back(pages[i]);
    }
    std::vector<std::string> flags = {Flag("rules", "rules"), Flag("out", name),
                                      StrCat("--split-mb=", c.split_mb),
                                      StrCat("--workers=", c.workers)};
    for (size_t i = 0; i < c.crawls; ++i) {
      WriteCrawl(StrCat(temp_ / name, "-crawl-", i), parts[i]);
      flags.push_back(Flag("crawl", StrCat(name, "-crawl-", i)));
    }
    Extract(flags);
    if (records.empty()) {
      records = Records(name);
      rejects = Rejects(name);
      figures = FigureRows(name);
      EXPECT_EQ(records.size(), 750u);
      EXPECT_EQ(rejects.size(), 810u);
    }
    EXPECT_TRUE(Records(name) == records);
    EXPECT_TRUE(Rejects(name) == rejects);
    EXPECT_TRUE(FigureRows(name) == figures);
  }
}

// A row group without a page that has a rule and the right URL: its content is
// not read. Here it could not be.
TEST_F(ExtractTest, ContentOfPagesWithoutRulesIsNotRead) {
  Random random(testing_support::TestSeed(822));
  std::vector<Page> pages = TwoTemplates(60);
  WriteCrawl(temp_ / "crawl", pages);
  Cluster("crawl");
  WriteRules("products", Rules("/p/"));
  WriteRules("stories", Rules("/a/"));
  std::vector<Page> others;
  for (int i = 0; i < 20; ++i) {
    std::string noise(20000, ' ');
    for (char& c : noise) c = static_cast<char>(random.Below(256));
    others.push_back(
        {StrCat(i % 2 == 0 ? "http://other.example/" : "http://shop.example/a/",
                i),
         noise});
  }
  WriteCrawl(temp_ / "others", others);
  const std::string file = temp_ / "others/part-00000.parquet";
  std::string bytes = ReadWholeFile(file);
  for (size_t i = bytes.size() / 4; i < bytes.size() / 2; ++i) bytes[i] ^= 0x55;
  WriteWholeFile(file, bytes);
  const json report =
      Extract({Flag("crawl", "others"), Flag("crawl", "crawl"),
               Flag("rules", "products"), Flag("out", "records")});
  EXPECT_EQ(report["records"], 30);
  EXPECT_EQ(report["rejects"], (json{{"no_rule", 10}, {"no_url_match", 40}}));
  EXPECT_THAT(Failure({Flag("crawl", "others"), Flag("rules", "stories"),
                       Flag("out", "failed")}),
              HasSubstr("others"));
}

// Of two crawls of megabytes, one has a rule.
TEST_F(ExtractTest, BytesReadAreThoseOfPagesWithRules) {
  Random random(testing_support::TestSeed(823));
  std::vector<Page> pages = TwoTemplates(60);
  WriteCrawl(temp_ / "small", pages);
  Cluster("small");
  WriteRules("rules", Rules("/p/"));
  std::vector<Page> others;
  for (size_t i = 0; i < pages.size(); ++i) {
    std::string noise(50000, ' ');
    for (char& c : noise) c = static_cast<char>('A' + random.Below(60));
    StrAppend(&pages[i].content, "<!--", noise, "-->");
    others.push_back({StrCat("http://other.example/", i), pages[i].content});
  }
  WriteCrawl(temp_ / "crawl", pages);
  WriteCrawl(temp_ / "others", others);
  const auto bytes_read = [&](const std::string& crawl) {
    return Extract({Flag("crawl", crawl), Flag("rules", "rules"),
                    Flag("out", StrCat("records of ", crawl))})["bytes_read"]
        .get<int64_t>();
  };
  EXPECT_GT(bytes_read("crawl"), 2000000);
  // URLs, and the ends of the file, 64 KB each time it is opened.
  EXPECT_LT(bytes_read("others"), 150000);
}

TEST_F(ExtractTest, SinceSkipsWhatIsUnchanged) {
  std::vector<Page> pages = TwoTemplates(60);
  WriteCrawl(temp_ / "day1", pages);
  Cluster("day1");
  WriteRules("rules", Rules("/p/"));
  Extract(
      {Flag("crawl", "day1"), Flag("rules", "rules"), Flag("out", "first")});
  pages[4].content = Html(true, 999);                  // changed
  pages.push_back({ProductUrl(1000), Html(true, 6)});  // as /p/6, elsewhere
  WriteCrawl(temp_ / "day2", pages);
  const json report = Extract({Flag("crawl", "day2"), Flag("rules", "rules"),
                               Flag("since", "first"), Flag("out", "second")});
  EXPECT_EQ(
      Extract({Flag("crawl", "day2"), Flag("rules", "rules"),
               Flag("since", "first/records"), Flag("out", "same")})["skipped"],
      29);
  GiveFormerLayout(temp_ / "first");
  EXPECT_EQ(Extract({Flag("crawl", "day2"), Flag("rules", "rules"),
                     Flag("since", "first"), Flag("out", "former")})["skipped"],
            29);
  EXPECT_EQ(report["pages"], 61);
  EXPECT_EQ(report["records"], 2);
  EXPECT_EQ(report["skipped"], 29);
  EXPECT_EQ(report["rejected"], 30);
  EXPECT_DOUBLE_EQ(report["coverage"].get<double>(), 31.0 / 61);
  std::set<std::string> urls;
  for (const TextRow& row : Records("second")) urls.insert(row.at("url"));
  EXPECT_EQ(urls, (std::set<std::string>{ProductUrl(4), ProductUrl(1000)}));

  // Another version of the rule.
  proto::RuleSet rules = Rules("/p/");
  rules.mutable_rule(0)
      ->mutable_program()
      ->mutable_fields()
      ->mutable_attribute(0)
      ->add_alternative()
      ->set_xpath("//b/text()");
  WriteRules("rules2", rules);
  const json again = Extract({Flag("crawl", "day2"), Flag("rules", "rules2"),
                              Flag("since", "first"), Flag("out", "third")});
  EXPECT_EQ(again["records"], 31);
  EXPECT_EQ(again["skipped"], 0);
  EXPECT_THAT(Failure({Flag("crawl", "day2"), Flag("rules", "rules"),
                       Flag("since", "nowhere"), Flag("out", "fourth")}),
              HasSubstr("nowhere"));
}

TEST_F(ExtractTest, SeveralSchemas) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  Cluster("crawl");
  WriteRules("products", Rules("/p/"));
  proto::Schema story;
  story.set_name("story");
  story.add_attribute()->set_name("by");
  WriteRules("stories", Rules("/a/", story, {{"by", {"//dd/text()"}}}));
  const json report =
      Extract({Flag("crawl", "crawl"), Flag("rules", "products"),
               Flag("rules", "stories"), Flag("out", "records")});
  EXPECT_EQ(report["records"], 60);
  EXPECT_EQ(Records("records").size(), 30u);
  const std::vector<TextRow> stories = ReadTable(
      temp_ / "records/records/schema=story",
      {{"url", io::ColumnType::kBytes}, {"by", io::ColumnType::kBytes}});
  ASSERT_EQ(stories.size(), 30u);
  EXPECT_EQ(stories[0].at("by"), "Ann");

  // A cluster in two sets.
  WriteRules("both", Rules("shop"));
  EXPECT_THAT(
      Failure({Flag("crawl", "crawl"), Flag("rules", "products"),
               Flag("rules", "both"), Flag("out", "failed")}),
      AllOf(HasSubstr("products/rules.binpb"), HasSubstr("both/rules.binpb"),
            HasSubstr(Rules("/p/").rule(0).cluster_id())));
  // Two schemas of one name.
  story.set_name("shop");
  WriteRules("other", Rules("/a/", story, {{"by", {"//dd/text()"}}}));
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("rules", "products"),
                       Flag("rules", "other"), Flag("out", "failed")}),
              AllOf(HasSubstr("schema shop"), HasSubstr("products"),
                    HasSubstr("other")));
}

TEST_F(ExtractTest, SitesAreThoseOfTheRules) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  Cluster("crawl", {"--site=all of it", "--shingle=6"});
  WriteRules("rules", Rules("/p/"));
  Extract(
      {Flag("crawl", "crawl"), Flag("rules", "rules"), Flag("out", "records")});
  EXPECT_EQ(Records("records").size(), 30u);
  EXPECT_EQ(Records("records")[0].at("site"), "all of it");
}

TEST_F(ExtractTest, NoRulesAtAll) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(10));
  WriteRules("rules", {});
  const json report = Extract(
      {Flag("crawl", "crawl"), Flag("rules", "rules"), Flag("out", "records")});
  EXPECT_EQ(report["rejects"], (json{{"no_rule", 10}}));
}

TEST_F(ExtractTest, WrongUsageIsNamed) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  Cluster("crawl");
  const proto::RuleSet rules = Rules("/p/");
  WriteRules("rules", rules);
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("out", "out")}, 2),
              HasSubstr("--rules"));
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("out", "out"),
                       Flag("rules", "nowhere")}),
              HasSubstr("nowhere"));
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("out", "out"),
                       Flag("rules", "clusters")}),
              AllOf(HasSubstr("clusters"), HasSubstr("rules.binpb")));
  WriteWholeFile(temp_ / "bad/rules.binpb", "no rules");
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("out", "out"),
                       Flag("rules", "bad")}),
              HasSubstr("bad/rules.binpb"));
  proto::RuleSet broken = rules;
  broken.mutable_rule(0)
      ->mutable_program()
      ->mutable_fields()
      ->mutable_attribute(0)
      ->mutable_alternative(0)
      ->set_xpath("//[");
  WriteRules("broken", broken);
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("out", "out"),
                       Flag("rules", "broken")}),
              AllOf(HasSubstr(rules.rule(0).cluster_id()), HasSubstr("own")));
  broken = rules;
  *broken.add_rule() = rules.rule(0);
  broken.mutable_rule(1)->set_cluster_id("0123456789abcdef");
  broken.mutable_rule(1)->set_shingle_length(7);
  WriteRules("mixed", broken);
  EXPECT_THAT(Failure({Flag("crawl", "crawl"), Flag("out", "out"),
                       Flag("rules", "mixed")}),
              HasSubstr("shingle_length"));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "out"));
}

}  // namespace
}  // namespace trommel::jobs::extract
