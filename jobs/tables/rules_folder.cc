#include "jobs/tables/rules_folder.h"

#include <algorithm>
#include <tuple>

#include "core/base/hash.h"
#include "core/base/json_lines.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::tables {

void ClusterStatus::VisitFields(JsonFields* fields) {
  fields->Visit("site", &site);
  fields->Visit("cluster_id", &cluster_id);
  fields->Visit("status", &status);
  fields->VisitTextOrNull("next_url", &next_url);
  if (fields->Has("next_attribute")) {
    fields->VisitTextOrNull("next_attribute", &next_attribute);
  }
  fields->Visit("annotated_pages", &annotated_pages);
  fields->VisitTextOrNull("reused_from", &reused_from);
  fields->VisitTextOrNull("reason", &reason);
  if (fields->Has("doubts")) fields->Visit("doubts", &doubts);
  if (fields->Has("fill")) fields->Visit("fill", &fill);
  if (fields->Has("examples")) fields->Visit("examples", &examples);
}

std::string FormatClusterStatus(const ClusterStatus& status) {
  return JsonLineText(ToJson(status));
}

absl::StatusOr<std::vector<ClusterStatus>> ReadClusterStatuses(
    const io::Path& rules_file) {
  const io::Path file = rules_file.Parent().Child(kStatusFile);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
  if (entry.kind != io::EntryKind::kFile) return std::vector<ClusterStatus>();
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadListedFile(file));
  return FromJsonLines<ClusterStatus>(bytes, file.name,
                                      "the status of a cluster");
}

absl::StatusOr<std::vector<io::ShardInfo>> WriteRulesFolder(
    const io::Path& folder, proto::RuleSet* rules,
    std::vector<ClusterStatus>* statuses) {
  rule::SortRules(rules);
  std::sort(statuses->begin(), statuses->end(),
            [](const ClusterStatus& a, const ClusterStatus& b) {
              return std::tie(a.site, a.cluster_id) <
                     std::tie(b.site, b.cluster_id);
            });
  std::string lines;
  for (const ClusterStatus& status : *statuses) {
    StrAppend(&lines, FormatClusterStatus(status), "\n");
  }
  std::vector<io::ShardInfo> files;
  const auto write = [&](const char* name, const std::string& bytes,
                         int64_t num_rows) -> absl::Status {
    io::ShardInfo& file = files.emplace_back();
    file.file = name;
    file.num_rows = num_rows;
    file.num_bytes = static_cast<int64_t>(bytes.size());
    file.digest = ContentDigest(bytes);
    return io::WriteFile(folder.Child(name), bytes);
  };
  TROMMEL_RETURN_IF_ERROR(
      write(kRulesFile, rule::EncodeRules(*rules), rules->rule_size()));
  TROMMEL_RETURN_IF_ERROR(
      write(kRulesTextFile, rule::RulesAsText(*rules), rules->rule_size()));
  TROMMEL_RETURN_IF_ERROR(
      write(kStatusFile, lines, static_cast<int64_t>(statuses->size())));
  return files;
}

}  // namespace trommel::jobs::tables
