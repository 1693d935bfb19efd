#include "jobs/run/stages/delivery.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/run/scheduling/stage_state.h"
#include "jobs/tables/extract_output.h"
#include "mapreduce/io/move.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {
namespace {

absl::StatusOr<io::Manifest> ManifestOf(const io::Path& output) {
  TROMMEL_ASSIGN_OR_RETURN(std::optional<io::Manifest> manifest,
                           io::ReadManifest(output));
  if (manifest.has_value()) return *std::move(manifest);
  return absl::DataLossError(
      StrCat(output.Child(io::kSuccessFile).name,
             " is not the manifest of an output of trommel"));
}

// Returns the manifest of a folder of an output.
io::Manifest ManifestOfFolder(const io::Manifest& output,
                              std::string_view folder) {
  const std::string prefix = StrCat(folder, "/");
  io::Manifest manifest = output;
  manifest.shards.clear();
  for (const io::ShardInfo& shard : output.shards) {
    if (shard.file.rfind(prefix, 0) != 0) continue;
    manifest.shards.push_back(shard);
    manifest.shards.back().file.erase(0, prefix.size());
  }
  return manifest;
}

// Moves what is in a folder, if it is there: without rules there are no
// records.
absl::Status DeliverTable(const io::Path& from, const io::Manifest& manifest,
                          const std::string& to) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                           io::OutputDir::Create(to, /*force=*/true));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(from));
  std::vector<io::Entry> entries;
  if (found.kind == io::EntryKind::kDirectory) {
    TROMMEL_ASSIGN_OR_RETURN(entries,
                             io::ListDirectory(from, /*recursive=*/false));
  }
  for (const io::Entry& entry : entries) {
    TROMMEL_RETURN_IF_ERROR(
        io::Move(entry.path, output->staging().Child(entry.path.BaseName())));
  }
  return output->Commit(manifest);
}

// Writes the manifest of a folder that may have one.
absl::Status ReplaceManifest(const io::Path& folder,
                             const io::Manifest& manifest) {
  if (!io::IsLocal(folder)) {
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(folder.Child(io::kSuccessFile)));
  }
  return io::WriteManifest(folder, manifest);
}

// Moves a table out of the folder of a night's records, if it is there.
absl::Status AdoptTable(const io::Path& night, const io::Manifest& manifest,
                        const char* folder, const std::string& to) {
  const io::Path from = night.Child(folder);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(from));
  if (entry.kind == io::EntryKind::kNone) return absl::OkStatus();
  TROMMEL_RETURN_IF_ERROR(
      ReplaceManifest(from, ManifestOfFolder(manifest, folder)));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path target, io::ResolvePath(to));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry present, io::Stat(target));
  if (present.kind == io::EntryKind::kNone) {
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(target.Parent()));
    return io::Move(from, target);
  }
  // A call that was interrupted may have copied it.
  TROMMEL_ASSIGN_OR_RETURN(const std::string here,
                           scheduling::DigestOfOutput(from.Absolute()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string there,
                           scheduling::DigestOfOutput(to));
  if (here != there) {
    return absl::AlreadyExistsError(
        StrCat(to, " is there, and so is another one in ", from.name,
               "; remove one of them"));
  }
  return io::RemoveAll(from);
}

// Moves the tables that are no records out of a night's folder.
absl::Status AdoptTables(const layout::Layout& layout,
                         const std::string& date) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path night,
                           io::ResolvePath(layout.Records(date)));
  TROMMEL_ASSIGN_OR_RETURN(io::Manifest manifest, ManifestOf(night));
  TROMMEL_RETURN_IF_ERROR(AdoptTable(
      night, manifest, tables::kFormerRejectsFolder, layout.Rejects(date)));
  TROMMEL_RETURN_IF_ERROR(AdoptTable(
      night, manifest, tables::kFormerFiguresFolder, layout.Figures(date)));
  const auto is_elsewhere = [](const io::ShardInfo& shard) {
    return io::IsHidden(shard.file);
  };
  manifest.shards.erase(std::remove_if(manifest.shards.begin(),
                                       manifest.shards.end(), is_elsewhere),
                        manifest.shards.end());
  return ReplaceManifest(night, manifest);
}

// Adopts a night whose state is among the records. The state goes last: it is
// what says that there is something to adopt.
absl::Status AdoptNight(const layout::Layout& layout, const std::string& date,
                        const io::Path& state_file) {
  const std::string records = layout.Records(date);
  TROMMEL_ASSIGN_OR_RETURN(const std::string before,
                           scheduling::DigestOfOutput(records));
  if (!before.empty()) {
    TROMMEL_RETURN_IF_ERROR(AdoptTables(layout, date));
  }
  TROMMEL_ASSIGN_OR_RETURN(std::optional<scheduling::StageState> state,
                           scheduling::ReadStageState(records));
  if (state.has_value()) {
    if (state->output == before) {
      TROMMEL_ASSIGN_OR_RETURN(state->output,
                               scheduling::DigestOfOutput(records));
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path extracted,
                             io::ResolvePath(layout.Extracted(date)));
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(extracted.Parent()));
    TROMMEL_RETURN_IF_ERROR(
        scheduling::WriteStageState(layout.Extracted(date), *state));
  }
  return io::RemoveAll(state_file);
}

}  // namespace

absl::Status DeliverNight(const layout::Layout& layout,
                          const std::string& date) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path extracted,
                           io::ResolvePath(layout.Extracted(date)));
  TROMMEL_ASSIGN_OR_RETURN(const io::Manifest manifest, ManifestOf(extracted));
  const std::pair<const char*, std::string> tables[] = {
      {tables::kFiguresFolder, layout.Figures(date)},
      {tables::kRejectsFolder, layout.Rejects(date)},
      {tables::kRecordsFolder, layout.Records(date)}};
  for (const auto& [folder, target] : tables) {
    TROMMEL_RETURN_IF_ERROR(DeliverTable(
        extracted.Child(folder), ManifestOfFolder(manifest, folder), target));
  }
  return io::RemoveAll(extracted);
}

absl::StatusOr<int> AdoptFormerNights(const layout::Layout& layout) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path records,
                           io::ResolvePath(layout.pipeline().records()));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(records));
  if (found.kind != io::EntryKind::kDirectory) return 0;
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> entries,
                           io::ListDirectory(records, /*recursive=*/false));
  constexpr std::string_view kBeforeDate = "_date=";
  int num_nights = 0;
  for (const io::Entry& entry : entries) {
    const std::string name = entry.path.BaseName();
    if (name.rfind(kBeforeDate, 0) != 0) continue;
    const std::string date =
        name.substr(kBeforeDate.size(), std::string_view("YYYY-MM-DD").size());
    TROMMEL_ASSIGN_OR_RETURN(const io::Path state_file,
                             scheduling::StageStateFile(layout.Records(date)));
    if (state_file.BaseName() != name) continue;
    TROMMEL_RETURN_IF_ERROR(Annotate(AdoptNight(layout, date, state_file),
                                     StrCat("giving ", layout.Records(date),
                                            " the layout of this version")));
    ++num_nights;
  }
  return num_nights;
}

}  // namespace trommel::jobs::run::stages
