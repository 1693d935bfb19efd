#include "jobs/explain/explanation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/cluster/typical_sketch.h"
#include "core/html/text.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"
#include "core/signature/masked_vector.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"

namespace trommel {
namespace {

using html::Document;
using html::NodeId;

constexpr size_t kNodesShown = 10;
constexpr size_t kTextBytes = 100;

absl::StatusOr<RuleEvidence> EvidenceOf(
    const proto::Rule& rule, bool url_matches,
    const std::optional<PageSignature>& page) {
  RuleEvidence evidence;
  evidence.rule = &rule;
  evidence.rule_id = RuleId(rule);
  evidence.url_matches = url_matches;
  if (!page.has_value()) return evidence;
  for (const proto::Signature& signature : rule.signature()) {
    TROMMEL_ASSIGN_OR_RETURN(const MaskedVector vector,
                             MaskedVector::Parse(signature.signature()));
    if (vector.Covers(page->vector) &&
        (evidence.signature.empty() ||
         signature.importance() > evidence.signature_importance)) {
      evidence.signature = signature.signature();
      evidence.signature_importance = signature.importance();
    }
  }
  if (!rule.sketch().empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const TypicalSketch sketch,
                             TypicalSketch::Decode(rule.sketch()));
    evidence.likeness = sketch.Likeness(page->sketch);
    evidence.is_like_enough = sketch.Accepts(*evidence.likeness);
  }
  return evidence;
}

std::string WhyChosen(const Choice& choice) {
  const RuleEvidence& chosen = choice.rules[static_cast<size_t>(choice.chosen)];
  const auto others = [&](auto test) {
    return std::count_if(choice.rules.begin(), choice.rules.end(),
                         [&](const RuleEvidence& rule) {
                           return rule.rule != chosen.rule && test(rule);
                         });
  };
  std::string why = "the URL matches its pattern, and ";
  if (!chosen.signature.empty()) {
    StrAppend(&why, "its signature ", chosen.signature, " covers the page");
    const auto rivals = others(
        [](const RuleEvidence& rule) { return !rule.signature.empty(); });
    if (rivals > 0) {
      StrAppend(&why, "; so do those of ", Counted(rivals, "other rule"),
                ", but this one has the greatest importance (",
                chosen.signature_importance, ")");
    }
    return why;
  }
  absl::StrAppendFormat(
      &why, "no signature covers the page, which is like its template (%.2f)",
      chosen.likeness.value_or(0));
  const auto rivals =
      others([](const RuleEvidence& rule) { return rule.is_like_enough; });
  if (rivals > 0) {
    StrAppend(&why, "; it is less like those of ",
              Counted(rivals, "other rule"),
              ", or as much and they matter less");
  }
  return why;
}

std::string WhyNoTemplate(const Choice& choice,
                          const std::optional<RuleMatch>& of_any_rule,
                          const RuleIndex& index) {
  if (choice.signature.empty()) {
    return "the page has fewer tags than a shingle, so it is of no template";
  }
  if (of_any_rule.has_value()) {
    return StrCat(
        "the page is of the template of cluster ",
        index.rules().rule(static_cast<int>(of_any_rule->rule)).cluster_id(),
        ", whose URL pattern does not match");
  }
  const RuleEvidence* best = nullptr;
  for (const RuleEvidence& rule : choice.rules) {
    if (rule.likeness.has_value() &&
        (best == nullptr || *rule.likeness > *best->likeness)) {
      best = &rule;
    }
  }
  std::string why =
      StrCat("no signature of the site's ",
             Counted(static_cast<int64_t>(choice.rules.size()), "rule"),
             " covers the page");
  if (best != nullptr) {
    absl::StrAppendFormat(
        &why,
        ", and it is like none of their templates (at most %.2f, cluster "
        "%s)",
        *best->likeness, best->rule->cluster_id());
  }
  return why;
}

// Cut at a character.
std::string Cut(std::string text) {
  if (text.size() <= kTextBytes) return text;
  text.resize(kTextBytes);
  text.resize(ValidUtf8Prefix(text));
  return text + "…";
}

absl::StatusOr<AlternativeEvidence> EvidenceOf(
    const proto::Extractor& extractor, const AlternativeResult& result,
    const Document& document) {
  AlternativeEvidence evidence;
  evidence.extractor = &extractor;
  evidence.values = result.values;
  std::vector<xpath::Match> matches;
  const auto add = [&](const std::string& xpath) -> absl::Status {
    TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path,
                             xpath::Parse(xpath));
    TROMMEL_ASSIGN_OR_RETURN(const xpath::Matcher matcher,
                             xpath::Matcher::Compile(path));
    std::vector<xpath::Match> more;
    matcher.Select(document, &more);
    matches.insert(matches.end(), more.begin(), more.end());
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(add(extractor.xpath()));
  for (const std::string& also : extractor.also()) {
    TROMMEL_RETURN_IF_ERROR(add(also));
  }
  evidence.num_nodes = matches.size();
  // Those that give values are what one looks for.
  const std::set<html::NodeId> with_value(result.nodes.begin(),
                                          result.nodes.end());
  const auto has_value = [&](const xpath::Match& match) {
    return with_value.count(match.node) > 0;
  };
  std::stable_partition(matches.begin(), matches.end(), has_value);
  for (size_t i = 0; i < std::min(matches.size(), kNodesShown); ++i) {
    const xpath::Match& match = matches[i];
    NodeEvidence& node = evidence.nodes.emplace_back();
    node.path = PositionPath(document, match.node);
    if (match.attribute == xpath::kNoAttribute) {
      node.text = Cut(html::NormalizedText(document, match.node));
    } else {
      StrAppend(&node.path, "/@",
                document.NameOf(
                    document.Attributes(match.node)[match.attribute].name));
      node.text = Cut(NormalizeSpace(match.value));
    }
    node.has_value = has_value(match);
  }
  return evidence;
}

}  // namespace

