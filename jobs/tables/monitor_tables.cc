#include "jobs/tables/monitor_tables.h"

#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel {
namespace {

constexpr char kWatchedRulesTable[] = "rules";
constexpr char kFlaggedSitesFile[] = "flagged_sites.txt";

}  // namespace

absl::StatusOr<std::vector<WatchedRule>> ReadWatchedRules(
    const io::Path& folder) {
  std::vector<WatchedRule> rules;
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(
      folder.Child(kWatchedRulesTable),
      {{"site", io::ColumnType::kBytes},
       {"rule_id", io::ColumnType::kBytes},
       {"verdict", io::ColumnType::kBytes},
       {"present", io::ColumnType::kInt64},
       {"null_extraction", io::ColumnType::kInt64},
       {"wrong_extraction", io::ColumnType::kInt64}},
      [&](const io::Row& row) {
        WatchedRule& rule = rules.emplace_back();
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
  TROMMEL_ASSIGN_OR_RETURN(const std::string text,
                           io::ReadFile(folder.Child(kFlaggedSitesFile)));
  std::set<std::string> sites;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    std::string site = NormalizeSpace(ToStd(line));
    if (!site.empty() && site[0] != '#') sites.insert(std::move(site));
  }
  return sites;
}

}  // namespace trommel
