#ifndef TROMMEL_TESTS_TESTING_XSLT_JUDGE_H_
#define TROMMEL_TESTS_TESTING_XSLT_JUDGE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "proto/rule.pb.h"

namespace trommel::testing_support {

// The values on one page, by attribute of the schema.
using PageValues = std::vector<std::vector<std::string>>;

// What xsltproc makes of the pages by a stylesheet for the rule, page by page.
// One process for all of them. Whatever it says on standard error is an error.
absl::StatusOr<std::vector<PageValues>> RunStylesheet(
    const proto::Rule& rule, const std::string& xslt,
    const std::vector<const html::Document*>& pages);

// Where the exported rule and the native one differ on the pages, or "". Of
// attributes that the stylesheet says it cannot do, nothing is compared. The
// number of values that agree is added to `num_values`.
std::string ExportProblem(const proto::Rule& rule,
                          const std::vector<const html::Document*>& pages,
                          size_t* num_values);

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_XSLT_JUDGE_H_
