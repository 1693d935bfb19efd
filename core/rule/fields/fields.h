#ifndef TROMMEL_CORE_RULE_FIELDS_FIELDS_H_
#define TROMMEL_CORE_RULE_FIELDS_FIELDS_H_

// Programs of the kind Fields as data: for each attribute alternatives, which
// are XPaths with what is done to the nodes that they select. Learners make
// such programs attribute by attribute, and a repair replaces attributes one by
// one; the functions here are for both.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proto/rule.pb.h"

namespace trommel::rule::fields {

// Whether the program is of this kind: its attributes can be taken apart.
bool IsFields(const proto::Program& program);

// The rule of an attribute; null where the program has none or is of another
// kind.
const proto::AttributeRule* FindAttributeRule(const proto::Program& program,
                                              std::string_view attribute);

void AddAttributeRule(proto::AttributeRule attribute_rule,
                      proto::Program* program);

// Adds texts that are no values to all alternatives of an attribute that do not
// have them yet.
void AddStopValues(const std::set<std::string>& stop_values,
                   proto::AttributeRule* attribute_rule);

// The XPaths whose union an extractor selects.
std::vector<std::string> XPathsOf(const proto::Extractor& extractor);

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_FIELDS_H_
