#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/rule/rule.h"
#include "jobs/tables/samples_table.h"
#include "mapreduce/io/path.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::learn_job {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

// Templates that have nothing in common but a navigation bar.
enum Kind { kProduct, kArticle, kHelp, kBroken, kNumKinds };
constexpr const char* kFolders[kNumKinds] = {"p", "a", "h", "b"};

std::string Url(const std::string& site, Kind kind, int i) {
  return StrCat("http://", site, "/", kFolders[kind], "/", i);
}

std::string TitleOf(int i) { return StrCat("Gadget ", i * 37 % 1000, "x", i); }

std::string Html(Kind kind, int i, size_t filler) {
  std::string html =
      "<html><head><title>Shop</title></head><body><div id=nav><ul>"
      "<li><a>Home</a></li><li><a>Help</a></li></ul></div>";
  switch (kind) {
    case kProduct:
      StrAppend(&html, "<div class=product><h1 class=name>", TitleOf(i),
                "</h1><table><tr><th>Maker</th><td><b>ACME</b></td></tr>"
                "</table><form><select><option>1</option></select></form>"
                "<p>Price: <em class=price>$",
                i, ".50</em></p></div>");
      break;
    case kArticle:
      StrAppend(&html, "<section class=article><h2>Story ", i,
                "</h2><blockquote><i>Said</i></blockquote><dl><dt>By</dt>"
                "<dd>Ann</dd></dl><pre></pre></section>");
      break;
    case kHelp:
      StrAppend(&html, "<main><ol><li>One</li><li>Two</li><li>Three ", i,
                "</li></ol><hr><h5>Call</h5><u>us</u></main>");
      break;
    default:
      StrAppend(&html, "<article><h3>Error</h3><code>", i,
                "</code><kbd>a</kbd><samp>b</samp><var>c</var><sub>d</sub>"
                "<sup>e</sup></article>");
  }
  StrAppend(&html, "<address>Imprint</address><!--", std::string(filler, 'x'),
            "--></body></html>");
  return html;
}

std::string ValueLine(const std::string& url, const std::string& attribute,
                      const std::string& value) {
  return json{{"url", url}, {"attribute", attribute}, {"value", value}}.dump();
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) StrAppend(&text, line, "\n");
  return text;
}

class LearnTest : public testing::Test {
 protected:
  std::string Flag(const std::string& name, const std::string& path) const {
    return StrCat("--", name, "=", temp_ / path);
  }

