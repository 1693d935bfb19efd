#include "mapreduce/io/row_writer.h"

#include <arrow/array.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/json/from_string.h>
#include <arrow/scalar.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing::HasSubstr;
using testing_support::TempDir;

std::shared_ptr<arrow::Schema> AllTypes() {
  return arrow::schema(
      {arrow::field("text", arrow::utf8()),
       arrow::field("bytes", arrow::binary()),
       arrow::field("count", arrow::int64()),
       arrow::field("share", arrow::float64()),
       arrow::field("flag", arrow::boolean()),
       arrow::field("time", arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
       arrow::field("texts", arrow::list(arrow::utf8()))});
}

std::unique_ptr<RowWriter> Create(const TempDir& dir,
                                  const std::shared_ptr<arrow::Schema>& schema,
                                  const ShardWriter::Options& options = {}) {
  auto writer = RowWriter::Create(*ResolvePath(dir / "t"), schema, options);
  EXPECT_TRUE(writer.ok()) << writer.status();
  return *std::move(writer);
}

// The file as another program reads it.
std::shared_ptr<arrow::Table> ReadTable(const TempDir& dir) {
  const Path path = *ResolvePath(dir / "t/part-00000.parquet");
  parquet::arrow::FileReaderBuilder builder;
  EXPECT_TRUE(
      builder.Open(path.file_system->OpenInputFile(path.path).ValueOrDie())
          .ok());
  const auto reader = builder.Build().ValueOrDie();
  return reader->GetRecordBatchReader()
      .ValueOrDie()
      ->ToTable()
      .ValueOrDie()
      ->CombineChunks()
      .ValueOrDie();
}

std::string Printed(const arrow::Table& table, const std::string& column,
                    int64_t row) {
  return table.GetColumnByName(column)->GetScalar(row).ValueOrDie()->ToString();
}

TEST(RowWriter, EveryTypeAndNulls) {
  const TempDir dir;
  const auto writer = Create(dir, AllTypes());
  const std::string bytes("\0\xFF\x80", 3);
  writer->Text("caf\xC3\xA9")
      .Bytes(bytes)
      .Int64(std::numeric_limits<int64_t>::min())
      .Double(0.25)
      .Bool(true)
      .Time(1500000)
      .Texts({"a", "", "b"});
  ASSERT_TRUE(writer->EndRow().ok());
  writer->Null().Null().Null().Null().Null().Null().Null();
  ASSERT_TRUE(writer->EndRow().ok());
  writer->Text("").Bytes("").Int64(0).Double(-1).Bool(false).Time(0).Texts({});
  ASSERT_TRUE(writer->EndRow().ok());
  EXPECT_EQ(writer->num_rows(), 3);
  const auto shards = writer->Close();
  ASSERT_TRUE(shards.ok()) << shards.status();
  ASSERT_EQ(shards->size(), 1u);
  EXPECT_EQ(shards->front().num_rows, 3);

  const std::shared_ptr<arrow::Table> table = ReadTable(dir);
  EXPECT_TRUE(table->schema()->Equals(*AllTypes())) << table->schema();
  ASSERT_EQ(table->num_rows(), 3);
  EXPECT_EQ(Printed(*table, "text", 0), "caf\xC3\xA9");
  const auto stored = std::static_pointer_cast<arrow::BinaryArray>(
      table->GetColumnByName("bytes")->chunk(0));
  EXPECT_EQ(stored->GetView(0), bytes);
  EXPECT_EQ(stored->GetView(2), "");
  EXPECT_EQ(Printed(*table, "count", 0), "-9223372036854775808");
  EXPECT_EQ(Printed(*table, "share", 0), "0.25");
  EXPECT_EQ(Printed(*table, "flag", 0), "true");
  EXPECT_EQ(Printed(*table, "flag", 2), "false");
  EXPECT_THAT(Printed(*table, "time", 0), HasSubstr("1970-01-01 00:00:01.5"));
  const auto lists = std::static_pointer_cast<arrow::ListArray>(
      table->GetColumnByName("texts")->chunk(0));
  EXPECT_EQ(lists->value_length(0), 3);
  EXPECT_EQ(lists->value_length(2), 0);
  EXPECT_FALSE(lists->IsNull(2));
  const auto& texts = static_cast<const arrow::StringArray&>(*lists->values());
  EXPECT_EQ(texts.GetView(0), "a");
  EXPECT_EQ(texts.GetView(1), "");
  EXPECT_EQ(texts.GetView(2), "b");
  for (int i = 0; i < table->num_columns(); ++i) {
    const auto& column = *table->column(i)->chunk(0);
    EXPECT_FALSE(column.IsNull(0)) << i;
    EXPECT_TRUE(column.IsNull(1)) << i;
    EXPECT_FALSE(column.IsNull(2)) << i;
  }
}

TEST(RowWriter, WhatIsNotThereIsNull) {
  const TempDir dir;
  const auto writer = Create(dir, AllTypes());
  writer->TextOrNull("a").Null().Null().Null().Null().TimeOrNull(0).Null();
  ASSERT_TRUE(writer->EndRow().ok());
  writer->TextOrNull("").Null().Null().Null().Null().TimeOrNull({}).Null();
  ASSERT_TRUE(writer->EndRow().ok());
  ASSERT_TRUE(writer->Close().ok());
  const std::shared_ptr<arrow::Table> table = ReadTable(dir);
  for (const char* const column : {"text", "time"}) {
    const auto& values = *table->GetColumnByName(column)->chunk(0);
    EXPECT_FALSE(values.IsNull(0)) << column;
    EXPECT_TRUE(values.IsNull(1)) << column;
  }
  EXPECT_EQ(Printed(*table, "text", 0), "a");
}

TEST(RowWriter, NestedValues) {
  const auto pair =
      arrow::struct_({arrow::field("name", arrow::utf8()),
                      arrow::field("numbers", arrow::list(arrow::int64()))});
  const auto schema = arrow::schema(
      {arrow::field("pairs", arrow::list(pair)), arrow::field("pair", pair),
       arrow::field("grid", arrow::list(arrow::list(arrow::float64())))});
  const TempDir dir;
  const auto writer = Create(dir, schema);
  writer->BeginList();
  writer->BeginStruct().Text("a");
  writer->BeginList().Int64(1).Null().Int64(3).EndList().EndStruct();
  writer->Null();
  writer->BeginStruct().Null().Null().EndStruct();
  writer->EndList();
  writer->BeginStruct().Text("b").BeginList().EndList().EndStruct();
  writer->BeginList();
  writer->BeginList().Double(0.5).EndList().BeginList().EndList();
  writer->EndList();
  ASSERT_TRUE(writer->EndRow().ok());
  writer->Null().Null().Null();
  ASSERT_TRUE(writer->EndRow().ok());
  writer->BeginList().EndList().Null().BeginList().Null().EndList();
  ASSERT_TRUE(writer->EndRow().ok());
  ASSERT_TRUE(writer->Close().ok());

  const std::shared_ptr<arrow::Table> table = ReadTable(dir);
  ASSERT_TRUE(table->ValidateFull().ok());
  const char* const columns[] = {
      R"([[{"name": "a", "numbers": [1, null, 3]}, null,
           {"name": null, "numbers": null}], null, []])",
      R"([{"name": "b", "numbers": []}, null, null])",
      "[[[0.5], []], null, [null]]"};
  for (int i = 0; i < 3; ++i) {
    const auto expected =
        arrow::json::ArrayFromJSONString(schema->field(i)->type(), columns[i])
            .ValueOrDie();
    EXPECT_TRUE(table->column(i)->chunk(0)->Equals(*expected))
        << table->column(i)->ToString();
  }
}

