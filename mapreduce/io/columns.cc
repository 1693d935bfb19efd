#include "mapreduce/io/columns.h"

#include <arrow/array.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace trommel::io {
namespace {

using arrow::internal::checked_cast;

bool IsBytes(arrow::Type::type id) {
  switch (id) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
    case arrow::Type::FIXED_SIZE_BINARY:
      return true;
    default:
      return false;
  }
}

bool IsList(arrow::Type::type id) {
  return id == arrow::Type::LIST || id == arrow::Type::LARGE_LIST ||
         id == arrow::Type::FIXED_SIZE_LIST;
}

// The type of a list's values; any other type stays.
ColumnType ValueType(ColumnType type) {
  switch (type) {
    case ColumnType::kBytesList:
      return ColumnType::kBytes;
    case ColumnType::kInt64List:
      return ColumnType::kInt64;
    case ColumnType::kDoubleList:
      return ColumnType::kDouble;
    default:
      return type;
  }
}

std::string_view BytesAt(const arrow::Array& array, int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return checked_cast<const arrow::BinaryArray&>(array).GetView(row);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return checked_cast<const arrow::LargeBinaryArray&>(array).GetView(row);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return checked_cast<const arrow::BinaryViewArray&>(array).GetView(row);
    case arrow::Type::FIXED_SIZE_BINARY:
      return checked_cast<const arrow::FixedSizeBinaryArray&>(array).GetView(
          row);
    default:
      return {};
  }
}

// Microseconds of a timestamp in `unit`, rounding towards the past.
int64_t ToMicros(int64_t value, arrow::TimeUnit::type unit) {
  const auto scaled = [value](int64_t factor) {
    int64_t result;
    if (__builtin_mul_overflow(value, factor, &result)) {
      return value < 0 ? std::numeric_limits<int64_t>::min()
                       : std::numeric_limits<int64_t>::max();
    }
    return result;
  };
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return scaled(1000000);
    case arrow::TimeUnit::MILLI:
      return scaled(1000);
    case arrow::TimeUnit::MICRO:
      return value;
    case arrow::TimeUnit::NANO:
      return value / 1000 - (value % 1000 < 0 ? 1 : 0);
  }
  return value;
}

}  // namespace

bool IsReadableAs(const arrow::DataType& arrow_type, ColumnType type) {
  const arrow::Type::type id = arrow_type.id();
  switch (type) {
    case ColumnType::kBytes:
      if (id == arrow::Type::DICTIONARY) {
        return IsBytes(checked_cast<const arrow::DictionaryType&>(arrow_type)
                           .value_type()
                           ->id());
      }
      return IsBytes(id);
    case ColumnType::kInt64:
      // pandas makes doubles of integers with gaps.
      return arrow::is_integer(id) || id == arrow::Type::DOUBLE;
    case ColumnType::kDouble:
      return id == arrow::Type::DOUBLE || id == arrow::Type::FLOAT;
    case ColumnType::kTimestamp:
      return id == arrow::Type::TIMESTAMP || id == arrow::Type::DATE32 ||
             id == arrow::Type::DATE64;
    case ColumnType::kBytesList:
    case ColumnType::kInt64List:
    case ColumnType::kDoubleList: {
      if (!IsList(id)) return false;
      // A column of nothing but empty lists is written as lists of null.
      const arrow::DataType& values = *arrow_type.field(0)->type();
      return values.id() == arrow::Type::NA ||
             IsReadableAs(values, ValueType(type));
    }
  }
  return false;
}

std::string_view Expected(ColumnType type) {
  switch (type) {
    case ColumnType::kBytes:
      return "string or binary";
    case ColumnType::kInt64:
      return "an integer";
    case ColumnType::kDouble:
      return "a floating-point number";
    case ColumnType::kTimestamp:
      return "a timestamp or date";
    case ColumnType::kBytesList:
      return "a list of string or binary";
    case ColumnType::kInt64List:
      return "a list of integers";
    case ColumnType::kDoubleList:
      return "a list of floating-point numbers";
  }
  return "";
}

BytesColumn::BytesColumn(std::shared_ptr<arrow::Array> array)
    : array_(std::move(array)) {
  if (array_->type_id() == arrow::Type::DICTIONARY) {
    dictionary_ =
        checked_cast<const arrow::DictionaryArray&>(*array_).dictionary();
  }
}

bool BytesColumn::IsNull(int64_t row) const {
  return array_ == nullptr || array_->IsNull(row);
}

