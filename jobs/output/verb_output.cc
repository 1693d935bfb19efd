#include "jobs/output/verb_output.h"

#include <algorithm>
#include <iterator>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "jobs/cli/settings.h"

namespace trommel::jobs::output {

cli::Flag& OutputFlags::Define(cli::Flags* flags, std::string help) {
  cli::Flag& flag = flags->Text("out", &out, std::move(help)).Output();
  flags->Bool("force", &force, "replace a finished output");
  return flag;
}

absl::StatusOr<VerbOutput> VerbOutput::Create(cli::Verb* verb,
                                              std::vector<std::string> inputs,
                                              const OutputFlags& flags) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<io::OutputDir> directory,
                           io::OutputDir::Create(flags.out, flags.force));
  return VerbOutput(verb, std::move(inputs), std::move(directory));
}

VerbOutput::VerbOutput(cli::Verb* verb, std::vector<std::string> inputs,
                       std::unique_ptr<io::OutputDir> directory)
    : verb_(verb), directory_(std::move(directory)) {
  manifest_.verb = verb->name();
  manifest_.inputs = std::move(inputs);
}

void VerbOutput::List(std::string_view folder,
                      std::vector<io::ShardInfo> files) {
  for (io::ShardInfo& file : files) {
    if (!folder.empty()) file.file = StrCat(folder, "/", file.file);
    manifest_.shards.push_back(std::move(file));
  }
}

absl::Status VerbOutput::WriteFile(const std::string& file,
                                   const std::string& bytes, int64_t num_rows) {
  TROMMEL_RETURN_IF_ERROR(io::WriteFile(staging().Child(file), bytes));
  List("", {{file, num_rows, static_cast<int64_t>(bytes.size()),
             ContentDigest(bytes)}});
  return absl::OkStatus();
}

absl::Status VerbOutput::RemoveFolder(const std::string& folder) {
  const std::string prefix = StrCat(folder, "/");
  std::vector<io::ShardInfo>& files = manifest_.shards;
  files.erase(std::remove_if(files.begin(), files.end(),
                             [&](const io::ShardInfo& file) {
                               return file.file.rfind(prefix, 0) == 0;
                             }),
              files.end());
  return io::RemoveAll(staging().Child(folder));
}

absl::Status VerbOutput::Commit() {
  cli::Flags flags;
  verb_->DefineFlags(&flags);
  manifest_.flags = cli::RecordedFlags(flags);
  std::move(recorded_.begin(), recorded_.end(),
            std::back_inserter(manifest_.flags));
  return directory_->Commit(manifest_);
}

}  // namespace trommel::jobs::output
