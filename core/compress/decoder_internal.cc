#include "core/compress/decoder_internal.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"

namespace trommel::compress {

class ZstdDictionary {
 public:
  explicit ZstdDictionary(std::string_view bytes)
      : dictionary_(ZSTD_createDDict(bytes.data(), bytes.size())) {}
  ~ZstdDictionary() { ZSTD_freeDDict(dictionary_); }
  ZstdDictionary(const ZstdDictionary&) = delete;
  ZstdDictionary& operator=(const ZstdDictionary&) = delete;

  const ZSTD_DDict* get() const { return dictionary_; }

 private:
  ZSTD_DDict* dictionary_;
};

namespace {

class DeflateDecoder final : public Decoder {
 public:
  explicit DeflateDecoder(DeflateWrapper wrapper) {
    // zlib's windowBits: 16 more selects gzip, a negative number no wrapper.
    int window_bits = MAX_WBITS;
    if (wrapper == DeflateWrapper::kGzip) window_bits += 16;
    if (wrapper == DeflateWrapper::kNone) window_bits = -window_bits;
    usable_ = inflateInit2(&stream_, window_bits) == Z_OK;
  }
  ~DeflateDecoder() override {
    if (usable_) inflateEnd(&stream_);
  }
  DeflateDecoder(const DeflateDecoder&) = delete;
  DeflateDecoder& operator=(const DeflateDecoder&) = delete;

  void Reset() override {
    if (usable_) inflateReset(&stream_);
  }

  Step Decode(std::string_view input, char* output, size_t size) override {
    if (!usable_) return {.state = State::kNoMemory};
    constexpr size_t kMax = std::numeric_limits<uInt>::max();
    const auto avail_in = static_cast<uInt>(std::min(input.size(), kMax));
    const auto avail_out = static_cast<uInt>(std::min(size, kMax));
    // zlib's input pointer is not const unless ZLIB_CONST is defined; inflate
    // does not write through it.
    stream_.next_in =
        const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input.data()));
    stream_.avail_in = avail_in;
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    stream_.avail_out = avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    Step step;
    step.consumed = avail_in - stream_.avail_in;
    step.produced = avail_out - stream_.avail_out;
    switch (result) {
      case Z_OK:
      case Z_BUF_ERROR:
        step.state = State::kMore;
        break;
      case Z_STREAM_END:
        step.state = State::kFrameEnd;
        break;
      case Z_MEM_ERROR:
        step.state = State::kNoMemory;
        break;
      default:
        step.state = State::kCorrupt;
    }
    return step;
  }

  std::string_view message() const override {
    return stream_.msg != nullptr ? stream_.msg : "invalid data";
  }

  // inflate() takes the trailer in two steps, the checksum and the length, and
  // says which one disagrees only by its message.
  std::optional<size_t> BytesToFrameEnd() const override {
    if (message() == "incorrect data check") return kGzipLengthBytes;
    if (message() == "incorrect length check") return 0;
    return std::nullopt;
  }

 private:
  static constexpr size_t kGzipLengthBytes = 4;

  z_stream stream_ = {};
  bool usable_ = false;
};

// A window is at most 16 MiB; "large window" Brotli, which no browser takes, is
// corrupt.
class BrotliDecoder final : public Decoder {
 public:
  ~BrotliDecoder() override { Destroy(); }
  BrotliDecoder() = default;
  BrotliDecoder(const BrotliDecoder&) = delete;
  BrotliDecoder& operator=(const BrotliDecoder&) = delete;

  void Reset() override {
    Destroy();
    state_ = Create();
  }

  Step Decode(std::string_view input, char* output, size_t size) override {
    if (state_ == nullptr) return {.state = State::kNoMemory};
    size_t avail_in = input.size();
    size_t avail_out = size;
    auto next_in = reinterpret_cast<const uint8_t*>(input.data());
    auto next_out = reinterpret_cast<uint8_t*>(output);
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state_, &avail_in, &next_in, &avail_out, &next_out, nullptr);
    Step step = {input.size() - avail_in, size - avail_out, State::kMore};
    if (result == BROTLI_DECODER_RESULT_SUCCESS) step.state = State::kFrameEnd;
    if (result == BROTLI_DECODER_RESULT_ERROR) {
      step.state = IsLackOfMemory() ? State::kNoMemory : State::kCorrupt;
    }
    return step;
  }

  std::string_view message() const override {
    return BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state_));
  }

  // Brotli has no checksum.
  std::optional<size_t> BytesToFrameEnd() const override {
    return std::nullopt;
  }

 private:
  static BrotliDecoderState* Create() {
    return BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  }
  void Destroy() {
    if (state_ != nullptr) BrotliDecoderDestroyInstance(state_);
  }
  bool IsLackOfMemory() const {
    const BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(state_);
    return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
           code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
  }

  BrotliDecoderState* state_ = Create();
};

