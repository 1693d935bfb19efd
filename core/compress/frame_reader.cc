#include "core/compress/frame_reader.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/compress/decode_body.h"
#include "core/compress/decoder_internal.h"

// Finding the next frame after a damaged one.
//
// A decoder notices damage late. A flipped bit in a deflate stream desynchro-
// nizes the Huffman codes, and inflate goes on until it meets an impossible
// code, often some kilobytes into the members that follow; only then, or at the
// checksum, does it fail. A search that started where the decoder stopped would
// lose every member it ran through. So the input buffer keeps the bytes already
// decoded, back to the start of the current frame but at most kKeptBytes, and
// the search starts just behind the first byte of the damaged frame. What the
// decoder overruns is bounded by kKeptBytes only in practice: a run of stored
// blocks, 64 KiB each, could exceed it, and costs the members inside.
//
// A magic number proves little: 1F 8B 08 occurs once in 16 MiB of random bytes,
// and far more often where pages stored with Content-Encoding: gzip sit in
// stored blocks. Each candidate is therefore decoded for a few bytes, which
// must be what the file contains (begins_content_).
//
// The search is quadratic at worst, when each of many candidates passes and
// fails late. Its work is counted and limited to a multiple of the bytes read.
namespace trommel::compress {
namespace {

constexpr size_t kKeptBytes = 256 << 10;
constexpr size_t kBufferBytes = 512 << 10;
// Room below which decoded bytes are dropped from the buffer before a read.
// Keeping kKeptBytes and a candidate's bytes leaves more than this.
constexpr size_t kMinRoom = 64 << 10;
// Compressed bytes that must suffice to decode the first bytes of a frame: a
// gzip header with a file name and a dynamic Huffman table; for Zstandard, a
// frame header and a block, of which it decodes nothing before it has it all.
constexpr size_t kGzipTrialBytes = 1 << 10;
constexpr size_t kZstdTrialBytes = (128 << 10) + 64;
constexpr size_t kPrefixBytes = 16;
constexpr size_t kMaxDictionaryBytes = 8 << 20;
constexpr uint32_t kDictionaryFrameMagic = 0x184D2A5D;
constexpr uint64_t kFreeRecoveryWork = 64 << 20;
constexpr uint64_t kRecoveryWorkPerByte = 8;

std::string_view Magic(FrameReader::Format format) {
  return format == FrameReader::Format::kGzip ? kGzipMagic : kZstdMagic;
}

bool IsPrefix(std::string_view part, std::string_view whole) {
  return part == whole.substr(0, part.size());
}

}  // namespace

FrameReader::FrameReader(std::unique_ptr<ByteSource> input,
                         PrefixPredicate begins_content)
    : input_(std::move(input)),
      begins_content_(begins_content),
      buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {}

FrameReader::~FrameReader() = default;

absl::StatusOr<bool> FrameReader::Refill() {
  if (input_ended_) return false;
  if (kBufferBytes - end_ < kMinRoom) {
    size_t keep = position_ - std::min(position_, kKeptBytes);
    if (frame_offset_ > buffer_offset_) {
      const uint64_t frame_start = frame_offset_ - buffer_offset_;
      if (frame_start <= position_) {
        keep = std::max(keep, static_cast<size_t>(frame_start));
      }
    }
    std::memmove(buffer_.get(), buffer_.get() + keep, end_ - keep);
    buffer_offset_ += keep;
    position_ -= keep;
    end_ -= keep;
  }
  // Filled to the brim, so that the decoder sees the same pieces however few
  // bytes the input hands out at a time: damage is then found at the same
  // place. An error waits until what came before it has been used.
  TROMMEL_RETURN_IF_ERROR(input_status_);
  const size_t end_before = end_;
  while (!input_ended_ && end_ < kBufferBytes) {
    const absl::StatusOr<size_t> count =
        input_->Read(buffer_.get() + end_, kBufferBytes - end_);
    if (!count.ok()) {
      input_status_ = count.status();
      if (end_ == end_before) return input_status_;
      break;
    }
    input_ended_ = *count == 0;
    end_ += *count;
  }
  return end_ > end_before;
}

// Buffers `size` bytes, or all that are left.
absl::Status FrameReader::Ensure(size_t size) {
  while (end_ - position_ < size) {
    TROMMEL_ASSIGN_OR_RETURN(const bool more, Refill());
    if (!more) break;
  }
  return absl::OkStatus();
}

absl::Status FrameReader::Damaged(Damage damage, std::string_view what) {
  damage_ = damage;
  return absl::DataLossError(StrCat(what, " at offset ", Offset(),
                                    " in the frame at offset ", frame_offset_));
}

bool FrameReader::OverBudget() const {
  return recovery_work_ >
         kFreeRecoveryWork + kRecoveryWorkPerByte * (buffer_offset_ + end_);
}

absl::Status FrameReader::Sniff() {
  sniffed_ = true;
  TROMMEL_RETURN_IF_ERROR(Ensure(kPrefixBytes));
  const std::string_view start = Buffered();
  if (start.starts_with(kGzipMagic.substr(0, 2))) {
    format_ = Format::kGzip;
  } else if (start.starts_with(kZstdMagic) ||
             (start.size() >= 4 &&
              IsZstdSkippableMagic(LittleEndian32(start)))) {
    format_ = Format::kZstd;
  } else if (begins_content_ != nullptr && !begins_content_(start)) {
    TROMMEL_RETURN_IF_ERROR(SniffDamaged());
  }
  if (format_ == Format::kGzip) {
    decoder_ = NewDeflateDecoder(DeflateWrapper::kGzip);
  } else if (format_ == Format::kZstd) {
    decoder_ = NewZstdDecoder(nullptr);
  }
  return absl::OkStatus();
}

// The file begins with neither content nor a magic number. If a frame begins
// within the first bytes, its format is that of the file, whose first frame is
// damaged.
absl::Status FrameReader::SniffDamaged() {
  TROMMEL_RETURN_IF_ERROR(Ensure(kKeptBytes));
  const size_t limit = std::min(end_, kKeptBytes);
  for (position_ = 1; position_ < limit; ++position_) {
    for (const Format format : {Format::kGzip, Format::kZstd}) {
      if (Buffered().starts_with(Magic(format)) &&
          TryFrame(format, begins_content_)) {
        format_ = format;
        position_ = 0;
        return absl::OkStatus();
      }
    }
  }
  position_ = 0;
  return absl::OkStatus();
}

// Whether a frame at position_ can be decoded far enough to see how it begins,
// and `accept`, if not null, takes that.
bool FrameReader::TryFrame(Format format, PrefixPredicate accept) {
  const bool gzip = format == Format::kGzip;
  const auto decoder = gzip ? NewDeflateDecoder(DeflateWrapper::kGzip)
                            : NewZstdDecoder(dictionary_);
  std::string_view rest =
      Buffered().substr(0, gzip ? kGzipTrialBytes : kZstdTrialBytes);
  char prefix[kPrefixBytes];
  size_t size = 0;
  while (size < kPrefixBytes) {
    const Decoder::Step step =
        decoder->Decode(rest, prefix + size, kPrefixBytes - size);
    rest.remove_prefix(step.consumed);
    recovery_work_ += step.consumed + 1;
    size += step.produced;
    if (step.state != Decoder::State::kMore) break;
    if (step.consumed == 0 && step.produced == 0) break;
  }
  if (size == 0) return false;
  return accept == nullptr || accept(std::string_view(prefix, size));
}

absl::StatusOr<bool> FrameReader::SkipToNextFrame() {
  damage_ = Damage::kNone;
  in_frame_ = false;
  if (format_ == Format::kPlain) return false;
  const uint64_t restart = std::max(frame_offset_ + 1, buffer_offset_);
  if (restart < Offset()) {
    recovery_work_ += Offset() - restart;
    position_ = static_cast<size_t>(restart - buffer_offset_);
  } else {
    // The damage is at the first byte of a frame, the next one to read.
    TROMMEL_RETURN_IF_ERROR(Ensure(1));
    if (position_ < end_) ++position_;
  }
  const bool gzip = format_ == Format::kGzip;
  const std::string_view magic = Magic(format_);
  while (!OverBudget()) {
    const std::string_view buffered = Buffered();
    const size_t start = buffered.find(magic[0]);
    position_ += std::min(start, buffered.size());
    frame_offset_ = Offset();
    frame_bytes_ = 0;
    if (start == std::string_view::npos) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, Refill());
      if (!more) return false;
      continue;
    }
    TROMMEL_RETURN_IF_ERROR(Ensure(magic.size()));
    if (Buffered().starts_with(magic)) {
      TROMMEL_RETURN_IF_ERROR(Ensure(gzip ? kGzipTrialBytes : kZstdTrialBytes));
      if (TryFrame(format_, gzip ? begins_content_ : nullptr)) return true;
    }
    ++position_;
  }
  abandoned_ = true;
  return false;
}

