#include "mapreduce/io/table_reader.h"

#include <arrow/array.h>
#include <arrow/array/util.h>
#include <arrow/builder.h>
#include <arrow/json/from_string.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/io/shard_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

// A file with columns text, number and three row groups; returns its path.
std::string WriteSample(const TempDir& dir) {
  const auto schema = arrow::schema({arrow::field("text", arrow::utf8()),
                                     arrow::field("number", arrow::int32())});
  ShardWriter::Options options;
  options.row_group_bytes = 1;  // a row group per batch
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, options);
  EXPECT_TRUE(writer.ok()) << writer.status();
  Random random(3);
  for (int batch = 0; batch < 3; ++batch) {
    arrow::StringBuilder text;
    arrow::Int32Builder number;
    for (int i = 0; i < 1000; ++i) {
      std::string value(100, ' ');
      for (char& c : value) c = static_cast<char>('a' + random.Below(26));
      EXPECT_TRUE(text.Append(value).ok());
      EXPECT_TRUE(number.Append(batch * 1000 + i).ok());
    }
    EXPECT_TRUE(
        (*writer)
            ->Write(*arrow::RecordBatch::Make(
                schema, 1000,
                {text.Finish().ValueOrDie(), number.Finish().ValueOrDie()}))
            .ok());
  }
  EXPECT_TRUE((*writer)->Close().ok());
  return dir / "t/part-00000.parquet";
}

// Reads everything; the first error ends it.
absl::StatusOr<std::vector<int64_t>> ReadNumbers(
    const std::string& file, const std::vector<ColumnRequest>& requests,
    TableReader::Options options = {}) {
  auto path = ResolvePath(file);
  if (!path.ok()) return path.status();
  auto reader = TableReader::Open(*path, requests, options);
  if (!reader.ok()) return reader.status();
  std::vector<int64_t> numbers;
  TableReader::Batch batch;
  while (true) {
    const auto more = (*reader)->Next(&batch);
    if (!more.ok()) return more.status();
    if (!*more) return numbers;
    const Int64Column column(batch.columns[0]);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      numbers.push_back(column[row]);
    }
  }
}

TEST(TableReader, ReadsAllRowsInOrderWhateverTheBatchSize) {
  const TempDir dir;
  const std::string file = WriteSample(dir);
  for (const int64_t bytes : {1, 1000, 1 << 20}) {
    TableReader::Options options;
    options.batch_bytes = bytes;
    const auto numbers =
        ReadNumbers(file, {{"number", ColumnType::kInt64}}, options);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    ASSERT_EQ(numbers->size(), 3000u);
    EXPECT_TRUE(std::is_sorted(numbers->begin(), numbers->end()));
  }
}

TEST(TableReader, ReadsChosenRowGroups) {
  const TempDir dir;
  TableReader::Options options;
  options.first_row_group = 1;
  options.last_row_group = 2;
  const auto numbers =
      ReadNumbers(WriteSample(dir), {{"number", ColumnType::kInt64}}, options);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_EQ(numbers->size(), 1000u);
  EXPECT_EQ(numbers->front(), 1000);
}

TEST(TableReader, OptionalColumnMayBeAbsent) {
  const TempDir dir;
  auto reader = TableReader::Open(
      *ResolvePath(WriteSample(dir)),
      {{"absent", ColumnType::kBytes, false}, {"text", ColumnType::kBytes}},
      {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  TableReader::Batch batch;
  ASSERT_TRUE(*(*reader)->Next(&batch));
  EXPECT_EQ(batch.columns[0], nullptr);
  EXPECT_EQ(BytesColumn(batch.columns[1])[0].size(), 100u);
}

TEST(TableReader, ColumnOfNullsIsLikeAnAbsentOne) {
  const TempDir dir;
  const auto schema = arrow::schema({arrow::field("number", arrow::null())});
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)
                  ->Write(*arrow::RecordBatch::Make(
                      schema, 3,
                      {arrow::MakeArrayOfNull(arrow::null(), 3).ValueOrDie()}))
                  .ok());
  ASSERT_TRUE((*writer)->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"number", ColumnType::kInt64, false}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
}

