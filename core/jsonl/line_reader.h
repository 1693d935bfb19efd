#ifndef TROMMEL_CORE_JSONL_LINE_READER_H_
#define TROMMEL_CORE_JSONL_LINE_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/byte_source.h"

namespace trommel::jsonl {

// Splits a stream into lines in bounded memory.
class LineReader {
 public:
  enum class Outcome {
    kLine,
    kTooLong,  // passed over; line_number() says which
    kEnd,
  };

  LineReader(std::unique_ptr<ByteSource> source, size_t max_line_bytes);

  // Reads the next line, without its end ("\n" or "\r\n"). A last line without
  // an end counts; nothing after the last end does not.
  absl::StatusOr<Outcome> Next(std::string_view* line);

  // Of the line last returned or passed over, counted from 1.
  int64_t line_number() const { return line_number_; }

 private:
  absl::StatusOr<bool> Fill();

  std::unique_ptr<ByteSource> source_;
  size_t max_line_bytes_;
  std::string buffer_;
  size_t begin_ = 0;  // of what is not yet returned
  int64_t line_number_ = 0;
  bool at_end_ = false;
};

}  // namespace trommel::jsonl

#endif  // TROMMEL_CORE_JSONL_LINE_READER_H_
