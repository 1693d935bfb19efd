#include "core/rule/fields/fields_extractor.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "core/base/characters.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/html/links.h"
#include "core/html/text.h"
#include "core/record/record.h"
#include "core/rule/fields/description.h"
#include "core/rule/fields/fields.h"
#include "core/rule/fields/stylesheet.h"
#include "core/rule/fields/text_refiner.h"
#include "core/schema/schema.h"
#include "core/url/url.h"
#include "core/xpath/matcher.h"
#include "core/xpath/matcher_set.h"
#include "core/xpath/parser.h"

// How alternatives are combined is decided here and nowhere else.
//
// Where they vote, each is a voice: the first that finds one value decides (of
// a repeated attribute, the first that finds any), and the share of voices that
// say the same is the confidence of the values. An alternative that finds
// different values for an attribute of one value is passed over if another
// finds one only. Values that not the first alternative found are weak: that
// one goes by the strongest evidence.
//
// Where the first that finds anything decides, the alternatives are layers of
// decreasing precision. A layer behind the one that decides is no voice: it is
// not run for an opinion, and does not raise or lower confidence. One voice
// alone is worth a half.

namespace trommel::rule::fields {
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
  TextRefiner refiner;
  // Whose matches are the candidates, by their number in the rule's set.
  std::vector<size_t> paths = {};
  bool has_classifier = false;
  double prior_log_odds = 0;
  std::vector<CompiledFeature> features = {};
};

struct CompiledAttribute {
  bool is_repeated = false;
  bool is_link = false;
  bool is_layered = false;  // FIRST; else VOTE
  std::vector<CompiledExtractor> alternatives;
};

absl::StatusOr<xpath::LocationPath> ParseXPath(const std::string& text) {
  absl::StatusOr<xpath::LocationPath> path = xpath::Parse(text);
  if (!path.ok()) return Annotate(path.status(), text);
  return path;
}

absl::StatusOr<CompiledExtractor> CompileExtractor(
    const proto::Extractor& extractor, xpath::MatcherSet* paths) {
  TROMMEL_ASSIGN_OR_RETURN(TextRefiner refiner,
                           TextRefiner::Compile(extractor));
  CompiledExtractor compiled{.refiner = std::move(refiner)};
  for (const std::string& text : XPathsOf(extractor)) {
    TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path, ParseXPath(text));
    TROMMEL_ASSIGN_OR_RETURN(const size_t number, paths->Add(path));
    compiled.paths.push_back(number);
  }
  if (extractor.has_classifier()) {
    compiled.has_classifier = true;
    compiled.prior_log_odds = extractor.classifier().prior_log_odds();
    for (const auto& feature : extractor.classifier().feature()) {
      TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path,
                               ParseXPath(feature.xpath()));
      TROMMEL_ASSIGN_OR_RETURN(xpath::Matcher feature_matcher,
                               xpath::Matcher::Compile(path));
      compiled.features.push_back({std::move(feature_matcher),
                                   feature.log_odds_present(),
                                   feature.log_odds_absent()});
    }
  }
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

  // What an alternative finds; is asked for once.
  Opinion Run(const CompiledExtractor& extractor, bool is_link) {
    Opinion opinion;
    absl::flat_hash_set<std::string> seen;
    std::vector<xpath::Match> matches = Candidates(extractor);
    if (extractor.has_classifier) Classify(extractor, document_, &matches);
    for (const xpath::Match& match : matches) {
      std::vector<std::string> values =
          extractor.refiner.Values(ValueOf(match, is_link));
      if (!values.empty()) opinion.nodes.push_back(match.node);
      for (std::string& value : values) {
        if (!seen.insert(value).second) continue;
        opinion.values.push_back(std::move(value));
      }
    }
    return opinion;
  }

  // The same with all nodes that its XPaths select; takes the place of Run().
  PartEvidence Explain(const CompiledExtractor& extractor, bool is_link) {
    PartEvidence evidence;
    const std::vector<xpath::Match> selected = Candidates(extractor);
    for (const size_t path : extractor.paths) found_[path].clear();
    found_[extractor.paths[0]] = selected;
    const Opinion opinion = Run(extractor, is_link);
    evidence.values = opinion.values;
    for (const xpath::Match& match : selected) {
      NodeEvidence& node = evidence.nodes.emplace_back();
      node.node = match.node;
      if (match.attribute == xpath::kNoAttribute) {
        node.text = html::NormalizedText(document_, match.node);
      } else {
        node.attribute = document_.Attributes(match.node)[match.attribute].name;
        node.text = NormalizeSpace(match.value);
      }
      node.has_value = std::binary_search(opinion.nodes.begin(),
                                          opinion.nodes.end(), match.node);
    }
    std::stable_partition(
        evidence.nodes.begin(), evidence.nodes.end(),
        [](const NodeEvidence& node) { return node.has_value; });
    return evidence;
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
    // An empty reference would be the page itself.
    if (IsBlankValue(match.value)) return "";
    if (!base_.has_value()) base_ = html::BaseUrl(document_, url_);
    return url::AbsoluteUrl(*base_, match.value);
  }

  const Document& document_;
  const std::string_view url_;
  std::optional<std::string> base_;
  // By path of the rule; each is asked for once.
  std::vector<std::vector<xpath::Match>> found_;
};

// Which of the opinions on an attribute counts; -1 for none.
int Decide(const std::vector<Opinion>& opinions,
           const CompiledAttribute& attribute) {
  int first = -1;
  for (size_t i = 0; i < opinions.size(); ++i) {
    if (opinions[i].values.empty()) continue;
    if (attribute.is_repeated || attribute.is_layered ||
        opinions[i].values.size() == 1) {
      return static_cast<int>(i);
    }
    if (first < 0) first = static_cast<int>(i);
  }
  return first;
}

