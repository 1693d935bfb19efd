#include "jobs/rule_runner/rule_runner.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace trommel::jobs::rule_runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = RuleEncounter::Kind;

constexpr char kPage[] =
    "<html><head><title>t</title></head><body><div><ul><li>a</li></ul></div>"
    "<h1>Lamp</h1><p>one</p><p>two</p><em>$5</em></body></html>";
constexpr char kOther[] =
    "<html><body><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr>"
    "</table><ol><li>x</li><li>y</li></ol><form><input></form></body></html>";
constexpr char kUrl[] = "http://a.example/p/1";

class RuleRunnerTest : public testing::Test {
 protected:
  RuleRunnerTest() {
    proto::RuleSet rules;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        R"pb(
          rule {
            site: "a.example"
            cluster_id: "c"
            site_key: "host"
            shingle_length: 10
            url_regex: "http://a\\.example/p/\\d+"
            importance: 1
            schema {
              name: "s"
              attribute { name: "title" }
            }
            program {
              fields {
                attribute {
                  name: "title"
                  alternative { xpath: "//h1/text()" }
                }
              }
            }
          })pb",
        &rules));
    proto::Signature* const signature = rules.mutable_rule(0)->add_signature();
    signature->set_signature(signature::VectorText(
        signature::PageSigner(10).Sign(kPage, "")->vector));
    signature->set_importance(1);
    page::PageFlags flags;
    flags.max_page_bytes = 10000;
    absl::StatusOr<RuleRunner> runner = RuleRunner::Create(rules, flags);
    EXPECT_TRUE(runner.ok()) << runner.status();
    runner_.emplace(*std::move(runner));
  }

  static io::CrawlPage Page(
      std::string_view url, std::string_view content,
      std::optional<int64_t> fetch_status = std::nullopt) {
    io::CrawlPage page;
    page.url = url;
    page.content = content;
    page.fetch_status = fetch_status;
    return page;
  }

  std::optional<RuleRunner> runner_;
};

TEST_F(RuleRunnerTest, HowFarPagesGet) {
  const std::string huge(20000, ' ');
  const struct {
    const char* label;
    io::CrawlPage page;
    Kind kind;
    const char* reason;
  } cases[] = {
      {"its rule", Page(kUrl, kPage), Kind::kMet, ""},
      {"another site", Page("http://b.example/p/1", kPage), Kind::kPassedOver,
       "no_rule"},
      {"another URL", Page("http://a.example/q", kPage), Kind::kPassedOver,
       "no_url_match"},
      {"not found", Page(kUrl, kPage, 404), Kind::kPassedOver, "fetch_status"},
      {"too large", Page(kUrl, huge), Kind::kRejected, "too_large"},
      {"nothing", Page(kUrl, " "), Kind::kPassedOver, "empty"},
      {"another template", Page(kUrl, kOther), Kind::kPassedOver,
       "no_template"},
      {"hardly a page", Page(kUrl, "<p>x"), Kind::kPassedOver, "no_template"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const auto met = runner_->Meet(c.page);
    ASSERT_TRUE(met.ok()) << met.status();
    EXPECT_EQ(met->kind, c.kind);
    EXPECT_EQ(met->reason, c.reason);
  }
}

TEST_F(RuleRunnerTest, FromAPageToItsRecords) {
  const io::CrawlPage page = Page(kUrl, kPage);
  const auto met = runner_->Meet(page);
  ASSERT_TRUE(met.ok()) << met.status();
  ASSERT_EQ(met->kind, Kind::kMet);
  EXPECT_EQ(met->site, "a.example");
  EXPECT_EQ(met->match.by, cluster::PlacedBy::kSignature);
  ASSERT_EQ(runner_->Parse(page), html::ParseOutcome::kOk);
  const auto records =
      runner_->Extract(runner_->rule(met->match.rule), page.url);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_THAT(record::AllValues(*records, 0), ElementsAre("Lamp"));
}

// What the URL alone decides, before any content is read.
TEST_F(RuleRunnerTest, CandidatesByUrl) {
  EXPECT_THAT(**runner_->MatchUrl("http://a.example/p/7"), ElementsAre(0));
  EXPECT_THAT(**runner_->MatchUrl("http://a.example/q"), IsEmpty());
  EXPECT_THAT(**runner_->MatchUrl("http://b.example/p/7"), IsEmpty());
}

// A bellwether is tested whatever its URL says now.
TEST_F(RuleRunnerTest, PlacingByTemplateAlone) {
  EXPECT_EQ(*runner_->PlaceIn(0, runner_->Sign(Page("u", kPage))),
            cluster::PlacedBy::kSignature);
  EXPECT_EQ(*runner_->PlaceIn(0, runner_->Sign(Page("u", kOther))),
            std::nullopt);
  EXPECT_EQ(*runner_->PlaceIn(0, std::nullopt), std::nullopt);
}

TEST_F(RuleRunnerTest, OpeningSaysWhyNot) {
  EXPECT_FALSE(runner_->Open(Page("u", kPage)).has_value());
  EXPECT_GT(runner_->document().num_nodes(), 10u);
  EXPECT_EQ(runner_->Open(Page("u", ""))->reason, "empty");
  EXPECT_EQ(runner_->Open(Page("u", kPage, 500))->reason, "fetch_status");
}

}  // namespace
}  // namespace trommel::jobs::rule_runner
