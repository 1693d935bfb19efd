#ifndef TROMMEL_CORE_LEARN_LEARNER_H_
#define TROMMEL_CORE_LEARN_LEARNER_H_

// What all learners have in common: annotated and other sample pages of one
// cluster and a schema go in, a program comes out.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/annotation/annotation.h"
#include "core/html/document.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel {

// A page of a cluster's sample.
struct LearnPage {
  std::string url;
  std::string content_digest;
  html::Document document;
};

struct LearnInput {
  const proto::Schema* schema = nullptr;
  // By rank; must outlive the learner's work.
  const std::vector<LearnPage>* pages = nullptr;
  // Of these pages; values, negative marks and absences, without
  // contradictions.
  std::vector<Annotation> annotations;
  // After this long a learner returns the best it has found so far.
  absl::Duration budget = absl::Seconds(30);
};

struct LearnOutput {
  // Not set where nothing was found at all. It need not extract attributes
  // without annotated values, and cannot those that nothing was found for.
  proto::Program program;
  // Values that were not found on their pages, XPaths that were not used.
  std::vector<AnnotationProblem> warnings;
  // Why attributes with annotated values have no rule, one line each.
  std::vector<std::string> failures;
  bool ran_out_of_time = false;
};

// A function of its input: neither the order of annotations nor the time of day
// decides anything, unless the budget runs out.
class Learner {
 public:
  virtual ~Learner() = default;
  // As in --learner=NAME.
  virtual std::string_view name() const = 0;
  virtual absl::StatusOr<LearnOutput> Learn(const LearnInput& input) const = 0;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_LEARN_LEARNER_H_
