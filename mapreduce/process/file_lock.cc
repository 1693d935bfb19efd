#include "mapreduce/process/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/status.h"

// flock() and not a lock of fcntl(), which a process loses as soon as any part
// of it closes any descriptor of the file.

namespace trommel::mr {

absl::StatusOr<FileLock> FileLock::Take(const std::string& file) {
  FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.descriptor_ < 0 || ::flock(lock.descriptor_, LOCK_EX) != 0) {
    return absl::UnavailableError(
        StrCat("cannot lock ", file, ": ", std::strerror(errno)));
  }
  return lock;
}

std::optional<FileLock> FileLock::TryTake(const std::string& file,
                                          bool create) {
  FileLock lock(
      ::open(file.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0644));
  if (lock.descriptor_ < 0 ||
      ::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    return std::nullopt;
  }
  return lock;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace trommel::mr
