#include "core/warc/record_text_internal.h"

#include <cstring>
#include <memory>
#include <utility>

#include "core/base/status.h"
#include "core/warc/ascii_internal.h"

namespace trommel::warc {
namespace {

constexpr std::string_view kRecordStart = "WARC/";
constexpr size_t kBufferBytes = 256 << 10;
constexpr size_t kMinRoom = 64 << 10;

}  // namespace

bool IsRecordStart(std::string_view text) {
  return text.size() > kRecordStart.size() && text.starts_with(kRecordStart) &&
         IsDigit(text[kRecordStart.size()]);
}

bool MayBecomeRecordStart(std::string_view text) {
  return text.size() <= kRecordStart.size() &&
         text == kRecordStart.substr(0, text.size());
}

RecordText::RecordText(std::unique_ptr<ByteSource> file)
    : frames_(std::move(file), IsRecordStart),
      capacity_(kBufferBytes),
      buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {}

absl::StatusOr<RecordText::Stop> RecordText::Fill(size_t size) {
  while (visible_end_ - position_ < size) {
    if (stop_ != Stop::kNone) return stop_;
    TROMMEL_RETURN_IF_ERROR(Pull());
  }
  return Stop::kNone;
}

// Moves the bytes in use to the front of a buffer that holds them and a read.
void RecordText::MakeRoom() {
  if (capacity_ - end_ >= kMinRoom) return;
  const size_t used = end_ - position_;
  // A long line can need a large buffer; Unread() can have left one.
  size_t capacity = kBufferBytes;
  while (capacity < used + kMinRoom) capacity *= 2;
  if (capacity == capacity_) {
    std::memmove(buffer_.get(), buffer_.get() + position_, used);
  } else {
    auto moved = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(moved.get(), buffer_.get() + position_, used);
    buffer_ = std::move(moved);
    capacity_ = capacity;
  }
  if (frame_start_ != kNoFrame) frame_start_ -= position_;
  visible_end_ -= position_;
  end_ = used;
  position_ = 0;
}

absl::Status RecordText::Pull() {
  MakeRoom();
  auto count = frames_.Read(buffer_.get() + end_, capacity_ - end_);
  if (!count.ok()) {
    if (frames_.damage() == compress::FrameReader::Damage::kNone) {
      return count.status();
    }
    damage_status_ = count.status();
    damage_ = frames_.damage();
    damaged_frame_visible_ = frames_.frame_bytes() > 0;
    damaged_file_offset_ = frames_.frame_offset();
    stop_ = Stop::kDamage;
  } else if (*count == 0) {
    stop_ = Stop::kEnd;
  } else if (frames_.frame_bytes() == *count) {
    frame_text_offset_ = pulled_;
    // A frame too short to be judged is judged with what follows it, unless it
    // cannot begin a record.
    if (frame_start_ == kNoFrame ||
        !MayBecomeRecordStart(
            {buffer_.get() + frame_start_, end_ - frame_start_})) {
      frame_start_ = end_;
      frame_file_offset_ = frames_.frame_offset();
    }
  }
  if (count.ok()) {
    end_ += *count;
    pulled_ += *count;
  }
  ResolveFrameStart();
  return absl::OkStatus();
}

// Shows what can be shown, and stops at a frame that begins with a record.
void RecordText::ResolveFrameStart() {
  visible_end_ = end_;
  if (frame_start_ == kNoFrame) return;
  const std::string_view start(buffer_.get() + frame_start_,
                               end_ - frame_start_);
  if (IsRecordStart(start)) {
    visible_end_ = frame_start_;
    stop_ = Stop::kBoundary;
  } else if (MayBecomeRecordStart(start) && stop_ == Stop::kNone) {
    visible_end_ = frame_start_;
    return;
  }
  frame_start_ = kNoFrame;
}

void RecordText::Unread(std::string_view bytes) {
  if (bytes.size() <= position_) {
    // They are still in front of the window.
    position_ -= bytes.size();
    return;
  }
  const size_t used = end_ - position_;
  const size_t shift = bytes.size() - position_;
  capacity_ = bytes.size() + used;
  auto joined = std::make_unique_for_overwrite<char[]>(capacity_);
  std::memcpy(joined.get(), bytes.data(), bytes.size());
  if (used > 0) {
    std::memcpy(joined.get() + bytes.size(), buffer_.get() + position_, used);
  }
  buffer_ = std::move(joined);
  if (frame_start_ != kNoFrame) frame_start_ += shift;
  visible_end_ += shift;
  end_ += shift;
  position_ = 0;
}

uint64_t RecordText::file_offset() const {
  if (!compressed()) return text_offset();
  const bool at_damage = stop_ == Stop::kDamage && view().empty();
  return at_damage ? damaged_file_offset_ : boundary_file_offset_;
}

uint64_t RecordText::stop_file_offset() const {
  if (stop_ == Stop::kBoundary) return frame_file_offset_;
  if (stop_ == Stop::kDamage) return damaged_file_offset_;
  return compressed() ? frames_.file_offset() : text_offset();
}

void RecordText::PassBoundary() {
  boundary_file_offset_ = frame_file_offset_;
  visible_end_ = end_;
  stop_ = Stop::kNone;
}

absl::Status RecordText::RecoverFromDamage() {
  TROMMEL_ASSIGN_OR_RETURN(const bool found, frames_.SkipToNextFrame());
  damage_ = compress::FrameReader::Damage::kNone;
  stop_ = found ? Stop::kNone : Stop::kEnd;
  return absl::OkStatus();
}

}  // namespace trommel::warc
