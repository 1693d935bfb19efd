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
#include "core/extract/extractor.h"
#include "core/html/document.h"
#include "core/rule/rule_index.h"
#include "core/signature/page_signature.h"
#include "proto/rule.pb.h"

namespace trommel {

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
};

// Which rule the page gets: RuleIndex decides, the rest is evidence. `rules`
// refers to those of the index.
absl::StatusOr<Choice> ChooseRule(std::string_view site, std::string_view url,
                                  std::string_view content,
                                  std::string_view charset, RuleIndex* index);

// A node that an XPath selects.
struct NodeEvidence {
  std::string path;  // "/html[1]/body[1]/p[2]/text()[1]"
  std::string text;  // cut
  // Whether it gave a value: classifier, range and pattern left something.
  bool has_value = false;
};

struct AlternativeEvidence {
  const proto::Extractor* extractor = nullptr;
  size_t num_nodes = 0;
  std::vector<NodeEvidence> nodes;  // the first of them
  std::vector<std::string> values;
};

struct AttributeEvidence {
  const proto::Attribute* attribute = nullptr;
  std::vector<AlternativeEvidence> alternatives;
  AttributeRecord record;
};

struct ExtractionEvidence {
  std::vector<AttributeEvidence> attributes;  // as in the schema
  PageRecord record;
};

// What a rule makes of a page, alternative by alternative. Refers to the rule.
absl::StatusOr<ExtractionEvidence> ExplainExtraction(
    const proto::Rule& rule, const html::Document& document,
    std::string_view url);

// Where a node is, by its position among siblings of the same name.
std::string PositionPath(const html::Document& document, html::NodeId node);

// For people, and as JSON.
void AppendChoice(const Choice& choice, std::string* text);
void AppendExtraction(const ExtractionEvidence& extraction, std::string* text);
nlohmann::ordered_json ChoiceAsJson(const Choice& choice);
nlohmann::ordered_json ExtractionAsJson(const ExtractionEvidence& extraction);

}  // namespace trommel

#endif  // TROMMEL_JOBS_EXPLAIN_EXPLANATION_H_
