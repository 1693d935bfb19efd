#include "mapreduce/codec/raw_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/codec/big_endian.h"

namespace trommel::mr {
namespace {

constexpr size_t kLengthBytes = 4;

absl::Status SystemError(std::string_view name, std::string_view action) {
  return absl::UnavailableError(
      StrCat(name, ": ", action, ": ", std::strerror(errno)));
}

}  // namespace

RawBytesWriter::RawBytesWriter(int descriptor, std::string name,
                               size_t buffer_bytes)
    : descriptor_(descriptor),
      name_(std::move(name)),
      capacity_(buffer_bytes),
      buffer_(new char[buffer_bytes]) {}

absl::Status RawBytesWriter::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return SystemError(name_, "cannot write");
    }
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status RawBytesWriter::Put(std::string_view bytes) {
  if (bytes.size() > capacity_ - used_) {
    TROMMEL_RETURN_IF_ERROR(Flush());
    if (bytes.size() > capacity_) return WriteAll(bytes);
  }
  std::memcpy(buffer_.get() + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
  return absl::OkStatus();
}

absl::Status RawBytesWriter::Append(const Pair& pair) {
  for (const std::string_view field : {pair.key, pair.value}) {
    if (field.size() > kMaxFieldBytes) {
      return absl::InvalidArgumentError(
          StrCat(name_, ": a key or value of ", field.size(),
                 " bytes; the limit is ", kMaxFieldBytes));
    }
    char length[kLengthBytes];
    StoreBigEndian32(static_cast<uint32_t>(field.size()), length);
    TROMMEL_RETURN_IF_ERROR(Put(std::string_view(length, kLengthBytes)));
    TROMMEL_RETURN_IF_ERROR(Put(field));
    num_bytes_ += static_cast<int64_t>(kLengthBytes + field.size());
  }
  return absl::OkStatus();
}

absl::Status RawBytesWriter::Flush() {
  const std::string_view bytes(buffer_.get(), std::exchange(used_, 0));
  return WriteAll(bytes);
}

RawBytesReader::RawBytesReader(int descriptor, std::string name,
                               size_t buffer_bytes)
    : descriptor_(descriptor),
      name_(std::move(name)),
      is_range_(false),
      buffer_(new char[buffer_bytes]),
      capacity_(buffer_bytes) {}

RawBytesReader::RawBytesReader(int descriptor, std::string name, int64_t begin,
                               int64_t end, size_t buffer_bytes)
    : descriptor_(descriptor),
      name_(std::move(name)),
      is_range_(true),
      offset_(begin),
      end_(end),
      buffer_(new char[buffer_bytes]),
      capacity_(buffer_bytes) {}

absl::StatusOr<size_t> RawBytesReader::ReadSome(char* to, size_t size) {
  if (is_range_) {
    size = std::min(size, static_cast<size_t>(end_ - offset_));
    if (size == 0) return 0;
  }
  while (true) {
    const ssize_t count = is_range_ ? ::pread(descriptor_, to, size, offset_)
                                    : ::read(descriptor_, to, size);
    if (count >= 0) {
      offset_ += count;
      return static_cast<size_t>(count);
    }
    if (errno != EINTR) return SystemError(name_, "cannot read");
  }
}

absl::Status RawBytesReader::Fill(size_t size) {
  if (available() >= size) return absl::OkStatus();
  if (size > capacity_) {
    // A long value: grow, but not by much more than has really arrived, so
    // that a damaged length does not ask for gigabytes.
    const size_t capacity =
        std::min(size, std::max(capacity_, available()) * 2);
    std::unique_ptr<char[]> larger(new char[capacity]);
    std::memcpy(larger.get(), buffer_.get() + position_, available());
    buffer_ = std::move(larger);
    capacity_ = capacity;
  } else {
    std::memmove(buffer_.get(), buffer_.get() + position_, available());
  }
  filled_ -= position_;
  position_ = 0;
  while (filled_ < std::min(size, capacity_) && !at_end_) {
    TROMMEL_ASSIGN_OR_RETURN(
        const size_t count,
        ReadSome(buffer_.get() + filled_, capacity_ - filled_));
    filled_ += count;
    at_end_ = count == 0;
  }
  return filled_ < size && !at_end_ ? Fill(size) : absl::OkStatus();
}

absl::Status RawBytesReader::Truncated() const {
  return absl::DataLossError(
      StrCat(name_, ": the stream of pairs ends in the middle of one"));
}

absl::StatusOr<bool> RawBytesReader::Next(Pair* pair) {
  TROMMEL_RETURN_IF_ERROR(Fill(kLengthBytes));
  if (available() == 0) return false;
  if (available() < kLengthBytes) return Truncated();
  const size_t key_size = LoadBigEndian32(buffer_.get() + position_);
  const size_t before_value = kLengthBytes + key_size + kLengthBytes;
  TROMMEL_RETURN_IF_ERROR(Fill(before_value));
  if (available() < before_value) return Truncated();
  const size_t value_size =
      LoadBigEndian32(buffer_.get() + position_ + kLengthBytes + key_size);
  TROMMEL_RETURN_IF_ERROR(Fill(before_value + value_size));
  if (available() < before_value + value_size) return Truncated();
  const char* const at = buffer_.get() + position_;
  pair->key = std::string_view(at + kLengthBytes, key_size);
  pair->value = std::string_view(at + before_value, value_size);
  position_ += before_value + value_size;
  return true;
}

}  // namespace trommel::mr
