#ifndef TROMMEL_CORE_COMPRESS_FRAME_READER_H_
#define TROMMEL_CORE_COMPRESS_FRAME_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/byte_source.h"

namespace trommel::compress {

class Decoder;
class ZstdDictionary;

// Decodes a file that may be compressed, and shows where its frames begin. A
// frame is a gzip member or a Zstandard frame; a file that is neither is one
// frame of plain bytes. The format is found from the first bytes.
//
// Zstandard's skippable frames are skipped, except that one at the very start
// of the file with magic number 0x184D2A5D and a dictionary inside, itself
// compressed or not, serves the frames that follow ("Zstandard Compression for
// WARC Files 1.0", IIPC). Zero bytes between frames and after the last are
// ignored.
//
// For readers that can do something about damage; others use
// DecompressingSource (core/compress/decompress.h). After a damaged frame the
// reader can look for the next good one:
//
//   while (true) {
//     absl::StatusOr<size_t> size = reader.Read(buffer, sizeof(buffer));
//     if (size.ok() && *size == 0) break;
//     if (size.ok()) { ...; continue; }
//     if (reader.damage() == FrameReader::Damage::kNone) return size.status();
//     TROMMEL_ASSIGN_OR_RETURN(bool found, reader.SkipToNextFrame());
//     if (!found) break;
//   }
//
// Memory is bounded: 1 MiB of input and the decoder's window, for Zstandard
// at most 128 MiB and a dictionary of at most 8 MiB. Not safe for use by
// several threads.
class FrameReader {
 public:
  enum class Format { kPlain, kGzip, kZstd };
  enum class Damage { kNone, kTruncated, kCorrupt };

  // Whether `prefix`, at least 16 decoded bytes unless the data is shorter, can
  // begin what the file contains.
  using PrefixPredicate = bool (*)(std::string_view prefix);

  // With `begins_content`, the search for a gzip member after damage takes only
  // one that satisfies it (its magic number is three bytes, too few to go by),
  // and a file whose own magic number is damaged is recognized by the first
  // later frame that does. Without it, any frame that can be decoded is taken.
  explicit FrameReader(std::unique_ptr<ByteSource> input,
                       PrefixPredicate begins_content = nullptr);
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  // Reads up to `size` (not 0) decoded bytes, all of one frame, and returns how
  // many; 0 is the end of the file. Bytes ahead of damage are returned before
  // the damage is, and a frame's checksum is verified at the latest by the call
  // after the one that returned its last bytes.
  //
  // Errors: DataLoss with the offset in the file when a frame is damaged, and
  // damage() tells how; then call SkipToNextFrame() or stop. Any other error,
  // and any with damage() == kNone, is the input's or the lack of memory, and
  // the reader must not be used again.
  absl::StatusOr<size_t> Read(char* buffer, size_t size);

  // After damage: searches for the next frame, from the end of the damaged one
  // if its lengths tell where that is, otherwise from just behind its start, as
  // far as that is still in memory. True if there is one; Read() goes on with
  // it. False at the end of the file. The search never gives up earlier, but it
  // may find a frame that could as well be content of the damaged one (a page
  // can hold compressed archives), and which nothing proves to be the file's:
  // Read() reports that one as damaged. Errors are the input's.
  absl::StatusOr<bool> SkipToNextFrame();

  // Known after the first Read().
  Format format() const { return format_; }
  Damage damage() const { return damage_; }

  // Offset in the file of the frame that Read() last returned bytes of or found
  // damaged, and how many bytes of that frame it has returned so far. They are
  // the frame's first bytes when that equals the number just returned.
  uint64_t frame_offset() const { return frame_offset_; }
  uint64_t frame_bytes() const { return frame_bytes_; }

  // Bytes of the file that have been decoded or passed over.
  uint64_t file_offset() const { return Offset(); }
  // Bytes of the file that SkipToNextFrame() has passed over, each time from
  // where the damage was noticed.
  uint64_t bytes_skipped() const { return bytes_skipped_; }

 private:
  std::string_view Buffered() const {
    return {buffer_.get() + position_, end_ - position_};
  }
  uint64_t Offset() const { return buffer_offset_ + position_; }

  absl::StatusOr<bool> Refill();
  absl::Status Ensure(size_t size);
  absl::Status Sniff();
  absl::Status SniffDamaged();
  absl::StatusOr<bool> OpenFrame();
  absl::Status SkipSkippableFrame();
  absl::Status LoadDictionary(std::string_view user_data);
  absl::StatusOr<size_t> ReadPlain(char* buffer, size_t size);
  absl::StatusOr<bool> FindNextFrame();
  absl::StatusOr<bool> GoToFrameEnd();
  absl::Status Rewind();
  absl::StatusOr<bool> FindMagic();
  bool TryFrame(Format format, PrefixPredicate accept);
  std::string_view DamagedFrame() const;
  void SuspectDamagedFrame();
  void SuspectZstdFrame(std::string_view frame, uint64_t offset);
  void SuspectStoredBlocks(uint64_t displacement);
  absl::StatusOr<bool> IsProven();
  absl::StatusOr<bool> FollowFrames();
  std::optional<size_t> GoodFrameBytes(Decoder* decoder, std::string_view rest);
  absl::Status Damaged(Damage damage, std::string_view what);
  bool OverBudget() const;

  const std::unique_ptr<ByteSource> input_;
  const PrefixPredicate begins_content_;

  // Compressed bytes: buffer_[0, end_) is the file from buffer_offset_ on, of
  // which the bytes before position_ have been decoded and are kept for a
  // search that must go back.
  const std::unique_ptr<char[]> buffer_;
  size_t position_ = 0;
  size_t end_ = 0;
  uint64_t buffer_offset_ = 0;
  bool input_ended_ = false;
  absl::Status input_status_;  // an error met but not yet reported

  bool sniffed_ = false;
  Format format_ = Format::kPlain;
  Damage damage_ = Damage::kNone;
  bool in_frame_ = false;
  uint64_t frame_offset_ = 0;
  uint64_t frame_bytes_ = 0;

  // The search after damage; see the top of frame_reader.cc. Offsets are those
  // of the file.
  bool refused_ = false;         // the frame found is not proven
  uint64_t suspect_until_ = 0;   // frames before need a proof
  uint64_t refused_until_ = 0;   // frames before have none
  uint64_t examined_until_ = 0;  // for headers of stored blocks
  uint64_t recovery_work_ = 0;   // bytes decoded for nothing
  uint64_t bytes_skipped_ = 0;

  std::shared_ptr<const ZstdDictionary> dictionary_;
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace trommel::compress

#endif  // TROMMEL_CORE_COMPRESS_FRAME_READER_H_
