#include "mapreduce/io/output_dir.h"

#include <arrow/filesystem/filesystem.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "absl/strings/numbers.h"
#include "core/base/json_digest.h"
#include "core/base/json_fields.h"
#include "core/base/status.h"
#include "mapreduce/process/process_identity.h"

namespace trommel::io {
namespace {

constexpr char kLockFile[] = ".lock";
constexpr char kFormatKey[] = "format";
constexpr char kManifestFormat[] = "trommel-output-1";
// How the formats of all versions begin.
constexpr std::string_view kAnyManifestFormat = "trommel-output-";

// Names beside the target, after a '.' and its own name.
constexpr char kReplacedSuffix[] = ".replaced";
constexpr char kStagingSuffix[] = ".staging-";
constexpr char kResumableSuffix[] = ".resumable";

enum class TargetState { kAbsent, kEmpty, kFinished, kForeign };

// What is where an output is to be.
struct ExistingTarget {
  TargetState state = TargetState::kAbsent;
  Manifest manifest;        // if finished
  std::string why_foreign;  // if foreign
};

ExistingTarget Foreign(std::string why) {
  return {TargetState::kForeign, {}, std::move(why)};
}

absl::StatusOr<ExistingTarget> ReadSuccess(const Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  absl::StatusOr<std::optional<Manifest>> manifest = Manifest::FromJson(text);
  if (!manifest.ok()) {
    return Foreign(
        StrCat("its _SUCCESS is damaged: ", manifest.status().message()));
  }
  if (!manifest->has_value()) return Foreign("its _SUCCESS is not trommel's");
  return ExistingTarget{TargetState::kFinished, **std::move(manifest), ""};
}

absl::StatusOr<ExistingTarget> TargetAt(const Path& target) {
  TROMMEL_ASSIGN_OR_RETURN(const Entry entry, Stat(target));
  if (entry.kind == EntryKind::kNone) return ExistingTarget{};
  if (entry.kind == EntryKind::kFile) {
    return absl::AlreadyExistsError(
        StrCat(target.name, " is a file; the output is a directory"));
  }
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> entries,
                           ListDirectory(target, /*recursive=*/false));
  if (entries.empty()) return ExistingTarget{TargetState::kEmpty, {}, ""};
  for (const Entry& inside : entries) {
    if (inside.path.BaseName() != kSuccessFile) continue;
    // Hadoop's own is empty, and a pipe or device seems so.
    if (inside.kind != EntryKind::kFile || inside.size == 0) {
      return Foreign("its _SUCCESS is empty");
    }
    return ReadSuccess(inside.path);
  }
  return Foreign("it has no _SUCCESS");
}

// Files that nobody made on purpose: what file systems and programs that show
// folders leave in them.
bool IsLitter(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name == ".DS_Store" || name == "Thumbs.db" ||
         name.rfind(".nfs", 0) == 0 ||
         (name.rfind('.', 0) == 0 && name.size() > 5 &&
          name.compare(name.size() - 4, 4, ".crc") == 0);
}

// The files of a folder that are not among the shards of its manifest.
absl::StatusOr<std::vector<std::string>> FilesBesideShards(
    const Path& folder, const std::vector<ShardInfo>& shards) {
  std::set<std::string> listed = {std::string(kSuccessFile), kLockFile};
  for (const ShardInfo& shard : shards) listed.insert(shard.file);
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> entries,
                           ListDirectory(folder, /*recursive=*/true));
  std::vector<std::string> files;
  for (const Entry& entry : entries) {
    std::string file = entry.path.RelativeTo(folder);
    if (entry.kind != EntryKind::kDirectory && listed.count(file) == 0) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

// A person may have put something into a finished output: annotations, say,
// beside the pages that they were made on.
absl::Status CheckHasOnlyOurFiles(const Path& target,
                                  const Manifest& manifest) {
  if (!manifest.other_files.has_value()) return absl::OkStatus();
  const std::set<std::string> ours(manifest.other_files->begin(),
                                   manifest.other_files->end());
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                           FilesBesideShards(target, manifest.shards));
  for (const std::string& file : files) {
    if (ours.count(file) > 0 || IsLitter(file)) continue;
    return absl::FailedPreconditionError(StrCat(
        target.name, " is not replaced: trommel did not write ",
        target.Child(file).name, "; move it elsewhere, or give another --out"));
  }
  return absl::OkStatus();
}

absl::Status Finished(const Path& target) {
  return absl::AlreadyExistsError(
      StrCat(target.name,
             " is a finished output; --force replaces it, or give another "
             "--out"));
}

// Where the old output waits while the new one is renamed in.
Path Aside(const Path& target) {
  return target.Parent().Child(StrCat(".", target.BaseName(), kReplacedSuffix));
}

// Takes the lock of a staging directory; none when somebody holds it.
std::optional<mr::FileLock> TakeLock(const Path& staging, bool create) {
  return mr::FileLock::TryTake(staging.Child(kLockFile).path, create);
}

// Whether a staging directory without a lock file was left by a process of this
// host that is gone: it was killed before it had the lock, or after it gave it
// up to finish.
bool IsOfGoneProcess(const Path& staging, std::string_view prefix) {
  const std::string host_prefix = StrCat(prefix, mr::HostName(), ".");
  const std::string name = staging.BaseName();
  int64_t pid = 0;
  return name.rfind(host_prefix, 0) == 0 &&
         absl::SimpleAtoi(name.substr(host_prefix.size()), &pid) && pid > 0 &&
         ::access(staging.Child(kLockFile).path.c_str(), F_OK) != 0 &&
         !mr::IsRunning(pid);
}

// Removes the staging directories of runs that are gone. They are named by
// host and process, so that two runs never write into the same one.
absl::Status RemoveAbandoned(const Path& parent, std::string_view prefix) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> entries,
                           ListDirectory(parent, /*recursive=*/false));
  for (const Entry& entry : entries) {
    if (entry.path.BaseName().compare(0, prefix.size(), prefix) != 0) continue;
    const std::optional<mr::FileLock> lock =
        TakeLock(entry.path, /*create=*/false);
    if (!lock && !IsOfGoneProcess(entry.path, prefix)) continue;
    TROMMEL_RETURN_IF_ERROR(RemoveAll(entry.path));
  }
  return absl::OkStatus();
}