  // Clusters and samples of two sites; URLs of the samples by cluster.
  void MakeSamples(size_t filler = 0) {
    std::vector<Page> pages;
    for (const std::string site : {"shop.example", "other.example"}) {
      for (int i = 0; i < 24 * kNumKinds; ++i) {
        const Kind kind = static_cast<Kind>(i % kNumKinds);
        if (site == "other.example" && kind != kProduct) continue;
        pages.push_back({Url(site, kind, i), Html(kind, i, filler)});
      }
    }
    WriteCrawl(temp_ / "crawl", pages);
    CommandResult result = RunTrommel(
        {"cluster", Flag("crawl", "crawl"), Flag("out", "clusters")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    result = RunTrommel({"sample", Flag("crawl", "crawl"),
                         Flag("clusters", "clusters"), "--pages=6",
                         "--annotate-pages=false", Flag("out", "samples")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    ReadSamples();
    WriteWholeFile(
        temp_ / "shop.textproto",
        "name: \"shop\"\n"
        "attribute { name: \"title\" mandatory: true }\n"
        "attribute { name: \"price\" type: PRICE mandatory: true }\n");
  }

  void ReadSamples() {
    const absl::Status status = tables::VisitSamples(
        *io::ResolvePath(temp_ / "samples/samples"),
        [&](const tables::SampleRow& sample) {
          const std::string url(sample.url);
          for (int kind = 0; kind < kNumKinds; ++kind) {
            const std::string prefix =
                StrCat("http://", sample.site, "/", kFolders[kind], "/");
            if (url.compare(0, prefix.size(), prefix) != 0) continue;
            urls_[std::string(sample.site)][static_cast<Kind>(kind)].push_back(
                url);
            cluster_of_[url] = std::string(sample.cluster_id);
          }
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
  }

  const std::vector<std::string>& Urls(Kind kind) const {
    return urls_.at("shop.example").at(kind);
  }

  static int NumberOf(const std::string& url) {
    return std::stoi(url.substr(url.rfind('/') + 1));
  }

  // Two product pages; the help pages are not wanted; on the broken pages the
  // values are nowhere.
  std::vector<std::string> AllKinds() const {
    std::vector<std::string> lines;
    for (int rank = 0; rank < 2; ++rank) {
      const std::string& url = Urls(kProduct)[static_cast<size_t>(rank)];
      lines.push_back(ValueLine(url, "title", TitleOf(NumberOf(url))));
      lines.push_back(
          ValueLine(url, "price", StrCat("$", NumberOf(url), ".50")));
    }
    lines.push_back(json{{"url", Urls(kHelp)[0]}, {"skip", true}}.dump());
    for (const std::string& url : Urls(kBroken)) {
      lines.push_back(ValueLine(url, "title", "Nowhere to be seen"));
    }
    return lines;
  }

  CommandResult Learn(const std::vector<std::string>& flags,
                      const std::string& out = "rules") {
    std::vector<std::string> command = {"learn", Flag("samples", "samples"),
                                        Flag("schema", "shop.textproto"),
                                        Flag("out", out)};
    command.insert(command.end(), flags.begin(), flags.end());
    return RunTrommel(command);
  }

  std::vector<json> Statuses(const std::string& out = "rules") const {
    std::vector<json> statuses;
    std::istringstream lines(ReadWholeFile(temp_ / (out + "/status.jsonl")));
    for (std::string line; std::getline(lines, line);) {
      statuses.push_back(json::parse(line));
    }
    return statuses;
  }

  json StatusOf(const std::string& site, Kind kind,
                const std::string& out = "rules") const {
    const std::string& cluster = cluster_of_.at(urls_.at(site).at(kind)[0]);
    for (const json& status : Statuses(out)) {
      if (status["cluster_id"] == cluster) return status;
    }
    return json();
  }

  TempDir temp_;
  std::map<std::string, std::map<Kind, std::vector<std::string>>> urls_;
  std::map<std::string, std::string> cluster_of_;
};

TEST_F(LearnTest, EveryStatusOccurs) {
  MakeSamples();
  WriteWholeFile(temp_ / "a.jsonl", Joined(AllKinds()));
  const CommandResult result = Learn({Flag("annotations", "a.jsonl")});
  ASSERT_EQ(result.exit_code, 0) << result.err;

  const json product = StatusOf("shop.example", kProduct);
  EXPECT_EQ(product["site"], "shop.example");
  EXPECT_EQ(product["status"], "done") << product;
  EXPECT_EQ(product["next_url"], nullptr);
  EXPECT_EQ(product["annotated_pages"], 2);
  EXPECT_EQ(product["reused_from"], nullptr);
  EXPECT_EQ(product["next_attribute"], nullptr);
  EXPECT_EQ(product["doubts"], json::array());
  EXPECT_EQ(product["fill"], json({{"title", 1.0}, {"price", 1.0}}));
  for (const char* const attribute : {"title", "price"}) {
    EXPECT_EQ(product["examples"][attribute].size(), 3u) << product;
  }
  EXPECT_THAT(product["examples"]["title"],
              testing::Contains(TitleOf(NumberOf(Urls(kProduct)[2]))));

  const json article = StatusOf("shop.example", kArticle);
  EXPECT_EQ(article["status"], "needs_annotation");
  EXPECT_THAT(Urls(kArticle), testing::Contains(article["next_url"]));
  EXPECT_EQ(article["annotated_pages"], 0);
  EXPECT_EQ(article["doubts"], json::array());
  EXPECT_EQ(article["fill"], json::object());
  EXPECT_EQ(article["examples"], json::object());

  const json help = StatusOf("shop.example", kHelp);
  EXPECT_EQ(help["status"], "ignored");
  EXPECT_EQ(help["next_url"], nullptr);

  const json broken = StatusOf("shop.example", kBroken);
  EXPECT_EQ(broken["status"], "failed") << broken;
  EXPECT_EQ(broken["next_url"], nullptr);
  EXPECT_TRUE(broken["reason"].is_string());

  // A line per cluster with all its keys, by site and cluster.
  const std::vector<json> statuses = Statuses();
  ASSERT_EQ(statuses.size(), 5u);
  for (size_t i = 0; i < statuses.size(); ++i) {
    EXPECT_EQ(statuses[i].size(), 11u);
    if (i == 0) continue;
    EXPECT_LT(std::pair(statuses[i - 1]["site"], statuses[i - 1]["cluster_id"]),
              std::pair(statuses[i]["site"], statuses[i]["cluster_id"]));
  }
  EXPECT_THAT(ReadWholeFile(temp_ / "rules/status.jsonl"),
              HasSubstr(StrCat("{\"site\":\"shop.example\",\"cluster_id\":\"",
                               cluster_of_[Urls(kProduct)[0]],
                               "\",\"status\":\"done\",\"next_url\":null,"
                               "\"next_attribute\":null,"
                               "\"annotated_pages\":2,\"reused_from\":null,")));

  // The rule, for machines and people.
  const auto rules =
      rule::DecodeRules(ReadWholeFile(temp_ / "rules/rules.binpb"));
  ASSERT_TRUE(rules.ok()) << rules.status();
  bool found = false;
  for (const proto::Rule& rule : rules->rule()) {
    if (rule.cluster_id() != product["cluster_id"]) continue;
    found = true;
    EXPECT_EQ(rule.site(), "shop.example");
    EXPECT_EQ(rule.site_key(), "host");
    EXPECT_GT(rule.signature_size(), 0);
    EXPECT_GT(rule.importance(), 0);
    EXPECT_THAT(rule.url_regex(), HasSubstr("shop"));
    EXPECT_EQ(rule.schema().name(), "shop");
    EXPECT_EQ(rule.program().fields().attribute_size(), 2);
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(ReadWholeFile(temp_ / "rules/rules.textproto"),
              HasSubstr("site: \"shop.example\""));

  // The values that are nowhere, by their lines.
  for (int line = 6; line <= 11; ++line) {
    EXPECT_THAT(result.err,
                HasSubstr(StrCat(temp_ / "a.jsonl", ":", line, ": ")));
  }
  EXPECT_THAT(result.err, AllOf(HasSubstr("title"), HasSubstr("/b/")));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("needs_annotation"), HasSubstr("annotate next:"),
                    HasSubstr(article["next_url"].get<std::string>()),
                    HasSubstr("  title     100.0%  \"")));
  const json manifest = json::parse(ReadWholeFile(temp_ / "rules/_SUCCESS"));
  EXPECT_EQ(manifest["verb"], "learn");
  std::set<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(temp_ / "rules")) {
    files.insert(entry.path().filename());
  }
  EXPECT_THAT(files, ElementsAre("_SUCCESS", "rules.binpb", "rules.textproto",
                                 "status.jsonl"));
}

TEST_F(LearnTest, NothingAnnotatedAsksForTheFirstPageOfEachCluster) {
  MakeSamples();
  WriteWholeFile(temp_ / "a.jsonl", "\n\n");
  const CommandResult result =
      Learn({Flag("annotations", "a.jsonl"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["clusters"], 5);
  EXPECT_EQ(report["needs_annotation"], 5);
  EXPECT_EQ(report["done"], 0);
  EXPECT_EQ(report["rules"], 0);
  EXPECT_EQ(report["warnings"], 0);
  EXPECT_EQ(report["status"].size(), 5u);
  std::set<std::string> next;
  for (const json& url : report["next"]) next.insert(url.get<std::string>());
  std::set<std::string> first;
  for (const auto& [site, kinds] : urls_) {
    for (const auto& [kind, urls] : kinds) first.insert(urls[0]);
  }
  EXPECT_EQ(next, first);
}

// What is annotated is not enough: another page is asked for, as long as there
// may be one.
TEST_F(LearnTest, TheNextPageIsNotAnnotatedYet) {
  MakeSamples();
  const std::string& url = Urls(kProduct)[0];
  WriteWholeFile(temp_ / "a.jsonl",
                 Joined({ValueLine(url, "title", TitleOf(NumberOf(url)))}));
  ASSERT_EQ(Learn({Flag("annotations", "a.jsonl")}).exit_code, 0);
  const json more = StatusOf("shop.example", kProduct);
  EXPECT_EQ(more["status"], "needs_annotation");
  EXPECT_EQ(more["annotated_pages"], 1);
  EXPECT_NE(more["next_url"], url);
  EXPECT_THAT(Urls(kProduct), testing::Contains(more["next_url"]));

  ASSERT_EQ(
      Learn({Flag("annotations", "a.jsonl"), "--max-annotated-pages=1"}, "one")
          .exit_code,
      0);
  const json enough = StatusOf("shop.example", kProduct, "one");
  EXPECT_EQ(enough["status"], "failed");
  EXPECT_EQ(enough["next_url"], nullptr);
  EXPECT_TRUE(enough["reason"].is_string());
}

// A cluster without pages in the sample, and one whose pages are too much.
TEST_F(LearnTest, ClustersWithoutPagesFailWithAReason) {
  MakeSamples();
  WriteWholeFile(temp_ / "a.jsonl", Joined(AllKinds()));
  WriteCrawl(temp_ / "else", {{"http://else.example/", Html(kProduct, 1, 0)}});
  CommandResult result =
      RunTrommel({"sample", Flag("crawl", "else"), Flag("clusters", "clusters"),
                  Flag("out", "empty")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  WriteWholeFile(temp_ / "none.jsonl", "");
  result = RunTrommel({"learn", Flag("samples", "empty"),
                       Flag("schema", "shop.textproto"),
                       Flag("annotations", "none.jsonl"), Flag("out", "none")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(Statuses("none").size(), 5u);
  for (const json& status : Statuses("none")) {
    EXPECT_EQ(status["status"], "failed");
    EXPECT_EQ(status["reason"], "no page of the cluster is in the sample");
  }
  EXPECT_EQ(
      rule::DecodeRules(ReadWholeFile(temp_ / "none/rules.binpb"))->rule_size(),
      0);

  result = Learn({Flag("annotations", "a.jsonl"), "--max-nodes=10",
                  "--max-bad-fraction=1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const json& status : Statuses()) {
    EXPECT_EQ(status["status"], "failed");
    EXPECT_EQ(status["reason"],
              "no page of the sample can be parsed (6 rejected)");
  }
  EXPECT_THAT(result.err, HasSubstr(StrCat(temp_ / "a.jsonl", ":1: title of ",
                                           Urls(kProduct)[0],
                                           ": the page cannot be parsed")));
}

TEST_F(LearnTest, OnlyTheSitesAskedFor) {
  MakeSamples();
  WriteWholeFile(temp_ / "a.jsonl", Joined(AllKinds()));
  WriteWholeFile(temp_ / "sites", "# those of today\n\n other.example \n");
  CommandResult result =
      Learn({Flag("annotations", "a.jsonl"), Flag("sites", "sites")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(Statuses().size(), 1u);
  EXPECT_EQ(Statuses()[0]["site"], "other.example");
  EXPECT_EQ(Statuses()[0]["status"], "needs_annotation");

  WriteWholeFile(temp_ / "sites", "other.example\n\nno.example\n");
  result =
      Learn({Flag("annotations", "a.jsonl"), Flag("sites", "sites")}, "wrong");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr(StrCat(temp_ / "sites", ":3: ")),
                                HasSubstr("no.example")));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "wrong"));
}

TEST_F(LearnTest, UnusableAnnotationsAreErrorsWithTheirLines) {
  MakeSamples();
  const std::string& url = Urls(kProduct)[0];
  WriteWholeFile(temp_ / "good.jsonl", Joined(AllKinds()));
  WriteWholeFile(
      temp_ / "bad.jsonl",
      Joined({ValueLine(url, "title", TitleOf(NumberOf(url))), "",
              ValueLine(url, "colour", "red"),
              ValueLine("http://shop.example/nowhere", "title", "x"),
              "{\"url\":", json{{"url", url}, {"attribute", "title"}}.dump()}));
  const CommandResult result = Learn(
      {Flag("annotations", "good.jsonl"), Flag("annotations", "bad.jsonl")});
  EXPECT_EQ(result.exit_code, 1);
  const std::string bad = temp_ / "bad.jsonl";
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("4 unusable annotations\n"),
                    HasSubstr(StrCat("\n", bad,
                                     ":3: the schema shop has no attribute "
                                     "\"colour\" (of ",
                                     url, ")")),
                    HasSubstr(StrCat("\n", bad,
                                     ":4: no page http://shop.example/"
                                     "nowhere is in the sample (for "
                                     "title)")),
                    HasSubstr(StrCat("\n", bad, ":5: not JSON")),
                    HasSubstr(StrCat("\n", bad, ":6: \"value\" is missing"))));
  EXPECT_THAT(result.err, Not(HasSubstr("good.jsonl:")));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "rules"));
}

TEST_F(LearnTest, ContradictionsAreWarningsWithTheirFilesAndLines) {
  MakeSamples();
  const std::string& url = Urls(kProduct)[0];
  WriteWholeFile(temp_ / "a.jsonl", Joined(AllKinds()));
  WriteWholeFile(
      temp_ / "b.jsonl",
      Joined({"", json{{"url", url}, {"attribute", "title"}, {"absent", true}}
                      .dump()}));
  const CommandResult result =
      Learn({Flag("annotations", "a.jsonl"), Flag("annotations", "b.jsonl"),
             "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr(StrCat(temp_ / "b.jsonl", ":2: title of ", url,
                               ": absent, but ", temp_ / "a.jsonl",
                               ":1 gives a value, which counts\n")));
  const json report = json::parse(result.out);
  EXPECT_GE(report["warnings"], 7);
  EXPECT_EQ(report["done"], 1);
}

// Any split, any number of reducers and workers, any order of lines and rows.
TEST_F(LearnTest, BytesDoNotDependOnSplitsReducersOrOrder) {
  MakeSamples(/*filler=*/200000);
  Random random(testing_support::TestSeed(701));
  const auto shuffle = [&](auto* items) {
    for (size_t i = items->size(); i > 1; --i) {
      std::swap((*items)[i - 1], (*items)[random.Below(i)]);
    }
  };
  struct Row {
    std::string site, cluster_id, url, content;
    int64_t rank;
  };
  std::vector<Row> rows;
  ASSERT_TRUE(tables::VisitSamples(
                  *io::ResolvePath(temp_ / "samples/samples"),
                  [&](const tables::SampleRow& sample) {
                    rows.push_back({std::string(sample.site),
                                    std::string(sample.cluster_id),
                                    std::string(sample.url),
                                    std::string(sample.content), sample.rank});
                    return absl::OkStatus();
                  })
                  .ok());
  std::map<std::string, std::string> expected;
  struct Case {
    size_t files;  // a split each, at least
    int reducers;
    int workers;
  };
  for (const Case& c : {Case{1, 1, 1}, Case{3, 4, 2}, Case{8, 4, 2}}) {
    SCOPED_TRACE(c.files);
    const std::string out = StrCat("out", c.files);
    const std::string samples = StrCat("samples", c.files);
    shuffle(&rows);
    for (size_t file = 0; file < c.files; ++file) {
      const std::string part = StrCat(temp_ / "part", c.files, "-", file);
      io::ShardWriter::Options options;
      options.prefix = StrCat("part-", file);
      options.plain_columns = tables::SamplesPlainColumns();
      auto table = io::RowWriter::Create(
          *io::ResolvePath(temp_ / (samples + "/samples")),
          tables::SamplesSchema(), options);
      ASSERT_TRUE(table.ok()) << table.status();
      for (size_t i = file; i < rows.size(); i += c.files) {
        tables::SampleRow sample;
        sample.site = rows[i].site;
        sample.cluster_id = rows[i].cluster_id;
        sample.rank = rows[i].rank;
        sample.url = rows[i].url;
        sample.content = rows[i].content;
        ASSERT_TRUE(tables::WriteSample(sample, table->get()).ok());
      }
      ASSERT_TRUE((*table)->Close().ok());
    }
    std::filesystem::copy(temp_ / "samples/clusters",
                          temp_ / (samples + "/clusters"),
                          std::filesystem::copy_options::recursive);
    std::vector<std::string> lines = AllKinds();
    shuffle(&lines);
    WriteWholeFile(temp_ / "a.jsonl", Joined(lines));
    const CommandResult result = RunTrommel(
        {"learn", Flag("samples", samples), Flag("schema", "shop.textproto"),
         Flag("annotations", "a.jsonl"), Flag("out", out), "--split-mb=1",
         StrCat("--reducers=", c.reducers), StrCat("--workers=", c.workers)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (const char* file :
         {"rules.binpb", "rules.textproto", "status.jsonl"}) {
      const std::string bytes = ReadWholeFile(temp_ / (out + "/" + file));
      EXPECT_FALSE(bytes.empty());
      EXPECT_TRUE(expected.try_emplace(file, bytes).first->second == bytes)
          << file;
    }
  }
}

TEST_F(LearnTest, AFinishedOutputIsReplacedOnlyByForce) {
  MakeSamples();
  WriteWholeFile(temp_ / "a.jsonl", "");
  ASSERT_EQ(Learn({Flag("annotations", "a.jsonl")}).exit_code, 0);
  EXPECT_EQ(Learn({Flag("annotations", "a.jsonl")}).exit_code, 1);
  WriteWholeFile(temp_ / "a.jsonl", Joined(AllKinds()));
  ASSERT_EQ(Learn({Flag("annotations", "a.jsonl"), "--force"}).exit_code, 0);
  EXPECT_EQ(StatusOf("shop.example", kProduct)["status"], "done");
}

TEST_F(LearnTest, WrongUsageIsNamed) {
  MakeSamples();
  WriteWholeFile(temp_ / "a.jsonl", "");
  struct Case {
    std::vector<std::string> flags;
    int exit_code;
    std::string message;
  };
  const Case cases[] = {
      {{}, 2, "--annotations"},
      {{Flag("annotations", "nowhere.jsonl")}, 1, "nowhere.jsonl"},
      {{Flag("annotations", "a.jsonl"), "--learner=crystal-ball"},
       2,
       "--learner"},
      {{Flag("annotations", "a.jsonl"), "--max-annotated-pages=0"},
       2,
       "--max-annotated-pages"},
      {{Flag("annotations", "a.jsonl"), "--budget=-1"}, 2, "--budget"},
      {{Flag("annotations", "a.jsonl"), Flag("sites", "gone")}, 1, "gone"},
  };
  for (const Case& c : cases) {
    const CommandResult result = Learn(c.flags);
    EXPECT_EQ(result.exit_code, c.exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(temp_ / "rules"));
  }
}

}  // namespace
}  // namespace trommel::jobs::learn_job
