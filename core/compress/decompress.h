#ifndef TROMMEL_CORE_COMPRESS_DECOMPRESS_H_
#define TROMMEL_CORE_COMPRESS_DECOMPRESS_H_

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "core/base/byte_source.h"
#include "core/compress/frame_reader.h"

namespace trommel::compress {

// The content of a file that may be compressed: gzip with any number of
// members, Zstandard with any number of frames and the dictionary it may begin
// with (see FrameReader), or plain bytes, which pass unchanged. The format is
// found from the first bytes, not from a name.
//
//   auto lines = std::make_unique<DecompressingSource>(std::move(file));
//
// Damage and an early end are DataLoss errors that give the offset in the
// compressed file; everything that could be decoded is returned before them.
class DecompressingSource final : public ByteSource {
 public:
  explicit DecompressingSource(std::unique_ptr<ByteSource> input);

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override;

 private:
  FrameReader frames_;
};

}  // namespace trommel::compress

#endif  // TROMMEL_CORE_COMPRESS_DECOMPRESS_H_
