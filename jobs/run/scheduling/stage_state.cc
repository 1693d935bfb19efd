#include "jobs/run/scheduling/stage_state.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "absl/strings/str_join.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::run::scheduling {
namespace {

// A raw crawl is as it was when its files have the same names, sizes
// and times; reading all of it every night would cost as much as the work it
// saves.
absl::StatusOr<std::string> DigestOfCrawl(const io::Path& crawl) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(crawl));
  std::string names;
  for (const io::Entry& file : files) {
    StrAppend(&names, file.path.RelativeTo(crawl), "\t", file.size, "\t",
              file.modified_ns, "\n");
  }
  return ContentDigest(names);
}

// Returns the digest of the manifest, or of a file; empty when it is not there.
absl::StatusOr<std::string> DigestOfFinished(const io::Path& path) {
  TROMMEL_ASSIGN_OR_RETURN(io::Entry entry, io::Stat(path));
  io::Path file = path;
  if (entry.kind == io::EntryKind::kDirectory) {
    file = path.Child(io::kSuccessFile);
    TROMMEL_ASSIGN_OR_RETURN(entry, io::Stat(file));
  }
  if (entry.kind != io::EntryKind::kFile) return std::string();
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(file));
  return ContentDigest(bytes);
}

absl::StatusOr<std::string> DigestOf(const StageInput& input) {
  if (input.content.has_value()) return ContentDigest(*input.content);
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(input.path));
  if (input.kind == StageInput::Kind::kCrawl) {
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<io::Manifest> manifest,
                             io::ReadManifest(path));
    if (!manifest.has_value()) return DigestOfCrawl(path);
  }
  TROMMEL_ASSIGN_OR_RETURN(std::string digest, DigestOfFinished(path));
  if (digest.empty()) {
    return absl::NotFoundError(
        StrCat(input.path, input.kind == StageInput::Kind::kOutput
                               ? " is not there, or not finished (no _SUCCESS)"
                               : " is not there"));
  }
  return digest;
}

// Returns how the flags and facts differ; both lists are sorted.
std::string WhatChanged(const std::vector<std::string>& before,
                        const std::vector<std::string>& now) {
  std::vector<std::string> gone;
  std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                      std::back_inserter(gone));
  std::vector<std::string> come;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                      std::back_inserter(come));
  if (gone.empty()) return StrCat("now with ", absl::StrJoin(come, " "));
  if (come.empty()) return StrCat("now without ", absl::StrJoin(gone, " "));
  return StrCat("now with ", absl::StrJoin(come, " "), ", before with ",
                absl::StrJoin(gone, " "));
}

}  // namespace

std::string ProgramVersion() {
  DigestStream digest;
  std::ifstream program("/proc/self/exe", std::ios::binary);
  std::string buffer(size_t{1} << 20, '\0');
  while (program.read(buffer.data(),
                      static_cast<std::streamsize>(buffer.size())) ||
         program.gcount() > 0) {
    digest.Update(
        std::string_view(buffer.data(), static_cast<size_t>(program.gcount())));
  }
  return digest.Hex();
}

absl::StatusOr<StageState> StateOfCalls(const std::vector<StageCall>& calls,
                                        const std::string& version) {
  StageState state;
  state.version = version;
  std::string output_of_call_before;
  for (const StageCall& call : calls) {
    state.flags.insert(state.flags.end(), call.flags.begin(), call.flags.end());
    state.flags.insert(state.flags.end(), call.facts.begin(), call.facts.end());
    for (const StageInput& input : call.inputs) {
      if (!output_of_call_before.empty() && input.path == output_of_call_before)
        continue;
      std::string name = input.flag;
      for (int number = 2; state.inputs.count(name) > 0; ++number) {
        name = StrCat(input.flag, " ", number);
      }
      TROMMEL_ASSIGN_OR_RETURN(state.inputs[name], DigestOf(input));
    }
    output_of_call_before = call.own_output;
  }
  std::sort(state.flags.begin(), state.flags.end());
  return state;
}

absl::StatusOr<std::string> DigestOfOutput(const std::string& output) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(output));
  return DigestOfFinished(path);
}

absl::StatusOr<io::Path> StageStateFile(const std::string& beside) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(beside));
  return path.Parent().Child(StrCat("_", path.BaseName(), ".stage.json"));
}

absl::StatusOr<std::optional<StageState>> ReadStageState(
    const std::string& beside) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path file, StageStateFile(beside));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
  if (entry.kind != io::EntryKind::kFile) return std::nullopt;
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(file));
  absl::StatusOr<StageState> state = FromJsonText<StageState>(text);
  if (!state.ok()) return std::nullopt;
  return *std::move(state);
}

absl::Status WriteStageState(const std::string& beside,
                             const StageState& state) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path file, StageStateFile(beside));
  if (!io::IsLocal(file)) TROMMEL_RETURN_IF_ERROR(io::RemoveAll(file));
  return io::WriteFile(file, JsonFileText(ToJson(state)));
}

std::string WhyStale(const StageState& now, const std::string& output_digest,
                     const std::optional<StageState>& last_time) {
  if (output_digest.empty()) return "no output yet";
  if (!last_time.has_value()) return "nothing says how its output was made";
  if (output_digest != last_time->output) {
    return "its output is not the one it made";
  }
  if (now.flags != last_time->flags) {
    return WhatChanged(last_time->flags, now.flags);
  }
  for (const auto& [name, digest] : now.inputs) {
    const auto before = last_time->inputs.find(name);
    if (before == last_time->inputs.end()) return StrCat(name, " is new");
    if (before->second != digest) return StrCat(name, " has changed");
  }
  for (const auto& [name, digest] : last_time->inputs) {
    if (now.inputs.count(name) == 0) return StrCat(name, " is gone");
  }
  if (now.version != last_time->version) return "trommel has changed";
  return {};
}

}  // namespace trommel::jobs::run::scheduling
