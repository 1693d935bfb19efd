#ifndef TROMMEL_JOBS_OUTPUT_VERB_OUTPUT_H_
#define TROMMEL_JOBS_OUTPUT_VERB_OUTPUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jobs/cli/flags.h"
#include "jobs/cli/verb.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::output {

// The flags of every verb that writes a folder.
struct OutputFlags {
  std::string out;
  bool force = false;

  // Returns --out, for verbs that cannot do without.
  cli::Flag& Define(cli::Flags* flags, std::string help);
};

// The folder that a verb writes, and its manifest: the verb, its inputs, the
// flags that it records, and what is counted and listed here.
//
//   TROMMEL_ASSIGN_OR_RETURN(VerbOutput output,
//                            VerbOutput::Create(this, {spec_}, flags_));
//   ... write below output.staging() ...
//   TROMMEL_RETURN_IF_ERROR(output.Commit());
class VerbOutput {
 public:
  static absl::StatusOr<VerbOutput> Create(cli::Verb* verb,
                                           std::vector<std::string> inputs,
                                           const OutputFlags& flags);
  // In a directory that was created otherwise. The verb stays the caller's and
  // lives as long as the output.
  VerbOutput(cli::Verb* verb, std::vector<std::string> inputs,
             std::unique_ptr<io::OutputDir> directory);

  const io::Path& staging() const { return directory_->staging(); }
  io::OutputDir* directory() const { return directory_.get(); }
  const io::Manifest& manifest() const { return manifest_; }

  // What the manifest says beside the flags that are recorded anyway.
  void Record(std::string name, std::string value) {
    recorded_.emplace_back(std::move(name), std::move(value));
  }
  void Count(std::string name, int64_t count) {
    manifest_.counts.emplace_back(std::move(name), count);
  }
  // Lists files that were written into a folder of the output; "" is the
  // output itself.
  void List(std::string_view folder, std::vector<io::ShardInfo> files);
  // Writes a file and lists it.
  absl::Status WriteFile(const std::string& file, const std::string& bytes,
                         int64_t num_rows = 0);
  // Removes a folder that only this verb needed, and what is listed of it.
  absl::Status RemoveFolder(const std::string& folder);

  // Completes the manifest and puts the folder where it was asked for.
  absl::Status Commit();

 private:
  cli::Verb* verb_;
  std::unique_ptr<io::OutputDir> directory_;
  io::Manifest manifest_;
  std::vector<std::pair<std::string, std::string>> recorded_;
};

}  // namespace trommel::jobs::output

#endif  // TROMMEL_JOBS_OUTPUT_VERB_OUTPUT_H_
