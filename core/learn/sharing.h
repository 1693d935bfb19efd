#ifndef TROMMEL_CORE_LEARN_SHARING_H_
#define TROMMEL_CORE_LEARN_SHARING_H_

// Rules that serve more than one cluster of their site.

#include <vector>

#include "absl/status/statusor.h"
#include "core/learn/learner.h"
#include "proto/rule.pb.h"

namespace trommel::learn {

// Whether the rule of one cluster extracts from all sample pages of another
// what it extracts from its own: every attribute that it has, of the right
// type, without doubt.
absl::StatusOr<bool> FitsSample(const proto::Rule& rule,
                                const std::vector<LearnPage>& pages);

// The rule for another cluster, which it fits. `about` says which pages the
// copy is for.
absl::StatusOr<proto::Rule> ShareRule(const proto::Rule& rule,
                                      const proto::Rule& about,
                                      const std::vector<LearnPage>& pages);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_SHARING_H_
