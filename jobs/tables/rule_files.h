#ifndef TROMMEL_JOBS_TABLES_RULE_FILES_H_
#define TROMMEL_JOBS_TABLES_RULE_FILES_H_

// Rules as verbs leave and find them: a directory with rules.binpb, or that
// file.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"
#include "mapreduce/job/job.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::tables {

inline constexpr char kRulesFile[] = "rules.binpb";

// The file with the rules that are at a path; NotFound names what is missing.
absl::StatusOr<io::Path> FindRulesFile(std::string_view path_or_uri);
absl::StatusOr<std::vector<io::Path>> FindRulesFiles(
    const std::vector<std::string>& paths_or_uris);

// How much of a rule is kept: what decides its records, or what it is watched
// by, its bellwethers, as well.
enum class RuleParts { kForRecords, kForWatching };

// The rules of several files as one set. An error names the file that is no set
// of rules, and both files where a cluster is in two of them or a schema
// differs between them.
absl::StatusOr<proto::RuleSet> ReadRuleFiles(
    const std::vector<io::Path>& files,
    RuleParts parts = RuleParts::kForRecords);

// Whether tasks will be able to use the rules: their sites, patterns,
// signatures and extractors.
absl::Status CheckRules(const proto::RuleSet& rules);

// The files as side data of a step, and where its tasks find them.
void AddRuleFiles(const std::vector<io::Path>& files, mr::StepSpec* spec);
absl::StatusOr<std::vector<io::Path>> RuleFilesOfTask(
    const mr::TaskContext& context);

// The schemas of a set, by name.
std::map<std::string, proto::Schema> SchemasOf(const proto::RuleSet& rules);

// How pages are assigned to sites; by host where there are no rules.
// InvalidArgument where rules differ in it.
absl::StatusOr<SiteRule> SiteRuleOf(const proto::RuleSet& rules);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_RULE_FILES_H_
