#include "jobs/tables/samples_table.h"

#include <arrow/type.h>

#include "core/base/status.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {
namespace {

enum Column : size_t {
  kSite,
  kClusterId,
  kRank,
  kUrl,
  kContent,
  kCharset,
  kFetchTime,
};

}  // namespace

std::shared_ptr<arrow::Schema> SamplesSchema() {
  return arrow::schema(
      {arrow::field("site", arrow::utf8(), false),
       arrow::field("cluster_id", arrow::utf8(), false),
       arrow::field("rank", arrow::int64(), false),
       arrow::field("url", arrow::utf8(), false),
       arrow::field("content", arrow::binary(), false),
       arrow::field("content_charset", arrow::utf8()),
       arrow::field("fetch_time",
                    arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
       arrow::field("gain", arrow::float64(), false)});
}

std::vector<std::string> SamplesPlainColumns() { return {"url", "content"}; }

absl::Status WriteSample(const SampleRow& sample, io::RowWriter* table) {
  table->Text(sample.site)
      .Text(sample.cluster_id)
      .Int64(sample.rank)
      .Text(sample.url)
      .Bytes(sample.content)
      .TextOrNull(sample.charset)
      .TimeOrNull(sample.fetch_time_us)
      .Double(sample.gain);
  return table->EndRow();
}

const std::vector<io::ColumnRequest>& SamplesColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"cluster_id", io::ColumnType::kBytes},
      {"rank", io::ColumnType::kInt64},
      {"url", io::ColumnType::kBytes},
      {"content", io::ColumnType::kBytes},
      {"content_charset", io::ColumnType::kBytes, /*required=*/false},
      {"fetch_time", io::ColumnType::kTimestamp, /*required=*/false}};
  return *columns;
}

SampleRow ReadSample(const io::Row& row) {
  SampleRow sample;
  sample.site = row.bytes(kSite);
  sample.cluster_id = row.bytes(kClusterId);
  sample.rank = row.int64(kRank);
  sample.url = row.bytes(kUrl);
  sample.content = row.bytes(kContent);
  sample.charset = row.bytes(kCharset);
  if (!row.is_null(kFetchTime)) sample.fetch_time_us = row.int64(kFetchTime);
  return sample;
}

absl::Status VisitSamples(
    const io::Path& table,
    const std::function<absl::Status(const SampleRow& sample)>& visit) {
  io::TableReader::Options options;
  options.max_batch_rows = kSamplesBatchRows;
  return io::VisitRows(
      table, SamplesColumns(),
      [&](const io::Row& row) { return visit(ReadSample(row)); }, options);
}

}  // namespace trommel::jobs::tables
