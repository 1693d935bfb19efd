#include "jobs/explain/explanation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/cluster/typical_sketch.h"
#include "core/rule/rule.h"
#include "core/signature/masked_vector.h"

namespace trommel::jobs::explain {
namespace {

absl::StatusOr<RuleEvidence> EvidenceOf(
    const proto::Rule& rule, bool url_matches,
    const std::optional<signature::PageSignature>& page) {
  RuleEvidence evidence;
  evidence.rule = &rule;
  evidence.rule_id = rule::RuleId(rule);
  evidence.url_matches = url_matches;
  if (!page.has_value()) return evidence;
  for (const proto::Signature& signature : rule.signature()) {
    TROMMEL_ASSIGN_OR_RETURN(
        const signature::MaskedVector vector,
        signature::MaskedVector::Parse(signature.signature()));
    if (vector.Covers(page->vector) &&
        (evidence.signature.empty() ||
         signature.importance() > evidence.signature_importance)) {
      evidence.signature = signature.signature();
      evidence.signature_importance = signature.importance();
    }
  }
  if (!rule.sketch().empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const cluster::TypicalSketch sketch,
                             cluster::TypicalSketch::Decode(rule.sketch()));
    evidence.likeness = sketch.Likeness(page->sketch);
    evidence.is_like_enough = sketch.Accepts(*evidence.likeness);
  }
  return evidence;
}

std::string WhyChosen(const Choice& choice) {
  const RuleEvidence& chosen = *choice.Chosen();
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
                          const std::string& cluster_of_page) {
  if (choice.signature.empty()) {
    return "the page has fewer tags than a shingle, so it is of no template";
  }
  if (!cluster_of_page.empty()) {
    return StrCat("the page is of the template of cluster ", cluster_of_page,
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

}  // namespace

absl::StatusOr<Choice> ChooseRule(const io::CrawlPage& page,
                                  rule_runner::RuleRunner* runner) {
  Choice choice;
  TROMMEL_ASSIGN_OR_RETURN(const rule_runner::RuleEncounter met,
                           runner->Meet(page));
  choice.site = met.site;
  std::vector<size_t> places;  // of the site's rules
  for (int i = 0; i < runner->rules().rule_size(); ++i) {
    if (runner->rules().rule(i).site() == choice.site) {
      places.push_back(static_cast<size_t>(i));
    }
  }
  if (places.empty()) {
    choice.by = met.reason;
    choice.why = StrCat("no rule is for the site ", Printable(choice.site));
    return choice;
  }
  std::sort(places.begin(), places.end(), [&](size_t a, size_t b) {
    const proto::Rule& x = runner->rule(a);
    const proto::Rule& y = runner->rule(b);
    return x.importance() != y.importance() ? x.importance() > y.importance()
                                            : x.cluster_id() < y.cluster_id();
  });
  const std::optional<signature::PageSignature> signature = runner->Sign(page);
  if (signature.has_value())
    choice.signature = signature::VectorText(signature->vector);
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<size_t>* const candidates,
                           runner->MatchUrl(page.url));
  std::string cluster_of_page;  // whatever its URL
  for (const size_t place : places) {
    const bool url_matches = std::find(candidates->begin(), candidates->end(),
                                       place) != candidates->end();
    TROMMEL_ASSIGN_OR_RETURN(
        RuleEvidence evidence,
        EvidenceOf(runner->rule(place), url_matches, signature));
    choice.rules.push_back(std::move(evidence));
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<cluster::PlacedBy> placed_by,
                             runner->PlaceIn(place, signature));
    if (placed_by.has_value()) {
      cluster_of_page = runner->rule(place).cluster_id();
    }
  }
  if (met.kind == rule_runner::RuleEncounter::Kind::kMet) {
    choice.by = cluster::PlacedByName(met.match.by);
    choice.chosen = static_cast<int>(
        std::find(places.begin(), places.end(), met.match.rule) -
        places.begin());
    choice.why = WhyChosen(choice);
    return choice;
  }
  choice.by = met.reason;
  if (candidates->empty()) {
    choice.why = StrCat("the URL matches the pattern of none of the site's ",
                        Counted(static_cast<int64_t>(places.size()), "rule"));
  } else if (met.reason == rule_runner::kNoTemplate) {
    choice.why = WhyNoTemplate(choice, cluster_of_page);
  } else {
    choice.why = met.detail.empty() ? std::string(met.reason) : met.detail;
  }
  return choice;
}

absl::StatusOr<ExplainedPage> ExplainExtraction(
    const proto::Rule& rule, std::string_view url,
    rule_runner::RuleRunner* runner) {
  TROMMEL_ASSIGN_OR_RETURN(const rule::PageExtractor* const extractor,
                           runner->Extractor(rule));
  rule::Explanation explanation = extractor->Explain(runner->document(), url);
  rule::ProgramDescription description = extractor->Describe();
  ExplainedPage page;
  page.schema = &rule.schema();
  page.records = std::move(explanation.records);
  for (size_t i = 0; i < description.parts.size(); ++i) {
    page.parts.push_back(
        {std::move(description.parts[i]), std::move(explanation.parts[i])});
  }
  return page;
}

std::string PositionPath(const html::Document& document, html::NodeId node) {
  std::string path;
  for (; document.node(node).kind != html::NodeKind::kDocument;
       node = document.node(node).parent) {
    const html::Node& self = document.node(node);
    int64_t position = 1;
    for (html::NodeId before = self.previous_sibling; before != html::kNoNode;
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

}  // namespace trommel::jobs::explain
