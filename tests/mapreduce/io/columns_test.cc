#include "mapreduce/io/columns.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/json/from_string.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/status.h"

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

TEST(DoubleColumn, ReadsFloatsAndDoubles) {
  const std::shared_ptr<arrow::Array> arrays[] = {
      Numbers<arrow::FloatBuilder>(0.25F), Numbers<arrow::DoubleBuilder>(0.25)};
  for (const std::shared_ptr<arrow::Array>& array : arrays) {
    SCOPED_TRACE(array->type()->ToString());
    ASSERT_TRUE(IsReadableAs(*array->type(), ColumnType::kDouble));
    const DoubleColumn column(array);
    EXPECT_EQ(column[0], 0.25);
    EXPECT_FALSE(column.IsNull(0));
    EXPECT_TRUE(column.IsNull(1));
    EXPECT_EQ(column[1], 0);
  }
  EXPECT_TRUE(DoubleColumn().IsNull(7));
  EXPECT_EQ(DoubleColumn()[7], 0);
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

// "[a,b]" for each row, or "null".
std::string Printed(const ListColumn& column, int64_t row, ColumnType type) {
  if (column.IsNull(row)) {
    EXPECT_EQ(column.size(row), 0);
    return "null";
  }
  std::string result;
  for (int64_t i = 0; i < column.size(row); ++i) {
    StrAppend(&result, i == 0 ? "" : ",");
    if (type == ColumnType::kBytesList) {
      StrAppend(&result, column.bytes(row, i));
    } else {
      StrAppend(&result, column.int64(row, i));
    }
  }
  return StrCat("[", result, "]");
}

TEST(ListColumn, ReadsEveryKindOfListWhereverItIsCut) {
  const std::string texts =
      R"([["a","b"], null, ["c",null], ["d","e"], ["","f"]])";
  const std::vector<std::string> text_rows = {"[a,b]", "null", "[c,]", "[d,e]",
                                              "[,f]"};
  const std::string numbers = "[[1,2], null, [3,null], [4,5], [0,6]]";
  const std::vector<std::string> number_rows = {"[1,2]", "null", "[3,0]",
                                                "[4,5]", "[0,6]"};
  std::vector<std::shared_ptr<arrow::DataType>> types;
  for (const auto& value :
       {arrow::utf8(), arrow::large_utf8(), arrow::binary(), arrow::utf8_view(),
        arrow::dictionary(arrow::int8(), arrow::utf8()), arrow::int64(),
        arrow::uint8(), arrow::float64()}) {
    types.push_back(arrow::list(value));
    types.push_back(arrow::large_list(value));
    types.push_back(arrow::fixed_size_list(value, 2));
  }
  for (const std::shared_ptr<arrow::DataType>& type : types) {
    SCOPED_TRACE(type->ToString());
    const ColumnType as = IsReadableAs(*type, ColumnType::kInt64List)
                              ? ColumnType::kInt64List
                              : ColumnType::kBytesList;
    ASSERT_TRUE(IsReadableAs(*type, as));
    const bool is_text = as == ColumnType::kBytesList;
    EXPECT_NE(is_text, IsReadableAs(*type, ColumnType::kInt64List));
    const std::vector<std::string>& rows = is_text ? text_rows : number_rows;
    const std::shared_ptr<arrow::Array> whole =
        arrow::json::ArrayFromJSONString(type, is_text ? texts : numbers)
            .ValueOrDie();
    for (int64_t begin = 0; begin < whole->length(); ++begin) {
      const ListColumn column(whole->Slice(begin));
      for (int64_t row = begin; row < whole->length(); ++row) {
        EXPECT_EQ(Printed(column, row - begin, as),
                  rows[static_cast<size_t>(row)]);
      }
    }
  }
}

TEST(ListColumn, ReadsFloatingPointNumbers) {
  for (const auto& value : {arrow::float32(), arrow::float64()}) {
    const std::shared_ptr<arrow::DataType> type = arrow::list(value);
    SCOPED_TRACE(type->ToString());
    ASSERT_TRUE(IsReadableAs(*type, ColumnType::kDoubleList));
    const ListColumn column(
        arrow::json::ArrayFromJSONString(type, "[[0.5, null], null, [0.25]]")
            .ValueOrDie());
    EXPECT_EQ(column.size(0), 2);
    EXPECT_EQ(column.float64(0, 0), 0.5);
    EXPECT_EQ(column.float64(0, 1), 0);
    EXPECT_TRUE(column.IsNull(1));
    EXPECT_EQ(column.float64(2, 0), 0.25);
  }
}

TEST(ListColumn, EmptyIsNotNull) {
  const ListColumn column(
      arrow::json::ArrayFromJSONString(arrow::list(arrow::utf8()),
                                       R"([[], null, ["a"], []])")
          .ValueOrDie());
  for (const int64_t row : {0, 1, 3}) {
    EXPECT_EQ(column.IsNull(row), row == 1) << row;
    EXPECT_EQ(column.size(row), 0) << row;
  }
  EXPECT_EQ(column.bytes(2, 0), "a");
}

TEST(ListColumn, NullListThatHoldsValuesIsEmpty) {
  // Null by its bitmap, while its offsets span a value.
  const auto values = Strings<arrow::StringBuilder>();
  const auto offsets = arrow::Buffer::FromVector(std::vector<int32_t>{0, 1, 3});
  const auto valid = arrow::Buffer::FromString("\x02");
  const ListColumn column(std::make_shared<arrow::ListArray>(
      arrow::list(arrow::utf8()), 2, offsets, values, valid));
  EXPECT_TRUE(column.IsNull(0));
  EXPECT_EQ(column.size(0), 0);
  EXPECT_EQ(column.size(1), 2);
  EXPECT_EQ(column.bytes(1, 1), std::string_view("a\0b", 3));
}

TEST(ListColumn, ListsOfNullsAreReadAsAnyType) {
  const auto array = arrow::json::ArrayFromJSONString(
                         arrow::list(arrow::null()), "[[], [null, null], null]")
                         .ValueOrDie();
  const ListColumn column(array);
  for (const ColumnType type : {ColumnType::kBytesList, ColumnType::kInt64List,
                                ColumnType::kDoubleList}) {
    ASSERT_TRUE(IsReadableAs(*array->type(), type));
    EXPECT_EQ(Printed(column, 0, type), "[]");
    EXPECT_EQ(column.size(1), 2);
    EXPECT_EQ(Printed(column, 2, type), "null");
  }
  EXPECT_EQ(column.bytes(1, 1), "");
  EXPECT_EQ(column.int64(1, 1), 0);
  EXPECT_EQ(column.float64(1, 1), 0);
}

TEST(ListColumn, AbsentColumnIsAllNull) {
  const ListColumn column;
  EXPECT_TRUE(column.IsNull(7));
  EXPECT_EQ(column.size(7), 0);
}

TEST(IsReadableAs, RefusesOtherTypes) {
  EXPECT_FALSE(IsReadableAs(*arrow::int64(), ColumnType::kBytes));
  EXPECT_FALSE(IsReadableAs(*arrow::utf8(), ColumnType::kInt64));
  EXPECT_FALSE(IsReadableAs(*arrow::boolean(), ColumnType::kInt64));
  EXPECT_FALSE(IsReadableAs(*arrow::utf8(), ColumnType::kTimestamp));
  EXPECT_FALSE(IsReadableAs(*arrow::utf8(), ColumnType::kDouble));
  EXPECT_FALSE(IsReadableAs(*arrow::int64(), ColumnType::kDouble));
  EXPECT_FALSE(IsReadableAs(*arrow::dictionary(arrow::int8(), arrow::int64()),
                            ColumnType::kBytes));
  const auto texts = arrow::list(arrow::utf8());
  EXPECT_FALSE(IsReadableAs(*texts, ColumnType::kBytes));
  EXPECT_FALSE(IsReadableAs(*texts, ColumnType::kInt64List));
  EXPECT_FALSE(IsReadableAs(*texts, ColumnType::kDoubleList));
  EXPECT_FALSE(IsReadableAs(*arrow::float64(), ColumnType::kDoubleList));
  EXPECT_FALSE(IsReadableAs(*arrow::utf8(), ColumnType::kBytesList));
  EXPECT_FALSE(IsReadableAs(*arrow::int64(), ColumnType::kInt64List));
  EXPECT_FALSE(IsReadableAs(*arrow::list(texts), ColumnType::kBytesList));
  EXPECT_FALSE(IsReadableAs(*arrow::struct_({arrow::field("a", texts)}),
                            ColumnType::kBytesList));
}

}  // namespace
}  // namespace trommel::io
