#ifndef TROMMEL_MAPREDUCE_IO_PATH_H_
#define TROMMEL_MAPREDUCE_IO_PATH_H_

// Files by local path or URI. "out/crawl", "file:///data/crawl" and
// "hdfs://namenode:8020/crawl" are all paths here; the same code serves them
// through arrow::fs.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/byte_source.h"

namespace arrow::fs {
class FileSystem;
}  // namespace arrow::fs

namespace trommel::io {

// A path together with the file system it is on. A small value; copy it.
struct Path {
  std::shared_ptr<arrow::fs::FileSystem> file_system;
  std::string path;  // as the file system names it
  std::string name;  // as the user gave it, for messages

  // The path of an entry below this one.
  Path Child(std::string_view entry) const;
  // The directory that contains this path.
  Path Parent() const;
  // The last component.
  std::string BaseName() const;
  // A name under which another process, started elsewhere, finds it: an
  // absolute local path or a URI.
  std::string Absolute() const;
  // This path without its beginning `directory`, which must contain it.
  std::string RelativeTo(const Path& directory) const;
};

// A URI of a file system that there is no support for is an InvalidArgument
// that says which there are.
absl::StatusOr<Path> ResolvePath(std::string_view path_or_uri);

// The same error, without connecting to a file system.
absl::Status CheckScheme(std::string_view path_or_uri);

// Whether it is a URI of HDFS, as one cluster's or as several mounted together.
bool IsOnHdfs(std::string_view path_or_uri);

// Whether it is on this machine's own file system.
bool IsLocal(const Path& path);

enum class EntryKind { kNone, kFile, kDirectory };

struct Entry {
  Path path;
  EntryKind kind = EntryKind::kNone;
  int64_t size = 0;
  int64_t modified_ns = 0;  // since 1970; 0 when unknown
};

// What is at the path; kNone when there is nothing.
absl::StatusOr<Entry> Stat(const Path& path);

// The entries of a directory, sorted by name.
absl::StatusOr<std::vector<Entry>> ListDirectory(const Path& directory,
                                                 bool recursive);

// Whether a component of a relative path begins with '_' or '.', as the names
// of markers and unfinished files do. Inputs pass over these.
bool IsHidden(std::string_view relative_path);

absl::Status MakeDirectories(const Path& directory);
// Renames a file or directory. The target must not exist.
absl::Status Rename(const Path& from, const Path& to);
// Removes a file, or a directory with all that is in it; fine if it is gone.
absl::Status RemoveAll(const Path& path);

// All bytes of a file; ResourceExhausted when it has more than `max_bytes`.
absl::StatusOr<std::string> ReadFile(
    const Path& path, size_t max_bytes = std::numeric_limits<size_t>::max());
// The same of any source; `name` is for the message.
absl::StatusOr<std::string> ReadAll(ByteSource* source, std::string_view name,
                                    size_t max_bytes);
// Writes under a temporary name, then renames.
absl::Status WriteFile(const Path& path, std::string_view bytes);

// Streams the bytes of a file. "-" is not special here.
absl::StatusOr<std::unique_ptr<ByteSource>> OpenByteSource(const Path& path);

// A text file written piece by piece, for instance JSON lines. Appears under
// its name when closed, not before.
class FileWriter {
 public:
  static absl::StatusOr<std::unique_ptr<FileWriter>> Create(const Path& path);
  virtual ~FileWriter() = default;
  virtual absl::Status Write(std::string_view bytes) = 0;
  virtual absl::Status Close() = 0;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_PATH_H_
