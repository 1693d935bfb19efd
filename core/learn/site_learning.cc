#include "core/learn/site_learning.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/base/status.h"
#include "core/learn/bellwethers.h"
#include "core/learn/next_page.h"
#include "core/learn/sharing.h"
#include "core/learn/validity.h"
#include "core/rule/program_registry.h"

// A site, cluster by cluster.
//
// A cluster that an editor has annotated is learnt, the rule is run on the rest
// of its sample (next_page.cc) and judged (validity.cc). It is done when
// nothing is in doubt; until then the editor is asked for another page, as long
// as there is one and the editor's patience lasts. One case is in doubt without
// any page's saying so: an attribute that the only annotated page does not have
// may be on all others, so one more page is asked for.
//
// Then the valid rules of clusters that are done are tried on those that nobody
// annotated (sharing.cc), the rule of the most important cluster first. What
// remains is for the editor.

namespace trommel::learn {
namespace {

using Kind = annotation::Annotation::Kind;

// A cluster that was annotated.
class ClusterLearning {
 public:
  ClusterLearning(const Learner& learner, const proto::Schema& schema,
                  const ClusterSample& cluster,
                  std::vector<annotation::Annotation> annotations,
                  const LearnSettings& settings)
      : learner_(learner),
        schema_(schema),
        cluster_(cluster),
        annotations_(std::move(annotations)),
        settings_(settings) {
    for (const annotation::Annotation& a : annotations_)
      annotated_.insert(a.url);
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
    TROMMEL_RETURN_IF_ERROR(MakeRule(&output));
    rule_.set_learner(output.learner.empty() ? std::string(learner_.name())
                                             : output.learner);
    Conclude(output);
    ShowFindings();
    return std::move(outcome_);
  }

 private:
  absl::Status MakeRule(LearnOutput* output) {
    rule_ = cluster_.about;
    *rule_.mutable_schema() = schema_;
    if (output->program.kind_case() != proto::Program::KIND_NOT_SET) {
      *rule_.mutable_program() = std::move(output->program);
    } else {
      rule_.mutable_program()->mutable_fields();  // which extracts nothing
    }
    AddSamplePages(cluster_.pages, annotated_, &rule_);
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<rule::PageExtractor> extractor,
        rule::CompileRule(rule_));
    has_rule_ = extractor->ExtractsAny();
    knowledge_ = CollectKnowledge(schema_, annotations_, extractor->extracts());
    doubts_ = FindDoubts(*extractor, knowledge_, output->beliefs,
                         cluster_.pages, annotated_);
    *rule_.mutable_validity() = JudgeValidity(
        CompareWithAnnotations(*extractor, cluster_.pages, annotations_),
        doubts_.counts);
    AddBellwethers(*extractor, cluster_.pages, &rule_);
    return absl::OkStatus();
  }

  // The names of the attributes that should have a rule and have none.
  std::string UnlearntAttributes() const {
    std::string names;
    for (int i = 0; i < schema_.attribute_size(); ++i) {
      const AttributeKnowledge& knowledge = knowledge_[static_cast<size_t>(i)];
      const bool is_wanted =
          knowledge.has_value || schema_.attribute(i).mandatory();
      if (is_wanted && !knowledge.has_rule) {
        StrAppend(&names, names.empty() ? "" : ", ",
                  schema_.attribute(i).name());
      }
    }
    return names;
  }

  const std::string& NameOf(size_t attribute) const {
    return schema_.attribute(static_cast<int>(attribute)).name();
  }

  // Says what is in doubt, the worst first.
  std::string DescribeDoubts() const {
    std::string text;
    for (const Doubt& doubt : doubts_.doubts) {
      StrAppend(&text, text.empty() ? "" : "; ", NameOf(doubt.attribute), ": ",
                doubt.text);
    }
    return text;
  }

  // Whether nobody has seen an attribute yet, having seen one page.
  bool HasUnseenAttribute() const {
    return annotated_.size() == 1 &&
           std::any_of(knowledge_.begin(), knowledge_.end(),
                       [](const AttributeKnowledge& knowledge) {
                         return knowledge.may_be_absent && !knowledge.has_value;
                       });
  }

