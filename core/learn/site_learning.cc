#include "core/learn/site_learning.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/record/record.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"

// When to stop, and what to ask next.
//
// The paper's editors annotate pages in the order of the sample and stop when
// the rule extracts from the rest of it (III-B). Here the rule is run on the
// rest after each page, and a page is worth annotating if something is wrong
// there:
//
//  - alternatives of an attribute's rule say different things: one of them is
//    wrong, and the annotation tells which;
//  - a mandatory attribute does not come out;
//  - a value is much longer than any that was annotated;
//  - an attribute does not come out that came out on all annotated pages:
//    either the rule fails there, or the attribute may be missing, which is
//    known from then on.
//
// The page with most of this is asked for next, not merely the next by rank. If
// there is none, the cluster is done; but an attribute that the only annotated
// page does not have is worth the next page of the sample.
//
// A cluster that nobody annotated is first tried with the site's other rules.

namespace trommel {
namespace {

using Kind = Annotation::Kind;

// What a page does not get right, in points.
constexpr int kContradiction = 4;
constexpr int kMissingMandatory = 4;
constexpr int kMissing = 2;
constexpr int kOneSided = 2;
constexpr int kOutlier = 1;
constexpr int kMaxBellwethers = 20;
constexpr double kLeastRecall = 0.85;

// What is known of an attribute of the schema in a cluster.
struct AttributeState {
  bool has_value = false;  // on some annotated page
  bool may_be_absent = false;
  bool has_rule = false;
  size_t longest_value = 0;  // of those annotated, in bytes
};

// A rule on a sample page that was not annotated.
struct PageAssessment {
  int points = 0;
  int extracted = 0;  // attributes with a value
  int agreed = 0;     // of these, by all alternatives that give one
  int expected = 0;   // attributes that should come out
  int came_out = 0;   // of these
};

// Names and prices are short; a sentence in their place is something else.
bool IsOutlier(const std::string& value, const AttributeState& state) {
  constexpr size_t kShort = 40;
  return state.longest_value <= kShort &&
         value.size() > 3 * state.longest_value + 10;
}

PageAssessment Assess(const PageExtractor& extractor,
                      const std::vector<AttributeState>& states,
                      const LearnPage& page) {
  PageAssessment assessment;
  const proto::Schema& schema = extractor.rule().schema();
  const auto alternatives = extractor.Opinions(page.document, page.url);
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const AttributeState& state = states[static_cast<size_t>(i)];
    if (!state.has_rule) continue;
    const bool is_mandatory = schema.attribute(i).mandatory();
    const bool is_expected = is_mandatory || !state.may_be_absent;
    std::set<std::vector<std::string>> said;
    size_t silent = 0;
    const std::vector<Opinion>& results = alternatives[static_cast<size_t>(i)];
    for (const Opinion& result : results) {
      if (result.values.empty()) {
        ++silent;
      } else {
        said.insert(result.values);
      }
    }
    assessment.expected += is_expected ? 1 : 0;
    if (said.empty()) {
      if (is_expected) {
        assessment.points += is_mandatory ? kMissingMandatory : kMissing;
      }
      continue;
    }
    ++assessment.extracted;
    assessment.came_out += is_expected ? 1 : 0;
    assessment.agreed += said.size() == 1 ? 1 : 0;
    const auto chosen = std::find_if(
        results.begin(), results.end(),
        [](const Opinion& result) { return !result.values.empty(); });
    for (const std::string& value : chosen->values) {
      if (IsOutlier(value, state)) assessment.points += kOutlier;
    }
    if (said.size() > 1) {
      assessment.points += kContradiction;
    } else if (silent > 0) {
      assessment.points += kOneSided;
    }
  }
  return assessment;
}

// Pages with what the rule extracts from them now.
void AddBellwethers(const PageExtractor& extractor,
                    const std::vector<LearnPage>& pages, proto::Rule* rule) {
  for (const LearnPage& page : pages) {
    if (rule->bellwether_size() == kMaxBellwethers) return;
    const std::vector<record::Record> records = record::CompleteRecords(
        rule->schema(), extractor.Extract(page.document, page.url));
    if (records.empty()) continue;
    *rule->add_bellwether() =
        record::ToProto(rule->schema(), page.url, records);
  }
}

// --- A cluster that was annotated -------------------------------------------

class ClusterLearning {
 public:
  ClusterLearning(const Learner& learner, const proto::Schema& schema,
                  const ClusterSample& cluster,
                  std::vector<Annotation> annotations,
                  const LearnSettings& settings)
      : learner_(learner),
        schema_(schema),
        cluster_(cluster),
        annotations_(std::move(annotations)),
        settings_(settings) {
    for (const Annotation& a : annotations_) annotated_.insert(a.url);
  }

