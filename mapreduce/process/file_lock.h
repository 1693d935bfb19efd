#ifndef TROMMEL_MAPREDUCE_PROCESS_FILE_LOCK_H_
#define TROMMEL_MAPREDUCE_PROCESS_FILE_LOCK_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace trommel::mr {

// A lock on a local file. It ends with this object or with the process, however
// that ends; the file stays.
class FileLock {
 public:
  // Creates the file if need be and waits for the lock.
  static absl::StatusOr<FileLock> Take(const std::string& file);
  // Does not wait: none when somebody holds the lock, or when there is no such
  // file and `create` is false.
  static std::optional<FileLock> TryTake(const std::string& file, bool create);

  ~FileLock();
  FileLock(FileLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_PROCESS_FILE_LOCK_H_
