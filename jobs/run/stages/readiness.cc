#include "jobs/run/stages/readiness.h"

#include <algorithm>

#include "core/base/status.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {
namespace {

absl::Status NotReady(const std::string& crawl, std::string_view why) {
  return absl::UnavailableError(
      StrCat("the crawl is still being written: ", crawl, ": ", why,
             ". Run again when it is complete"));
}

absl::Status CheckFiles(const io::Path& crawl, const io::Manifest& manifest) {
  for (const io::ShardInfo& shard : manifest.shards) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry,
                             io::Stat(crawl.Child(shard.file)));
    if (entry.kind == io::EntryKind::kFile && entry.size == shard.num_bytes) {
      continue;
    }
    return NotReady(crawl.name,
                    entry.kind == io::EntryKind::kNone
                        ? StrCat("its _SUCCESS names ", shard.file,
                                 ", which is not there yet")
                        : StrCat(shard.file, " has ", entry.size, " of ",
                                 shard.num_bytes, " bytes"));
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
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry success_entry, io::Stat(success));
  if (success_entry.kind == io::EntryKind::kFile && success_entry.size > 0) {
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<io::Manifest> manifest,
                             io::ReadManifest(path));
    return manifest.has_value() ? CheckFiles(path, *manifest)
                                : absl::OkStatus();
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

}  // namespace trommel::jobs::run::stages