  absl::StatusOr<ClusterOutcome> Run() {
    outcome_.annotated_pages = static_cast<int64_t>(annotated_.size());
    LearnInput input;
    input.schema = &schema_;
    input.pages = &cluster_.pages;
    input.annotations = annotations_;
    input.budget = settings_.budget_per_cluster;
    TROMMEL_ASSIGN_OR_RETURN(LearnOutput output, learner_.Learn(input));
    outcome_.warnings = std::move(output.warnings);

    proto::Rule rule = cluster_.about;
    *rule.mutable_schema() = schema_;
    rule.set_learner(std::string(learner_.name()));
    has_rule_ = output.program.kind_case() != proto::Program::KIND_NOT_SET;
    if (has_rule_) {
      *rule.mutable_program() = std::move(output.program);
    } else {
      rule.mutable_program()->mutable_fields();  // which extracts nothing
    }
    for (const LearnPage& page : cluster_.pages) {
      proto::SamplePage* const sample = rule.add_sample_page();
      sample->set_url(page.url);
      sample->set_content_digest(page.content_digest);
      sample->set_annotated(annotated_.count(page.url) > 0);
    }
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PageExtractor> extractor,
                             CompileRule(rule));
    FindStates(extractor->extracts());
    AssessPages(*extractor, &rule);
    AddBellwethers(*extractor, cluster_.pages, &rule);
    Conclude(output, std::move(rule));
    return std::move(outcome_);
  }

 private:
  void FindStates(const std::vector<bool>& extracts) {
    states_.resize(static_cast<size_t>(schema_.attribute_size()));
    for (int i = 0; i < schema_.attribute_size(); ++i) {
      AttributeState& state = states_[static_cast<size_t>(i)];
      const std::string& name = schema_.attribute(i).name();
      for (const Annotation& a : annotations_) {
        if (a.attribute != name) continue;
        state.has_value |= a.kind == Kind::kValue;
        if (a.kind == Kind::kValue) {
          state.longest_value = std::max(state.longest_value, a.value.size());
        }
        state.may_be_absent |= a.kind == Kind::kAbsent;
      }
      state.has_rule = extracts[static_cast<size_t>(i)];
    }
  }

  void AssessPages(const PageExtractor& extractor, proto::Rule* rule) {
    PageAssessment all;
    int64_t pages = 0;
    for (const LearnPage& page : cluster_.pages) {
      if (annotated_.count(page.url) > 0) continue;
      ++pages;
      const PageAssessment of_page = Assess(extractor, states_, page);
      all.extracted += of_page.extracted;
      all.agreed += of_page.agreed;
      all.expected += of_page.expected;
      all.came_out += of_page.came_out;
      // Of equals the one that comes first in the sample.
      if (worst_ == nullptr || of_page.points > worst_points_) {
        worst_ = &page;
        worst_points_ = of_page.points;
      }
    }
    proto::Validity* const validity = rule->mutable_validity();
    const auto share = [](int part, int whole) {
      return whole == 0
                 ? 1.0
                 : static_cast<double>(part) / static_cast<double>(whole);
    };
    // Where there is nothing else to go by, the annotated pages are.
    const PageAssessment known = CompareWithAnnotations(extractor);
    const bool truth_known = pages == 0;
    const PageAssessment& judged = truth_known ? known : all;
    validity->set_pages(truth_known ? outcome_.annotated_pages : pages);
    validity->set_precision(share(judged.agreed, judged.extracted));
    validity->set_recall(share(judged.came_out, judged.expected));
    validity->set_truth_known(truth_known);
    validity->set_valid(has_rule_ && validity->precision() == 1 &&
                        validity->recall() > kLeastRecall &&
                        known.agreed == known.extracted &&
                        known.came_out == known.expected);
  }

