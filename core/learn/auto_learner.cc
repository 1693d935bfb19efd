#include "core/learn/auto_learner.h"

#include <utility>

#include "core/base/status.h"
#include "core/learn/registry.h"

// Which learner a cluster gets. All that there is to choose from today is
// Vertex, for one record a page; a learner of another kind of program is asked
// here when the annotations call for it.

namespace trommel::learn {
namespace {

class AutoLearner final : public Learner {
 public:
  explicit AutoLearner(LearnerOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return kAutoLearner; }

  absl::StatusOr<LearnOutput> Learn(const LearnInput& input) const override {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Learner> learner,
                             MakeLearner("vertex", options_));
    return learner->Learn(input);
  }

 private:
  const LearnerOptions options_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Learner>> MakeAutoLearner(
    const LearnerOptions& options) {
  return std::make_unique<AutoLearner>(options);
}

}  // namespace trommel::learn