absl::StatusOr<size_t> FrameReader::ReadPlain(char* buffer, size_t size) {
  size_t count = std::min(size, end_ - position_);
  if (count > 0) {
    std::memcpy(buffer, buffer_.get() + position_, count);
    position_ += count;
  } else if (!input_ended_) {
    TROMMEL_RETURN_IF_ERROR(input_status_);
    TROMMEL_ASSIGN_OR_RETURN(count, input_->Read(buffer, size));
    if (count == 0) input_ended_ = true;
  }
  frame_bytes_ += count;
  return count;
}

absl::StatusOr<size_t> FrameReader::Read(char* buffer, size_t size) {
  if (!sniffed_) TROMMEL_RETURN_IF_ERROR(Sniff());
  if (format_ == Format::kPlain) return ReadPlain(buffer, size);
  if (abandoned_) return 0;
  while (true) {
    if (!in_frame_) {
      TROMMEL_ASSIGN_OR_RETURN(const bool opened, OpenFrame());
      if (!opened) return 0;
    }
    const Decoder::Step step = decoder_->Decode(Buffered(), buffer, size);
    position_ += step.consumed;
    frame_bytes_ += step.produced;
    if (step.state == Decoder::State::kFrameEnd) in_frame_ = false;
    if (step.produced > 0) return step.produced;
    switch (step.state) {
      case Decoder::State::kFrameEnd:
        break;
      case Decoder::State::kCorrupt:
        return Damaged(Damage::kCorrupt, decoder_->message());
      case Decoder::State::kNoMemory:
        return absl::ResourceExhaustedError("no memory for a decoder");
      case Decoder::State::kMore: {
        if (step.consumed > 0) break;
        TROMMEL_ASSIGN_OR_RETURN(const bool more, Refill());
        if (!more) return Damaged(Damage::kTruncated, "the file ends");
        break;
      }
    }
  }
}

