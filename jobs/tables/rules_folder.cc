#include "jobs/tables/rules_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/tables/rule_files.h"

namespace trommel {
namespace {

using nlohmann::ordered_json;

ordered_json TextOrNull(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

}  // namespace

std::string FormatClusterStatus(const ClusterStatus& status) {
  ordered_json line;
  line["site"] = status.site;
  line["cluster_id"] = status.cluster_id;
  line["status"] = status.status;
  line["next_url"] = TextOrNull(status.next_url);
  line["annotated_pages"] = status.annotated_pages;
  line["reused_from"] = TextOrNull(status.reused_from);
  line["reason"] = TextOrNull(status.reason);
  return line.dump(-1, ' ', /*ensure_ascii=*/false,
                   ordered_json::error_handler_t::replace);
}

absl::StatusOr<std::vector<io::ShardInfo>> WriteRulesFolder(
    const io::Path& folder, proto::RuleSet* rules,
    std::vector<ClusterStatus>* statuses) {
  SortRules(rules);
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
      write(kRulesFile, EncodeRules(*rules), rules->rule_size()));
  TROMMEL_RETURN_IF_ERROR(
      write(kRulesTextFile, RulesAsText(*rules), rules->rule_size()));
  TROMMEL_RETURN_IF_ERROR(
      write(kStatusFile, lines, static_cast<int64_t>(statuses->size())));
  return files;
}

}  // namespace trommel
