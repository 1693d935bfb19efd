#ifndef TROMMEL_CORE_RULE_FIELDS_FIELDS_EXTRACTOR_H_
#define TROMMEL_CORE_RULE_FIELDS_FIELDS_EXTRACTOR_H_

#include <memory>

#include "absl/status/statusor.h"
#include "core/rule/program.h"
#include "proto/rule.pb.h"

namespace trommel::rule::fields {

// Compiles a program of the kind Fields, which gives one record a page.
// InvalidArgument names the attribute and what is wrong with its XPath, pattern
// or range.
absl::StatusOr<std::unique_ptr<PageExtractor>> CompileFields(
    const proto::Rule& rule);

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_FIELDS_EXTRACTOR_H_
