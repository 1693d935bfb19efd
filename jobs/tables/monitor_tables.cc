#include "jobs/tables/monitor_tables.h"

#include "core/base/status.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {
namespace {

constexpr char kRuleVerdictsTable[] = "rules";

}  // namespace

absl::StatusOr<std::vector<RuleVerdictRow>> ReadRuleVerdicts(
    const io::Path& folder) {
  std::vector<RuleVerdictRow> rules;
  TROMMEL_RETURN_IF_ERROR(
      io::VisitRows(folder.Child(kRuleVerdictsTable),
                    {{"site", io::ColumnType::kBytes},
                     {"rule_id", io::ColumnType::kBytes},
                     {"verdict", io::ColumnType::kBytes},
                     {"present", io::ColumnType::kInt64},
                     {"null_extraction", io::ColumnType::kInt64},
                     {"wrong_extraction", io::ColumnType::kInt64}},
                    [&](const io::Row& row) {
                      RuleVerdictRow& rule = rules.emplace_back();
                      rule.site = row.bytes(0);
                      rule.rule_id = row.bytes(1);
                      rule.verdict = row.bytes(2);
                      rule.present = row.int64(3);
                      rule.null_extraction = row.int64(4);
                      rule.wrong_extraction = row.int64(5);
                      return absl::OkStatus();
                    }));
  return rules;
}

absl::StatusOr<std::set<std::string>> ReadFlaggedSites(const io::Path& folder) {
  return ReadSiteLines(folder.Child(kFlaggedSitesFile));
}

}  // namespace trommel::jobs::tables
