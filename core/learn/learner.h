#ifndef TROMMEL_CORE_LEARN_LEARNER_H_
#define TROMMEL_CORE_LEARN_LEARNER_H_

// A learner makes programs of annotated pages, in up to three phases:
//
//   Train      annotated pages of several sites  ->  a model
//   Annotate   a model, pages of one cluster     ->  annotations
//   Learn      annotated and other pages of one
//              cluster, a model if there is one  ->  a program
//
// All learners learn. The first two phases are for those that carry what they
// know of some sites over to others: CanTrain() and CanAnnotate() say whether.
// Everything else about a rule is the same for all: asking editors, validity,
// bellwethers, sharing (site_learning.h), and running it (core/rule/program.h).

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/annotation/annotation.h"
#include "core/html/document.h"
#include "core/learn/rival.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel::learn {

// A page of a cluster's sample.
struct LearnPage {
  std::string url;
  std::string content_digest;
  html::Document document;
};

// Something about a learner that its user may choose: a flag of every verb that
// learns. Names begin with that of the learner: "broom-max-records". Learners
// that share an option give it the same default.
struct LearnerOption {
  std::string name;
  std::string help;
  std::string default_value;
};

// The values of the options of all learners, by name. Each learner reads its
// own.
using LearnerOptions = std::map<std::string, std::string>;

// --- Train -------------------------------------------------------------------

struct TrainingSite {
  std::string site;
  // Must outlive the training.
  const std::vector<LearnPage>* pages = nullptr;
  std::vector<annotation::Annotation>
      annotations;  // of these pages, as in LearnInput
};

struct TrainInput {
  const proto::Schema* schema = nullptr;
  std::vector<TrainingSite> sites;
  // After this long a learner returns the best model it has so far.
  absl::Duration budget = absl::Seconds(30);
};

// --- Annotate ----------------------------------------------------------------

struct AnnotateInput {
  const proto::Schema* schema = nullptr;
  std::string_view model;  // of Train() of the same learner
  // Of one cluster; must outlive the work.
  const std::vector<LearnPage>* pages = nullptr;
  absl::Duration budget = absl::Seconds(30);
};

// --- Learn -------------------------------------------------------------------

struct LearnInput {
  const proto::Schema* schema = nullptr;
  // By rank; must outlive the learner's work.
  const std::vector<LearnPage>* pages = nullptr;
  // Of these pages, without contradictions (RemoveContradictions()) and without
  // "skip". PlaceAnnotations() finds their nodes.
  std::vector<annotation::Annotation> annotations;
  // Of Train() of the same learner; empty where there is none.
  std::string_view model = {};
  // After this long a learner returns the best it has found so far.
  absl::Duration budget = absl::Seconds(30);
};

struct LearnOutput {
  // Not set where nothing was found at all. It need not extract attributes
  // without annotated values, and cannot those that nothing was found for.
  proto::Program program;
  // Who made the program: a learner may ask others.
  std::string learner;
  // Of attributes that the program extracts; a learner without doubts has none.
  std::vector<AttributeBelief> beliefs;
  // Values that were not found on their pages, XPaths that were not used.
  std::vector<annotation::AnnotationProblem> warnings;
  // Why attributes with annotated values have no rule, one line each.
  std::vector<std::string> failures;
  bool ran_out_of_time = false;
};

// Every phase is a function of its input: neither the order of annotations or
// pages nor the time of day decides anything, unless the budget runs out.
class Learner {
 public:
  virtual ~Learner() = default;
  // As in --learner=NAME.
  virtual std::string_view name() const = 0;

  virtual bool CanTrain() const { return false; }
  // The bytes of a model, which only this learner understands.
  virtual absl::StatusOr<std::string> Train(const TrainInput& input) const;

  virtual bool CanAnnotate() const { return false; }
  // Annotations of some of the pages, as an editor might give them.
  virtual absl::StatusOr<std::vector<annotation::Annotation>> Annotate(
      const AnnotateInput& input) const;

  virtual absl::StatusOr<LearnOutput> Learn(const LearnInput& input) const = 0;
};

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_LEARNER_H_
