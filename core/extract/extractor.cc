#include "core/extract/extractor.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/extract/text_range.h"
#include "core/html/links.h"
#include "core/html/text.h"
#include "core/schema/schema.h"
#include "core/url/url.h"
#include "core/xpath/matcher.h"
#include "core/xpath/matcher_set.h"
#include "core/xpath/parser.h"

namespace trommel {
namespace {

using html::Document;
using html::NodeId;
namespace names = html::names;

struct CompiledFeature {
  xpath::Matcher matcher;
  double log_odds_present = 0;
  double log_odds_absent = 0;
};

struct CompiledExtractor {
  // Whose matches are the candidates, by their number in the rule's set.
  std::vector<size_t> paths;
  bool has_classifier = false;
  double prior_log_odds = 0;
  std::vector<CompiledFeature> features;
  std::optional<proto::TextRange> range;
  std::unique_ptr<const RE2> regex;
  std::unique_ptr<const RE2> check;
  std::set<std::string> stop_values;
};

struct CompiledAttribute {
  bool is_repeated = false;
  bool is_link = false;
  std::vector<CompiledExtractor> alternatives;
};

absl::StatusOr<xpath::LocationPath> ParseXPath(const std::string& text) {
  absl::StatusOr<xpath::LocationPath> path = xpath::Parse(text);
  if (!path.ok()) return Annotate(path.status(), text);
  return path;
}

// Null for no pattern.
absl::StatusOr<std::unique_ptr<const RE2>> CompileRegex(
    const std::string& pattern) {
  if (pattern.empty()) return nullptr;
  auto regex = std::make_unique<const RE2>(pattern, RE2::Quiet);
  if (!regex->ok()) return absl::InvalidArgumentError(regex->error());
  return regex;
}

absl::StatusOr<CompiledExtractor> CompileExtractor(
    const proto::Extractor& extractor, xpath::MatcherSet* paths) {
  CompiledExtractor compiled;
  const auto add = [&](const std::string& text) -> absl::Status {
    TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path, ParseXPath(text));
    TROMMEL_ASSIGN_OR_RETURN(const size_t number, paths->Add(path));
    compiled.paths.push_back(number);
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(add(extractor.xpath()));
  for (const std::string& xpath : extractor.also()) {
    TROMMEL_RETURN_IF_ERROR(add(xpath));
  }
  if (extractor.has_classifier()) {
    compiled.has_classifier = true;
    compiled.prior_log_odds = extractor.classifier().prior_log_odds();
    for (const auto& feature : extractor.classifier().feature()) {
      TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path,
                               ParseXPath(feature.xpath()));
      TROMMEL_ASSIGN_OR_RETURN(xpath::Matcher of_feature,
                               xpath::Matcher::Compile(path));
      compiled.features.push_back({std::move(of_feature),
                                   feature.log_odds_present(),
                                   feature.log_odds_absent()});
    }
  }
  if (extractor.has_range()) {
    const proto::TextRange& range = extractor.range();
    if (range.first() < 1 || range.last() < 1) {
      return absl::InvalidArgumentError("a range counts words from 1");
    }
    compiled.range = range;
  }
  TROMMEL_ASSIGN_OR_RETURN(compiled.regex, CompileRegex(extractor.regex()));
  TROMMEL_ASSIGN_OR_RETURN(compiled.check, CompileRegex(extractor.check()));
  compiled.stop_values.insert(extractor.stop_value().begin(),
                              extractor.stop_value().end());
  return compiled;
}

// The candidate with the highest probability, if that is above one half.
void Classify(const CompiledExtractor& extractor, const Document& document,
              std::vector<xpath::Match>* matches) {
  std::vector<double> log_odds(matches->size(), extractor.prior_log_odds);
  std::vector<xpath::Match> found;
  for (const CompiledFeature& feature : extractor.features) {
    xpath::PageMatcher on_page(feature.matcher, document);
    for (size_t i = 0; i < matches->size(); ++i) {
      on_page.SelectFrom((*matches)[i].node, &found);
      log_odds[i] +=
          found.empty() ? feature.log_odds_absent : feature.log_odds_present;
    }
  }
  const auto best = std::max_element(log_odds.begin(), log_odds.end());
  if (best == log_odds.end() || *best <= 0) {
    matches->clear();
    return;
  }
  *matches = {(*matches)[static_cast<size_t>(best - log_odds.begin())]};
}

// One page, for all attributes of a rule: one walk finds the candidates of all.
class PageExtraction {
 public:
  PageExtraction(const xpath::MatcherSet& paths, const Document& document,
                 std::string_view url)
      : document_(document), url_(url) {
    paths.Select(document, &found_);
  }

