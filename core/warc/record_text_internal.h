#ifndef TROMMEL_CORE_WARC_RECORD_TEXT_INTERNAL_H_
#define TROMMEL_CORE_WARC_RECORD_TEXT_INTERNAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/byte_source.h"
#include "core/compress/frame_reader.h"

namespace trommel::warc {

// Whether a record begins here: "WARC/" and a digit.
bool IsRecordStart(std::string_view text);

// Whether `text` is shorter than that and could be the beginning of it.
bool MayBecomeRecordStart(std::string_view text);

// The decoded bytes of an archive as a window that moves forward, and the few
// places in it that matter to a reader of records: a boundary, where a
// compressed frame begins with a record; damage, where a frame cannot be
// decoded further; and the end. The window never shows bytes beyond the nearest
// of these, so a reader cannot run over a boundary by accident. Frames that
// begin with anything else are joined silently: a record may span several.
class RecordText {
 public:
  enum class Stop { kNone, kBoundary, kDamage, kEnd };

  explicit RecordText(std::unique_ptr<ByteSource> file);

  // Makes `size` bytes visible, or all up to what is in the way, which it
  // returns. kNone: there are enough. Errors are the file's and final.
  absl::StatusOr<Stop> Fill(size_t size);

  // The visible bytes; valid until Fill, Unread or RecoverFromDamage.
  std::string_view view() const {
    return {buffer_.get() + position_, visible_end_ - position_};
  }
  void Consume(size_t size) { position_ += size; }

  // Puts back `bytes`, the last ones consumed.
  void Unread(std::string_view bytes);

  // At a boundary with nothing visible before it: moves into the frame.
  void PassBoundary();

  // At damage with nothing visible before it: drops the frame and goes on with
  // the next good one, or stops at the end.
  absl::Status RecoverFromDamage();

  // The message and kind of the damage that Fill stopped at.
  const absl::Status& damage_status() const { return damage_status_; }
  compress::FrameReader::Damage damage() const { return damage_; }
  // Whether the damaged frame had begun to be visible; otherwise it failed
  // before its first byte.
  bool damaged_frame_visible() const { return damaged_frame_visible_; }

  // Decoded bytes ahead of the window, and ahead of the newest frame in it.
  uint64_t text_offset() const { return pulled_ - (end_ - position_); }
  uint64_t frame_text_offset() const { return frame_text_offset_; }
  // Offset in the file for a record that begins here, or for a damaged frame
  // that shows no byte.
  uint64_t file_offset() const;
  // At a boundary, damage or the end with nothing visible before it: its offset
  // in the file.
  uint64_t stop_file_offset() const;
  // Bytes of the file that RecoverFromDamage() has passed over, each time from
  // where the damage was noticed.
  uint64_t file_bytes_skipped() const { return frames_.bytes_skipped(); }
  bool compressed() const {
    return frames_.format() != compress::FrameReader::Format::kPlain;
  }
  uint64_t bytes_pulled() const { return pulled_; }

 private:
  absl::Status Pull();
  void MakeRoom();
  void ResolveFrameStart();

  compress::FrameReader frames_;
  // buffer_[position_, visible_end_) is visible; the bytes up to end_ are
  // decoded but behind a boundary, or too few to tell whether they are.
  size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  size_t position_ = 0;
  size_t visible_end_ = 0;
  size_t end_ = 0;
  Stop stop_ = Stop::kNone;

  static constexpr size_t kNoFrame = static_cast<size_t>(-1);
  size_t frame_start_ = kNoFrame;  // in buffer_, of a frame not yet judged
  uint64_t frame_file_offset_ = 0;
  uint64_t frame_text_offset_ = 0;
  uint64_t boundary_file_offset_ = 0;
  uint64_t pulled_ = 0;

  absl::Status damage_status_;
  compress::FrameReader::Damage damage_ = compress::FrameReader::Damage::kNone;
  bool damaged_frame_visible_ = false;
  uint64_t damaged_file_offset_ = 0;
};

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_RECORD_TEXT_INTERNAL_H_
