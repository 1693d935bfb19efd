#include "jobs/run/reports/run_reports.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/time/clock.h"
#include "core/base/status.h"
#include "jobs/rule_store/rule_store.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::reports {
namespace {

// Writes a local file under another name and renames it.
absl::Status WriteLocal(const std::string& file, const std::string& text) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(path.Parent()));
  return io::WriteFile(path, text);
}

// Returns the text of a file; empty when it cannot be read.
std::string ReadLocal(const std::string& file) {
  const absl::StatusOr<io::Path> path = io::ResolvePath(file);
  if (!path.ok()) return {};
  return io::ReadFile(*path).value_or(std::string());
}

// Returns whether the run.json of an earlier run says that nothing failed.
bool TellsOfNoFailure(const std::string& run_json) {
  const absl::StatusOr<RunCounts> counts = FromJsonText<RunCounts>(run_json);
  return counts.ok() && counts->failed == 0 && counts->blocked == 0;
}

// Returns none when the store cannot be read.
std::optional<int64_t> NumRulesInService(const layout::Layout& layout) {
  const absl::StatusOr<rule_store::RuleStore> store =
      rule_store::RuleStore::Open(layout.RuleStoreFolder());
  if (!store.ok()) return std::nullopt;
  const absl::StatusOr<std::string> current = store->Current();
  if (!current.ok()) return std::nullopt;
  if (current->empty()) return 0;
  const absl::StatusOr<rule_store::VersionInfo> info = store->Info(*current);
  if (!info.ok()) return std::nullopt;
  return info->num_rules;
}

}  // namespace

absl::Status WriteRunReports(const layout::Layout& layout,
                             const RunResult& result) {
  const std::string file = StrCat(result.folder, "/run.json");
  std::error_code error;
  if (!result.is_idle() || !std::filesystem::exists(result.Page(), error) ||
      !TellsOfNoFailure(ReadLocal(file))) {
    TROMMEL_RETURN_IF_ERROR(WriteLocal(file, JsonFileText(RunJson(result))));
    TROMMEL_RETURN_IF_ERROR(WriteLocal(result.Page(), RunPage(result)));
  }
  if (AreOfLaterDate(ReadLocal(layout.Metrics()), result.dates.back(),
                     absl::Now())) {
    return absl::OkStatus();
  }
  return WriteLocal(layout.Metrics(),
                    RunMetrics(result, NumRulesInService(layout)));
}

}  // namespace trommel::jobs::run::reports
