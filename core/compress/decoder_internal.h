#ifndef TROMMEL_CORE_COMPRESS_DECODER_INTERNAL_H_
#define TROMMEL_CORE_COMPRESS_DECODER_INTERNAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::compress {

// One compressed frame (a gzip member, a zlib or deflate stream, a Zstandard
// frame) turned into bytes piece by piece. The adapter around zlib and libzstd:
// nothing outside core/compress sees either.
class Decoder {
 public:
  enum class State {
    kMore,      // needs more input, or more room for output
    kFrameEnd,  // the frame is complete and its checksum, if any, agrees
    kCorrupt,   // the bytes are not a frame; says so again when called again
    kNoMemory,
  };
  struct Step {
    size_t consumed = 0;
    size_t produced = 0;
    State state = State::kMore;
  };

  virtual ~Decoder() = default;

  // Prepares for the first byte of a frame. Needed between frames and after
  // kCorrupt, not after construction.
  virtual void Reset() = 0;

  // Decodes from `input` into `output`. Everything decoded before damage is
  // returned before the damage is. A step that consumes and produces nothing
  // and returns kMore asks for more input. `size` is not 0.
  virtual Step Decode(std::string_view input, char* output, size_t size) = 0;

  // What was wrong, after kCorrupt.
  virtual std::string_view message() const = 0;

  // After kCorrupt: how many bytes behind those consumed the frame ends, if all
  // of it was decoded and only its checksum disagrees. Unknown otherwise.
  virtual std::optional<size_t> BytesToFrameEnd() const = 0;
};

enum class DeflateWrapper { kGzip, kZlib, kNone };
std::unique_ptr<Decoder> NewDeflateDecoder(DeflateWrapper wrapper);

// For bodies in memory: of a damaged stream, some bytes ahead of the damage may
// be missing.
std::unique_ptr<Decoder> NewBrotliDecoder();

// A Zstandard dictionary, shared by the decoders that use it.
class ZstdDictionary;
absl::StatusOr<std::shared_ptr<const ZstdDictionary>> LoadZstdDictionary(
    std::string_view bytes);

// `dictionary` may be null. A frame whose window is over 2^27 bytes is corrupt.
std::unique_ptr<Decoder> NewZstdDecoder(
    std::shared_ptr<const ZstdDictionary> dictionary);

// The length of the Zstandard or skippable frame that `bytes` begin with, from
// the lengths that its blocks give, without decoding them. Nothing if the
// lengths are wrong or lead beyond `bytes`.
std::optional<size_t> ZstdFrameBytes(std::string_view bytes);

// The most bytes that the Zstandard frame can have that `bytes` begin with, if
// its header gives the length of the content. A skippable frame has no content.
std::optional<size_t> ZstdMaxFrameBytes(std::string_view bytes);

// First bytes of the formats.
inline constexpr std::string_view kGzipMagic = "\x1F\x8B\x08";
inline constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
inline constexpr std::string_view kZstdDictionaryMagic = "\x37\xA4\x30\xEC";

inline uint32_t LittleEndian32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i]))
             << (8 * i);
  }
  return value;
}

inline uint32_t LittleEndian16(const char* bytes) {
  return static_cast<uint32_t>(static_cast<unsigned char>(bytes[0])) |
         static_cast<uint32_t>(static_cast<unsigned char>(bytes[1])) << 8;
}

// RFC 8878, section 3.1.2: a frame with a length and bytes to ignore.
inline bool IsZstdSkippableMagic(uint32_t magic) {
  return (magic & 0xFFFFFFF0u) == 0x184D2A50u;
}

}  // namespace trommel::compress

#endif  // TROMMEL_CORE_COMPRESS_DECODER_INTERNAL_H_
