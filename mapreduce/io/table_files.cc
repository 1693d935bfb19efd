#include "mapreduce/io/table_files.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/parquet_footer.h"
#include "mapreduce/io/table_reader.h"

namespace trommel::io {
namespace {

// An output has its tables at most so deep: records/date=D/schema=NAME.
constexpr int kMaxFoldersAbove = 4;
constexpr size_t kDigestStep = size_t{1} << 20;
constexpr std::string_view kTableFileEnding = ".parquet";

std::atomic<bool> verify_digests = false;

bool IsTableFile(std::string_view file) {
  return file.size() > kTableFileEnding.size() &&
         file.substr(file.size() - kTableFileEnding.size()) == kTableFileEnding;
}

// A manifest of trommel and the folder that it is in.
class FoundManifest {
 public:
  FoundManifest(Path folder, Manifest manifest) : folder_(std::move(folder)) {
    for (ShardInfo& shard : manifest.shards) {
      std::string file = shard.file;
      shards_.emplace(std::move(file), std::move(shard));
    }
  }

  const Path& folder() const { return folder_; }
  // By their files.
  const std::map<std::string, ShardInfo>& shards() const { return shards_; }
  // Null for a file that it does not list.
  const ShardInfo* Find(const Path& file) const {
    const auto found = shards_.find(file.RelativeTo(folder_));
    return found == shards_.end() ? nullptr : &found->second;
  }

 private:
  Path folder_;
  std::map<std::string, ShardInfo> shards_;
};

// The manifest in a folder; none where there is none of trommel.
absl::StatusOr<std::optional<FoundManifest>> ManifestIn(const Path& folder) {
  TROMMEL_ASSIGN_OR_RETURN(std::optional<Manifest> manifest,
                           ReadManifest(folder));
  if (!manifest.has_value()) return std::nullopt;
  return FoundManifest(folder, *std::move(manifest));
}

// The nearest manifest in a folder and those above it.
absl::StatusOr<std::optional<FoundManifest>> ManifestAbove(Path folder) {
  for (int i = 0; i <= kMaxFoldersAbove; ++i) {
    TROMMEL_ASSIGN_OR_RETURN(std::optional<FoundManifest> found,
                             ManifestIn(folder));
    Path parent = folder.Parent();
    if (found.has_value() || parent.path == folder.path) return found;
    folder = std::move(parent);
  }
  return std::nullopt;
}

absl::Status Differs(const Path& file, const FoundManifest& manifest,
                     std::string_view what, std::string_view expected,
                     std::string_view found) {
  return absl::DataLossError(StrCat(file.name, ": ", what, " ", found, ", but ",
                                    manifest.folder().Child(kSuccessFile).name,
                                    " says ", expected,
                                    "; it is not the file that was written"));
}

absl::StatusOr<std::string> DigestOf(const Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source,
                           OpenByteSource(file));
  DigestStream digest;
  std::string buffer(kDigestStep, '\0');
  while (true) {
    TROMMEL_ASSIGN_OR_RETURN(const size_t count,
                             source->Read(buffer.data(), buffer.size()));
    if (count == 0) return digest.Hex();
    digest.Update(std::string_view(buffer).substr(0, count));
  }
}

// Holds a table's file against its line in the manifest.
absl::Status CheckTableFile(const Entry& file, const FoundManifest& manifest,
                            const ShardInfo& shard) {
  if (file.size != shard.num_bytes) {
    return Differs(file.path, manifest, "size", StrCat(shard.num_bytes),
                   StrCat(file.size));
  }
  if (!shard.footer_digest.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string footer,
                             ReadParquetFooter(file.path));
    const std::string digest = ContentDigest(footer);
    if (digest != shard.footer_digest) {
      return Differs(file.path, manifest, "digest of the footer",
                     shard.footer_digest, digest);
    }
  } else {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<TableReader> reader,
                             TableReader::Open(file.path, {}, {}));
    if (reader->num_rows() != shard.num_rows) {
      return Differs(file.path, manifest, "rows", StrCat(shard.num_rows),
                     StrCat(reader->num_rows()));
    }
  }
  if (!verify_digests) return absl::OkStatus();
  TROMMEL_ASSIGN_OR_RETURN(const std::string digest, DigestOf(file.path));
  if (digest == shard.digest) return absl::OkStatus();
  return Differs(file.path, manifest, "digest", shard.digest, digest);
}

// The manifests that speak for the files below a table's folder, by folder.
class Manifests {
 public:
  // `entries` is all that is below the folder.
  static absl::StatusOr<Manifests> Find(const Path& table,
                                        const std::vector<Entry>& entries) {
    Manifests all;
    TROMMEL_ASSIGN_OR_RETURN(all.above_, ManifestAbove(table));
    for (const Entry& entry : entries) {
      if (entry.path.BaseName() != kSuccessFile) continue;
      const Path folder = entry.path.Parent();
      TROMMEL_ASSIGN_OR_RETURN(std::optional<FoundManifest> found,
                               ManifestIn(folder));
      if (found.has_value()) {
        all.below_.emplace(folder.path, *std::move(found));
      }
    }
    return all;
  }

