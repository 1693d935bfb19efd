#include "jobs/tables/signatures_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/table_files.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::tables {
namespace {

using testing::HasSubstr;

class SignaturesTableTest : public testing::Test {
 protected:
  // Reads the only row of a table that `write` has written.
  template <typename Write, typename Check>
  void RoundTrip(Write write, Check check) {
    const io::Path table = *io::ResolvePath(temp_ / "t");
    ASSERT_TRUE(io::RemoveAll(table).ok());
    auto writer = io::RowWriter::Create(table, SignaturesSchema(), {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    write(writer->get());
    const auto closed = (*writer)->Close();
    ASSERT_TRUE(closed.ok()) << closed.status();
    const auto files = io::ListTableFiles(table);
    ASSERT_EQ(files->size(), 1u);
    auto reader =
        io::RowReader::Open((*files)[0].path, SignaturesColumns(), {});
    ASSERT_TRUE(reader.ok()) << reader.status();
    io::Row row;
    ASSERT_TRUE(*(*reader)->Next(&row));
    check(row);
  }

  testing_support::TempDir temp_;
};

TEST_F(SignaturesTableTest, RoundTrip) {
  signature::PageSignature signature;
  signature.vector = *signature::ParseVector("1.2.3.4.5.6.7.8");
  signature.sketch.slots[3] = -7;
  const words::PageWords words = {3, {1, 20, 300}, "Wait, please"};
  for (const bool is_signed : {true, false}) {
    SignedPage expected = {
        "http://a.example/", "a.example", {}, "host", 10, {}};
    if (is_signed) expected.signature = signature;
    if (!is_signed) expected.words = words;
    RoundTrip(
        [&](io::RowWriter* table) {
          EXPECT_TRUE(WriteSignedPage(expected, table).ok());
        },
        [&](const io::Row& row) {
          EXPECT_EQ(SignedPageUrl(row), "http://a.example/");
          EXPECT_EQ(SignedPageSite(row), "a.example");
          const auto page = ReadSignedPage(row);
          ASSERT_TRUE(page.ok()) << page.status();
          EXPECT_EQ(page->site_key, "host");
          EXPECT_EQ(page->shingle_length, 10);
          EXPECT_EQ(page->signature, expected.signature);
          EXPECT_EQ(page->words, expected.words);
        });
  }
}

TEST_F(SignaturesTableTest, BadRows) {
  struct Case {
    const char* signature;
    const char* sketch;
    const char* site_key;
    int64_t shingle_length;
    const char* word_sample;
    const char* message;
  };
  const std::string sketch(256, 'x');
  const Case kCases[] = {
      {"1.2.3", sketch.c_str(), "host", 10, "1234", "1.2.3"},
      {"1.2.3.4.5.6.7.8", "short", "host", 10, "1234", "sketch"},
      {"1.2.3.4.5.6.7.8", sketch.c_str(), "host", 0, "1234",
       "shingle_length 0"},
      {"1.2.3.4.5.6.7.8", sketch.c_str(), "", 10, "1234", "site_key \"\""},
      {"1.2.3.4.5.6.7.8", sketch.c_str(), "path", 10, "1234",
       "site_key \"path\""},
      {"1.2.3.4.5.6.7.8", sketch.c_str(), "host", 10, "12345",
       "a sample of 5 bytes of 3 words"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.message);
    RoundTrip(
        [&](io::RowWriter* table) {
          table->Text("http://a.example/")
              .Text("a.example")
              .Text(c.signature)
              .Bytes(c.sketch)
              .Text(c.site_key)
              .Int64(c.shingle_length)
              .Int64(3)
              .Bytes(c.word_sample)
              .Null();
          EXPECT_TRUE(table->EndRow().ok());
        },
        [&](const io::Row& row) {
          const auto page = ReadSignedPage(row);
          EXPECT_FALSE(page.ok());
          EXPECT_THAT(std::string(page.status().message()),
                      HasSubstr(c.message));
        });
  }
}

}  // namespace
}  // namespace trommel::jobs::tables
