#include "core/compress/frame_reader.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/compress/decode_body.h"
#include "core/compress/decoder_internal.h"

// Finding the next frame after a damaged one.
//
// Where to search. If the lengths in the damaged frame tell where it ends, and
// a frame begins there or the file ends, reading goes on there and nothing is
// searched. A gzip member tells when only its checksum is wrong; a Zstandard
// frame unless the length of one of its blocks is. Otherwise the search is for
// a magic number. A decoder notices damage late: a flipped bit in a deflate
// stream desynchronizes the Huffman codes, and inflate goes on until it meets
// an impossible code, often some kilobytes into the members that follow. A
// search that started where the decoder stopped would lose every member it ran
// through. So the input buffer keeps the bytes already decoded, back to the
// start of the current frame but at most kKeptBytes, and the search starts just
// behind the first byte of the damaged frame. What the decoder overruns is
// bounded by kKeptBytes only in practice: a run of stored blocks, 64 KiB each,
// could exceed it, and costs the members inside.
//
// What is a frame. A magic number proves little: 1F 8B 08 occurs once in 16 MiB
// of random bytes, and far more often where pages stored with Content-Encoding:
// gzip sit in stored blocks. Each candidate is therefore decoded for a few
// bytes, which must be what the file contains (begins_content_).
//
// Whose frame it is. A page can be an archive itself, and a hostile one can
// hold frames made to be taken for the file's. A compressor stores what it
// cannot shrink, so these frames appear byte for byte inside the damaged one.
// They can be told apart because stored bytes come in blocks: at most 65,535
// bytes in deflate, 128 KiB in Zstandard, and the bytes of the next block's
// header interrupt them. A candidate that lies where a stored block may be is a
// suspect, and must prove to be the file's own by what follows: frames, each
// whole and directly behind the other, that lead out of that block or to the
// end of the file. Frames within a block end with it.
//
//   - In deflate, a stored block begins with its length and the complement of
//     that, RFC 1951, section 3.2.4; both are searched for in all bytes from
//     the start of the damaged member. Chance makes one such header in 256 KiB.
//     If the damage is to such a header at the start of a member, the 64 KiB
//     behind it are suspect.
//   - In Zstandard, a block's header is three bytes without redundancy. The
//     damaged frame makes suspect all that it can extend to: the length of its
//     content, if the frame gives it, otherwise 128 KiB. So does any other
//     frame that is not proven. This is rarely needed, since the lengths mostly
//     tell where the damaged frame ends.
//
// Lost or inserted bytes displace a block against its header, which is allowed
// for up to kMaxDisplacement. Suspects without a proof are reported as damaged,
// one by one; they may have been good, when there is more damage close behind.
// What remains: where the damage has removed the header of a stored block
// itself, or cut the file exactly behind a frame in a page, the frames in that
// block pass for the file's own. No page can bring that about.
//
// What it costs. The search for magic numbers and block headers is linear, and
// so are the trials, of a few bytes each. But a frame can fail late, and
// another begin behind its first byte; decoding each is quadratic in a file
// made for that purpose. The bytes decoded for nothing are counted. Beyond
// kFreeWork and kWorkPerByte for each byte of the file so far, the search no
// longer goes back behind what the decoder has seen, and suspects are refused
// without a try: then frames are lost, and counted as lost, but never the rest
// of the file.
namespace trommel::compress {
namespace {

constexpr size_t kKeptBytes = 256 << 10;
constexpr size_t kBufferBytes = 1 << 20;
// So much can be looked at ahead of any position.
constexpr size_t kAheadBytes = kBufferBytes - kKeptBytes;
// Room below which decoded bytes are dropped from the buffer before a read.
constexpr size_t kMinRoom = 64 << 10;
// Compressed bytes that must suffice to decode the first bytes of a frame: a
// gzip header with a file name and a dynamic Huffman table; for Zstandard, a
// frame header and a block, of which it decodes nothing before it has it all.
constexpr size_t kGzipTrialBytes = 1 << 10;
constexpr size_t kZstdTrialBytes = (128 << 10) + 64;
constexpr size_t kPrefixBytes = 16;
constexpr size_t kMaxDictionaryBytes = 8 << 20;
constexpr uint32_t kDictionaryFrameMagic = 0x184D2A5D;
constexpr uint64_t kFreeWork = 1 << 30;
constexpr uint64_t kWorkPerByte = 64;
// A gzip header without a name, the shortest gzip member, and the longest
// blocks of deflate and Zstandard that hold bytes as they are.
constexpr size_t kGzipHeaderBytes = 10;
constexpr uint64_t kMinGzipBytes = 18;
constexpr uint64_t kMaxStoredBlockBytes = 65535;
constexpr uint64_t kMaxZstdBlockBytes = 128 << 10;
constexpr uint64_t kMaxDisplacement = 4 << 10;
// Bytes of a frame that count as whole when they can be decoded without an
// error, since longer frames do not fit the buffer.
constexpr size_t kFollowedBytes = 256 << 10;
static_assert(kMaxZstdBlockBytes + kMaxDisplacement + kFollowedBytes <=
              kAheadBytes);
static_assert(kZstdTrialBytes <= kAheadBytes);

std::string_view Magic(FrameReader::Format format) {
  return format == FrameReader::Format::kGzip ? kGzipMagic : kZstdMagic;
}

bool IsPrefix(std::string_view part, std::string_view whole) {
  return part == whole.substr(0, part.size());
}

// How many bytes are those of the magic number.
size_t NumMatches(std::string_view start, std::string_view magic) {
  size_t count = 0;
  for (size_t i = 0; i < std::min(start.size(), magic.size()); ++i) {
    if (start[i] == magic[i]) ++count;
  }
  return count;
}

// Whether the first bytes are text, up to a few that are damaged.
bool IsMostlyText(std::string_view start) {
  const auto num_binary =
      std::count_if(start.begin(), start.end(), [](unsigned char c) {
        return c >= 0x7F || (c < ' ' && c != '\r' && c != '\n' && c != '\t');
      });
  return num_binary <= 3;
}

bool HasContentLine(std::string_view text,
                    FrameReader::PrefixPredicate begins_content) {
  while (!text.empty()) {
    if (begins_content(text.substr(0, kPrefixBytes))) return true;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return false;
}

// ZstdFrameBytes() of a frame whose magic number may be what is damaged. The
// bytes are as before when it returns: they may be no frame, and the next one
// begins among them.
std::optional<size_t> ZstdFrameBytesWhateverItsMagic(char* frame, size_t size) {
  const std::string_view bytes(frame, size);
  if (IsZstdSkippableMagic(LittleEndian32(bytes))) return ZstdFrameBytes(bytes);
  const std::string magic(bytes.substr(0, kZstdMagic.size()));
  kZstdMagic.copy(frame, kZstdMagic.size());
  const std::optional<size_t> frame_size = ZstdFrameBytes(bytes);
  magic.copy(frame, magic.size());
  return frame_size;
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
  return recovery_work_ > kFreeWork + kWorkPerByte * (buffer_offset_ + end_);
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

// The file begins with neither content nor a magic number. If it is text, and
// one of its first lines begins content, the frames in it are pages.
// If a frame begins within the first bytes, its format is that of the file,
// whose first frame is damaged.
absl::Status FrameReader::SniffDamaged() {
  TROMMEL_RETURN_IF_ERROR(Ensure(kKeptBytes));
  if (IsMostlyText(Buffered().substr(0, kPrefixBytes)) &&
      HasContentLine(Buffered(), begins_content_)) {
    return absl::OkStatus();
  }
  const size_t limit = std::min(end_, kKeptBytes);
  // The damaged magic number tells which of two formats the file is, and which
  // one its pages are.
  const bool more_like_zstd =
      NumMatches(Buffered(), kZstdMagic) > NumMatches(Buffered(), kGzipMagic);
  Format formats[] = {Format::kGzip, Format::kZstd};
  if (more_like_zstd) std::swap(formats[0], formats[1]);
  for (const Format format : formats) {
    for (position_ = 1; position_ < limit; ++position_) {
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
    size += step.produced;
    if (step.state != Decoder::State::kMore) break;
    if (step.consumed == 0 && step.produced == 0) break;
  }
  if (size == 0) return false;
  return accept == nullptr || accept(std::string_view(prefix, size));
}

absl::StatusOr<bool> FrameReader::SkipToNextFrame() {
  const uint64_t noticed = Offset();
  TROMMEL_ASSIGN_OR_RETURN(const bool found, FindNextFrame());
  if (Offset() > noticed) bytes_skipped_ += Offset() - noticed;
  damage_ = Damage::kNone;
  in_frame_ = false;
  frame_offset_ = Offset();
  frame_bytes_ = 0;
  return found;
}

absl::StatusOr<bool> FrameReader::FindNextFrame() {
  const bool was_refused = std::exchange(refused_, false);
  if (format_ == Format::kPlain) return false;
  if (!was_refused) {
    TROMMEL_ASSIGN_OR_RETURN(const bool at_end, GoToFrameEnd());
    if (at_end) return true;
    SuspectDamagedFrame();
  }
  // Blocks are displaced against their headers where the damage is, not behind.
  const uint64_t displacement = was_refused ? 0 : kMaxDisplacement;
  const bool gzip = format_ == Format::kGzip;
  examined_until_ = frame_offset_;
  TROMMEL_RETURN_IF_ERROR(Rewind());
  while (true) {
    TROMMEL_ASSIGN_OR_RETURN(const bool found, FindMagic());
    if (!found) return false;
    TROMMEL_RETURN_IF_ERROR(Ensure(gzip ? kGzipTrialBytes : kZstdTrialBytes));
    if (TryFrame(format_, gzip ? begins_content_ : nullptr)) {
      if (gzip) SuspectStoredBlocks(displacement);
      TROMMEL_ASSIGN_OR_RETURN(const bool proven, IsProven());
      if (proven) return true;
      refused_ = TryFrame(format_, begins_content_);
    }
    // It may be a frame of the file for all that, good or damaged, and hold
    // others.
    if (!gzip) {
      SuspectZstdFrame(Buffered(),
                       Offset() + (refused_ ? 0 : kMaxDisplacement));
    }
    if (refused_) return true;
    ++position_;
  }
}

// The bytes from the start of the damaged frame on; none if they have left the
// buffer.
std::string_view FrameReader::DamagedFrame() const {
  if (frame_offset_ < buffer_offset_) return {};
  const auto start = static_cast<size_t>(frame_offset_ - buffer_offset_);
  return {buffer_.get() + start, end_ - start};
}

// Moves behind the damaged frame if its lengths tell where that is.
absl::StatusOr<bool> FrameReader::GoToFrameEnd() {
  uint64_t frame_end = Offset();
  if (format_ == Format::kGzip) {
    if (!in_frame_) return false;
    const std::optional<size_t> left = decoder_->BytesToFrameEnd();
    if (!left.has_value()) return false;
    frame_end += *left;
  } else {
    TROMMEL_RETURN_IF_ERROR(Ensure(kAheadBytes));
    const std::string_view frame = DamagedFrame();
    if (frame.size() < kZstdMagic.size()) return false;
    const std::optional<size_t> size = ZstdFrameBytesWhateverItsMagic(
        buffer_.get() + (frame_offset_ - buffer_offset_), frame.size());
    if (!size.has_value()) return false;
    frame_end = frame_offset_ + *size;
  }
  const std::string_view magic = Magic(format_);
  if (frame_end + magic.size() > Offset()) {
    TROMMEL_RETURN_IF_ERROR(
        Ensure(static_cast<size_t>(frame_end + magic.size() - Offset())));
  }
  const auto at = static_cast<size_t>(frame_end - buffer_offset_);
  if (at > end_) return false;
  const std::string_view next(buffer_.get() + at,
                              std::min(end_ - at, magic.size()));
  if (!IsPrefix(next, magic)) return false;
  position_ = at;
  return true;
}

// Moves to where the search begins.
absl::Status FrameReader::Rewind() {
  if (Offset() == frame_offset_) {
    // The damage is at the first byte of a frame, the next one to read.
    TROMMEL_RETURN_IF_ERROR(Ensure(1));
    if (position_ < end_) ++position_;
  } else if (!OverBudget()) {
    const uint64_t restart = std::max(frame_offset_ + 1, buffer_offset_);
    recovery_work_ += Offset() - restart + frame_bytes_;
    position_ = static_cast<size_t>(restart - buffer_offset_);
  }
  return absl::OkStatus();
}

// Moves to the next magic number. False, at the end of the file, if there is
// none.
absl::StatusOr<bool> FrameReader::FindMagic() {
  const std::string_view magic = Magic(format_);
  while (true) {
    TROMMEL_RETURN_IF_ERROR(Ensure(magic.size()));
    const std::string_view buffered = Buffered();
    const size_t at = buffered.find(magic);
    if (at != std::string_view::npos) {
      position_ += at;
      return true;
    }
    if (buffered.size() < magic.size()) {
      position_ = end_;
      return false;
    }
    position_ = end_ - (magic.size() - 1);
  }
}

// Whether the frame at position_ is the file's own and not content of a damaged
// one, as far as that can be known.
absl::StatusOr<bool> FrameReader::IsProven() {
  if (Offset() >= suspect_until_) return true;
  if (Offset() < refused_until_) return false;
  return FollowFrames();
}

// Suspects what follows because of the frame that is damaged.
void FrameReader::SuspectDamagedFrame() {
  const std::string_view frame = DamagedFrame();
  if (format_ == Format::kZstd) {
    SuspectZstdFrame(frame, frame_offset_ + kMaxDisplacement);
    return;
  }
  // The damage may be to the length of the first block, a stored one.
  if (!in_frame_ || frame_bytes_ > 0) return;
  if (frame.size() <= kGzipHeaderBytes) return;
  if ((frame[kGzipHeaderBytes] & 6) != 0) return;
  suspect_until_ = std::max(suspect_until_,
                            Offset() + kMaxStoredBlockBytes + kMaxDisplacement);
}

// Suspects all that `frame`, which begins at `offset`, can extend to.
void FrameReader::SuspectZstdFrame(std::string_view frame, uint64_t offset) {
  const std::optional<size_t> size = ZstdMaxFrameBytes(frame);
  const uint64_t end = size.has_value()
                           ? offset + *size
                           : std::max(offset, Offset()) + kMaxZstdBlockBytes;
  suspect_until_ = std::max(suspect_until_, end);
}

// Looks for headers of stored blocks in the bytes before position_ that were
// not examined before: two bytes of length and their complement. The byte
// before ends with the block's type and padding, of which at least two bits
// are zero in any alignment. Bytes that have left the buffer are farther away
// than the longest block. Blocks may end as far behind as `displacement` says.
void FrameReader::SuspectStoredBlocks(uint64_t displacement) {
  const uint64_t from = std::max(examined_until_, buffer_offset_) + 1;
  for (uint64_t offset = from; offset + 4 <= Offset(); ++offset) {
    const char* const header = buffer_.get() + (offset - buffer_offset_);
    const uint32_t length = LittleEndian16(header);
    if ((length ^ LittleEndian16(header + 2)) != 0xFFFF) continue;
    if (length < kMinGzipBytes || (header[-1] & 0xC0) != 0) continue;
    suspect_until_ =
        std::max(suspect_until_, offset + 4 + length + displacement);
  }
  examined_until_ = Offset();
}

// Whether whole frames follow one another from position_ to suspect_until_, or
// for longer than any block, or to the end of the file. If not, none of them is
// proven.
absl::StatusOr<bool> FrameReader::FollowFrames() {
  const uint64_t until = std::min(
      suspect_until_, Offset() + kMaxZstdBlockBytes + kMaxDisplacement);
  TROMMEL_RETURN_IF_ERROR(
      Ensure(static_cast<size_t>(until - Offset()) + kFollowedBytes));
  const auto decoder = format_ == Format::kGzip
                           ? NewDeflateDecoder(DeflateWrapper::kGzip)
                           : NewZstdDecoder(dictionary_);
  std::string_view rest = Buffered();
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of('\0'), rest.size()));
    const uint64_t offset = buffer_offset_ + (end_ - rest.size());
    if (rest.empty() || offset >= until) return true;
    const std::optional<size_t> size = GoodFrameBytes(decoder.get(), rest);
    if (!size.has_value()) {
      refused_until_ = offset;
      return false;
    }
    rest.remove_prefix(*size);
  }
}

// The length of the frame at the start of `rest`, the end of the buffer, if it
// can be decoded and its checksum agrees; all of `rest` if more would be needed
// to know.
std::optional<size_t> FrameReader::GoodFrameBytes(Decoder* decoder,
                                                  std::string_view rest) {
  char decoded[16 << 10];
  size_t consumed = 0;
  decoder->Reset();
  while (!OverBudget()) {
    const Decoder::Step step =
        decoder->Decode(rest.substr(consumed), decoded, sizeof(decoded));
    consumed += step.consumed;
    recovery_work_ += step.consumed + step.produced;
    if (step.state == Decoder::State::kFrameEnd) return consumed;
    if (step.state != Decoder::State::kMore) return std::nullopt;
    if (step.consumed == 0 && step.produced == 0) {
      if (input_ended_) return std::nullopt;
      return rest.size();
    }
  }
  return std::nullopt;
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
  if (refused_) {
    return Damaged(Damage::kCorrupt,
                   "a frame that may be content of the damaged one before it");
  }
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
