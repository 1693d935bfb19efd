#ifndef TROMMEL_CORE_LEARN_BELLWETHERS_H_
#define TROMMEL_CORE_LEARN_BELLWETHERS_H_

// What a rule keeps of the sample that it was made from.

#include <set>
#include <string>
#include <vector>

#include "core/learn/learner.h"
#include "core/rule/program.h"
#include "proto/rule.pb.h"

namespace trommel::learn {

// Puts down the pages of the sample; `annotated` are the URLs of those that an
// editor annotated.
void AddSamplePages(const std::vector<LearnPage>& pages,
                    const std::set<std::string>& annotated, proto::Rule* rule);

// Puts down what the rule extracts from the first pages that have a record:
// what `monitor` and `reuse` compare later versions of these pages with
// (core/record/comparison.h). `extractor` is the compiled rule.
void AddBellwethers(const rule::PageExtractor& extractor,
                    const std::vector<LearnPage>& pages, proto::Rule* rule);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_BELLWETHERS_H_