double ConfidenceOf(const std::vector<Opinion>& opinions, int chosen,
                    const CompiledAttribute& attribute) {
  if (opinions.size() == 1 || attribute.is_layered) return 0.5;
  const std::vector<std::string>& values =
      opinions[static_cast<size_t>(chosen)].values;
  const auto agrees = [&](const Opinion& opinion) {
    if (attribute.is_repeated) return opinion.values == values;
    return !opinion.values.empty() && opinion.values[0] == values[0];
  };
  return static_cast<double>(
             std::count_if(opinions.begin(), opinions.end(), agrees)) /
         static_cast<double>(opinions.size());
}

class FieldsExtractor final : public PageExtractor {
 public:
  explicit FieldsExtractor(const proto::Rule& rule)
      : PageExtractor(rule),
        attributes_(static_cast<size_t>(schema().attribute_size())) {}

  absl::Status Compile() {
    for (int i = 0; i < schema().attribute_size(); ++i) {
      attributes_[static_cast<size_t>(i)].is_repeated =
          schema().attribute(i).repeated();
      attributes_[static_cast<size_t>(i)].is_link =
          schema::IsLink(schema().attribute(i));
    }
    for (const proto::AttributeRule& attribute_rule :
         rule().program().fields().attribute()) {
      const absl::Status status = CompileAttribute(attribute_rule);
      if (!status.ok()) {
        return Annotate(status, StrCat("attribute ", attribute_rule.name()));
      }
    }
    return absl::OkStatus();
  }

  std::vector<record::Record> Extract(const Document& document,
                                      std::string_view url) const override {
    PageExtraction page(paths_, document, url);
    std::vector<record::Record> records(1);
    std::vector<record::AttributeValues>& found = records[0].attributes;
    found.resize(attributes_.size());
    for (size_t i = 0; i < attributes_.size(); ++i) {
      found[i] = Choose(attributes_[i], Run(attributes_[i], &page));
    }
    return records;
  }

  std::vector<std::vector<Opinion>> Opinions(
      const Document& document, std::string_view url) const override {
    std::vector<std::vector<Opinion>> opinions;
    PageExtraction page(paths_, document, url);
    for (const CompiledAttribute& attribute : attributes_) {
      opinions.push_back(Run(attribute, &page));
      if (!attribute.is_layered || opinions.back().empty()) continue;
      // The layer that decides is the only voice.
      const size_t deciding =
          static_cast<size_t>(std::max(0, Decide(opinions.back(), attribute)));
      opinions.back() = {std::move(opinions.back()[deciding])};
    }
    return opinions;
  }

  ProgramDescription Describe() const override {
    return DescribeFields(rule());
  }

  absl::StatusOr<Stylesheet> MakeStylesheet() const override {
    return fields::MakeStylesheet(rule());
  }

  Explanation Explain(const Document& document,
                      std::string_view url) const override {
    Explanation explanation;
    explanation.records = Extract(document, url);
    PageExtraction page(paths_, document, url);
    for (const CompiledAttribute& attribute : attributes_) {
      for (const CompiledExtractor& alternative : attribute.alternatives) {
        explanation.parts.push_back(
            page.Explain(alternative, attribute.is_link));
      }
    }
    return explanation;
  }

 private:
  absl::Status CompileAttribute(const proto::AttributeRule& attribute_rule) {
    for (int i = 0; i < schema().attribute_size(); ++i) {
      if (schema().attribute(i).name() != attribute_rule.name()) continue;
      CompiledAttribute& attribute = attributes_[static_cast<size_t>(i)];
      attribute.is_layered =
          attribute_rule.combination() == proto::AttributeRule::FIRST;
      for (const proto::Extractor& alternative : attribute_rule.alternative()) {
        TROMMEL_ASSIGN_OR_RETURN(CompiledExtractor extractor,
                                 CompileExtractor(alternative, &paths_));
        attribute.alternatives.push_back(std::move(extractor));
        SetExtracts(static_cast<size_t>(i));
      }
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("the rule's schema does not have it");
  }

  static std::vector<Opinion> Run(const CompiledAttribute& attribute,
                                  PageExtraction* page) {
    std::vector<Opinion> opinions;
    opinions.reserve(attribute.alternatives.size());
    for (const CompiledExtractor& alternative : attribute.alternatives) {
      opinions.push_back(page->Run(alternative, attribute.is_link));
      if (attribute.is_layered && !opinions.back().values.empty()) break;
    }
    return opinions;
  }

  static record::AttributeValues Choose(const CompiledAttribute& attribute,
                                        std::vector<Opinion> opinions) {
    record::AttributeValues found;
    found.part = Decide(opinions, attribute);
    if (found.part < 0) return found;
    found.confidence = ConfidenceOf(opinions, found.part, attribute);
    found.is_weak = found.part > 0 && !attribute.is_layered;
    found.values = std::move(opinions[static_cast<size_t>(found.part)].values);
    if (!attribute.is_repeated) found.values.resize(1);
    return found;
  }

  std::vector<CompiledAttribute> attributes_;  // of the schema
  xpath::MatcherSet paths_;                    // of all alternatives
};

}  // namespace

absl::StatusOr<std::unique_ptr<PageExtractor>> CompileFields(
    const proto::Rule& rule) {
  auto extractor = std::make_unique<FieldsExtractor>(rule);
  TROMMEL_RETURN_IF_ERROR(extractor->Compile());
  return extractor;
}

}  // namespace trommel::rule::fields