  // The nearest one; null where there is none.
  const FoundManifest* Of(const Path& file) const {
    std::string_view folder = file.path;
    while (true) {
      const size_t slash = folder.rfind('/');
      if (slash == std::string_view::npos) break;
      folder = folder.substr(0, slash);
      const auto found = below_.find(folder);
      if (found != below_.end()) return &found->second;
    }
    return above_.has_value() ? &*above_ : nullptr;
  }

  std::vector<const FoundManifest*> All() const {
    std::vector<const FoundManifest*> all;
    if (above_.has_value()) all.push_back(&*above_);
    for (const auto& [folder, manifest] : below_) all.push_back(&manifest);
    return all;
  }

 private:
  std::optional<FoundManifest> above_;
  std::map<std::string, FoundManifest, std::less<>> below_;
};

// Whether a file is one of those that a table's folder is read for.
bool BelongsTo(const Path& table, const Path& file) {
  return file.path.size() > table.path.size() &&
         file.path.compare(0, table.path.size(), table.path) == 0 &&
         file.path[table.path.size()] == '/' && IsTableFile(file.path) &&
         !IsHidden(file.RelativeTo(table));
}

absl::Status CheckNoneIsMissing(const Path& table,
                                const std::vector<Entry>& files,
                                const Manifests& manifests) {
  for (const FoundManifest* const manifest : manifests.All()) {
    for (const auto& [name, shard] : manifest->shards()) {
      const Path file = manifest->folder().Child(name);
      if (!BelongsTo(table, file)) continue;
      const auto at =
          std::lower_bound(files.begin(), files.end(), file.path,
                           [](const Entry& entry, const std::string& path) {
                             return entry.path.path < path;
                           });
      if (at != files.end() && at->path.path == file.path) continue;
      return absl::DataLossError(
          StrCat(file.name,
                 " is missing: ", manifest->folder().Child(kSuccessFile).name,
                 " lists it with ", Counted(shard.num_rows, "row")));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFile(const Entry& file, const FoundManifest* manifest) {
  if (manifest == nullptr) return absl::OkStatus();
  const ShardInfo* const shard = manifest->Find(file.path);
  return shard == nullptr ? absl::OkStatus()
                          : CheckTableFile(file, *manifest, *shard);
}

}  // namespace

absl::StatusOr<std::vector<Entry>> ListTableFiles(const Path& path) {
  TROMMEL_ASSIGN_OR_RETURN(const Entry entry, Stat(path));
  if (entry.kind == EntryKind::kNone) {
    return absl::NotFoundError(
        StrCat(path.name, ": no such file or directory"));
  }
  if (entry.kind == EntryKind::kFile) {
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<FoundManifest> manifest,
                             ManifestAbove(path.Parent()));
    TROMMEL_RETURN_IF_ERROR(
        CheckFile(entry, manifest.has_value() ? &*manifest : nullptr));
    return std::vector<Entry>{entry};
  }
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> all,
                           ListDirectory(path, /*recursive=*/true));
  std::vector<Entry> files;
  for (const Entry& candidate : all) {
    if (candidate.kind == EntryKind::kFile && BelongsTo(path, candidate.path)) {
      files.push_back(candidate);
    }
  }
  TROMMEL_ASSIGN_OR_RETURN(const Manifests manifests,
                           Manifests::Find(path, all));
  const absl::Status missing = CheckNoneIsMissing(path, files, manifests);
  if (files.empty()) {
    // One that was emptied is gone, whatever a manifest above it says.
    return absl::NotFoundError(
        missing.ok()
            ? StrCat(path.name, ": the directory has no *.parquet files")
            : std::string(missing.message()));
  }
  TROMMEL_RETURN_IF_ERROR(missing);
  for (const Entry& file : files) {
    TROMMEL_RETURN_IF_ERROR(CheckFile(file, manifests.Of(file.path)));
  }
  return files;
}

absl::StatusOr<std::string> ReadListedFile(const Path& file, size_t max_bytes) {
  TROMMEL_ASSIGN_OR_RETURN(std::string bytes, ReadFile(file, max_bytes));
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<FoundManifest> manifest,
                           ManifestAbove(file.Parent()));
  const ShardInfo* const listed =
      manifest.has_value() ? manifest->Find(file) : nullptr;
  if (listed == nullptr) return bytes;
  const std::string digest = ContentDigest(bytes);
  if (digest == listed->digest) return bytes;
  return Differs(file, *manifest, "digest", listed->digest, digest);
}

void SetVerifyDigests(bool verify) { verify_digests = verify; }

}  // namespace trommel::io
