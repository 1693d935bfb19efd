#ifndef TROMMEL_JOBS_TABLES_RULE_FILES_H_
#define TROMMEL_JOBS_TABLES_RULE_FILES_H_

// Rules as verbs leave and find them: a directory with rules.binpb, or that
// file.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel {

inline constexpr char kRulesFile[] = "rules.binpb";

// The file with the rules that are at a path; NotFound names what is missing.
absl::StatusOr<io::Path> FindRulesFile(std::string_view path_or_uri);

// The rules of several files as one set. Of each rule only what decides its
// records is kept. An error names the file that is no set of rules, and both
// files where a cluster is in two of them or a schema differs between them.
absl::StatusOr<proto::RuleSet> ReadRuleFiles(
    const std::vector<io::Path>& files);

// The schemas of a set, by name.
std::map<std::string, proto::Schema> SchemasOf(const proto::RuleSet& rules);

// How pages are assigned to sites; by host where there are no rules.
// InvalidArgument where rules differ in it.
absl::StatusOr<SiteRule> SiteRuleOf(const proto::RuleSet& rules);

}  // namespace trommel

#endif  // TROMMEL_JOBS_TABLES_RULE_FILES_H_
