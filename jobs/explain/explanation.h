#ifndef TROMMEL_JOBS_EXPLAIN_EXPLANATION_H_
#define TROMMEL_JOBS_EXPLAIN_EXPLANATION_H_

// What happens to a page that meets a set of rules, with the evidence.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "core/record/record.h"
#include "core/rule/program.h"
#include "jobs/rule_runner/rule_runner.h"
#include "mapreduce/io/crawl.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::explain {

// A rule of the page's site, and how the page does by it.
struct RuleEvidence {
  const proto::Rule* rule = nullptr;
  std::string rule_id;
  bool url_matches = false;
  // The most important of its signatures that covers the page.
  std::string signature;
  int64_t signature_importance = 0;
  // How much the page is like its template; none without a sketch.
  std::optional<double> likeness;
  bool is_like_enough = false;
};

struct Choice {
  std::string site;
  // All rules of the site, the most important first.
  std::vector<RuleEvidence> rules;
  // Of the page; empty when it has fewer tags than a shingle.
  std::string signature;
  int chosen = -1;  // among the rules
  // With a rule "signature" or "sketch"; else the test that failed: "no_rule",
  // "no_url_match" or "no_template".
  std::string_view by;
  // Why, in a sentence.
  std::string why;

  // Null for none.
  const RuleEvidence* Chosen() const {
    return chosen < 0 ? nullptr : &rules[static_cast<size_t>(chosen)];
  }
};

// Which rule the page gets: RuleRunner decides, the rest is evidence. `rules`
// refers to those of the runner.
absl::StatusOr<Choice> ChooseRule(const io::CrawlPage& page,
                                  rule_runner::RuleRunner* runner);

// A part of the rule's program and what it finds.
struct ExplainedPart {
  rule::ProgramPart part;
  rule::PartEvidence evidence;
};

// What a rule makes of a page, part by part.
struct ExplainedPage {
  const proto::Schema* schema = nullptr;
  // In the order of the schema; of parts that find whole records, those are
  // last.
  std::vector<ExplainedPart> parts;
  std::vector<record::Record> records;
};

// Of the page that the runner parsed last. Refers to the rule.
absl::StatusOr<ExplainedPage> ExplainExtraction(
    const proto::Rule& rule, std::string_view url,
    rule_runner::RuleRunner* runner);

// Where a node is, by its position among siblings of the same name.
std::string PositionPath(const html::Document& document, html::NodeId node);

// For people, and as JSON.
void AppendChoice(const Choice& choice, std::string* text);
void AppendExtraction(const ExplainedPage& page, const html::Document& document,
                      std::string* text);
nlohmann::ordered_json ChoiceAsJson(const Choice& choice);
nlohmann::ordered_json ExtractionAsJson(const ExplainedPage& page,
                                        const html::Document& document);

}  // namespace trommel::jobs::explain

#endif  // TROMMEL_JOBS_EXPLAIN_EXPLANATION_H_
