#include "core/jsonl/line_reader.h"

#include <utility>

#include "core/base/status.h"

namespace trommel::jsonl {
namespace {

constexpr size_t kReadSize = size_t{1} << 17;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source,
                       size_t max_line_bytes)
    : source_(std::move(source)), max_line_bytes_(max_line_bytes) {}

// Appends more bytes; false at the end.
absl::StatusOr<bool> LineReader::Fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  const size_t size = buffer_.size();
  buffer_.resize(size + kReadSize);
  const absl::StatusOr<size_t> count =
      source_->Read(buffer_.data() + size, kReadSize);
  buffer_.resize(size + (count.ok() ? *count : 0));
  if (!count.ok()) return count.status();
  at_end_ = *count == 0;
  return !at_end_;
}

absl::StatusOr<LineReader::Outcome> LineReader::Next(std::string_view* line) {
  size_t searched = begin_;
  bool too_long = false;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    const size_t line_end = end == std::string::npos ? buffer_.size() : end;
    if (end != std::string::npos || at_end_) {
      if (end == std::string::npos && begin_ == line_end && !too_long) {
        return Outcome::kEnd;
      }
      ++line_number_;
      std::string_view found(buffer_.data() + begin_, line_end - begin_);
      begin_ = end == std::string::npos ? line_end : end + 1;
      if (too_long || found.size() > max_line_bytes_) return Outcome::kTooLong;
      if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
      *line = found;
      return Outcome::kLine;
    }
    if (line_end - begin_ > max_line_bytes_) {
      too_long = true;
      begin_ = line_end;  // forget it as it comes
    }
    const size_t kept = line_end - begin_;
    TROMMEL_RETURN_IF_ERROR(Fill().status());
    searched = begin_ + kept;
  }
}

}  // namespace trommel::jsonl