// A run that died while replacing an output left it aside. It goes when the
// new one is in place; a folder that somebody else has made there is not that.
absl::Status Recover(const Path& target) {
  const Path aside = Aside(target);
  TROMMEL_ASSIGN_OR_RETURN(const Entry left, Stat(aside));
  if (left.kind == EntryKind::kNone) return absl::OkStatus();
  TROMMEL_ASSIGN_OR_RETURN(const ExistingTarget present, TargetAt(target));
  switch (present.state) {
    case TargetState::kAbsent:
      return Rename(aside, target);
    case TargetState::kFinished:
      return RemoveAll(aside);
    case TargetState::kEmpty:
    case TargetState::kForeign:
      break;
  }
  return absl::OkStatus();
}

}  // namespace

void ShardInfo::VisitFields(JsonFields* fields) {
  fields->Visit("file", &file);
  fields->Visit("rows", &num_rows);
  fields->Visit("bytes", &num_bytes);
  fields->Visit("digest", &digest);
  fields->VisitUnlessEmpty("footer_digest", &footer_digest);
}

void Manifest::VisitFields(JsonFields* fields) {
  std::string format = kManifestFormat;
  fields->Visit(kFormatKey, &format);
  fields->Visit("verb", &verb);
  fields->Visit("inputs", &inputs);
  fields->Visit("flags", &flags);
  fields->Visit("counts", &counts);
  fields->Visit("shards", &shards);
  fields->Visit("other_files", &other_files);
}

std::string Manifest::ToJson() const {
  return JsonFileTextWithDigest(trommel::ToJson(*this));
}

absl::StatusOr<std::optional<Manifest>> Manifest::FromJson(
    std::string_view text) {
  const nlohmann::ordered_json json =
      nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains(kFormatKey) ||
      json[kFormatKey] != kManifestFormat) {
    if (text.find(kAnyManifestFormat) == std::string_view::npos) {
      return std::nullopt;
    }
    return absl::DataLossError(
        "the manifest is damaged, or of a later version");
  }
  TROMMEL_ASSIGN_OR_RETURN(Manifest manifest,
                           trommel::FromJson<Manifest>(json));
  TROMMEL_RETURN_IF_ERROR(CheckJsonDigest(json));
  return manifest;
}

bool IsStagingOf(const Location& target, const Location& other) {
  const std::string entry = other.EntryBeside(target);
  const std::string hidden = StrCat(".", target.BaseName());
  return entry == StrCat(hidden, kReplacedSuffix) ||
         entry == StrCat(hidden, kResumableSuffix) ||
         entry.rfind(StrCat(hidden, kStagingSuffix), 0) == 0;
}

absl::Status WriteManifest(const Path& directory, const Manifest& manifest) {
  return WriteFile(directory.Child(kSuccessFile), manifest.ToJson());
}

absl::StatusOr<std::optional<Manifest>> ReadManifest(const Path& directory) {
  const Path file = directory.Child(kSuccessFile);
  TROMMEL_ASSIGN_OR_RETURN(const Entry entry, Stat(file));
  if (entry.kind != EntryKind::kFile || entry.size == 0) return std::nullopt;
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  absl::StatusOr<std::optional<Manifest>> manifest = Manifest::FromJson(text);
  if (!manifest.ok()) return Annotate(manifest.status(), file.name);
  return manifest;
}

absl::StatusOr<std::unique_ptr<OutputDir>> OutputDir::Create(
    std::string_view path_or_uri, bool force) {
  return Open(path_or_uri, force, /*resume=*/false);
}

absl::StatusOr<std::unique_ptr<OutputDir>> OutputDir::Resume(
    std::string_view path_or_uri, bool force) {
  return Open(path_or_uri, force, /*resume=*/true);
}

