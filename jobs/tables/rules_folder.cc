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

absl::StatusOr<std::vector<ClusterStatus>> ReadClusterStatuses(
    const io::Path& rules_file) {
  const io::Path file = rules_file.Parent().Child(kStatusFile);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
  std::vector<ClusterStatus> statuses;
  if (entry.kind != io::EntryKind::kFile) return statuses;
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(file));
  std::string_view text = bytes;
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const ordered_json json =
        ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    const auto member = [&](const char* name) {
      return json.is_object() && json.contains(name) && json[name].is_string()
                 ? json[name].get<std::string>()
                 : std::string();
    };
    ClusterStatus& status = statuses.emplace_back();
    status.site = member("site");
    status.cluster_id = member("cluster_id");
    status.status = member("status");
    status.next_url = member("next_url");
    status.reused_from = member("reused_from");
    status.reason = member("reason");
    if (json.is_object() && json.contains("annotated_pages") &&
        json["annotated_pages"].is_number_integer()) {
      status.annotated_pages = json["annotated_pages"].get<int64_t>();
    }
    if (status.cluster_id.empty() || status.status.empty()) {
      return absl::InvalidArgumentError(
          StrCat(file.name, ":", number,
                 ": not the status of a cluster (cluster_id and status)"));
    }
  }
  return statuses;
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