TEST(RowWriter, BadUtf8IsReplaced) {
  struct Case {
    const char* label;
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {"good", "caf\xC3\xA9", "caf\xC3\xA9"},
      {"lone byte", "a\xFFz", "a\xEF\xBF\xBDz"},
      {"cut at the end", "caf\xC3", "caf\xEF\xBF\xBD"},
      {"NUL is text", std::string("a\0b", 3), std::string("a\0b", 3)},
  };
  const TempDir dir;
  const auto writer = Create(
      dir, arrow::schema({arrow::field("text", arrow::utf8()),
                          arrow::field("texts", arrow::list(arrow::utf8()))}));
  for (const Case& c : cases) {
    writer->Text(c.text).Texts({c.text});
    ASSERT_TRUE(writer->EndRow().ok()) << c.label;
  }
  ASSERT_TRUE(writer->Close().ok());
  const std::shared_ptr<arrow::Table> table = ReadTable(dir);
  ASSERT_TRUE(table->ValidateFull().ok());
  const auto texts = std::static_pointer_cast<arrow::StringArray>(
      table->GetColumnByName("text")->chunk(0));
  const auto lists = std::static_pointer_cast<arrow::ListArray>(
      table->GetColumnByName("texts")->chunk(0));
  const auto& items = static_cast<const arrow::StringArray&>(*lists->values());
  for (size_t i = 0; i < std::size(cases); ++i) {
    const auto row = static_cast<int64_t>(i);
    EXPECT_EQ(texts->GetView(row), cases[i].expected) << cases[i].label;
    EXPECT_EQ(items.GetView(row), cases[i].expected) << cases[i].label;
  }
}