TEST(TableReader, RepeatedLongValuesStayBounded) {
  const TempDir dir;
  // One page of 100 KB twenty thousand times: 2 GB when expanded, some
  // kilobytes in the file. Without dictionaries kept this would not fit.
  const auto schema = arrow::schema({arrow::field("text", arrow::utf8())});
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  const std::string page(100000, 'x');
  for (int batch = 0; batch < 20; ++batch) {
    arrow::StringBuilder text;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(text.Append(page).ok());
    ASSERT_TRUE((*writer)
                    ->Write(*arrow::RecordBatch::Make(
                        schema, 1000, {text.Finish().ValueOrDie()}))
                    .ok());
  }
  ASSERT_TRUE((*writer)->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"text"}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  const int64_t before = arrow::default_memory_pool()->bytes_allocated();
  TableReader::Batch batch;
  int64_t rows = 0;
  int64_t peak = 0;
  while (*(*reader)->Next(&batch)) {
    rows += batch.num_rows;
    EXPECT_EQ(BytesColumn(batch.columns[0])[batch.num_rows - 1], page);
    peak = std::max(peak,
                    arrow::default_memory_pool()->bytes_allocated() - before);
  }
  EXPECT_EQ(rows, 20000);
  EXPECT_LT(peak, 32 << 20);
}

// Whether batches carry the dictionary that the file has.
bool IsReadAsDictionary(const std::string& file, int64_t max_batch_rows) {
  TableReader::Options options;
  options.max_batch_rows = max_batch_rows;
  auto reader = TableReader::Open(*ResolvePath(file), {{"text"}}, options);
  EXPECT_TRUE(reader.ok()) << reader.status();
  TableReader::Batch batch;
  int64_t rows = 0;
  bool is_dictionary = false;
  while (*(*reader)->Next(&batch)) {
    const BytesColumn column(batch.columns[0]);
    for (int64_t i = 0; i < batch.num_rows; ++i) {
      EXPECT_FALSE(column[i].empty());
    }
    rows += batch.num_rows;
    is_dictionary =
        is_dictionary || batch.columns[0]->type_id() == arrow::Type::DICTIONARY;
  }
  EXPECT_EQ(rows, (*reader)->num_rows());
  return is_dictionary;
}

TEST(TableReader, ADictionaryLargerThanABatchIsNotCarriedAlong) {
  // Every batch would have all of it: quadratic time.
  const auto write = [](const TempDir& dir, int num_rows, int num_values) {
    const auto schema = arrow::schema({arrow::field("text", arrow::utf8())});
    auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
    EXPECT_TRUE(writer.ok()) << writer.status();
    arrow::StringBuilder text;
    for (int i = 0; i < num_rows; ++i) {
      EXPECT_TRUE(text.Append("http://shop.example/products/and/more/" +
                              std::to_string(i % num_values))
                      .ok());
    }
    EXPECT_TRUE((*writer)
                    ->Write(*arrow::RecordBatch::Make(
                        schema, num_rows, {text.Finish().ValueOrDie()}))
                    .ok());
    EXPECT_TRUE((*writer)->Close().ok());
    return dir / "t/part-00000.parquet";
  };
  const TempDir few;
  const std::string repetitive = write(few, 5000, 100);
  EXPECT_TRUE(IsReadAsDictionary(repetitive, 1000));
  EXPECT_FALSE(IsReadAsDictionary(repetitive, 32));
  // The writer gives up its dictionary when that is a megabyte.
  const TempDir many;
  EXPECT_FALSE(IsReadAsDictionary(write(many, 60000, 60000), 65536));
}

// A file of one column of the type, its rows given as JSON.
std::string WriteColumn(const TempDir& dir, const std::string& name,
                        const std::shared_ptr<arrow::DataType>& type,
                        const std::string& json) {
  const auto schema = arrow::schema({arrow::field(name, type)});
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
  EXPECT_TRUE(writer.ok()) << writer.status();
  const auto array = arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
  EXPECT_TRUE(
      (*writer)
          ->Write(*arrow::RecordBatch::Make(schema, array->length(), {array}))
          .ok());
  EXPECT_TRUE((*writer)->Close().ok());
  return dir / "t/part-00000.parquet";
}