  // What the rule extracts from annotated pages, and whether that is what the
  // editor said.
  PageAssessment CompareWithAnnotations(const PageExtractor& extractor) const {
    PageAssessment assessment;
    for (const LearnPage& page : cluster_.pages) {
      if (annotated_.count(page.url) == 0) continue;
      const std::vector<record::Record> records =
          extractor.Extract(page.document, page.url);
      for (int i = 0; i < schema_.attribute_size(); ++i) {
        const proto::Attribute& attribute = schema_.attribute(i);
        std::set<std::string> wanted;
        bool is_known = false;
        for (const Annotation& a : annotations_) {
          if (a.url != page.url || a.attribute != attribute.name()) continue;
          if (a.kind == Kind::kValue) wanted.insert(WithoutSpace(a.value));
          is_known |= a.kind == Kind::kValue || a.kind == Kind::kAbsent;
        }
        // Links are made absolute, so they compare differently.
        if (!is_known || IsLink(attribute)) continue;
        std::set<std::string> found;
        for (const record::Record& record : records) {
          for (const std::string& value : record.values(i)) {
            found.insert(WithoutSpace(value));
          }
        }
        const bool is_right =
            attribute.repeated()
                ? found == wanted
                : !found.empty() && wanted.count(*found.begin()) > 0;
        assessment.expected += wanted.empty() ? 0 : 1;
        assessment.extracted += found.empty() ? 0 : 1;
        assessment.came_out += is_right && !wanted.empty() ? 1 : 0;
        assessment.agreed += is_right && !found.empty() ? 1 : 0;
      }
    }
    return assessment;
  }

  static std::string WithoutSpace(std::string_view text) {
    std::string out = NormalizeSpace(text);
    out.erase(std::remove(out.begin(), out.end(), ' '), out.end());
    return out;
  }

  void Conclude(const LearnOutput& output, proto::Rule rule) {
    std::string unlearnt;  // attributes that should have a rule
    for (int i = 0; i < schema_.attribute_size(); ++i) {
      const AttributeState& state = states_[static_cast<size_t>(i)];
      const bool is_wanted =
          state.has_value || schema_.attribute(i).mandatory();
      if (is_wanted && !state.has_rule) {
        StrAppend(&unlearnt, unlearnt.empty() ? "" : ", ",
                  schema_.attribute(i).name());
      }
    }
    const bool may_ask = worst_ != nullptr && outcome_.annotated_pages <
                                                  settings_.max_annotated_pages;
    const bool is_unseen =
        annotated_.size() == 1 && std::any_of(states_.begin(), states_.end(),
                                              [](const AttributeState& state) {
                                                return state.may_be_absent &&
                                                       !state.has_value;
                                              });
    const bool is_fine = has_rule_ && unlearnt.empty() && worst_points_ == 0 &&
                         !(is_unseen && may_ask);
    if (!is_fine && may_ask) {
      outcome_.status = LearnStatus::kNeedsAnnotation;
      outcome_.next_url = worst_->url;
      outcome_.reason =
          !unlearnt.empty() ? StrCat("no rule yet for ", unlearnt)
          : !has_rule_      ? "no value is annotated yet"
          : worst_points_ > 0
              ? "the rule fails on this page, or its alternatives disagree"
              : "an attribute is not on the only annotated page";
    } else if (!has_rule_ || !unlearnt.empty()) {
      outcome_.status = LearnStatus::kFailed;
      outcome_.reason = has_rule_ || !unlearnt.empty()
                            ? StrCat("no rule for ", unlearnt)
                            : "the annotated pages have no value";
    } else if (is_fine || rule.validity().recall() > kLeastRecall) {
      outcome_.status = LearnStatus::kDone;
      outcome_.reason = is_fine ? "the rule extracts from the whole sample"
                                : "as many pages are annotated as may be";
    } else {
      outcome_.status = LearnStatus::kFailed;
      outcome_.reason =
          "as many pages are annotated as may be, and attributes are missing "
          "on many of the others";
    }
    for (const std::string& failure : output.failures) {
      StrAppend(&outcome_.reason, "; ", failure);
    }
    if (output.ran_out_of_time) {
      StrAppend(&outcome_.reason,
                "; the time for learning ran out, this is the best so far");
    }
    if (has_rule_) outcome_.rule = std::move(rule);
  }

