#include "mapreduce/task/breadcrumb.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/status.h"

namespace trommel::mr {

absl::StatusOr<Breadcrumb> Breadcrumb::Open(const std::string& path) {
  const auto error = [&path](std::string_view action) {
    return absl::UnavailableError(
        StrCat(path, ": ", action, ": ", std::strerror(errno)));
  };
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return error("cannot open");
  void* memory = MAP_FAILED;
  if (::ftruncate(descriptor, sizeof(Data)) == 0) {
    memory = ::mmap(nullptr, sizeof(Data), PROT_READ | PROT_WRITE, MAP_SHARED,
                    descriptor, 0);
  }
  ::close(descriptor);
  if (memory == MAP_FAILED) return error("cannot map");
  return Breadcrumb(static_cast<Data*>(memory));
}

Breadcrumb::~Breadcrumb() {
  if (data_ != nullptr) ::munmap(data_, sizeof(Data));
}

}  // namespace trommel::mr
