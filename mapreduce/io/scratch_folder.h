#ifndef TROMMEL_MAPREDUCE_IO_SCRATCH_FOLDER_H_
#define TROMMEL_MAPREDUCE_IO_SCRATCH_FOLDER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace trommel::io {

// A local folder of a name that nobody else has, removed with this object.
class ScratchFolder {
 public:
  // Below `parent`, which is created if need be; empty: the system's folder for
  // temporary files.
  static absl::StatusOr<std::unique_ptr<ScratchFolder>> Create(
      const std::string& parent, const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_SCRATCH_FOLDER_H_