// The only batch of a file.
TableReader::Batch ReadBatch(const std::string& file,
                             const std::vector<ColumnRequest>& requests) {
  auto reader = TableReader::Open(*ResolvePath(file), requests, {});
  EXPECT_TRUE(reader.ok()) << reader.status();
  TableReader::Batch batch;
  if (!reader.ok()) return batch;
  const auto more = (*reader)->Next(&batch);
  EXPECT_TRUE(more.ok() && *more) << more.status();
  return batch;
}

TEST(TableReader, ReadsEveryKindOfList) {
  for (const auto& value :
       {arrow::utf8(), arrow::large_utf8(), arrow::binary(), arrow::utf8_view(),
        arrow::dictionary(arrow::int8(), arrow::utf8())}) {
    for (const auto& type : {arrow::list(value), arrow::large_list(value),
                             arrow::fixed_size_list(value, 2)}) {
      SCOPED_TRACE(type->ToString());
      const TempDir dir;
      const std::string file = WriteColumn(
          dir, "genre", type, R"([["a", "b"], null, ["a", null], ["c", "a"]])");
      const TableReader::Batch batch =
          ReadBatch(file, {{"genre", ColumnType::kBytesList}});
      ASSERT_EQ(batch.num_rows, 4);
      const ListColumn column(batch.columns[0]);
      EXPECT_TRUE(column.IsNull(1));
      ASSERT_EQ(column.size(3), 2);
      EXPECT_EQ(column.bytes(0, 1), "b");
      EXPECT_EQ(column.bytes(2, 0), "a");
      EXPECT_EQ(column.bytes(2, 1), "");
      EXPECT_EQ(column.bytes(3, 0), "c");
    }
  }
}

std::shared_ptr<arrow::DataType> Signature() {
  return arrow::struct_({arrow::field("signature", arrow::utf8()),
                         arrow::field("importance", arrow::int32())});
}

TEST(TableReader, ReadsFieldsOfEveryKindOfList) {
  for (const auto& type :
       {arrow::list(Signature()), arrow::large_list(Signature()),
        arrow::fixed_size_list(Signature(), 2)}) {
    SCOPED_TRACE(type->ToString());
    const TempDir dir;
    const std::string file =
        WriteColumn(dir, "signatures", type,
                    R"([[{"signature": "a", "importance": 1}, null], null,
            [{"signature": null, "importance": 2},
             {"signature": "b", "importance": null}],
            [{"signature": "c", "importance": -3},
             {"signature": "a", "importance": 4}]])");
    const ColumnRequest signature = {"signatures.signature",
                                     ColumnType::kBytesList};
    const ColumnRequest importance = {"signatures.importance",
                                      ColumnType::kInt64List};
    // Alone, together, the other way round, and one of them twice.
    for (const std::vector<ColumnRequest>& requests :
         std::vector<std::vector<ColumnRequest>>{
             {signature},
             {importance},
             {signature, importance},
             {importance, signature, importance}}) {
      const TableReader::Batch batch = ReadBatch(file, requests);
      ASSERT_EQ(batch.num_rows, 4);
      for (size_t i = 0; i < requests.size(); ++i) {
        const ListColumn column(batch.columns[i]);
        EXPECT_TRUE(column.IsNull(1));
        EXPECT_EQ(column.size(1), 0);
        ASSERT_EQ(column.size(0), 2);
        ASSERT_EQ(column.size(3), 2);
        if (requests[i].type == ColumnType::kBytesList) {
          EXPECT_EQ(column.bytes(0, 0), "a");
          EXPECT_EQ(column.bytes(0, 1), "");
          EXPECT_EQ(column.bytes(2, 0), "");
          EXPECT_EQ(column.bytes(2, 1), "b");
          EXPECT_EQ(column.bytes(3, 0), "c");
        } else {
          EXPECT_EQ(column.int64(0, 0), 1);
          EXPECT_EQ(column.int64(0, 1), 0);
          EXPECT_EQ(column.int64(2, 0), 2);
          EXPECT_EQ(column.int64(2, 1), 0);
          EXPECT_EQ(column.int64(3, 0), -3);
        }
      }
    }
  }
}

