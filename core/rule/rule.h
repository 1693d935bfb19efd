#ifndef TROMMEL_CORE_RULE_RULE_H_
#define TROMMEL_CORE_RULE_RULE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/rule.pb.h"

namespace trommel::rule {

// The version of a rule: its cluster_id, '@' and 12 hex digits of a hash of
// what decides its records (which pages it is for and what it extracts; not
// where it comes from and what it is watched by).
std::string RuleId(const proto::Rule& rule);
// The same of the rule with nothing switched off: its id when it was made,
// which stays while attributes of it go out of service and come back.
std::string WholeRuleId(const proto::Rule& rule);

// The format that EncodeRules() writes. Format 1 had no number, attributes
// instead of a program, and bellwethers of one record.
inline constexpr int kRulesFormat = 2;

// A set of rules as stored: rules.binpb, the same bytes for the same rules.
// Rules of format 1 are read as rules of today; a format of the future is an
// error that says so.
std::string EncodeRules(const proto::RuleSet& rules);
absl::StatusOr<proto::RuleSet> DecodeRules(std::string_view bytes);
// rules.textproto.
std::string RulesAsText(const proto::RuleSet& rules);

// Sorts rules by site and cluster.
void SortRules(proto::RuleSet* rules);

}  // namespace trommel::rule

#endif  // TROMMEL_CORE_RULE_RULE_H_
