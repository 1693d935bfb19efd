#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/rule/rule.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::export_job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

constexpr char kRules[] = R"pb(
  rule {
    site: "b.example"
    cluster_id: "bbbb"
    schema {
      name: "s"
      attribute { name: "t" }
    }
    program {
      fields {
        attribute {
          name: "t"
          alternative {
            xpath: "//b"
            classifier {
              prior_log_odds: 0.5
              feature { xpath: "self::b" log_odds_present: 1 }
            }
            regex: "[0-9]+"
          }
        }
      }
    }
  }
  rule {
    site: "a.example"
    cluster_id: "aaaa"
    schema {
      name: "s"
      attribute { name: "title" }
      attribute { name: "cast" repeated: true }
    }
    program {
      fields {
        attribute {
          name: "title"
          alternative {
            xpath: "//h1"
            range { first: 2 last: 1 last_from_end: true }
          }
          alternative { xpath: "//title/text()" }
        }
        attribute {
          name: "cast"
          alternative { xpath: "//li[@class=\"a\"]" also: "//li[@class=\"b\"]" }
        }
      }
    }
  })pb";

proto::RuleSet RulesOf(const std::string& text) {
  proto::RuleSet rules;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &rules));
  return rules;
}

class ExportTest : public testing::Test {
 protected:
  void Write(const proto::RuleSet& rules) {
    WriteWholeFile(dir_ / "rules/rules.binpb", rule::EncodeRules(rules));
  }
  CommandResult Export(const std::string& more = "--json") {
    return RunTrommel({"export", "--rules=" + (dir_ / "rules"),
                       "--out=" + (dir_ / "out"), more});
  }
  const TempDir dir_;
};

TEST_F(ExportTest, StylesheetsRunOnTheXmlOfPages) {
  Write(RulesOf(kRules));
  const CommandResult result = Export();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto summary = nlohmann::json::parse(result.out);
  EXPECT_EQ(summary["rules"], 2);
  EXPECT_EQ(summary["xpaths"], 4);
  EXPECT_EQ(summary["not_exported"].size(), 2u);

  WriteWholeFile(dir_ / "page.html",
                 "<title>T</title><h1>The <i>Table</i> &amp;<br>Co</h1><ul>"
                 "<li class=b>One<li class=x>no<li class=a>Two");
  const CommandResult dom = RunTrommel({"dom", "--xml", dir_ / "page.html"});
  WriteWholeFile(dir_ / "page.xml", dom.out);
  ASSERT_EQ(std::system(("cd " + dir_.path() +
                         " && xsltproc --stringparam url http://a.example/ "
                         "out/aaaa.xslt page.xml > record.xml")
                            .c_str()),
            0);
  const std::string id = rule::RuleId(RulesOf(kRules).rule(1));
  EXPECT_EQ(ReadWholeFile(dir_ / "record.xml"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<record site=\"a.example\" cluster_id=\"aaaa\" rule_id=\"" +
                id +
                "\" url=\"http://a.example/\">\n"
                "<attribute name=\"title\"><value>Table &amp; Co</value>"
                "</attribute>\n"
                "<attribute name=\"cast\"><value>One</value>\n"
                "<value>Two</value>\n</attribute>\n</record>\n");
}

TEST_F(ExportTest, XPathsAsLines) {
  Write(RulesOf(kRules));
  ASSERT_EQ(Export().exit_code, 0);
  std::istringstream lines(ReadWholeFile(dir_ / "out/xpaths.jsonl"));
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(nlohmann::json::parse(line));
  }
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["site"], "a.example");
  EXPECT_EQ(rows[0]["rule_id"], rule::RuleId(RulesOf(kRules).rule(1)));
  EXPECT_EQ(rows[0]["range"]["first"], 2);
  EXPECT_EQ(rows[0]["range"]["first_from_end"], false);
  EXPECT_EQ(rows[1]["alternative"], 1);
  EXPECT_EQ(rows[1]["xpath"], "//title/text()");
  EXPECT_FALSE(rows[1].contains("range"));
  EXPECT_EQ(rows[2]["attribute"], "cast");
  EXPECT_EQ(rows[2]["xpath"], "//li[@class=\"a\"] | //li[@class=\"b\"]");
  EXPECT_EQ(rows[3]["cluster_id"], "bbbb");
  EXPECT_EQ(rows[3]["regex"], "[0-9]+");
  EXPECT_EQ(rows[3]["classifier"]["feature"][0]["xpath"], "self::b");
  EXPECT_EQ(rows[3]["classifier"]["feature"][0]["log_odds_absent"], 0);
}

TEST_F(ExportTest, SaysWhatIsNotExported) {
  Write(RulesOf(kRules));
  const CommandResult result = Export("--force");
  EXPECT_THAT(result.out, HasSubstr("2 stylesheets, 4 XPaths"));
  EXPECT_THAT(result.out,
              HasSubstr("not exported: bbbb.xslt: t, alternative 1: a "
                        "classifier"));
}

TEST_F(ExportTest, TakesTheFileToo) {
  Write(RulesOf(kRules));
  const CommandResult result =
      RunTrommel({"export", "--rules=" + (dir_ / "rules/rules.binpb"),
                  "--out=" + (dir_ / "out")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto manifest =
      nlohmann::json::parse(ReadWholeFile(dir_ / "out/_SUCCESS"));
  EXPECT_EQ(manifest["shards"].size(), 3u);
}

TEST_F(ExportTest, ReplacesOnlyWithForce) {
  Write(RulesOf(kRules));
  EXPECT_EQ(Export().exit_code, 0);
  EXPECT_EQ(Export().exit_code, 1);
  EXPECT_EQ(Export("--force").exit_code, 0);
}

TEST_F(ExportTest, WrongRulesLeaveNoOutput) {
  struct Case {
    const char* label;
    std::string rules, message;
  };
  const Case kCases[] = {
      {"path", "rule { cluster_id: '../x' }", "is no name for a file"},
      {"no cluster", "rule { site: 'a' }", "is no name for a file"},
      {"twice",
       "rule { cluster_id: 'a' program { fields {} } } rule { cluster_id: 'a' "
       "program { fields {} } }",
       "two rules of cluster a"},
      {"XPath",
       "rule { cluster_id: 'a' schema { attribute { name: 't' } } "
       "program { fields { attribute { name: 't' "
       "alternative { xpath: '//[' } } } } }",
       "attribute t"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.label);
    Write(RulesOf(c.rules));
    const CommandResult result = Export();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(dir_ / "out"));
  }
  WriteWholeFile(dir_ / "rules/rules.binpb", "\xFF no rules");
  EXPECT_THAT(Export().err, HasSubstr("rules.binpb"));
  std::filesystem::remove_all(dir_ / "rules");
  EXPECT_THAT(Export().err, HasSubstr("rules"));
}

}  // namespace
}  // namespace trommel::jobs::export_job
