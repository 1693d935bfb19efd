#ifndef TROMMEL_CORE_RULE_FIELDS_DESCRIPTION_H_
#define TROMMEL_CORE_RULE_FIELDS_DESCRIPTION_H_

#include "core/rule/program.h"
#include "proto/rule.pb.h"

namespace trommel::rule::fields {

// Everything that decides what the alternatives of a program extract. A part on
// one line:
//
//   //b/text(); words 2 to 1 from the end; what matches \d+; never "n/a"
//
// and as JSON with the members xpath, classifier, range, regex, check and
// stop_values, those that are not there left out. `combination` is there where
// alternatives do not vote.
ProgramDescription DescribeFields(const proto::Rule& rule);

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_DESCRIPTION_H_