TEST(RowWriter, WrongRowsAreErrorsThatNameTheColumn) {
  const auto schema =
      arrow::schema({arrow::field("site", arrow::utf8()),
                     arrow::field("pages", arrow::int64(), false)});
  struct Case {
    const char* label;
    std::function<void(RowWriter*)> write;
    std::vector<std::string> expected;
  };
  const Case cases[] = {
      {"nothing", [](RowWriter*) {}, {"missing", "site"}},
      {"too few", [](RowWriter* w) { w->Text("a"); }, {"missing", "pages"}},
      {"too many",
       [](RowWriter* w) { w->Text("a").Int64(1).Int64(2); },
       {"too many", "end"}},
      {"a null too many",
       [](RowWriter* w) { w->Text("a").Int64(1).Null(); },
       {"too many", "end"}},
      {"null where none may be",
       [](RowWriter* w) { w->Text("a").Null(); },
       {"null", "pages"}},
      {"number for text",
       [](RowWriter* w) { w->Int64(1).Int64(1); },
       {"another type", "site"}},
      {"bytes for text",
       [](RowWriter* w) { w->Bytes("a").Int64(1); },
       {"another type", "site"}},
      {"text for a number",
       [](RowWriter* w) { w->Text("a").Text("1"); },
       {"another type", "pages"}},
      {"double for a number",
       [](RowWriter* w) { w->Text("a").Double(1); },
       {"another type", "pages"}},
      {"bool for a number",
       [](RowWriter* w) { w->Text("a").Bool(true); },
       {"another type", "pages"}},
      {"time for a number",
       [](RowWriter* w) { w->Text("a").Time(1); },
       {"another type", "pages"}},
      {"texts for text",
       [](RowWriter* w) { w->Texts({"a"}).Int64(1); },
       {"another type", "site"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const TempDir dir;
    const auto writer = Create(dir, schema);
    writer->Text("good").Int64(1);
    ASSERT_TRUE(writer->EndRow().ok());
    c.write(writer.get());
    const absl::Status status = writer->EndRow();
    ASSERT_FALSE(status.ok());
    for (const std::string& part : c.expected) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(part));
    }
    EXPECT_EQ(writer->num_rows(), 1);
    // It stays an error: a table with a row missing must not be finished.
    EXPECT_FALSE(writer->Close().ok());
  }
}