absl::StatusOr<std::unique_ptr<OutputDir>> OutputDir::Open(
    std::string_view path_or_uri, bool force, bool resume) {
  TROMMEL_ASSIGN_OR_RETURN(Path target, ResolvePath(path_or_uri));
  if (IsLocal(target)) {
    // A link stands for the place it points to.
    std::error_code error;
    const std::filesystem::path real =
        std::filesystem::weakly_canonical(target.path, error);
    if (!error) target.path = real.string();
  }
  TROMMEL_RETURN_IF_ERROR(MakeDirectories(target.Parent()));
  TROMMEL_RETURN_IF_ERROR(Recover(target));
  TROMMEL_ASSIGN_OR_RETURN(const ExistingTarget present, TargetAt(target));
  if (present.state == TargetState::kForeign) {
    return absl::FailedPreconditionError(StrCat(
        target.name, " exists and is not an output of trommel (",
        present.why_foreign, "); give another --out or remove it yourself"));
  }
  if (present.state == TargetState::kFinished) {
    if (!force) return Finished(target);
    TROMMEL_RETURN_IF_ERROR(CheckHasOnlyOurFiles(target, present.manifest));
  }
  const std::string prefix = StrCat(".", target.BaseName(), kStagingSuffix);
  if (IsLocal(target)) {
    TROMMEL_RETURN_IF_ERROR(RemoveAbandoned(target.Parent(), prefix));
  }
  Path staging = target.Parent().Child(
      resume ? StrCat(".", target.BaseName(), kResumableSuffix)
             : StrCat(prefix, mr::HostName(), ".", ::getpid()));
  if (!resume) TROMMEL_RETURN_IF_ERROR(RemoveAll(staging));
  TROMMEL_RETURN_IF_ERROR(MakeDirectories(staging));
  std::unique_ptr<OutputDir> result(
      new OutputDir(std::move(target), std::move(staging), force));
  result->resumable_ = resume;
  if (IsLocal(result->target_)) {
    result->lock_ = TakeLock(result->staging_, /*create=*/true);
    if (!result->lock_) {
      result->committed_ = true;  // it is not ours to remove
      return absl::FailedPreconditionError(
          StrCat(result->target_.name, " is being written by another run"));
    }
  }
  return result;
}

OutputDir::~OutputDir() {
  if (!committed_ && !IsWorthKeeping()) (void)RemoveAll(staging_);
}

bool OutputDir::IsWorthKeeping() const {
  if (!resumable_) return false;
  const absl::StatusOr<std::vector<Entry>> entries =
      ListDirectory(staging_, /*recursive=*/false);
  if (!entries.ok()) return true;
  return std::any_of(entries->begin(), entries->end(), [](const Entry& entry) {
    return entry.path.BaseName() != kLockFile;
  });
}

absl::Status OutputDir::Commit(const Manifest& manifest) {
  for (const ShardInfo& shard : manifest.shards) {
    TROMMEL_ASSIGN_OR_RETURN(const Entry entry,
                             Stat(staging_.Child(shard.file)));
    if (entry.kind != EntryKind::kFile || entry.size != shard.num_bytes) {
      return absl::AbortedError(StrCat(target_.name,
                                       " cannot be finished: ", shard.file,
                                       " is gone; did another run finish it?"));
    }
  }
  Manifest complete = manifest;
  TROMMEL_ASSIGN_OR_RETURN(complete.other_files,
                           FilesBesideShards(staging_, manifest.shards));
  TROMMEL_RETURN_IF_ERROR(WriteManifest(staging_, complete));
  TROMMEL_RETURN_IF_ERROR(RemoveAll(staging_.Child(kLockFile)));
  // Others may have been here since Create().
  TROMMEL_ASSIGN_OR_RETURN(const ExistingTarget present, TargetAt(target_));
  switch (present.state) {
    case TargetState::kForeign:
      return absl::AbortedError(
          StrCat(target_.name, " was created by someone else meanwhile"));
    case TargetState::kFinished:
      if (!force_) return Finished(target_);
      TROMMEL_RETURN_IF_ERROR(CheckHasOnlyOurFiles(target_, present.manifest));
      TROMMEL_RETURN_IF_ERROR(Replace());
      break;
    case TargetState::kEmpty:
      TROMMEL_RETURN_IF_ERROR(RemoveAll(target_));
      TROMMEL_RETURN_IF_ERROR(Rename(staging_, target_));
      break;
    case TargetState::kAbsent:
      TROMMEL_RETURN_IF_ERROR(Rename(staging_, target_));
      break;
  }
  committed_ = true;
  return absl::OkStatus();
}

absl::Status OutputDir::Replace() {
  const Path aside = Aside(target_);
  TROMMEL_RETURN_IF_ERROR(RemoveAll(aside));
  TROMMEL_RETURN_IF_ERROR(Rename(target_, aside));
  if (absl::Status status = Rename(staging_, target_); !status.ok()) {
    (void)Rename(aside, target_);
    return status;
  }
  // The new output is in place; what cannot be removed now goes next time.
  (void)RemoveAll(aside);
  return absl::OkStatus();
}

}  // namespace trommel::io