  AlternativeResult Run(const CompiledExtractor& extractor, bool is_link) {
    AlternativeResult result;
    absl::flat_hash_set<std::string> seen;
    std::vector<xpath::Match> matches = Candidates(extractor);
    if (extractor.has_classifier) Classify(extractor, document_, &matches);
    for (const xpath::Match& match : matches) {
      std::string value = ValueOf(match, is_link);
      if (extractor.range.has_value()) {
        value = std::string(ApplyRange(*extractor.range, value));
      }
      if (extractor.regex != nullptr) {
        re2::StringPiece found;
        const bool is_found = extractor.regex->Match(
            value, 0, value.size(), RE2::UNANCHORED, &found, 1);
        value = is_found ? std::string(found.data(), found.size()) : "";
      }
      if (value.empty() || extractor.stop_values.count(value) > 0 ||
          (extractor.check != nullptr &&
           !RE2::PartialMatch(value, *extractor.check))) {
        continue;
      }
      result.nodes.push_back(match.node);
      if (seen.insert(value).second) result.values.push_back(std::move(value));
    }
    return result;
  }

 private:
  // The union of what the extractor's XPaths select, in document order.
  std::vector<xpath::Match> Candidates(const CompiledExtractor& extractor) {
    std::vector<xpath::Match> matches = std::move(found_[extractor.paths[0]]);
    if (extractor.paths.size() == 1) return matches;
    for (size_t i = 1; i < extractor.paths.size(); ++i) {
      const std::vector<xpath::Match>& more = found_[extractor.paths[i]];
      matches.insert(matches.end(), more.begin(), more.end());
    }
    const auto order = [](const xpath::Match& m) {
      // An element comes before its attributes; kNoAttribute + 1 is 0.
      return std::pair(m.node, m.attribute + 1);
    };
    std::sort(matches.begin(), matches.end(),
              [&](const xpath::Match& a, const xpath::Match& b) {
                return order(a) < order(b);
              });
    matches.erase(
        std::unique(matches.begin(), matches.end(),
                    [&](const xpath::Match& a, const xpath::Match& b) {
                      return order(a) == order(b);
                    }),
        matches.end());
    return matches;
  }

  std::string ValueOf(const xpath::Match& match, bool is_link) {
    if (match.attribute == xpath::kNoAttribute) {
      return document_.IsText(match.node)
                 ? html::NormalizedText(document_, match.node)
                 : html::VisibleText(document_, match.node);
    }
    const html::NameId name =
        document_.Attributes(match.node)[match.attribute].name;
    if (!is_link && name != names::k_src && name != names::k_href) {
      return NormalizeSpace(match.value);
    }
    if (!base_.has_value()) base_ = html::BaseUrl(document_, url_);
    return AbsoluteUrl(*base_, match.value);
  }

  const Document& document_;
  const std::string_view url_;
  std::optional<std::string> base_;
  // By path of the rule; each is asked for once.
  std::vector<std::vector<xpath::Match>> found_;
};

// Which of the results of an attribute's alternatives counts; -1 for none.
int Decide(const std::vector<AlternativeResult>& results, bool is_repeated) {
  int first = -1;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].values.empty()) continue;
    if (is_repeated || results[i].values.size() == 1) {
      return static_cast<int>(i);
    }
    if (first < 0) first = static_cast<int>(i);
  }
  return first;
}

double ConfidenceOf(const std::vector<AlternativeResult>& results, int chosen,
                    bool is_repeated) {
  if (results.size() == 1) return 0.5;
  const std::vector<std::string>& values =
      results[static_cast<size_t>(chosen)].values;
  const auto agrees = [&](const AlternativeResult& result) {
    if (is_repeated) return result.values == values;
    return !result.values.empty() && result.values[0] == values[0];
  };
  return static_cast<double>(
             std::count_if(results.begin(), results.end(), agrees)) /
         static_cast<double>(results.size());
}

}  // namespace

