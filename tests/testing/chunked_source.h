#ifndef TROMMEL_TESTS_TESTING_CHUNKED_SOURCE_H_
#define TROMMEL_TESTS_TESTING_CHUNKED_SOURCE_H_

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/byte_source.h"

namespace trommel::testing_support {

// Owns its bytes, returns at most `step` of them per read (0: no limit), and at
// the end fails with `status` unless that is OK.
class ChunkedSource final : public ByteSource {
 public:
  explicit ChunkedSource(std::string bytes, size_t step = 0,
                         absl::Status status = absl::OkStatus())
      : bytes_(std::move(bytes)), step_(step), status_(std::move(status)) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (position_ == bytes_.size() && !status_.ok()) return status_;
    size_t count = std::min(size, bytes_.size() - position_);
    if (step_ > 0) count = std::min(count, step_);
    bytes_.copy(buffer, count, position_);
    position_ += count;
    return count;
  }

 private:
  const std::string bytes_;
  const size_t step_;
  const absl::Status status_;
  size_t position_ = 0;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_CHUNKED_SOURCE_H_
