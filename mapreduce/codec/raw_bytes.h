#ifndef TROMMEL_MAPREDUCE_CODEC_RAW_BYTES_H_
#define TROMMEL_MAPREDUCE_CODEC_RAW_BYTES_H_

// Hadoop Streaming's "rawbytes" framing: key and value each as a big-endian
// 32-bit length and that many bytes. It carries any bytes at all. The local
// engine's files use it too.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "mapreduce/codec/pair_stream.h"

namespace trommel::mr {

// Keys and values are at most this long: Java's arrays end there.
inline constexpr size_t kMaxFieldBytes = (size_t{1} << 31) - 64;

// Writes pairs to a file descriptor through a buffer. Does not own it.
class RawBytesWriter final : public PairSink {
 public:
  // `name` is for messages.
  RawBytesWriter(int descriptor, std::string name,
                 size_t buffer_bytes = size_t{1} << 18);

  absl::Status Append(const Pair& pair) override;
  // Writes what is in the buffer.
  absl::Status Flush();
  // A number to be raised whenever bytes are written, as a sign of life.
  void set_activity(std::atomic<int64_t>* activity) { activity_ = activity; }
  // Bytes appended so far.
  int64_t num_bytes() const { return num_bytes_; }

 private:
  absl::Status WriteAll(std::string_view bytes);
  absl::Status Put(std::string_view bytes);

  int descriptor_;
  std::atomic<int64_t>* activity_ = nullptr;
  std::string name_;
  size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;
  int64_t num_bytes_ = 0;
};

// Reads pairs from a file descriptor: all that a pipe delivers, or a range of
// a file. A stream that ends within a pair, or a file that ends before its
// range does, is DataLoss. Does not own the descriptor.
//
// The buffer grows to hold the largest pair, but never to much more than twice
// what has really arrived: a damaged length does not ask for gigabytes. What a
// rare large pair made of it is given back after that pair.
class RawBytesReader final : public PairStream {
 public:
  RawBytesReader(int descriptor, std::string name,
                 size_t buffer_bytes = size_t{1} << 18);
  // Bytes [begin, end) of a file; the file's own position is left alone, so
  // several readers can share a descriptor.
  RawBytesReader(int descriptor, std::string name, int64_t begin, int64_t end,
                 size_t buffer_bytes);

  absl::StatusOr<bool> Next(Pair* pair) override;

 private:
  // Makes `size` bytes from position_ on available in the buffer, or fewer at
  // the end.
  absl::Status Fill(size_t size);
  // The same, and DataLoss when there are fewer.
  absl::Status Require(size_t size);
  // The length at `at` bytes from position_, which are available.
  absl::StatusOr<size_t> Length(size_t at) const;
  // Moves what is available to the front of a buffer that is larger than that.
  void MakeRoom(size_t size);
  absl::StatusOr<size_t> ReadSome(char* to, size_t size);
  size_t available() const { return filled_ - position_; }

  int descriptor_;
  std::string name_;
  bool is_range_;
  int64_t offset_ = 0;  // of the next read, in a range
  int64_t end_ = 0;
  size_t kept_capacity_;  // a larger buffer is not kept for long
  size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  size_t position_ = 0;
  size_t filled_ = 0;
  bool at_end_ = false;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_CODEC_RAW_BYTES_H_
