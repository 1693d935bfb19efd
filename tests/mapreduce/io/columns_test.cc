#include "mapreduce/io/columns.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace trommel::io {
namespace {

template <typename Builder>
std::shared_ptr<arrow::Array> Strings() {
  Builder builder;
  EXPECT_TRUE(builder.Append("one").ok());
  EXPECT_TRUE(builder.AppendNull().ok());
  EXPECT_TRUE(builder.Append(std::string("a\0b", 3)).ok());
  return builder.Finish().ValueOrDie();
}

TEST(BytesColumn, ReadsEveryStringType) {
  const std::shared_ptr<arrow::Array> arrays[] = {
      Strings<arrow::StringBuilder>(),
      Strings<arrow::BinaryBuilder>(),
      Strings<arrow::LargeStringBuilder>(),
      Strings<arrow::LargeBinaryBuilder>(),
      Strings<arrow::StringViewBuilder>(),
      Strings<arrow::BinaryViewBuilder>(),
      Strings<arrow::StringDictionaryBuilder>(),
  };
  for (const std::shared_ptr<arrow::Array>& array : arrays) {
    SCOPED_TRACE(array->type()->ToString());
    ASSERT_TRUE(IsReadableAs(*array->type(), ColumnType::kBytes));
    const BytesColumn column(array);
    EXPECT_EQ(column[0], "one");
    EXPECT_FALSE(column.IsNull(0));
    EXPECT_TRUE(column.IsNull(1));
    EXPECT_EQ(column[1], "");
    EXPECT_EQ(column[2], std::string_view("a\0b", 3));
  }
}

TEST(BytesColumn, AbsentColumnIsAllNull) {
  const BytesColumn column;
  EXPECT_TRUE(column.IsNull(7));
  EXPECT_EQ(column[7], "");
}

template <typename Builder, typename Value>
std::shared_ptr<arrow::Array> Numbers(Value value) {
  Builder builder;
  EXPECT_TRUE(builder.Append(value).ok());
  EXPECT_TRUE(builder.AppendNull().ok());
  return builder.Finish().ValueOrDie();
}

TEST(Int64Column, ReadsEveryIntegerType) {
  const std::shared_ptr<arrow::Array> arrays[] = {
      Numbers<arrow::Int8Builder>(int8_t{42}),
      Numbers<arrow::UInt8Builder>(uint8_t{42}),
      Numbers<arrow::Int16Builder>(int16_t{42}),
      Numbers<arrow::UInt16Builder>(uint16_t{42}),
      Numbers<arrow::Int32Builder>(42),
      Numbers<arrow::UInt32Builder>(42u),
      Numbers<arrow::Int64Builder>(int64_t{42}),
      Numbers<arrow::UInt64Builder>(uint64_t{42}),
  };
  for (const std::shared_ptr<arrow::Array>& array : arrays) {
    SCOPED_TRACE(array->type()->ToString());
    ASSERT_TRUE(IsReadableAs(*array->type(), ColumnType::kInt64));
    const Int64Column column(array);
    EXPECT_EQ(column[0], 42);
    EXPECT_TRUE(column.IsNull(1));
  }
}

TEST(Int64Column, ReadsDoublesWithNanAsNull) {
  arrow::DoubleBuilder builder;
  ASSERT_TRUE(builder.Append(404.0).ok());
  ASSERT_TRUE(builder.Append(std::nan("")).ok());
  const Int64Column column(builder.Finish().ValueOrDie());
  EXPECT_EQ(column[0], 404);
  EXPECT_TRUE(column.IsNull(1));
}

TEST(Int64Column, SaturatesUnsignedValues) {
  const Int64Column column(
      Numbers<arrow::UInt64Builder>(std::numeric_limits<uint64_t>::max()));
  EXPECT_EQ(column[0], std::numeric_limits<int64_t>::max());
}

std::shared_ptr<arrow::Array> Time(arrow::TimeUnit::type unit, int64_t value) {
  arrow::TimestampBuilder builder(arrow::timestamp(unit),
                                  arrow::default_memory_pool());
  EXPECT_TRUE(builder.Append(value).ok());
  return builder.Finish().ValueOrDie();
}

TEST(Int64Column, ReadsTimesAsMicroseconds) {
  struct Case {
    const char* label;
    std::shared_ptr<arrow::Array> array;
    int64_t micros;
  };
  const Case cases[] = {
      {"seconds", Time(arrow::TimeUnit::SECOND, 2), 2000000},
      {"milliseconds", Time(arrow::TimeUnit::MILLI, 2), 2000},
      {"microseconds", Time(arrow::TimeUnit::MICRO, 2), 2},
      {"nanoseconds", Time(arrow::TimeUnit::NANO, 2999), 2},
      {"nanoseconds before 1970", Time(arrow::TimeUnit::NANO, -1), -1},
      {"far future", Time(arrow::TimeUnit::SECOND, int64_t{1} << 60),
       std::numeric_limits<int64_t>::max()},
      {"date", Numbers<arrow::Date32Builder>(1), int64_t{86400} * 1000000},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.label);
    ASSERT_TRUE(IsReadableAs(*test.array->type(), ColumnType::kTimestamp));
    EXPECT_EQ(Int64Column(test.array)[0], test.micros);
  }
}

TEST(IsReadableAs, RefusesOtherTypes) {
  EXPECT_FALSE(IsReadableAs(*arrow::int64(), ColumnType::kBytes));
  EXPECT_FALSE(IsReadableAs(*arrow::utf8(), ColumnType::kInt64));
  EXPECT_FALSE(IsReadableAs(*arrow::boolean(), ColumnType::kInt64));
  EXPECT_FALSE(IsReadableAs(*arrow::utf8(), ColumnType::kTimestamp));
  EXPECT_FALSE(IsReadableAs(*arrow::dictionary(arrow::int8(), arrow::int64()),
                            ColumnType::kBytes));
}

}  // namespace
}  // namespace trommel::io
