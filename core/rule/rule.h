#ifndef TROMMEL_CORE_RULE_RULE_H_
#define TROMMEL_CORE_RULE_RULE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/rule.pb.h"

namespace trommel {

// The version of a rule: its cluster_id, '@' and 12 hex digits of a hash of
// what decides its records (which pages it is for and what it extracts; not
// where it comes from and what it is watched by).
std::string RuleId(const proto::Rule& rule);

// A set of rules as stored: rules.binpb, the same bytes for the same rules.
std::string EncodeRules(const proto::RuleSet& rules);
absl::StatusOr<proto::RuleSet> DecodeRules(std::string_view bytes);
// rules.textproto.
std::string RulesAsText(const proto::RuleSet& rules);

// The XPath of an extractor with those it has besides: "//a | //b".
std::string XPathOf(const proto::Extractor& extractor);

// Sorts rules by site and cluster.
void SortRules(proto::RuleSet* rules);

}  // namespace trommel

#endif  // TROMMEL_CORE_RULE_RULE_H_
