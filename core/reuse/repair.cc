#include "core/reuse/repair.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "core/annotation/page_text.h"
#include "core/annotation/resolve.h"
#include "core/base/status.h"
#include "core/learn/site_learning.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"

// Repair.
//
// A redesign moves the title of a film to another place; it does not rename the
// film. So what a rule extracted from the old version of a page says where its
// attributes are on the new version, as an editor would who annotates it: the
// old values are searched on the new pages, and the rule is learnt from where
// they are. That is one annotated page for each that was crawled on both days,
// for nothing.
//
// An old value may be wrong, may have changed, and may stand on the new page by
// coincidence. What keeps wrong values out of the records:
//
//  - Only attributes that broke are learnt again. The others keep the
//    extractors that an editor's annotations made.
//  - An attribute is learnt only if its values are found on most of the pages
//    that had one; on four of five if it is not constant, since then values
//    that are found may be coincidences. On a page where they are not found
//    nothing is said of the attribute.
//  - Values must differ between pages. A text that is the same on all of them
//    is found in menus and footers as well, and nothing tells which it is.
//  - Pages that had no value have none: a rule that finds one is not valid.
//  - The places of all values are resolved together (core/annotation), and the
//    learner looks for one description of them all. A coincidence on one page
//    is outvoted by the others.
//  - The rule must be valid in the sense of `learn`, on all pages it was learnt
//    from.
//  - And it must pass the field test on all pages crawled on both days, which
//    are as a rule many times those it was learnt from. A rule that follows
//    coincidences does not extract the same as before from nineteen of twenty.
//
// An attribute that cannot be learnt again is left out if it is neither
// mandatory nor constant, and the reason says so; otherwise there is no repair.

namespace trommel {
namespace {

// Of the pages that had values, those on which they have to be found.
constexpr double kMostPages = 0.5;
constexpr double kNearlyAllPages = 0.8;
constexpr int64_t kMinPagesWithValues = 2;

struct Knowledge {
  // By page: whether all its values are found there; absent where it had none.
  std::vector<bool> is_found;
  int64_t had = 0;
  int64_t found = 0;
  int64_t distinct = 0;
};

const std::vector<std::string>& ValuesOf(const FieldValues& golden,
                                         size_t attribute) {
  static const std::vector<std::string> kNone;
  return attribute < golden.size() ? golden[attribute] : kNone;
}

// Looks for the values of one attribute on all pages.
Knowledge FindOnPages(const RepairInput& input,
                      const std::vector<ResolvePage>& pages, int attribute) {
  const size_t place = static_cast<size_t>(attribute);
  std::vector<WantedValue> wanted;
  std::vector<size_t> absent;
  std::set<std::vector<std::string>> distinct;
  Knowledge knowledge;
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto& values = ValuesOf(input.golden[i], place);
    if (values.empty()) {
      absent.push_back(i);
      continue;
    }
    ++knowledge.had;
    distinct.insert(values);
    for (const std::string& value : values) {
      wanted.push_back(WantedValue{.page = i, .value = value});
    }
  }
  const std::vector<ResolvedValue> resolved =
      ResolveValues(pages, wanted, absent,
                    IsLink(input.broken->schema().attribute(attribute)));
  std::vector<bool> is_missing(pages.size(), false);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (resolved[i].places.empty()) is_missing[wanted[i].page] = true;
  }
  knowledge.is_found.resize(pages.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    knowledge.is_found[i] =
        !ValuesOf(input.golden[i], place).empty() && !is_missing[i];
    knowledge.found += knowledge.is_found[i] ? 1 : 0;
  }
  knowledge.distinct = static_cast<int64_t>(distinct.size());
  return knowledge;
}

// Why the attribute cannot be learnt; empty if it can.
std::string WhyNot(const Knowledge& knowledge,
                   const proto::Attribute& attribute) {
  const double least = attribute.constant() ? kMostPages : kNearlyAllPages;
  if (knowledge.found < kMinPagesWithValues ||
      static_cast<double>(knowledge.found) <=
          least * static_cast<double>(knowledge.had)) {
    return StrCat("its values are found on ", knowledge.found, " of ",
                  Counted(knowledge.had, "page"));
  }
  if (knowledge.distinct < 2) return "its value is the same on all pages";
  return "";
}

const proto::AttributeRule* FindRule(
    const google::protobuf::RepeatedPtrField<proto::AttributeRule>& rules,
    const std::string& name) {
  for (const proto::AttributeRule& rule : rules) {
    if (rule.name() == name) return &rule;
  }
  return nullptr;
}

// Learns from the pages of which something is known, which it takes.
absl::StatusOr<ClusterOutcome> Learn(const Learner& learner,
                                     const std::vector<Annotation>& annotations,
                                     absl::Duration budget,
                                     RepairInput* input) {
  std::set<std::string_view> annotated;
  for (const Annotation& annotation : annotations) {
    annotated.insert(annotation.url);
  }
  std::vector<ClusterSample> clusters(1);
  clusters[0].about = input->about;
  for (LearnPage& page : input->pages) {
    if (annotated.count(page.url) > 0) {
      clusters[0].pages.push_back(std::move(page));
    }
  }
  LearnSettings settings;
  settings.budget_per_cluster = budget;
  settings.max_annotated_pages = static_cast<int64_t>(annotated.size());
  TROMMEL_ASSIGN_OR_RETURN(std::vector<ClusterOutcome> outcomes,
                           LearnSite(learner, input->broken->schema(), clusters,
                                     annotations, settings));
  return std::move(outcomes[0]);
}