  const Learner& learner_;
  const proto::Schema& schema_;
  const ClusterSample& cluster_;
  const std::vector<Annotation> annotations_;
  const LearnSettings& settings_;
  std::set<std::string> annotated_;
  std::vector<AttributeState> states_;
  const LearnPage* worst_ = nullptr;  // page without annotations
  int worst_points_ = 0;
  bool has_rule_ = false;
  ClusterOutcome outcome_;
};

// --- A cluster that was not --------------------------------------------------

// Whether all alternatives that find something find the same one value.
bool AgreesOnOne(const std::vector<Opinion>& results) {
  std::set<std::string> values;
  for (const Opinion& result : results) {
    values.insert(result.values.begin(), result.values.end());
  }
  return values.size() <= 1;
}

// Whether a rule of another cluster extracts from all pages of a sample what it
// extracts from its own: every attribute that it has, of the right type.
absl::StatusOr<bool> Fits(const proto::Rule& rule,
                          const std::vector<LearnPage>& pages) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PageExtractor> extractor,
                           CompileRule(rule));
  const proto::Schema& schema = rule.schema();
  std::vector<std::unique_ptr<const RE2>> patterns;
  for (const proto::Attribute& attribute : schema.attribute()) {
    const std::string pattern = CheckPattern(attribute);
    patterns.push_back(pattern.empty() || IsLink(attribute)
                           ? nullptr
                           : std::make_unique<const RE2>(pattern, RE2::Quiet));
  }
  const auto is_of_type = [&](int attribute, const std::string& value) {
    const auto& pattern = patterns[static_cast<size_t>(attribute)];
    return pattern == nullptr || RE2::PartialMatch(value, *pattern);
  };
  for (const LearnPage& page : pages) {
    const std::vector<record::Record> records =
        extractor->Extract(page.document, page.url);
    if (records.empty()) return false;
    for (const record::Record& record : records) {
      if (!record::CheckComplete(schema, record, extractor->extracts())
               .IsRecord()) {
        return false;
      }
      for (int i = 0; i < schema.attribute_size(); ++i) {
        // Where only weak evidence finds something, it is likely to be
        // something else.
        if (record.attributes[static_cast<size_t>(i)].is_weak) return false;
        for (const std::string& value : record.values(i)) {
          if (!is_of_type(i, value)) return false;
        }
      }
    }
    // A page of several records has several values of everything.
    if (records.size() > 1) continue;
    const auto opinions = extractor->Opinions(page.document, page.url);
    for (int i = 0; i < schema.attribute_size(); ++i) {
      if (!records[0].values(i).empty() && !schema.attribute(i).repeated() &&
          !AgreesOnOne(opinions[static_cast<size_t>(i)])) {
        return false;
      }
    }
  }
  return true;
}