TEST(TableReader, ReadsKeysAndValuesOfMaps) {
  const TempDir dir;
  const std::string file =
      WriteColumn(dir, "m", arrow::map(arrow::utf8(), arrow::int64()),
                  R"([[["a", 1], ["b", null]], [], null])");
  const TableReader::Batch batch = ReadBatch(
      file,
      {{"m.key", ColumnType::kBytesList}, {"m.value", ColumnType::kInt64List}});
  ASSERT_EQ(batch.num_rows, 3);
  const ListColumn keys(batch.columns[0]);
  const ListColumn values(batch.columns[1]);
  ASSERT_EQ(keys.size(0), 2);
  EXPECT_EQ(keys.bytes(0, 1), "b");
  EXPECT_EQ(values.int64(0, 0), 1);
  EXPECT_EQ(values.size(1), 0);
  EXPECT_TRUE(values.IsNull(2));
}

TEST(TableReader, ReadsListsThatAreAllEmpty) {
  const TempDir dir;
  const std::string file =
      WriteColumn(dir, "genre", arrow::list(arrow::null()), "[[], null, []]");
  const TableReader::Batch batch =
      ReadBatch(file, {{"genre", ColumnType::kBytesList}});
  ASSERT_EQ(batch.num_rows, 3);
  const ListColumn column(batch.columns[0]);
  for (const int64_t row : {0, 1, 2}) {
    EXPECT_EQ(column.size(row), 0);
    EXPECT_EQ(column.IsNull(row), row == 1);
  }
}

TEST(TableReader, OfAListOfStructsOnlyTheWantedFieldIsRead) {
  const TempDir dir;
  const std::string file =
      WriteColumn(dir, "signatures", arrow::list(Signature()),
                  R"([[{"signature": "a long signature, and nobody asks for it",
            "importance": 1}]])");
  const auto bytes = [&file](const std::vector<ColumnRequest>& requests) {
    return (*TableReader::Open(*ResolvePath(file), requests, {}))
        ->row_group(0)
        .num_bytes;
  };
  const ColumnRequest signature = {"signatures.signature",
                                   ColumnType::kBytesList};
  const ColumnRequest importance = {"signatures.importance",
                                    ColumnType::kInt64List};
  EXPECT_GT(bytes({importance}), 0);
  EXPECT_LT(bytes({importance}), bytes({signature}));
  EXPECT_EQ(bytes({importance}) + bytes({signature}),
            bytes({importance, signature, importance}));
}

TEST(TableReader, RepeatedListValuesStayBounded) {
  const TempDir dir;
  // Twenty million times the same value, in some kilobytes.
  const auto type = arrow::list(arrow::int64());
  const auto schema = arrow::schema({arrow::field("numbers", type)});
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  std::string json = "[7";
  for (int i = 1; i < 1000; ++i) json += ",7";
  const auto row =
      arrow::json::ArrayFromJSONString(type, "[" + json + "]]").ValueOrDie();
  const auto rows =
      arrow::MakeArrayFromScalar(*row->GetScalar(0).ValueOrDie(), 1000)
          .ValueOrDie();
  for (int batch = 0; batch < 20; ++batch) {
    ASSERT_TRUE(
        (*writer)->Write(*arrow::RecordBatch::Make(schema, 1000, {rows})).ok());
  }
  ASSERT_TRUE((*writer)->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"numbers", ColumnType::kInt64List}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  const int64_t before = arrow::default_memory_pool()->bytes_allocated();
  TableReader::Batch batch;
  int64_t num_rows = 0;
  int64_t peak = 0;
  while (*(*reader)->Next(&batch)) {
    num_rows += batch.num_rows;
    EXPECT_EQ(ListColumn(batch.columns[0]).int64(batch.num_rows - 1, 999), 7);
    peak = std::max(peak,
                    arrow::default_memory_pool()->bytes_allocated() - before);
  }
  EXPECT_EQ(num_rows, 20000);
  EXPECT_LT(peak, 32 << 20);
}