// Moves to the first byte of the next frame. False at the end of the file.
absl::StatusOr<bool> FrameReader::OpenFrame() {
  while (true) {
    TROMMEL_RETURN_IF_ERROR(Ensure(1));
    if (position_ == end_) return false;
    if (buffer_[position_] == '\0') {
      ++position_;
      continue;
    }
    frame_offset_ = Offset();
    frame_bytes_ = 0;
    const std::string_view magic = Magic(format_);
    TROMMEL_RETURN_IF_ERROR(Ensure(magic.size()));
    const std::string_view start = Buffered().substr(0, magic.size());
    if (start == magic) break;
    if (start.size() < magic.size()) {
      return IsPrefix(start, magic)
                 ? Damaged(Damage::kTruncated, "the file ends")
                 : Damaged(Damage::kCorrupt, "no frame begins");
    }
    if (format_ != Format::kZstd ||
        !IsZstdSkippableMagic(LittleEndian32(start))) {
      return Damaged(Damage::kCorrupt, "no frame begins");
    }
    TROMMEL_RETURN_IF_ERROR(SkipSkippableFrame());
  }
  decoder_->Reset();
  in_frame_ = true;
  return true;
}

absl::Status FrameReader::SkipSkippableFrame() {
  TROMMEL_RETURN_IF_ERROR(Ensure(8));
  if (end_ - position_ < 8) {
    position_ = end_;
    return Damaged(Damage::kTruncated, "the file ends");
  }
  const uint32_t magic = LittleEndian32(Buffered());
  uint64_t left = LittleEndian32(Buffered().substr(4));
  const bool may_be_dictionary = Offset() == 0 &&
                                 magic == kDictionaryFrameMagic &&
                                 left <= kMaxDictionaryBytes;
  std::string user_data;
  position_ += 8;
  while (left > 0) {
    TROMMEL_RETURN_IF_ERROR(Ensure(1));
    if (position_ == end_) return Damaged(Damage::kTruncated, "the file ends");
    const auto count =
        static_cast<size_t>(std::min<uint64_t>(left, end_ - position_));
    if (may_be_dictionary) user_data.append(Buffered().substr(0, count));
    position_ += count;
    left -= count;
  }
  return may_be_dictionary ? LoadDictionary(user_data) : absl::OkStatus();
}

// A frame with this magic number and something else inside is another
// program's, and ignored like any skippable frame.
absl::Status FrameReader::LoadDictionary(std::string_view user_data) {
  std::string decoded;
  if (user_data.starts_with(kZstdMagic)) {
    auto result = DecodeBody(user_data, "zstd", kMaxDictionaryBytes);
    if (!result.ok()) {
      return Damaged(Damage::kCorrupt,
                     StrCat("dictionary: ", ToStd(result.status().message())));
    }
    decoded = *std::move(result);
    user_data = decoded;
  }
  if (!user_data.starts_with(kZstdDictionaryMagic)) {
    return absl::OkStatus();
  }
  auto dictionary = LoadZstdDictionary(user_data);
  if (!dictionary.ok()) {
    return Damaged(Damage::kCorrupt, ToStd(dictionary.status().message()));
  }
  dictionary_ = *std::move(dictionary);
  decoder_ = NewZstdDecoder(dictionary_);
  return absl::OkStatus();
}

}  // namespace trommel::compress