absl::StatusOr<Choice> ChooseRule(std::string_view site, std::string_view url,
                                  std::string_view content,
                                  std::string_view charset, RuleIndex* index) {
  Choice choice;
  choice.site = site;
  TROMMEL_ASSIGN_OR_RETURN(const SiteRules* const rules, index->Find(site));
  if (rules == nullptr) {
    choice.by = "no_rule";
    choice.why = StrCat("no rule is for the site ", Printable(site));
    return choice;
  }
  std::vector<size_t> candidates;
  rules->MatchUrl(url, &candidates);
  std::vector<size_t> of_site;
  for (int i = 0; i < index->rules().rule_size(); ++i) {
    if (index->rules().rule(i).site() == site) {
      of_site.push_back(static_cast<size_t>(i));
    }
  }
  const auto rule_at = [&](size_t place) -> const proto::Rule& {
    return index->rules().rule(static_cast<int>(place));
  };
  std::sort(of_site.begin(), of_site.end(), [&](size_t a, size_t b) {
    const proto::Rule& x = rule_at(a);
    const proto::Rule& y = rule_at(b);
    return x.importance() != y.importance() ? x.importance() > y.importance()
                                            : x.cluster_id() < y.cluster_id();
  });
  PageSigner signer(static_cast<int>(rule_at(of_site[0]).shingle_length()));
  const std::optional<PageSignature> signature = signer.Sign(content, charset);
  if (signature.has_value()) choice.signature = VectorText(signature->vector);
  for (const size_t place : of_site) {
    const bool url_matches = std::find(candidates.begin(), candidates.end(),
                                       place) != candidates.end();
    TROMMEL_ASSIGN_OR_RETURN(
        RuleEvidence evidence,
        EvidenceOf(rule_at(place), url_matches, signature));
    choice.rules.push_back(std::move(evidence));
  }
  if (candidates.empty()) {
    choice.by = "no_url_match";
    choice.why = StrCat("the URL matches the pattern of none of the site's ",
                        Counted(static_cast<int64_t>(of_site.size()), "rule"));
    return choice;
  }
  std::optional<RuleMatch> match, of_any_rule;
  if (signature.has_value()) {
    match = rules->Match(*signature, candidates);
    of_any_rule = rules->Match(*signature, of_site);
  }
  if (!match.has_value()) {
    choice.by = "no_template";
    choice.why = WhyNoTemplate(choice, of_any_rule, *index);
    return choice;
  }
  choice.by = PlacedByName(match->by);
  choice.chosen = static_cast<int>(
      std::find(of_site.begin(), of_site.end(), match->rule) - of_site.begin());
  choice.why = WhyChosen(choice);
  return choice;
}

absl::StatusOr<ExtractionEvidence> ExplainExtraction(const proto::Rule& rule,
                                                     const Document& document,
                                                     std::string_view url) {
  TROMMEL_ASSIGN_OR_RETURN(const RuleExtractor extractor,
                           RuleExtractor::Compile(rule));
  ExtractionEvidence extraction;
  extraction.record = extractor.Extract(document, url);
  // The extractor has a rule of its own, which ends with it.
  if (extraction.record.missing != nullptr) {
    extraction.record.missing =
        FindAttribute(rule.schema(), extraction.record.missing->name());
  }
  const auto alternatives = extractor.Alternatives(document, url);
  for (int i = 0; i < rule.schema().attribute_size(); ++i) {
    const auto place = static_cast<size_t>(i);
    AttributeEvidence& evidence = extraction.attributes.emplace_back();
    evidence.attribute = &rule.schema().attribute(i);
    evidence.record = extraction.record.attributes[place];
    const std::vector<AlternativeResult>& results = alternatives[place];
    size_t next = 0;
    for (const proto::AttributeRule& of_rule : rule.attribute()) {
      if (of_rule.name() != evidence.attribute->name()) continue;
      for (const proto::Extractor& alternative : of_rule.alternative()) {
        TROMMEL_ASSIGN_OR_RETURN(
            AlternativeEvidence of_alternative,
            EvidenceOf(alternative, results[next++], document));
        evidence.alternatives.push_back(std::move(of_alternative));
      }
    }
  }
  return extraction;
}

std::string PositionPath(const Document& document, NodeId node) {
  std::string path;
  for (; document.node(node).kind != html::NodeKind::kDocument;
       node = document.node(node).parent) {
    const html::Node& self = document.node(node);
    int64_t position = 1;
    for (NodeId before = self.previous_sibling; before != html::kNoNode;
         before = document.node(before).previous_sibling) {
      const html::Node& sibling = document.node(before);
      position += sibling.kind == self.kind && sibling.name == self.name;
    }
    const std::string_view test = self.kind == html::NodeKind::kText ? "text()"
                                  : self.kind == html::NodeKind::kComment
                                      ? "comment()"
                                      : document.TagOf(node);
    path = StrCat("/", test, "[", position, "]", path);
  }
  return path.empty() ? "/" : path;
}

}  // namespace trommel
