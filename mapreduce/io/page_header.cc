#include "mapreduce/io/page_header.h"

#include <limits>

namespace trommel::io {
namespace {

// Types of fields in Thrift's compact protocol, which is specified in
// doc/specs/thrift-compact-protocol.md of Thrift.
enum ThriftType {
  kStop = 0,
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

// No header is nested deeper than its statistics are.
constexpr int kMaxDepth = 8;

// Reads a struct field by field. After anything that is not Thrift, or after
// the end, ok() is false and all values are 0.
class CompactReader {
 public:
  explicit CompactReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t position() const { return position_; }

  struct Field {
    int64_t id = 0;
    int type = kStop;
  };

  // The next field of a struct; kStop at its end. `last_id` is the number of
  // the field before, 0 at the beginning.
  Field NextField(int64_t last_id) {
    const uint8_t byte = ReadByte();
    const int type = byte & 0xF;
    if (!ok_ || type == kStop) return {};
    const int delta = byte >> 4;
    const int64_t id = delta != 0 ? last_id + delta : ReadInteger();
    // Thrift has 16 bits for it.
    if (id < 0 || id > std::numeric_limits<int16_t>::max()) ok_ = false;
    return ok_ ? Field{id, type} : Field{};
  }

  int64_t ReadInteger() {
    const uint64_t value = ReadVarint();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }

  void Skip(int type, int depth) {
    if (depth > kMaxDepth) ok_ = false;
    if (!ok_) return;
    switch (type) {
      case kTrue:
      case kFalse:
        return;
      case kByte:
        return SkipBytes(1);
      case kI16:
      case kI32:
      case kI64:
        ReadVarint();
        return;
      case kDouble:
        return SkipBytes(8);
      case kBinary:
        return SkipBytes(ReadVarint());
      case kList:
      case kSet:
        return SkipList(depth);
      case kMap:
        return SkipMap(depth);
      case kStruct:
        return SkipStruct(depth);
      default:
        ok_ = false;
    }
  }

 private:
  uint8_t ReadByte() {
    if (position_ >= bytes_.size()) ok_ = false;
    return ok_ ? static_cast<uint8_t>(bytes_[position_++]) : 0;
  }

  uint64_t ReadVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = ReadByte();
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return ok_ ? value : 0;
    }
    ok_ = false;
    return 0;
  }

  void SkipBytes(uint64_t count) {
    if (count > bytes_.size() - position_) ok_ = false;
    if (ok_) position_ += count;
  }

  // Values in lists and maps take a byte each at least, also true and false.
  void SkipValues(int type, uint64_t count, int depth) {
    if (count > bytes_.size() - position_) ok_ = false;
    for (uint64_t i = 0; ok_ && i < count; ++i) {
      Skip(type == kTrue || type == kFalse ? kByte : type, depth + 1);
    }
  }

  void SkipList(int depth) {
    const uint8_t byte = ReadByte();
    const uint64_t size = byte >> 4 == 15 ? ReadVarint() : byte >> 4;
    SkipValues(byte & 0xF, size, depth);
  }

  void SkipMap(int depth) {
    const uint64_t size = ReadVarint();
    if (size == 0) return;
    const uint8_t types = ReadByte();
    if (size > bytes_.size() - position_) ok_ = false;
    for (uint64_t i = 0; ok_ && i < size; ++i) {
      SkipValues(types >> 4, 1, depth);
      SkipValues(types & 0xF, 1, depth);
    }
  }

  void SkipStruct(int depth) {
    int64_t id = 0;
    while (ok_) {
      const Field field = NextField(id);
      if (field.type == kStop) return;
      id = field.id;
      Skip(field.type, depth + 1);
    }
  }

  std::string_view bytes_;
  size_t position_ = 0;
  bool ok_ = true;
};

// Calls `take` with the number of every field of a struct. It returns where the
// value belongs if it is an integer that is wanted, else null.
template <typename Take>
void ReadIntegers(CompactReader* reader, const Take& take) {
  int64_t id = 0;
  while (reader->ok()) {
    const CompactReader::Field field = reader->NextField(id);
    if (field.type == kStop) return;
    id = field.id;
    int64_t* const value = field.type == kI32 ? take(id) : nullptr;
    if (value != nullptr) {
      *value = reader->ReadInteger();
    } else {
      reader->Skip(field.type, 0);
    }
  }
}

// The structs data_page_header (5), dictionary_page_header (7) and
// data_page_header_v2 (8) of a PageHeader, by the numbers of their fields.
void ReadDetails(int64_t struct_id, CompactReader* reader, PageHeader* header) {
  ReadIntegers(reader, [&](int64_t id) -> int64_t* {
    if (id == 1) return &header->num_values;
    if (struct_id == 8) return id == 4 ? &header->encoding : nullptr;
    if (id == 2) return &header->encoding;
    if (struct_id == 7) return nullptr;
    if (id == 3) return &header->definition_level_encoding;
    return id == 4 ? &header->repetition_level_encoding : nullptr;
  });
}

}  // namespace

std::optional<PageHeader> ParsePageHeader(std::string_view bytes) {
  CompactReader reader(bytes);
  PageHeader header;
  int64_t id = 0;
  while (reader.ok()) {
    const CompactReader::Field field = reader.NextField(id);
    if (field.type == kStop) break;
    id = field.id;
    const bool is_details = id == 5 || id == 7 || id == 8;
    if (field.type == kI32 && id == 1) {
      header.type = reader.ReadInteger();
    } else if (field.type == kI32 && id == 2) {
      header.uncompressed_size = reader.ReadInteger();
    } else if (field.type == kI32 && id == 3) {
      header.compressed_size = reader.ReadInteger();
    } else if (field.type == kStruct && is_details) {
      ReadDetails(id, &reader, &header);
    } else {
      reader.Skip(field.type, 0);
    }
  }
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  const auto is_size = [](int64_t size) { return size >= 0 && size <= kMax; };
  if (!reader.ok() || header.type < 0 || !is_size(header.uncompressed_size) ||
      !is_size(header.compressed_size) || !is_size(header.num_values)) {
    return std::nullopt;
  }
  header.header_size = static_cast<int64_t>(reader.position());
  return header;
}

}  // namespace trommel::io