// libzstd reports an error without saying how much it had decoded in the same
// call. The decoder therefore offers it one block at a time and empties its
// output buffer before it offers the next: an error then never hides good
// bytes. ZSTD_decompressStream returns how much input it wants, which is a
// block and the three bytes of the next one's header; those are left for the
// call after.
class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(std::shared_ptr<const ZstdDictionary> dictionary)
      : dictionary_(std::move(dictionary)), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) return;
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kWindowLogMax);
    if (dictionary_ != nullptr) {
      ZSTD_DCtx_refDDict(context_, dictionary_->get());
    }
  }
  ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  void Reset() override {
    if (context_ == nullptr) return;
    ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
    wanted_ = kFirstInput;
    output_pending_ = false;
    message_ = {};
  }

  Step Decode(std::string_view input, char* output, size_t size) override {
    if (context_ == nullptr) return {.state = State::kNoMemory};
    if (!message_.empty()) return {.state = State::kCorrupt};
    if (output_pending_) {
      const Step step = Call({}, output, size);
      if (step.produced > 0 || step.state != State::kMore) return step;
    }
    return Call(input.substr(0, wanted_), output, size);
  }

  std::string_view message() const override { return message_; }

  // ZstdFrameBytes() knows the end, whatever is damaged inside.
  std::optional<size_t> BytesToFrameEnd() const override {
    return std::nullopt;
  }

 private:
  static constexpr int kWindowLogMax = 27;
  // The least libzstd needs to know the size of a frame header.
  static constexpr size_t kFirstInput = 5;
  static constexpr size_t kBlockHeader = 3;

  Step Call(std::string_view input, char* output, size_t size) {
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer out = {output, size, 0};
    const size_t result = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_isError(result)) {
      message_ = ZSTD_getErrorName(result);
      return {.state = State::kCorrupt};
    }
    output_pending_ = out.pos == size;
    wanted_ = result > kBlockHeader ? result - kBlockHeader
                                    : std::max<size_t>(result, 1);
    return {in.pos, out.pos, result == 0 ? State::kFrameEnd : State::kMore};
  }

  const std::shared_ptr<const ZstdDictionary> dictionary_;
  ZSTD_DCtx* const context_;
  size_t wanted_ = kFirstInput;
  bool output_pending_ = false;
  std::string_view message_;  // libzstd's constant
};

}  // namespace

std::unique_ptr<Decoder> NewDeflateDecoder(DeflateWrapper wrapper) {
  return std::make_unique<DeflateDecoder>(wrapper);
}

std::unique_ptr<Decoder> NewBrotliDecoder() {
  return std::make_unique<BrotliDecoder>();
}

absl::StatusOr<std::shared_ptr<const ZstdDictionary>> LoadZstdDictionary(
    std::string_view bytes) {
  auto dictionary = std::make_shared<ZstdDictionary>(bytes);
  if (dictionary->get() == nullptr) {
    return absl::DataLossError("the bytes are not a Zstandard dictionary");
  }
  return dictionary;
}

std::optional<size_t> ZstdFrameBytes(std::string_view bytes) {
  const size_t size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  if (ZSTD_isError(size)) return std::nullopt;
  return size;
}

std::optional<size_t> ZstdMaxFrameBytes(std::string_view bytes) {
  const unsigned long long content =
      ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (content == ZSTD_CONTENTSIZE_UNKNOWN ||
      content == ZSTD_CONTENTSIZE_ERROR) {
    return std::nullopt;
  }
  const size_t size = ZSTD_compressBound(static_cast<size_t>(content));
  if (ZSTD_isError(size)) return std::nullopt;
  return size;
}

std::unique_ptr<Decoder> NewZstdDecoder(
    std::shared_ptr<const ZstdDictionary> dictionary) {
  return std::make_unique<ZstdDecoder>(std::move(dictionary));
}

}  // namespace trommel::compress
