#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/rule/rule.h"
#include "core/signature/page_signature.h"
#include "jobs/explain/explanation.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::explain {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

constexpr char kUrl[] = "http://shop.example/p/1";
constexpr char kPage[] =
    "<html><head><title>Shop</title></head><body><div id=nav><ul><li><a>Home"
    "</a></li></ul></div><div class=product><h1>Lamp</h1><p>Price: "
    "<em class=price>$5.00</em> <em class=old>$7.00</em></p>"
    "<img src='/i/1.png'></div></body></html>";

std::string SignatureOf(std::string_view page) {
  return signature::VectorText(signature::PageSigner().Sign(page, "")->vector);
}

// A rule for pages with a signature, of which some bytes may be wild.
proto::Rule MakeRule(const std::string& cluster_id, const std::string& regex,
                     const std::string& signature, int64_t importance) {
  proto::Rule rule;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        site: "shop.example"
        site_key: "host"
        shingle_length: 10
        learner: "vertex"
        schema {
          name: "shop"
          attribute { name: "title" mandatory: true }
          attribute { name: "price" type: PRICE }
          attribute { name: "image" type: IMAGE }
          attribute { name: "maker" }
        }
        program {
          fields {
            attribute {
              name: "title"
              alternative { xpath: "//h1/text()" }
              alternative { xpath: "//h2/text()" }
            }
            attribute {
              name: "price"
              alternative { xpath: "//em/text()" regex: "\\$5[.0-9]*" }
              alternative {
                xpath: "//p"
                range { first: 2 last: 2 }
              }
            }
            attribute {
              name: "image"
              alternative { xpath: "//img/@src" }
            }
          }
        }
      )pb",
      &rule));
  rule.set_cluster_id(cluster_id);
  rule.set_url_regex(regex);
  rule.set_importance(importance);
  proto::Signature* const added = rule.add_signature();
  added->set_signature(signature);
  added->set_importance(importance);
  return rule;
}

class ExplainTest : public testing::Test {
 protected:
  void SetUp() override { WriteWholeFile(temp_ / "page.html", kPage); }

  void WriteRules(const std::vector<proto::Rule>& rules) {
    proto::RuleSet set;
    for (const proto::Rule& rule : rules) *set.add_rule() = rule;
    WriteWholeFile(temp_ / "rules/rules.binpb", rule::EncodeRules(set));
  }

  CommandResult Explain(std::vector<std::string> flags,
                        const std::string& url = kUrl) {
    flags.insert(flags.begin(), {"explain", StrCat("--rules=", temp_ / "rules"),
                                 StrCat("--url=", url)});
    return RunTrommel(flags);
  }

  json ExplainJson(std::vector<std::string> flags,
                   const std::string& url = kUrl) {
    flags.push_back("--json");
    const CommandResult result = Explain(flags, url);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }

  // With the first bytes wild.
  static std::string Wild(std::string signature) {
    return StrCat(
        "*.*", signature.substr(signature.find('.', signature.find('.') + 1)));
  }

  TempDir temp_;
};

