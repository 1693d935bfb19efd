#include "jobs/run/reports/run_reports.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "absl/time/clock.h"
#include "core/base/status.h"
#include "jobs/rule_store/rule_store.h"
#include "mapreduce/io/path.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;

// Local, written under another name and renamed.
absl::Status WriteLocal(const std::string& file, const std::string& text) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(path.Parent()));
  return io::WriteFile(path, text);
}

// Empty when it cannot be read.
std::string ReadLocal(const std::string& file) {
  const absl::StatusOr<io::Path> path = io::ResolvePath(file);
  if (!path.ok()) return {};
  return io::ReadFile(*path).value_or(std::string());
}

// Whether the run.json of an earlier run says that nothing failed.
bool TellsOfNoFailure(const std::string& run_json) {
  const ordered_json json =
      ordered_json::parse(run_json, nullptr, /*allow_exceptions=*/false);
  return json.is_object() && json.contains("failed") &&
         NumberOf(json, "failed") == 0 && NumberOf(json, "blocked") == 0;
}

// None when the store cannot be read.
std::optional<int64_t> NumRulesInService(const Layout& layout) {
  const absl::StatusOr<RuleStore> store =
      RuleStore::Open(layout.RuleStoreFolder());
  if (!store.ok()) return std::nullopt;
  const absl::StatusOr<std::string> current = store->Current();
  if (!current.ok()) return std::nullopt;
  if (current->empty()) return 0;
  const absl::StatusOr<VersionInfo> info = store->Info(*current);
  if (!info.ok()) return std::nullopt;
  return info->num_rules;
}

}  // namespace

absl::Status WriteRunReports(const Layout& layout, const RunResult& result) {
  const std::string file = StrCat(result.folder, "/run.json");
  std::error_code error;
  if (!result.is_idle() || !std::filesystem::exists(result.Page(), error) ||
      !TellsOfNoFailure(ReadLocal(file))) {
    TROMMEL_RETURN_IF_ERROR(WriteLocal(
        file, RunJson(result).dump(1, ' ', false,
                                   ordered_json::error_handler_t::replace) +
                  "\n"));
    TROMMEL_RETURN_IF_ERROR(WriteLocal(result.Page(), RunPage(result)));
  }
  if (AreOfLaterDate(ReadLocal(layout.Metrics()), result.dates.back(),
                     absl::Now())) {
    return absl::OkStatus();
  }
  return WriteLocal(layout.Metrics(),
                    RunMetrics(result, NumRulesInService(layout)));
}

}  // namespace trommel::run
