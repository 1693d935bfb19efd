#include "jobs/run/stages/readiness.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/status.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::run {
namespace {

absl::Status NotReady(const std::string& crawl, std::string_view why) {
  return absl::UnavailableError(
      StrCat("the crawl is still being written: ", crawl, ": ", why,
             ". Run again when it is complete"));
}

// The files of a manifest of trommel's; null if it is somebody else's _SUCCESS.
nlohmann::json ShardsOf(std::string_view text) {
  const nlohmann::json manifest =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!manifest.is_object() || !manifest.contains("shards") ||
      !manifest["shards"].is_array()) {
    return nullptr;
  }
  return manifest["shards"];
}

absl::Status CheckManifest(const io::Path& crawl, const std::string& text) {
  for (const nlohmann::json& shard : ShardsOf(text)) {
    if (!shard.is_object() || !shard.contains("file") ||
        !shard["file"].is_string() || !shard.contains("bytes") ||
        !shard["bytes"].is_number_integer()) {
      continue;
    }
    const std::string file = shard["file"].get<std::string>();
    const int64_t bytes = shard["bytes"].get<int64_t>();
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry,
                             io::Stat(crawl.Child(file)));
    if (entry.kind == io::EntryKind::kFile && entry.size == bytes) continue;
    return NotReady(
        crawl.name,
        entry.kind == io::EntryKind::kNone
            ? StrCat("its _SUCCESS names ", file, ", which is not there yet")
            : StrCat(file, " has ", entry.size, " of ", bytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::Status CheckQuiet(const io::Path& crawl,
                        const std::vector<io::Entry>& files, int32_t quiet_s,
                        absl::Time now) {
  const auto newest = std::max_element(
      files.begin(), files.end(), [](const io::Entry& a, const io::Entry& b) {
        return a.modified_ns < b.modified_ns;
      });
  const double age_s =
      absl::ToDoubleSeconds(now - absl::FromUnixNanos(newest->modified_ns));
  if (age_s >= quiet_s) return absl::OkStatus();
  return NotReady(
      crawl.name,
      StrCat(newest->path.BaseName(),
             " has just changed, and a crawl without a marker counts as "
             "complete when nothing has changed for ",
             quiet_s,
             " s (a marker file says it sooner: ready { marker: \"...\" })"));
}

}  // namespace

bool IsManifest(std::string_view text) { return !ShardsOf(text).is_null(); }

absl::Status CheckCrawlIsReady(const std::string& crawl,
                               const proto::Readiness& rule, absl::Time now) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(crawl));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
  if (entry.kind == io::EntryKind::kNone) {
    return absl::NotFoundError(
        StrCat("no crawl has arrived: ", crawl,
               " does not exist. Run again when it does; if it never will, see "
               "to crawl in the pipeline"));
  }
  if (entry.kind == io::EntryKind::kFile) {
    return CheckQuiet(path, {entry}, rule.quiet_s(), now);
  }
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> entries,
                           io::ListDirectory(path, /*recursive=*/true));
  std::vector<io::Entry> files;
  for (const io::Entry& inside : entries) {
    if (inside.kind == io::EntryKind::kFile) files.push_back(inside);
  }
  if (!rule.marker().empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry marker,
                             io::Stat(path.Child(rule.marker())));
    if (marker.kind != io::EntryKind::kFile) {
      return NotReady(
          crawl, StrCat("its marker ", rule.marker(), " is not there yet"));
    }
  }
  const io::Path success = path.Child(io::kSuccessFile);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry manifest, io::Stat(success));
  if (manifest.kind == io::EntryKind::kFile && manifest.size > 0) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(success));
    return CheckManifest(path, text);
  }
  if (!rule.marker().empty()) return absl::OkStatus();
  if (files.empty()) return NotReady(crawl, "the folder is empty");
  return CheckQuiet(path, files, rule.quiet_s(), now);
}

absl::Status CheckCrawlCanBeRead(const std::string& crawl) {
  const absl::Status status = io::CrawlReader::Open({crawl}).status();
  if (!absl::IsInvalidArgument(status) && !absl::IsNotFound(status) &&
      !absl::IsDataLoss(status)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      StrCat("the crawl cannot be read: ", status.message(),
             "\nHave it delivered again, or take the file out of it, and run "
             "again."));
}

}  // namespace trommel::run
