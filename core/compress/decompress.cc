#include "core/compress/decompress.h"

#include <utility>

namespace trommel::compress {

DecompressingSource::DecompressingSource(std::unique_ptr<ByteSource> input)
    : frames_(std::move(input)) {}

absl::StatusOr<size_t> DecompressingSource::Read(char* buffer, size_t size) {
  if (size == 0) return 0;
  return frames_.Read(buffer, size);
}

}  // namespace trommel::compress