TEST(TableReader, ListErrorsNameFileColumnAndWhatIsExpected) {
  const TempDir dir;
  const std::string file =
      WriteColumn(dir, "signatures", arrow::list(Signature()),
                  R"([[{"signature": "a", "importance": 1}]])");
  const TempDir dir2;
  const TempDir dir3;
  const std::string nested = WriteColumn(
      dir2, "grid", arrow::list(arrow::list(arrow::utf8())), R"([[["a"]]])");
  struct Case {
    const char* label;
    std::string file;
    ColumnRequest request;
    std::string expected;
  };
  const Case cases[] = {
      {"no such column",
       file,
       {"genre", ColumnType::kBytesList},
       "the required column \"genre\" is missing; the file has: signatures, "
       "signatures.signature, signatures.importance"},
      {"no such field",
       file,
       {"signatures.weight", ColumnType::kInt64List},
       "the required column \"signatures.weight\" is missing; the file has: "
       "signatures, signatures.signature, signatures.importance"},
      {"structs as values",
       file,
       {"signatures", ColumnType::kBytesList},
       "column \"signatures\" has type list<element: struct<signature: "
       "string, importance: int32>>, expected a list of string or binary"},
      {"a list as one value",
       file,
       {"signatures.signature", ColumnType::kBytes},
       "column \"signatures.signature\" has type list<signature: string>, "
       "expected string or binary"},
      {"text as numbers",
       file,
       {"signatures.signature", ColumnType::kInt64List},
       "has type list<signature: string>, expected a list of integers"},
      {"numbers as text",
       file,
       {"signatures.importance", ColumnType::kBytesList},
       "has type list<importance: int32>, expected a list of string or "
       "binary"},
      {"lists of lists",
       nested,
       {"grid", ColumnType::kBytesList},
       "has type list<element: list<element: string>>, expected a list of "
       "string or binary"},
      {"no structs",
       nested,
       {"grid.element", ColumnType::kBytesList},
       "the required column \"grid.element\" is missing; the file has: grid"},
      {"one value as a list",
       WriteSample(dir3),
       {"text", ColumnType::kBytesList},
       "column \"text\" has type string, expected a list of string or "
       "binary"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const auto reader =
        TableReader::Open(*ResolvePath(c.file), {c.request}, {});
    ASSERT_FALSE(reader.ok());
    EXPECT_EQ(reader.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(reader.status().message()),
        testing::AllOf(HasSubstr("part-00000.parquet"), HasSubstr(c.expected)));
  }
}

TEST(TableReader, SameColumnTwice) {
  const TempDir dir;
  const TableReader::Batch batch = ReadBatch(
      WriteSample(dir), {{"text"}, {"number", ColumnType::kInt64}, {"text"}});
  EXPECT_EQ(batch.columns[0], batch.columns[2]);
  EXPECT_EQ(Int64Column(batch.columns[1])[1], 1);
}

TEST(TableReader, MissingColumnIsNamedWithWhatThereIs) {
  const TempDir dir;
  const auto numbers = ReadNumbers(WriteSample(dir), {{"url"}});
  ASSERT_FALSE(numbers.ok());
  EXPECT_EQ(numbers.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(numbers.status().message()),
              testing::AllOf(HasSubstr("part-00000.parquet"),
                             HasSubstr("\"url\" is missing"),
                             HasSubstr("text, number")));
}

TEST(TableReader, WrongTypeIsNamed) {
  const TempDir dir;
  const auto numbers =
      ReadNumbers(WriteSample(dir), {{"text", ColumnType::kInt64}});
  ASSERT_FALSE(numbers.ok());
  EXPECT_THAT(std::string(numbers.status().message()),
              testing::AllOf(HasSubstr("\"text\" has type string"),
                             HasSubstr("expected an integer")));
}

TEST(TableReader, EveryTruncationIsAnErrorThatNamesTheFile) {
  const TempDir dir;
  const std::string bytes = ReadWholeFile(WriteSample(dir));
  for (const size_t size :
       {size_t{0}, size_t{3}, size_t{4}, size_t{11}, bytes.size() / 2,
        bytes.size() - 9, bytes.size() - 1}) {
    SCOPED_TRACE(size);
    WriteWholeFile(dir / "cut.parquet", bytes.substr(0, size));
    const auto numbers =
        ReadNumbers(dir / "cut.parquet", {{"number", ColumnType::kInt64}});
    ASSERT_FALSE(numbers.ok());
    EXPECT_THAT(std::string(numbers.status().message()),
                HasSubstr("cut.parquet"));
  }
}

TEST(TableReader, DamagedDataNamesTheRowGroup) {
  const TempDir dir;
  std::string bytes = ReadWholeFile(WriteSample(dir));
  // A byte in the middle of the data lies in the second row group.
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  WriteWholeFile(dir / "bad.parquet", bytes);
  const auto numbers = ReadNumbers(dir / "bad.parquet",
                                   {{"number", ColumnType::kInt64}, {"text"}});
  ASSERT_FALSE(numbers.ok());
  EXPECT_THAT(
      std::string(numbers.status().message()),
      testing::AllOf(HasSubstr("bad.parquet"), HasSubstr("row group 1")));
}

TEST(TableReader, RandomDamageNeverCrashes) {
  const TempDir dir;
  const std::string good = ReadWholeFile(WriteSample(dir));
  constexpr uint64_t kSeed = 20260101;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  int errors = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    // Mostly the footer, where damage does the most.
    const size_t low = round % 2 == 0 ? bytes.size() - 1200 : 0;
    for (int i = 0; i < 3; ++i) {
      bytes[low + random.Below(bytes.size() - low)] =
          static_cast<char>(random.Next());
    }
    WriteWholeFile(dir / "bad.parquet", bytes);
    const auto numbers = ReadNumbers(
        dir / "bad.parquet", {{"number", ColumnType::kInt64}, {"text"}});
    if (!numbers.ok()) ++errors;
  }
  EXPECT_GT(errors, 100);
}