struct RuleExtractor::Compiled {
  proto::Rule rule;
  std::vector<CompiledAttribute> attributes;  // of the schema
  xpath::MatcherSet paths;                    // of all alternatives

  std::vector<AlternativeResult> Run(size_t attribute,
                                     PageExtraction* page) const {
    const CompiledAttribute& compiled = attributes[attribute];
    std::vector<AlternativeResult> results;
    for (const CompiledExtractor& alternative : compiled.alternatives) {
      results.push_back(page->Run(alternative, compiled.is_link));
    }
    return results;
  }
};

RuleExtractor::RuleExtractor(std::unique_ptr<const Compiled> compiled)
    : compiled_(std::move(compiled)) {}
RuleExtractor::RuleExtractor(RuleExtractor&&) noexcept = default;
RuleExtractor& RuleExtractor::operator=(RuleExtractor&&) noexcept = default;
RuleExtractor::~RuleExtractor() = default;

const proto::Rule& RuleExtractor::rule() const { return compiled_->rule; }

absl::StatusOr<RuleExtractor> RuleExtractor::Compile(const proto::Rule& rule) {
  auto compiled = std::make_unique<Compiled>();
  compiled->rule = rule;
  compiled->attributes.resize(
      static_cast<size_t>(rule.schema().attribute_size()));
  for (int i = 0; i < rule.schema().attribute_size(); ++i) {
    const proto::Attribute& attribute = rule.schema().attribute(i);
    CompiledAttribute& target = compiled->attributes[static_cast<size_t>(i)];
    target.is_repeated = attribute.repeated();
    target.is_link = IsLink(attribute);
    for (const proto::AttributeRule& of_rule : rule.attribute()) {
      if (of_rule.name() != attribute.name()) continue;
      for (const proto::Extractor& alternative : of_rule.alternative()) {
        absl::StatusOr<CompiledExtractor> extractor =
            CompileExtractor(alternative, &compiled->paths);
        if (!extractor.ok()) {
          return Annotate(extractor.status(),
                          StrCat("rule of cluster ", rule.cluster_id(),
                                 ", attribute ", attribute.name()));
        }
        target.alternatives.push_back(*std::move(extractor));
      }
    }
  }
  for (const proto::AttributeRule& of_rule : rule.attribute()) {
    if (FindAttribute(rule.schema(), of_rule.name()) == nullptr) {
      return absl::InvalidArgumentError(StrCat("rule of cluster ",
                                               rule.cluster_id(),
                                               ": its schema has no "
                                               "attribute ",
                                               of_rule.name()));
    }
  }
  return RuleExtractor(std::move(compiled));
}

PageRecord RuleExtractor::Extract(const html::Document& document,
                                  std::string_view url) const {
  PageRecord record;
  record.attributes.resize(compiled_->attributes.size());
  record.confidence = 1;
  PageExtraction page(compiled_->paths, document, url);
  for (size_t i = 0; i < record.attributes.size(); ++i) {
    const CompiledAttribute& compiled = compiled_->attributes[i];
    AttributeRecord& attribute = record.attributes[i];
    std::vector<AlternativeResult> results = compiled_->Run(i, &page);
    attribute.alternative = Decide(results, compiled.is_repeated);
    if (attribute.alternative < 0) {
      const proto::Attribute& schema =
          compiled_->rule.schema().attribute(static_cast<int>(i));
      if (schema.mandatory() && record.missing == nullptr) {
        record.missing = &schema;
      }
      continue;
    }
    attribute.confidence =
        ConfidenceOf(results, attribute.alternative, compiled.is_repeated);
    attribute.values =
        std::move(results[static_cast<size_t>(attribute.alternative)].values);
    if (!compiled.is_repeated) attribute.values.resize(1);
    record.has_values = true;
    record.confidence = std::min(record.confidence, attribute.confidence);
  }
  if (!record.has_values) record.confidence = 0;
  return record;
}

std::vector<std::vector<AlternativeResult>> RuleExtractor::Alternatives(
    const html::Document& document, std::string_view url) const {
  std::vector<std::vector<AlternativeResult>> results;
  PageExtraction page(compiled_->paths, document, url);
  for (size_t i = 0; i < compiled_->attributes.size(); ++i) {
    results.push_back(compiled_->Run(i, &page));
  }
  return results;
}

}  // namespace trommel