TEST(RowWriter, WrongNestingIsAnErrorThatNamesTheColumn) {
  const auto schema = arrow::schema(
      {arrow::field("signatures",
                    arrow::list(arrow::struct_(
                        {arrow::field("signature", arrow::utf8()),
                         arrow::field("importance", arrow::int64(), false)}))),
       arrow::field("genre", arrow::list(arrow::utf8()))});
  struct Case {
    const char* label;
    std::function<void(RowWriter*)> write;
    std::vector<std::string> expected;
  };
  const Case cases[] = {
      {"a value for a list",
       [](RowWriter* w) { w->Text("a").Texts({}); },
       {"another type", "column signatures: list<"}},
      {"a struct for a list",
       [](RowWriter* w) { w->BeginStruct().Text("a").Int64(1).EndStruct(); },
       {"another type", "column signatures: list<"}},
      {"a value for a struct",
       [](RowWriter* w) { w->BeginList().Text("a").EndList().Texts({}); },
       {"another type", "column signatures[]: struct<"}},
      {"texts for structs",
       [](RowWriter* w) { w->Texts({"a"}).Texts({}); },
       {"another type", "column signatures[]: struct<"}},
      {"a list for a struct",
       [](RowWriter* w) { w->BeginList().BeginList().EndList().EndList(); },
       {"another type", "column signatures[]: struct<"}},
      {"another type in a list",
       [](RowWriter* w) { w->Null().BeginList().Int64(1).EndList(); },
       {"another type", "column genre[]: string"}},
      {"another type in a struct",
       [](RowWriter* w) {
         w->BeginList().BeginStruct().Text("a").Text("b").EndStruct();
         w->EndList().Texts({});
       },
       {"another type", "column signatures[].importance: int64 not null"}},
      {"null where none may be",
       [](RowWriter* w) {
         w->BeginList().BeginStruct().Text("a").Null().EndStruct();
         w->EndList().Texts({});
       },
       {"a null", "column signatures[].importance: int64 not null"}},
      {"too few in a struct",
       [](RowWriter* w) {
         w->BeginList().BeginStruct().Text("a").EndStruct().EndList();
         w->Texts({});
       },
       {"missing", "column signatures[].importance: int64"}},
      {"too many in a struct",
       [](RowWriter* w) {
         w->BeginList().BeginStruct().Text("a").Int64(1).Int64(2).EndStruct();
         w->EndList().Texts({});
       },
       {"too many", "column signatures[]: struct<"}},
      {"a list's end in a struct",
       [](RowWriter* w) { w->BeginList().BeginStruct().EndList().Texts({}); },
       {"a list's end", "column signatures[].signature: string"}},
      {"a struct's end in a list",
       [](RowWriter* w) { w->BeginList().EndStruct().EndList().Texts({}); },
       {"a struct's end", "column signatures[]: struct<"}},
      {"a list's end before any",
       [](RowWriter* w) { w->EndList().Null().Null(); },
       {"a list's end", "column signatures: list<"}},
      {"a list's end too many",
       [](RowWriter* w) { w->BeginList().EndList().EndList(); },
       {"a list's end", "column genre: list<"}},
      {"a struct's end after all",
       [](RowWriter* w) { w->Null().Null().EndStruct(); },
       {"a struct's end", "the row's end"}},
      {"a list that does not end",
       [](RowWriter* w) { w->Null().BeginList().Text("a"); },
       {"in a list", "column genre[]: string"}},
      {"a struct that does not end",
       [](RowWriter* w) { w->BeginList().BeginStruct().Text("a").Int64(1); },
       {"in a list or struct", "column signatures[]: struct<"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const TempDir dir;
    const auto writer = Create(dir, schema);
    writer->BeginList().BeginStruct().Text("a").Int64(1).EndStruct().EndList();
    writer->Texts({"good"});
    ASSERT_TRUE(writer->EndRow().ok());
    c.write(writer.get());
    const absl::Status status = writer->EndRow();
    ASSERT_FALSE(status.ok());
    for (const std::string& part : c.expected) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(part));
    }
    // Whatever follows, the first error stays.
    writer->EndList().EndStruct().EndStruct().BeginList().Null().Texts({"a"});
    EXPECT_EQ(writer->EndRow(), status);
    EXPECT_EQ(writer->num_rows(), 1);
    EXPECT_EQ(writer->Close().status(), status);
  }
}