  void Conclude(const LearnOutput& output) {
    const std::string unlearnt = UnlearntAttributes();
    const bool may_ask =
        doubts_.worst != nullptr &&
        outcome_.annotated_pages < settings_.max_annotated_pages;
    const bool is_fine = has_rule_ && unlearnt.empty() &&
                         !doubts_.HasQuestion() &&
                         !(HasUnseenAttribute() && may_ask);
    if (!is_fine && may_ask) {
      outcome_.status = LearnStatus::kNeedsAnnotation;
      outcome_.next_url = doubts_.worst->url;
      if (doubts_.worst_attribute.has_value()) {
        outcome_.next_attribute = NameOf(*doubts_.worst_attribute);
      }
      outcome_.reason = !unlearnt.empty() ? StrCat("no rule yet for ", unlearnt)
                        : !has_rule_      ? "no value is annotated yet"
                        : doubts_.HasQuestion()
                            ? DescribeDoubts()
                            : "an attribute is not on the only annotated page";
    } else if (!has_rule_ || !unlearnt.empty()) {
      outcome_.status = LearnStatus::kFailed;
      outcome_.reason = has_rule_ || !unlearnt.empty()
                            ? StrCat("no rule for ", unlearnt)
                            : "the annotated pages have no value";
    } else if (!is_fine && doubts_.IsSerious()) {
      outcome_.status = LearnStatus::kFailed;
      outcome_.reason = StrCat(
          "as many pages are annotated as may be, and much is in doubt: ",
          DescribeDoubts());
    } else if (is_fine || rule_.validity().recall() > kLeastRecall) {
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
    if (has_rule_) outcome_.rule = std::move(rule_);
  }

  void ShowFindings() {
    for (const Doubt& doubt : doubts_.doubts) {
      outcome_.doubts.push_back(
          {NameOf(doubt.attribute), doubt.page->url, doubt.weight, doubt.text});
    }
    for (size_t i = 0; i < doubts_.fill.size(); ++i) {
      const AttributeFill& fill = doubts_.fill[i];
      if (fill.pages == 0) continue;
      outcome_.fill.emplace_back(NameOf(i),
                                 static_cast<double>(fill.with_value) /
                                     static_cast<double>(fill.pages));
      outcome_.examples.emplace_back(NameOf(i), fill.examples);
    }
  }

  const Learner& learner_;
  const proto::Schema& schema_;
  const ClusterSample& cluster_;
  const std::vector<annotation::Annotation> annotations_;
  const LearnSettings& settings_;
  std::set<std::string> annotated_;  // URLs
  proto::Rule rule_;
  bool has_rule_ = false;
  std::vector<AttributeKnowledge> knowledge_;
  SampleDoubts doubts_;
  ClusterOutcome outcome_;
};

// The most important first.
std::vector<const proto::Rule*> RulesToShare(
    const std::vector<ClusterOutcome>& outcomes) {
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
  return rules;
}

// A cluster that was not annotated.
absl::StatusOr<ClusterOutcome> TryToShare(
    const std::vector<const proto::Rule*>& rules,
    const ClusterSample& cluster) {
  ClusterOutcome outcome;
  for (const proto::Rule* const rule : rules) {
    TROMMEL_ASSIGN_OR_RETURN(const bool fits, FitsSample(*rule, cluster.pages));
    if (!fits) continue;
    TROMMEL_ASSIGN_OR_RETURN(outcome.rule,
                             ShareRule(*rule, cluster.about, cluster.pages));
    outcome.status = LearnStatus::kDone;
    outcome.reused_from = outcome.rule->reused_from();
    outcome.reason = "the rule of another cluster extracts from the sample";
    return outcome;
  }
  outcome.status = LearnStatus::kNeedsAnnotation;
  outcome.next_url = cluster.pages[0].url;
  outcome.reason = "not annotated yet, and no other rule of the site fits";
  return outcome;
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
    const std::vector<annotation::Annotation>& annotations,
    const LearnSettings& settings) {
  std::map<std::string_view, size_t> cluster_numbers;  // by URL
  for (size_t i = 0; i < clusters.size(); ++i) {
    for (const LearnPage& page : clusters[i].pages) {
      cluster_numbers[page.url] = i;
    }
  }
  std::vector<std::vector<annotation::Annotation>> by_cluster(clusters.size());
  std::vector<bool> is_skipped(clusters.size());
  for (const annotation::Annotation& annotation : annotations) {
    const auto cluster = cluster_numbers.find(annotation.url);
    if (cluster == cluster_numbers.end()) continue;
    if (annotation.kind == Kind::kSkip) is_skipped[cluster->second] = true;
    by_cluster[cluster->second].push_back(annotation);
  }

  std::vector<ClusterOutcome> outcomes(clusters.size());
  for (size_t i = 0; i < clusters.size(); ++i) {
    if (is_skipped[i]) {
      outcomes[i].status = LearnStatus::kIgnored;
      outcomes[i].reason = "skipped by the editor";
    } else if (clusters[i].pages.empty()) {
      outcomes[i].reason = "no page of the cluster is in the sample";
    } else if (!by_cluster[i].empty()) {
      TROMMEL_ASSIGN_OR_RETURN(
          outcomes[i], ClusterLearning(learner, schema, clusters[i],
                                       std::move(by_cluster[i]), settings)
                           .Run());
    }
  }
  const std::vector<const proto::Rule*> rules = RulesToShare(outcomes);
  for (size_t i = 0; i < clusters.size(); ++i) {
    ClusterOutcome& outcome = outcomes[i];
    if (is_skipped[i] || clusters[i].pages.empty() ||
        outcome.annotated_pages > 0) {
      continue;
    }
    TROMMEL_ASSIGN_OR_RETURN(outcome, TryToShare(rules, clusters[i]));
  }
  return outcomes;
}

}  // namespace trommel::learn
