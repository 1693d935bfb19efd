#ifndef TROMMEL_CORE_BASE_BYTE_SOURCE_H_
#define TROMMEL_CORE_BASE_BYTE_SOURCE_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel {

// A stream of bytes read once, front to back. Readers of archives and text
// formats take one of these, so they work on files, HDFS and memory alike and
// never hold more than a buffer.
//
// Not safe for use by several threads.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Reads up to `size` bytes into `buffer` and returns how many, which may be
  // fewer than asked for. 0 means the end, and every later call returns 0 too.
  // After an error the source must not be read again.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t size) = 0;
};

// Bytes in memory, which must outlive the source.
class StringSource final : public ByteSource {
 public:
  explicit StringSource(std::string_view bytes) : rest_(bytes) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    const size_t count = std::min(size, rest_.size());
    if (count > 0) std::memcpy(buffer, rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_BYTE_SOURCE_H_