TEST_F(ExplainTest, EveryNodeOfEveryAlternative) {
  const proto::Rule rule =
      MakeRule("c1", "http://shop\\.example/p/\\d+", SignatureOf(kPage), 7);
  WriteRules({rule});
  const json all = ExplainJson({temp_ / "page.html"});
  EXPECT_EQ(all["rule_id"], rule::RuleId(rule));
  EXPECT_EQ(all["by"], "signature");
  EXPECT_EQ(all["reason"], nullptr);
  EXPECT_EQ(all["is_record"], true);
  EXPECT_EQ(all["confidence"], 0.5);
  ASSERT_EQ(all["attributes"].size(), 4u);

  const json& title = all["attributes"][0];
  EXPECT_EQ(title["values"], json({"Lamp"}));
  EXPECT_EQ(title["alternative"], 0);
  EXPECT_EQ(title["confidence"], 0.5);
  EXPECT_EQ(title["alternatives"][0]["nodes"][0]["path"],
            "/html[1]/body[1]/div[2]/h1[1]/text()[1]");
  EXPECT_EQ(title["alternatives"][1]["num_nodes"], 0);

  // One of two nodes passes the pattern.
  const json& price = all["attributes"][1];
  EXPECT_EQ(price["values"], json({"$5.00"}));
  EXPECT_EQ(price["confidence"], 1);
  const json& nodes = price["alternatives"][0]["nodes"];
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0]["text"], "$5.00");
  EXPECT_EQ(nodes[0]["has_value"], true);
  EXPECT_EQ(nodes[1]["text"], "$7.00");
  EXPECT_EQ(nodes[1]["has_value"], false);

  const json& image = all["attributes"][2];
  EXPECT_EQ(image["values"], json({"http://shop.example/i/1.png"}));
  EXPECT_EQ(image["alternatives"][0]["nodes"][0]["path"],
            "/html[1]/body[1]/div[2]/img[1]/@src");
  EXPECT_TRUE(all["attributes"][3]["alternatives"].empty());

  const CommandResult text = Explain({temp_ / "page.html"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(
      text.out,
      AllOf(HasSubstr(StrCat("rule: ", rule::RuleId(rule), ", by signature\n")),
            HasSubstr("title: \"Lamp\"  confidence 0.50\n"
                      "  * 1. //h1/text()\n"
                      "         /html[1]/body[1]/div[2]/h1[1]/text()[1]  "
                      "\"Lamp\"\n"
                      "         = \"Lamp\"\n"
                      "    2. //h2/text()\n"
                      "         selects nothing\n"),
            HasSubstr("\"$7.00\"  (no value)\n"), HasSubstr("words 2 to 2"),
            HasSubstr("maker: the rule does not extract it\n"),
            HasSubstr("record: confidence 0.50\n")));
}

TEST_F(ExplainTest, TheMostImportantOfSeveralRules) {
  const std::string signature = SignatureOf(kPage);
  const proto::Rule first = MakeRule("c1", "http://.*", signature, 7);
  const proto::Rule second = MakeRule("c2", "http://.*", Wild(signature), 9);
  WriteRules({first, second});
  const json all = ExplainJson({temp_ / "page.html"});
  EXPECT_EQ(all["rule_id"], rule::RuleId(second));
  EXPECT_EQ(all["rules"].size(), 2u);
  EXPECT_EQ(all["rules"][0]["cluster_id"], "c2");
  EXPECT_EQ(all["rules"][0]["signature"], Wild(signature));
  EXPECT_EQ(all["rules"][1]["signature_importance"], 7);
  EXPECT_THAT(all["why"].get<std::string>(),
              HasSubstr("1 other rule, but this one has the greatest "
                        "importance (9)"));
}

TEST_F(ExplainTest, WhichTestFailed) {
  const std::string signature = SignatureOf(kPage);
  const std::string others = "1.2.3.4.5.6.7.8";
  WriteRules({MakeRule("c1", "http://shop\\.example/p/\\d+", others, 7),
              MakeRule("c2", "http://shop\\.example/q/\\d+", others, 7)});
  struct Case {
    std::string url;
    std::string reason;
    std::string why;
  };
  const Case cases[] = {
      {"http://else.example/p/1", "no_rule", "else.example"},
      {"http://shop.example/x", "no_url_match", "none of the site's 2 rules"},
      {kUrl, "no_template", "no signature of the site's 2 rules covers"},
  };
  for (const Case& c : cases) {
    const json all = ExplainJson({temp_ / "page.html"}, c.url);
    EXPECT_EQ(all["reason"], c.reason);
    EXPECT_EQ(all["rule_id"], nullptr);
    EXPECT_THAT(all["why"].get<std::string>(), HasSubstr(c.why));
    EXPECT_EQ(all.count("attributes"), 0u);
    EXPECT_THAT(Explain({temp_ / "page.html"}, c.url).out,
                HasSubstr(StrCat("rule: none, ", c.reason)));
  }
  // A template of another rule, and no template at all.
  WriteRules({MakeRule("c1", "http://shop\\.example/p/\\d+", others, 7),
              MakeRule("c2", "http://shop\\.example/q/\\d+", signature, 7)});
  EXPECT_THAT(ExplainJson({temp_ / "page.html"})["why"].get<std::string>(),
              HasSubstr("of the template of cluster c2, whose URL pattern"));
  WriteWholeFile(temp_ / "short.html", "<p>Hello");
  EXPECT_THAT(ExplainJson({temp_ / "short.html"})["why"].get<std::string>(),
              HasSubstr("fewer tags than a shingle"));
}

TEST_F(ExplainTest, TheLatestVersionOfACrawl) {
  WriteRules({MakeRule("c1", "http://.*", SignatureOf(kPage), 7)});
  const auto titled = [](const std::string& title) {
    std::string content = kPage;
    return content.replace(content.find("Lamp"), 4, title);
  };
  WriteCrawl(temp_ / "crawl",
             {{kUrl, titled("Older"), 1000, 200},
              {kUrl, titled("Latest"), 3000, 200},
              {kUrl, titled("Undated"), {}, 200},
              {"http://shop.example/p/2", titled("Gone"), 1000, 404}});
  const std::string crawl = StrCat("--crawl=", temp_ / "crawl");
  const json all = ExplainJson({crawl});
  EXPECT_EQ(all["attributes"][0]["values"], json({"Latest"}));
  EXPECT_THAT(Explain({crawl}).out, HasSubstr("the latest of 3 versions"));
  EXPECT_THAT(ExplainJson({crawl}, "http://shop.example/p/2")["rejected"]
                  .get<std::string>(),
              HasSubstr("fetch_status"));
  const CommandResult missing = Explain({crawl}, "http://shop.example/p/3");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("http://shop.example/p/3"));
}

