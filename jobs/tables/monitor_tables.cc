#include "jobs/tables/monitor_tables.h"

#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {
namespace {

constexpr char kRuleVerdictsTable[] = "rules";

std::vector<std::string> Texts(const io::Row& row, size_t column) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < row.list_size(column); ++i) {
    texts.emplace_back(row.list_bytes(column, i));
  }
  return texts;
}

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
                     {"signature_changed", io::ColumnType::kInt64},
                     {"with_record", io::ColumnType::kInt64},
                     {"wrong_attributes", io::ColumnType::kBytesList},
                     {"wrong_reasons", io::ColumnType::kBytesList}},
                    [&](const io::Row& row) {
                      RuleVerdictRow& rule = rules.emplace_back();
                      rule.site = row.bytes(0);
                      rule.rule_id = row.bytes(1);
                      rule.verdict = row.bytes(2);
                      rule.present = row.int64(3);
                      rule.signature_changed = row.int64(4);
                      rule.with_record = row.int64(5);
                      rule.wrong_attributes = Texts(row, 6);
                      rule.wrong_reasons = Texts(row, 7);
                      return absl::OkStatus();
                    }));
  return rules;
}

absl::StatusOr<proto::RuleSet> ReadRenewedRules(const io::Path& folder) {
  const io::Path file = folder.Child(kRenewedRulesFile);
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadListedFile(file));
  absl::StatusOr<proto::RuleSet> rules = rule::DecodeRules(bytes);
  if (!rules.ok()) return Annotate(rules.status(), file.name);
  return rules;
}

absl::StatusOr<std::set<std::string>> ReadFlaggedSites(const io::Path& folder) {
  return ReadSiteLines(folder.Child(kFlaggedSitesFile));
}

}  // namespace trommel::jobs::tables