TEST(TableReader, RandomDamageOfListsNeverCrashes) {
  const TempDir dir;
  std::string json = R"([{"signature": "a", "importance": 1})";
  for (int i = 0; i < 200; ++i) {
    json += R"(, {"signature": "b", "importance": 2})";
  }
  const std::string good =
      ReadWholeFile(WriteColumn(dir, "signatures", arrow::list(Signature()),
                                "[[], null, " + json + "], " + json + "]]"));
  constexpr uint64_t kSeed = 20260102;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  int errors = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) {
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
    }
    WriteWholeFile(dir / "bad.parquet", bytes);
    auto reader =
        TableReader::Open(*ResolvePath(dir / "bad.parquet"),
                          {{"signatures.signature", ColumnType::kBytesList},
                           {"signatures.importance", ColumnType::kInt64List}},
                          {});
    TableReader::Batch batch;
    while (reader.ok()) {
      const auto more = (*reader)->Next(&batch);
      if (!more.ok()) reader = more.status();
      if (!more.ok() || !*more) break;
      const ListColumn texts(batch.columns[0]);
      const ListColumn numbers(batch.columns[1]);
      int64_t sum = 0;
      for (int64_t row = 0; row < batch.num_rows; ++row) {
        for (int64_t i = 0; i < texts.size(row); ++i) {
          sum += static_cast<int64_t>(texts.bytes(row, i).size());
        }
        for (int64_t i = 0; i < numbers.size(row); ++i) {
          sum += numbers.int64(row, i) & 0xFF;
        }
      }
      EXPECT_GE(sum, 0);
    }
    if (!reader.ok()) ++errors;
  }
  EXPECT_GT(errors, 100);
}

}  // namespace
}  // namespace trommel::io
