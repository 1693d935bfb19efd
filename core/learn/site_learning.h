#ifndef TROMMEL_CORE_LEARN_SITE_LEARNING_H_
#define TROMMEL_CORE_LEARN_SITE_LEARNING_H_

// The rules of a site from the samples and annotations of its clusters.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/annotation/annotation.h"
#include "core/learn/learner.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel::learn {

struct ClusterSample {
  // The fields that say which pages the rule is for; the others are empty.
  proto::Rule about;
  std::vector<LearnPage> pages;  // by rank
};

enum class LearnStatus {
  kDone,
  kNeedsAnnotation,  // of the page next_url
  kFailed,           // and no page is left to ask for
  kIgnored,          // the editor skipped it
};
// "done", "needs_annotation", "failed", "ignored".
std::string_view LearnStatusName(LearnStatus status);

// What is in doubt about an attribute of a rule, and where most.
struct ClusterDoubt {
  std::string attribute;
  std::string url;
  double weight = 0;  // from 0 to 1: about the chance that the rule is wrong
  std::string text;   // for people
};

// By attribute, in the order of the schema.
template <typename T>
using ByAttribute = std::vector<std::pair<std::string, T>>;

struct ClusterOutcome {
  LearnStatus status = LearnStatus::kFailed;
  std::string next_url;  // kNeedsAnnotation
  // Of those in doubt on the page next_url the most; may be empty.
  std::string next_attribute;
  int64_t annotated_pages = 0;
  std::string reused_from;  // rule_id of a rule of another cluster
  std::string reason;       // for people: why this status
  // The heaviest first. A cluster may be done with doubts where no more pages
  // may be annotated.
  std::vector<ClusterDoubt> doubts;
  // Of each attribute that the rule extracts, on the pages of the sample that
  // nobody annotated, where there are any: the share of pages with a value, and
  // up to three different values (those of repeated attributes joined by ", ").
  ByAttribute<double> fill;
  ByAttribute<std::vector<std::string>> examples;
  // kDone always has one; kNeedsAnnotation and kFailed may have what was found
  // so far, which is fit for use as far as its `validity` says.
  std::optional<proto::Rule> rule;
  std::vector<annotation::AnnotationProblem> warnings;
};

struct LearnSettings {
  absl::Duration budget_per_cluster = absl::Seconds(30);
  // Pages that an editor annotates of a cluster, at most: a cluster that is not
  // done after these is failed, or done with what it has.
  int64_t max_annotated_pages = 4;
};

// One outcome per cluster, in their order. `annotations` are those of the
// site's pages, without contradictions (RemoveContradictions()). Errors are the
// learner's own; a cluster that cannot be learnt is an outcome.
absl::StatusOr<std::vector<ClusterOutcome>> LearnSite(
    const Learner& learner, const proto::Schema& schema,
    const std::vector<ClusterSample>& clusters,
    const std::vector<annotation::Annotation>& annotations,
    const LearnSettings& settings);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_SITE_LEARNING_H_