absl::StatusOr<proto::Rule> CopyFor(const proto::Rule& rule,
                                    const ClusterSample& cluster) {
  proto::Rule copy = cluster.about;
  *copy.mutable_schema() = rule.schema();
  *copy.mutable_program() = rule.program();
  copy.set_learner(rule.learner());
  copy.set_reused_from(RuleId(rule));
  for (const LearnPage& page : cluster.pages) {
    proto::SamplePage* const sample = copy.add_sample_page();
    sample->set_url(page.url);
    sample->set_content_digest(page.content_digest);
  }
  proto::Validity* const validity = copy.mutable_validity();
  validity->set_valid(true);
  validity->set_precision(1);
  validity->set_recall(1);
  validity->set_pages(static_cast<int64_t>(cluster.pages.size()));
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PageExtractor> extractor,
                           CompileRule(copy));
  AddBellwethers(*extractor, cluster.pages, &copy);
  return copy;
}

}  // namespace

std::string_view LearnStatusName(LearnStatus status) {
  switch (status) {
    case LearnStatus::kDone:
      return "done";
    case LearnStatus::kNeedsAnnotation:
      return "needs_annotation";
    case LearnStatus::kFailed:
      return "failed";
    case LearnStatus::kIgnored:
      return "ignored";
  }
  return "";
}

absl::StatusOr<std::vector<ClusterOutcome>> LearnSite(
    const Learner& learner, const proto::Schema& schema,
    const std::vector<ClusterSample>& clusters,
    const std::vector<Annotation>& annotations, const LearnSettings& settings) {
  std::map<std::string_view, size_t> cluster_of;
  for (size_t i = 0; i < clusters.size(); ++i) {
    for (const LearnPage& page : clusters[i].pages) cluster_of[page.url] = i;
  }
  std::vector<std::vector<Annotation>> of_cluster(clusters.size());
  std::vector<bool> is_skipped(clusters.size());
  for (const Annotation& annotation : annotations) {
    const auto cluster = cluster_of.find(annotation.url);
    if (cluster == cluster_of.end()) continue;
    if (annotation.kind == Kind::kSkip) is_skipped[cluster->second] = true;
    of_cluster[cluster->second].push_back(annotation);
  }

  std::vector<ClusterOutcome> outcomes(clusters.size());
  for (size_t i = 0; i < clusters.size(); ++i) {
    if (is_skipped[i]) {
      outcomes[i].status = LearnStatus::kIgnored;
      outcomes[i].reason = "skipped by the editor";
    } else if (clusters[i].pages.empty()) {
      outcomes[i].reason = "no page of the cluster is in the sample";
    } else if (!of_cluster[i].empty()) {
      TROMMEL_ASSIGN_OR_RETURN(
          outcomes[i], ClusterLearning(learner, schema, clusters[i],
                                       std::move(of_cluster[i]), settings)
                           .Run());
    }
  }
  // The rules to share, the most important first.
  std::vector<const proto::Rule*> rules;
  for (const ClusterOutcome& outcome : outcomes) {
    if (outcome.status == LearnStatus::kDone &&
        outcome.rule->validity().valid()) {
      rules.push_back(&*outcome.rule);
    }
  }
  std::sort(rules.begin(), rules.end(),
            [](const proto::Rule* a, const proto::Rule* b) {
              return a->importance() != b->importance()
                         ? a->importance() > b->importance()
                         : a->cluster_id() < b->cluster_id();
            });
  for (size_t i = 0; i < clusters.size(); ++i) {
    ClusterOutcome& outcome = outcomes[i];
    if (is_skipped[i] || clusters[i].pages.empty() ||
        outcome.annotated_pages > 0) {
      continue;
    }
    outcome.status = LearnStatus::kNeedsAnnotation;
    outcome.next_url = clusters[i].pages[0].url;
    outcome.reason = "not annotated yet, and no other rule of the site fits";
    for (const proto::Rule* const rule : rules) {
      TROMMEL_ASSIGN_OR_RETURN(const bool fits, Fits(*rule, clusters[i].pages));
      if (!fits) continue;
      outcome.status = LearnStatus::kDone;
      outcome.next_url.clear();
      TROMMEL_ASSIGN_OR_RETURN(outcome.rule, CopyFor(*rule, clusters[i]));
      outcome.reused_from = outcome.rule->reused_from();
      outcome.reason = "the rule of another cluster extracts from the sample";
      break;
    }
  }
  return outcomes;
}

}  // namespace trommel