TEST(RowWriter, LongListsMakeSmallBatches) {
  const TempDir dir;
  ShardWriter::Options options;
  options.row_group_bytes = 1;
  const auto writer = Create(
      dir,
      arrow::schema({arrow::field("numbers", arrow::list(arrow::int64()))}),
      options);
  for (int row = 0; row < 16; ++row) {
    writer->BeginList();
    for (int64_t i = 0; i < 1 << 17; ++i) writer->Int64(i);
    writer->EndList();
    ASSERT_TRUE(writer->EndRow().ok());
  }
  ASSERT_TRUE(writer->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"numbers", ColumnType::kInt64List}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->num_row_groups(), 4);
  EXPECT_EQ((*reader)->num_rows(), 16);
}

TEST(RowWriter, SeveralShardsHoldAllRowsInOrder) {
  const TempDir dir;
  ShardWriter::Options options;
  options.max_file_bytes = 1;  // a file for each batch
  options.row_group_bytes = 1;
  const auto writer =
      Create(dir,
             arrow::schema({arrow::field("number", arrow::int64()),
                            arrow::field("text", arrow::utf8())}),
             options);
  constexpr int64_t kRows = 40000;  // more than two batches
  for (int64_t i = 0; i < kRows; ++i) {
    writer->Int64(i).Text(StrCat("text ", i));
    ASSERT_TRUE(writer->EndRow().ok());
  }
  EXPECT_EQ(writer->num_rows(), kRows);
  const auto shards = writer->Close();
  ASSERT_TRUE(shards.ok()) << shards.status();
  EXPECT_GE(shards->size(), 3u);
  int64_t next = 0;
  for (const ShardInfo& shard : *shards) {
    auto reader =
        RowReader::Open(*ResolvePath(dir / ("t/" + shard.file)),
                        {{"number", ColumnType::kInt64}, {"text"}}, {});
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ((*reader)->num_rows(), shard.num_rows);
    Row row;
    while (*(*reader)->Next(&row)) {
      ASSERT_EQ(row.int64(0), next);
      ASSERT_EQ(row.bytes(1), StrCat("text ", next));
      ++next;
    }
  }
  EXPECT_EQ(next, kRows);
}

TEST(RowWriter, LargeValuesMakeSmallBatches) {
  const TempDir dir;
  ShardWriter::Options options;
  options.row_group_bytes = 1;
  options.plain_columns = {"bytes"};
  const auto writer = Create(
      dir, arrow::schema({arrow::field("bytes", arrow::binary())}), options);
  Random random(1);
  std::string value(1 << 20, ' ');
  for (char& c : value) c = static_cast<char>(random.Next());
  for (int i = 0; i < 16; ++i) {
    writer->Bytes(value);
    ASSERT_TRUE(writer->EndRow().ok());
  }
  ASSERT_TRUE(writer->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"bytes"}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->num_row_groups(), 4);
  EXPECT_EQ((*reader)->num_rows(), 16);
}

TEST(RowWriter, NoRowsMakeOneEmptyFile) {
  const TempDir dir;
  const auto writer = Create(dir, AllTypes());
  const auto shards = writer->Close();
  ASSERT_TRUE(shards.ok()) << shards.status();
  ASSERT_EQ(shards->size(), 1u);
  EXPECT_EQ(shards->front().num_rows, 0);
  EXPECT_TRUE(ReadTable(dir)->schema()->Equals(*AllTypes()));
}

}  // namespace
}  // namespace trommel::io
