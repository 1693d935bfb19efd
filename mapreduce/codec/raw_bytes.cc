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
constexpr size_t kKeptBuffer = size_t{1} << 20;

// Nothing may be behind an empty view, which memcpy() does not allow.
void CopyBytes(std::string_view bytes, char* to) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
}

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
  if (activity_ != nullptr) activity_->fetch_add(1, std::memory_order_relaxed);
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
  CopyBytes(bytes, buffer_.get() + used_);
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
  }
  const size_t size = 2 * kLengthBytes + pair.key.size() + pair.value.size();
  num_bytes_ += static_cast<int64_t>(size);
  if (size <= capacity_ - used_) {  // as nearly always
    char* const at = buffer_.get() + used_;
    char* const value = at + kLengthBytes + pair.key.size();
    StoreBigEndian32(static_cast<uint32_t>(pair.key.size()), at);
    CopyBytes(pair.key, at + kLengthBytes);
    StoreBigEndian32(static_cast<uint32_t>(pair.value.size()), value);
    CopyBytes(pair.value, value + kLengthBytes);
    used_ += size;
    return absl::OkStatus();
  }
  for (const std::string_view field : {pair.key, pair.value}) {
    char length[kLengthBytes];
    StoreBigEndian32(static_cast<uint32_t>(field.size()), length);
    TROMMEL_RETURN_IF_ERROR(Put(std::string_view(length, kLengthBytes)));
    TROMMEL_RETURN_IF_ERROR(Put(field));
  }
  return absl::OkStatus();
}

absl::Status RawBytesWriter::Flush() {
  const std::string_view bytes(buffer_.get(), std::exchange(used_, 0));
  return WriteAll(bytes);
}

RawBytesReader::RawBytesReader(int descriptor, std::string name,
                               size_t buffer_bytes)
    : RawBytesReader(descriptor, std::move(name), 0, 0, buffer_bytes) {
  is_range_ = false;
}

RawBytesReader::RawBytesReader(int descriptor, std::string name, int64_t begin,
                               int64_t end, size_t buffer_bytes)
    : descriptor_(descriptor),
      name_(std::move(name)),
      is_range_(true),
      offset_(begin),
      end_(end),
      kept_capacity_(std::max(buffer_bytes, kKeptBuffer)),
      capacity_(std::max<size_t>(buffer_bytes, 1)),
      buffer_(new char[capacity_]) {}

absl::StatusOr<size_t> RawBytesReader::ReadSome(char* to, size_t size) {
  if (is_range_) {
    size = std::min(size, static_cast<size_t>(end_ - offset_));
    if (size == 0) return 0;
  }
  while (true) {
    const ssize_t count = is_range_ ? ::pread(descriptor_, to, size, offset_)
                                    : ::read(descriptor_, to, size);
    if (count > 0 || (count == 0 && !is_range_)) {
      offset_ += count;
      return static_cast<size_t>(count);
    }
    if (count == 0) {
      return absl::DataLossError(StrCat(name_, ": ends at byte ", offset_,
                                        "; expected ", end_, " bytes"));
    }
    if (errno != EINTR) return SystemError(name_, "cannot read");
  }
}

void RawBytesReader::MakeRoom(size_t size) {
  size_t capacity = capacity_;
  if (size > capacity_) {
    capacity = std::min(size, capacity_ * 2);
  } else if (capacity_ > kept_capacity_ && size <= kept_capacity_) {
    capacity = kept_capacity_;
  }
  if (capacity == capacity_) {
    std::memmove(buffer_.get(), buffer_.get() + position_, available());
  } else {
    std::unique_ptr<char[]> other(new char[capacity]);
    std::memcpy(other.get(), buffer_.get() + position_, available());
    buffer_ = std::move(other);
    capacity_ = capacity;
  }
  filled_ -= position_;
  position_ = 0;
}

absl::Status RawBytesReader::Fill(size_t size) {
  while (available() < size && !at_end_) {
    if (capacity_ - position_ < size) MakeRoom(size);
    TROMMEL_ASSIGN_OR_RETURN(
        const size_t count,
        ReadSome(buffer_.get() + filled_, capacity_ - filled_));
    filled_ += count;
    at_end_ = count == 0;
  }
  return absl::OkStatus();
}

absl::Status RawBytesReader::Require(size_t size) {
  if (available() >= size) return absl::OkStatus();
  const bool in_range =
      !is_range_ || size - available() <= static_cast<size_t>(end_ - offset_);
  if (in_range) TROMMEL_RETURN_IF_ERROR(Fill(size));
  if (available() >= size) return absl::OkStatus();
  return absl::DataLossError(
      StrCat(name_, ": the stream of pairs ends in the middle of one"));
}

absl::StatusOr<size_t> RawBytesReader::Length(size_t at) const {
  const size_t length = LoadBigEndian32(buffer_.get() + position_ + at);
  if (length <= kMaxFieldBytes) return length;
  return absl::DataLossError(
      StrCat(name_, ": damaged: a key or value of ", length, " bytes"));
}

absl::StatusOr<bool> RawBytesReader::Next(Pair* pair) {
  if (available() == 0) {
    TROMMEL_RETURN_IF_ERROR(Fill(1));
    if (available() == 0) return false;
  }
  TROMMEL_RETURN_IF_ERROR(Require(kLengthBytes));
  TROMMEL_ASSIGN_OR_RETURN(const size_t key_size, Length(0));
  const size_t before_value = kLengthBytes + key_size + kLengthBytes;
  TROMMEL_RETURN_IF_ERROR(Require(before_value));
  TROMMEL_ASSIGN_OR_RETURN(const size_t value_size,
                           Length(kLengthBytes + key_size));
  TROMMEL_RETURN_IF_ERROR(Require(before_value + value_size));
  const char* const at = buffer_.get() + position_;
  pair->key = std::string_view(at + kLengthBytes, key_size);
  pair->value = std::string_view(at + before_value, value_size);
  position_ += before_value + value_size;
  return true;
}

}  // namespace trommel::mr
