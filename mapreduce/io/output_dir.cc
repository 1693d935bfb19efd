#include "mapreduce/io/output_dir.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "core/base/status.h"

namespace trommel::io {
namespace {

enum class TargetState { kAbsent, kEmpty, kFinished, kForeign };

absl::StatusOr<TargetState> StateOf(const Path& target) {
  TROMMEL_ASSIGN_OR_RETURN(const Entry entry, Stat(target));
  if (entry.kind == EntryKind::kNone) return TargetState::kAbsent;
  if (entry.kind == EntryKind::kFile) {
    return absl::AlreadyExistsError(
        StrCat(target.name, " is a file; the output is a directory"));
  }
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> entries,
                           ListDirectory(target, /*recursive=*/false));
  if (entries.empty()) return TargetState::kEmpty;
  for (const Entry& inside : entries) {
    if (inside.path.BaseName() == kSuccessFile && inside.size > 0) {
      return TargetState::kFinished;
    }
  }
  return TargetState::kForeign;
}

std::string HostName() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

// Removes staging directories whose process, on this machine, is gone. They
// are named by host and process, so that two runs of one output cannot write
// into the same one.
absl::Status RemoveAbandoned(const Path& parent, std::string_view prefix) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> entries,
                           ListDirectory(parent, /*recursive=*/false));
  const std::string ours = StrCat(prefix, HostName(), ".");
  for (const Entry& entry : entries) {
    const std::string name = entry.path.BaseName();
    int pid = 0;
    if (name.compare(0, ours.size(), ours) != 0 ||
        !absl::SimpleAtoi(name.substr(ours.size()), &pid) || pid <= 0) {
      continue;
    }
    if (::kill(pid, 0) != 0 && errno == ESRCH) {
      TROMMEL_RETURN_IF_ERROR(RemoveAll(entry.path));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string Manifest::ToJson() const {
  nlohmann::ordered_json json;
  json["format"] = "trommel-output-1";
  json["verb"] = verb;
  json["inputs"] = inputs;
  json["flags"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : flags) json["flags"][name] = value;
  json["counts"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : counts) json["counts"][name] = value;
  json["shards"] = nlohmann::ordered_json::array();
  for (const ShardInfo& shard : shards) {
    json["shards"].push_back({{"file", shard.file},
                              {"rows", shard.num_rows},
                              {"bytes", shard.num_bytes},
                              {"digest", shard.digest}});
  }
  // Names of files and flags may be any bytes; they must not throw here.
  return json.dump(1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

absl::Status WriteManifest(const Path& directory, const Manifest& manifest) {
  return WriteFile(directory.Child(kSuccessFile), manifest.ToJson());
}

absl::StatusOr<std::unique_ptr<OutputDir>> OutputDir::Create(
    std::string_view path_or_uri, bool force) {
  TROMMEL_ASSIGN_OR_RETURN(Path target, ResolvePath(path_or_uri));
  TROMMEL_ASSIGN_OR_RETURN(const TargetState state, StateOf(target));
  if (state == TargetState::kForeign) {
    return absl::FailedPreconditionError(
        StrCat(target.name,
               " exists and is not an output of trommel (it has "
               "no _SUCCESS); give another --out or remove it yourself"));
  }
  if (state == TargetState::kFinished && !force) {
    return absl::AlreadyExistsError(
        StrCat(target.name,
               " is a finished output; --force replaces it, or give another "
               "--out"));
  }
  TROMMEL_RETURN_IF_ERROR(MakeDirectories(target.Parent()));
  const std::string prefix = StrCat(".", target.BaseName(), ".staging-");
  TROMMEL_RETURN_IF_ERROR(RemoveAbandoned(target.Parent(), prefix));
  Path staging =
      target.Parent().Child(StrCat(prefix, HostName(), ".", ::getpid()));
  TROMMEL_RETURN_IF_ERROR(RemoveAll(staging));
  TROMMEL_RETURN_IF_ERROR(MakeDirectories(staging));
  return std::unique_ptr<OutputDir>(
      new OutputDir(std::move(target), std::move(staging)));
}

OutputDir::~OutputDir() {
  if (!committed_) (void)RemoveAll(staging_);
}

absl::Status OutputDir::Commit(const Manifest& manifest) {
  TROMMEL_RETURN_IF_ERROR(WriteManifest(staging_, manifest));
  TROMMEL_ASSIGN_OR_RETURN(const TargetState state, StateOf(target_));
  if (state == TargetState::kForeign) {
    return absl::AbortedError(
        StrCat(target_.name, " was created by someone else meanwhile"));
  }
  if (state == TargetState::kAbsent) {
    TROMMEL_RETURN_IF_ERROR(Rename(staging_, target_));
  } else {
    const Path old =
        target_.Parent().Child(StrCat(".", target_.BaseName(), ".replaced"));
    TROMMEL_RETURN_IF_ERROR(RemoveAll(old));
    TROMMEL_RETURN_IF_ERROR(Rename(target_, old));
    TROMMEL_RETURN_IF_ERROR(Rename(staging_, target_));
    committed_ = true;
    return RemoveAll(old);
  }
  committed_ = true;
  return absl::OkStatus();
}

}  // namespace trommel::io
