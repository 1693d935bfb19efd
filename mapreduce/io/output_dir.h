#ifndef TROMMEL_MAPREDUCE_IO_OUTPUT_DIR_H_
#define TROMMEL_MAPREDUCE_IO_OUTPUT_DIR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/location.h"
#include "mapreduce/io/path.h"
#include "mapreduce/process/file_lock.h"

namespace trommel {
class JsonFields;
}

namespace trommel::io {

// Name of the file whose presence says that a directory is finished.
inline constexpr std::string_view kSuccessFile = "_SUCCESS";

// One file of a finished output.
struct ShardInfo {
  std::string file;  // relative to the output directory
  int64_t num_rows = 0;
  int64_t num_bytes = 0;
  std::string digest;  // ContentDigest() of the file's bytes
  // The same of a Parquet file's footer; empty where it is not known.
  std::string footer_digest = {};

  void VisitFields(JsonFields* fields);
};

// What _SUCCESS says: where the rows came from and what was written.
struct Manifest {
  std::string verb;
  std::vector<std::string> inputs;
  // Flags that decide the rows, as given or defaulted.
  std::vector<std::pair<std::string, std::string>> flags;
  std::vector<std::pair<std::string, int64_t>> counts;
  std::vector<ShardInfo> shards;
  // All other files of the output, relative to it. OutputDir::Commit() fills
  // this in; manifests of earlier versions do not say.
  std::optional<std::vector<std::string>> other_files;

  void VisitFields(JsonFields* fields);
  std::string ToJson() const;
  // The manifest in the text of a _SUCCESS; none in that of another program,
  // which may leave a file of this name, too. InvalidArgument names the key
  // that is missing or wrong; DataLoss says that the text has changed since it
  // was written.
  static absl::StatusOr<std::optional<Manifest>> FromJson(
      std::string_view text);
};

// A directory that appears all at once.
//
//   TROMMEL_ASSIGN_OR_RETURN(auto out, OutputDir::Create(path, force));
//   ... write below out->staging() ...
//   TROMMEL_RETURN_IF_ERROR(out->Commit(manifest));
//
// Files are written into a hidden sibling of the target; Commit() writes the
// manifest last and renames the sibling to the target. The target is never
// half written. A run that was killed leaves its sibling behind; the next run
// of the same output removes it, on local file systems, where a lock tells
// whether its owner still lives.
//
// An existing target is refused, unless it is an empty directory or `force`
// is set and it is a finished output: then it is moved aside, the new one
// renamed in, and the old one deleted. Should the process die between the two
// renames, the next run puts the old one back before it begins. A directory
// without a manifest of trommel's, or with a file that its manifest does not
// list, is never replaced, whatever the flags.
class OutputDir {
 public:
  static absl::StatusOr<std::unique_ptr<OutputDir>> Create(
      std::string_view path_or_uri, bool force);
  // The same, but the staging directory has a name that depends on nothing but
  // the target, and what a run that was killed left in it is still there: for
  // work that goes on elsewhere when this process ends. Without Commit() the
  // directory stays for a later Resume(), unless it is empty.
  static absl::StatusOr<std::unique_ptr<OutputDir>> Resume(
      std::string_view path_or_uri, bool force);
  // Without Commit() the staging directory is removed, but see Resume().
  ~OutputDir();

  const Path& staging() const { return staging_; }
  const Path& target() const { return target_; }

  // Fails if a shard that the manifest lists is not there.
  absl::Status Commit(const Manifest& manifest);

 private:
  OutputDir(Path target, Path staging, bool force)
      : target_(std::move(target)),
        staging_(std::move(staging)),
        force_(force) {}

  static absl::StatusOr<std::unique_ptr<OutputDir>> Open(
      std::string_view path_or_uri, bool force, bool resume);
  absl::Status Replace();
  bool IsWorthKeeping() const;

  Path target_;
  Path staging_;
  bool force_;
  std::optional<mr::FileLock> lock_;  // local file systems only
  bool committed_ = false;
  bool resumable_ = false;
};

// Whether a run that writes `target` may move or remove what is at `other`
// besides the target itself: where it stages, and what others have left there.
bool IsStagingOf(const Location& target, const Location& other);

// Writes the manifest of a directory that is part of a larger output.
absl::Status WriteManifest(const Path& directory, const Manifest& manifest);
// The manifest of a directory; none if it has none, or another program's.
// Errors name the file.
absl::StatusOr<std::optional<Manifest>> ReadManifest(const Path& directory);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_OUTPUT_DIR_H_