struct Merged {
  proto::Rule rule;
  std::vector<std::string> relearnt;
  // Mandatory or constant attributes that the broken rule has and this not.
  std::vector<std::string> missing;
};

// The extractors that still work, and those that were learnt.
Merged Merge(const RepairInput& input, const proto::Rule& learnt) {
  const proto::Rule& broken = *input.broken;
  Merged merged;
  merged.rule = input.about;
  *merged.rule.mutable_schema() = broken.schema();
  *merged.rule.mutable_sample_page() = learnt.sample_page();
  *merged.rule.mutable_validity() = learnt.validity();
  for (const proto::Attribute& attribute : broken.schema().attribute()) {
    const std::string& name = attribute.name();
    const proto::AttributeRule* const before =
        FindRule(broken.attribute(), name);
    const proto::AttributeRule* const after =
        FindRule(learnt.attribute(), name);
    if (before == nullptr) continue;
    if (input.working.count(name) > 0) {
      *merged.rule.add_attribute() = *before;
    } else if (after != nullptr) {
      *merged.rule.add_attribute() = *after;
      merged.relearnt.push_back(name);
    } else if (attribute.mandatory() || attribute.constant()) {
      merged.missing.push_back(name);
    }
  }
  return merged;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    StrAppend(&text, text.empty() ? "" : ", ", part);
  }
  return text;
}

}  // namespace

std::vector<Annotation> AnnotateFromGolden(const RepairInput& input,
                                           std::vector<std::string>* lost) {
  const proto::Schema& schema = input.broken->schema();
  std::deque<PageText> texts;
  std::vector<ResolvePage> pages;
  for (const LearnPage& page : input.pages) {
    texts.emplace_back(page.document);
    pages.push_back({&texts.back(), page.url});
  }
  std::vector<Annotation> annotations;
  const auto add = [&](Annotation::Kind kind, const LearnPage& page,
                       const std::string& attribute, const std::string& value) {
    Annotation& annotation = annotations.emplace_back();
    annotation.line = static_cast<int64_t>(annotations.size());
    annotation.kind = kind;
    annotation.url = page.url;
    annotation.attribute = attribute;
    annotation.value = value;
  };
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const proto::Attribute& attribute = schema.attribute(i);
    if (input.working.count(attribute.name()) > 0 ||
        FindRule(input.broken->attribute(), attribute.name()) == nullptr) {
      continue;
    }
    const Knowledge knowledge = FindOnPages(input, pages, i);
    const std::string why_not = WhyNot(knowledge, attribute);
    if (!why_not.empty()) {
      lost->push_back(StrCat(attribute.name(), " (", why_not, ")"));
      continue;
    }
    for (size_t k = 0; k < input.pages.size(); ++k) {
      const auto& values = ValuesOf(input.golden[k], static_cast<size_t>(i));
      if (values.empty()) {
        add(Annotation::Kind::kAbsent, input.pages[k], attribute.name(), "");
      }
      if (!knowledge.is_found[k]) continue;
      for (const std::string& value : values) {
        add(Annotation::Kind::kValue, input.pages[k], attribute.name(), value);
      }
    }
  }
  // As LearnSite() wants them.
  RemoveContradictions(&annotations);
  return annotations;
}

absl::StatusOr<RepairOutcome> RepairRule(const Learner& learner,
                                         RepairInput input) {
  RepairOutcome outcome;
  if (input.pages.empty()) {
    outcome.reason = "no page of those crawled before can be parsed";
    return outcome;
  }
  std::vector<std::string> lost;
  const std::vector<Annotation> annotations = AnnotateFromGolden(input, &lost);
  proto::Rule learnt;
  if (!annotations.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const ClusterOutcome of_cluster,
                             Learn(learner, annotations, input.budget, &input));
    if (!of_cluster.rule.has_value()) {
      outcome.reason = StrCat("nothing could be learnt from the old values: ",
                              of_cluster.reason);
      return outcome;
    }
    if (!of_cluster.rule->validity().valid()) {
      outcome.reason = StrCat(
          "what was learnt from the old values does not give them back on all "
          "pages: ",
          of_cluster.reason);
      return outcome;
    }
    learnt = *of_cluster.rule;
  }

  Merged merged = Merge(input, learnt);
  const std::string why_lost =
      lost.empty() ? "" : StrCat("; not found again: ", Joined(lost));
  if (!merged.missing.empty()) {
    outcome.reason =
        StrCat(Joined(merged.missing), " cannot be learnt again", why_lost);
  } else if (merged.rule.attribute_size() == 0) {
    outcome.reason = StrCat("nothing is left of the rule", why_lost);
  } else if (merged.relearnt.empty() && lost.empty()) {
    outcome.reason = "no attribute is broken by itself";
  } else {
    outcome.reason =
        merged.relearnt.empty()
            ? std::string("the rule goes on with fewer attributes")
            : StrCat(Joined(merged.relearnt), " learnt again from ",
                     Counted(learnt.sample_page_size(), "page"),
                     " by old values");
    StrAppend(&outcome.reason, why_lost);
    merged.rule.set_learner(std::string(learner.name()));
    outcome.rule = std::move(merged.rule);
  }
  return outcome;
}

}  // namespace trommel
