#include "core/learn/learner.h"

#include "core/base/strings.h"

namespace trommel::learn {

absl::StatusOr<std::string> Learner::Train(const TrainInput& /*input*/) const {
  return absl::UnimplementedError(
      StrCat("the learner ", name(),
             " learns each site by itself; there is no "
             "model to train"));
}

absl::StatusOr<std::vector<annotation::Annotation>> Learner::Annotate(
    const AnnotateInput& /*input*/) const {
  return absl::UnimplementedError(
      StrCat("the learner ", name(), " does not annotate pages by itself"));
}

}  // namespace trommel::learn