TEST_F(ExplainTest, PagesWithoutARecord) {
  std::string page = kPage;
  page.replace(page.find("Lamp"), 4, "    ");
  WriteWholeFile(temp_ / "untitled.html", page);
  WriteRules({MakeRule("c1", "http://.*", SignatureOf(page), 7)});
  EXPECT_THAT(Explain({temp_ / "untitled.html"}).out,
              AllOf(HasSubstr("title: no value\n"),
                    HasSubstr("record: none, missing_mandatory (title)")));
  EXPECT_THAT(
      ExplainJson({temp_ / "page.html", "--max-page-bytes=20"})["rejected"]
          .get<std::string>(),
      HasSubstr("too_large"));
  EXPECT_EQ(ExplainJson({temp_ / "page.html", "--max-nodes=5"})["rejected"],
            "too_many_nodes");
}

TEST_F(ExplainTest, WrongUsageIsNamed) {
  WriteRules({});
  EXPECT_EQ(Explain({}).exit_code, 2);
  EXPECT_EQ(Explain({temp_ / "page.html", "--crawl=x"}).exit_code, 2);
  EXPECT_EQ(Explain({temp_ / "page.html", "--charset=klingon"}).exit_code, 2);
  const CommandResult result =
      RunTrommel({"explain", StrCat("--rules=", temp_ / "nowhere"), "--url=u",
                  temp_ / "page.html"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("nowhere"));
}

TEST(PositionPathTest, CountsSiblingsOfTheSameName) {
  html::Document document;
  ASSERT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParsePage("<body><p>a<b>c</b>d</p><!--x--><div></div><p>e",
                            "", &document),
            html::ParseOutcome::kOk);
  std::vector<std::string> paths;
  for (html::NodeId n = 0; n < document.num_nodes(); ++n) {
    paths.push_back(PositionPath(document, n));
  }
  EXPECT_THAT(
      paths,
      testing::ElementsAre(
          "/", "/html[1]", "/html[1]/head[1]", "/html[1]/body[1]",
          "/html[1]/body[1]/p[1]", "/html[1]/body[1]/p[1]/text()[1]",
          "/html[1]/body[1]/p[1]/b[1]", "/html[1]/body[1]/p[1]/b[1]/text()[1]",
          "/html[1]/body[1]/p[1]/text()[2]", "/html[1]/body[1]/comment()[1]",
          "/html[1]/body[1]/div[1]", "/html[1]/body[1]/p[2]",
          "/html[1]/body[1]/p[2]/text()[1]"));
}

}  // namespace
}  // namespace trommel::jobs::explain
