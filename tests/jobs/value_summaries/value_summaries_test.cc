#include <gtest/gtest.h>

#include <string>

#include "core/base/strings.h"
#include "jobs/value_summaries/record_columns.h"
#include "jobs/value_summaries/summary_codec.h"

namespace trommel::jobs::value_summaries {
namespace {

TEST(SummaryCodecTest, ThereAndBack) {
  monitor::ValueSummary summary;
  for (int i = 0; i < 2000; ++i) {
    summary.AddRecord(StrCat("http://a/", i), i % 2,
                      {i % 3 == 0 ? "" : StrCat("Value ", i)});
  }
  for (const monitor::ValueSummary& one : {summary, monitor::ValueSummary()}) {
    const std::string bytes = EncodeSummary(one);
    const auto same = DecodeSummary(bytes);
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(same->records, one.records);
    EXPECT_EQ(same->filled, one.filled);
    EXPECT_EQ(same->values, one.values);
    EXPECT_EQ(same->shapes, one.shapes);
    EXPECT_EQ(same->lengths, one.lengths);
    EXPECT_EQ(same->sample, one.sample);
    EXPECT_EQ(same->blank_sample, one.blank_sample);
    EXPECT_FALSE(DecodeSummary(bytes.substr(0, bytes.size() - 1)).ok());
    EXPECT_FALSE(DecodeSummary("").ok());
  }
}

TEST(RecordColumnsTest, TextAndColumns) {
  const RecordColumns columns =
      ColumnsOf("movie", {{"title", io::ColumnType::kBytes},
                          {"genre", io::ColumnType::kBytesList}});
  EXPECT_EQ(columns.Text(), "movie,title,genre*");
  const auto parsed = RecordColumns::Parse(columns.Text());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->schema, "movie");
  EXPECT_EQ(parsed->Text(), columns.Text());
  const mr::TableInput input = parsed->Input("/records");
  ASSERT_EQ(input.columns.size(), kFirstAttribute + 2);
  EXPECT_EQ(input.columns[kFirstAttribute].name, "title");
  EXPECT_EQ(input.columns[kFirstAttribute + 1].type,
            io::ColumnType::kBytesList);
  EXPECT_EQ(RecordColumns::Parse("movie")->attributes.size(), 0u);
  EXPECT_FALSE(RecordColumns::Parse("movie,,title").ok());
}

}  // namespace
}  // namespace trommel::jobs::value_summaries