std::string_view BytesColumn::operator[](int64_t row) const {
  if (IsNull(row)) return {};
  if (dictionary_ == nullptr) return BytesAt(*array_, row);
  const int64_t value =
      checked_cast<const arrow::DictionaryArray&>(*array_).GetValueIndex(row);
  return dictionary_->IsNull(value) ? std::string_view()
                                    : BytesAt(*dictionary_, value);
}

Int64Column::Int64Column(std::shared_ptr<arrow::Array> array)
    : array_(std::move(array)) {}

bool Int64Column::IsNull(int64_t row) const {
  if (array_ == nullptr || array_->IsNull(row)) return true;
  if (array_->type_id() != arrow::Type::DOUBLE) return false;
  const double value =
      checked_cast<const arrow::DoubleArray&>(*array_).Value(row);
  return !(std::abs(value) < 9e18);  // not a number, or out of range
}

int64_t Int64Column::operator[](int64_t row) const {
  if (IsNull(row)) return 0;
  switch (array_->type_id()) {
    case arrow::Type::INT8:
      return checked_cast<const arrow::Int8Array&>(*array_).Value(row);
    case arrow::Type::UINT8:
      return checked_cast<const arrow::UInt8Array&>(*array_).Value(row);
    case arrow::Type::INT16:
      return checked_cast<const arrow::Int16Array&>(*array_).Value(row);
    case arrow::Type::UINT16:
      return checked_cast<const arrow::UInt16Array&>(*array_).Value(row);
    case arrow::Type::INT32:
      return checked_cast<const arrow::Int32Array&>(*array_).Value(row);
    case arrow::Type::UINT32:
      return checked_cast<const arrow::UInt32Array&>(*array_).Value(row);
    case arrow::Type::INT64:
      return checked_cast<const arrow::Int64Array&>(*array_).Value(row);
    case arrow::Type::UINT64: {
      constexpr auto kMax =
          static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
      return static_cast<int64_t>(std::min(
          checked_cast<const arrow::UInt64Array&>(*array_).Value(row), kMax));
    }
    case arrow::Type::DOUBLE:
      return static_cast<int64_t>(
          checked_cast<const arrow::DoubleArray&>(*array_).Value(row));
    case arrow::Type::TIMESTAMP:
      return ToMicros(
          checked_cast<const arrow::TimestampArray&>(*array_).Value(row),
          checked_cast<const arrow::TimestampType&>(*array_->type()).unit());
    case arrow::Type::DATE32:
      return ToMicros(
          int64_t{checked_cast<const arrow::Date32Array&>(*array_).Value(row)} *
              86400,
          arrow::TimeUnit::SECOND);
    case arrow::Type::DATE64:
      return ToMicros(
          checked_cast<const arrow::Date64Array&>(*array_).Value(row),
          arrow::TimeUnit::MILLI);
    default:
      return 0;
  }
}

DoubleColumn::DoubleColumn(std::shared_ptr<arrow::Array> array)
    : array_(std::move(array)) {}

bool DoubleColumn::IsNull(int64_t row) const {
  return array_ == nullptr || array_->IsNull(row);
}

double DoubleColumn::operator[](int64_t row) const {
  if (IsNull(row)) return 0;
  switch (array_->type_id()) {
    case arrow::Type::FLOAT:
      return checked_cast<const arrow::FloatArray&>(*array_).Value(row);
    case arrow::Type::DOUBLE:
      return checked_cast<const arrow::DoubleArray&>(*array_).Value(row);
    default:
      return 0;
  }
}

ListColumn::ListColumn(std::shared_ptr<arrow::Array> array)
    : array_(std::move(array)) {
  const std::shared_ptr<arrow::Array> values =
      arrow::MakeArray(array_->data()->child_data[0]);
  bytes_ = BytesColumn(values);
  integers_ = Int64Column(values);
  doubles_ = DoubleColumn(values);
}

bool ListColumn::IsNull(int64_t row) const {
  return array_ == nullptr || array_->IsNull(row);
}

ListColumn::Range ListColumn::Find(int64_t row) const {
  if (IsNull(row)) return {};
  const auto range = [row](const auto& lists) {
    return Range{lists.value_offset(row), lists.value_length(row)};
  };
  switch (array_->type_id()) {
    case arrow::Type::LIST:
      return range(checked_cast<const arrow::ListArray&>(*array_));
    case arrow::Type::LARGE_LIST:
      return range(checked_cast<const arrow::LargeListArray&>(*array_));
    case arrow::Type::FIXED_SIZE_LIST:
      return range(checked_cast<const arrow::FixedSizeListArray&>(*array_));
    default:
      return {};
  }
}

}  // namespace trommel::io
