#include "jobs/coverage/coverage_tables.h"

#include <arrow/type.h>

#include <utility>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "jobs/coverage/crawl_days.h"

namespace trommel::jobs::coverage_job {
namespace {

std::shared_ptr<arrow::Field> Field(
    const char* name, const std::shared_ptr<arrow::DataType>& type,
    bool nullable = false) {
  return arrow::field(name, type, nullable);
}

std::shared_ptr<arrow::Schema> TimelinesSchema() {
  const auto text = arrow::utf8();
  const auto count = arrow::int64();
  return arrow::schema({
      Field("site", text),
      Field("day", text),
      Field("counting", text),
      Field("threshold", count),
      Field("clustered_on", text, true),
      Field("previous_day", text, true),
      Field("pages", count),
      Field("too_short", count),
      Field("by_signature", count),
      Field("by_sketch", count),
      Field("covered", count),
      Field("covered_before", count, true),
      Field("pages_before", count, true),
      Field("change", arrow::boolean()),
      Field("covered_anew", count, true),
      Field("pages_anew", count, true),
      Field("coverage", arrow::float64()),
      Field("drop", arrow::float64(), true),
      Field("coverage_anew", arrow::float64(), true),
      Field("clusters", count),
      Field("clusters_broken", count),
      Field("urls_compared", count),
      Field("urls_lost", count),
  });
}

std::shared_ptr<arrow::Schema> ClusterDaysSchema() {
  const auto text = arrow::utf8();
  const auto count = arrow::int64();
  return arrow::schema({
      Field("site", text),
      Field("day", text),
      Field("clustered_on", text, true),
      Field("cluster_id", text),
      Field("pages", count),
      Field("by_sketch", count),
      Field("urls_compared", count),
      Field("urls_lost", count),
      Field("broken", arrow::boolean()),
      Field("signature_urls_compared", count),
      Field("signature_urls_lost", count),
      Field("signature_broken", arrow::boolean()),
  });
}

std::shared_ptr<arrow::Schema> ExamplesSchema() {
  const auto text = arrow::utf8();
  return arrow::schema({
      Field("site", text),
      Field("day", text),
      Field("clustered_on", text, true),
      Field("number", arrow::int64()),
      Field("url_before", text, true),
      Field("signature_before", text, true),
      Field("cluster_id_before", text, true),
      Field("url_after", text, true),
      Field("signature_after", text, true),
      Field("cluster_id_after", text, true),
      Field("new_cluster_id", text, true),
  });
}

std::shared_ptr<arrow::Schema> CoveredSitesSchema() {
  const auto text = arrow::utf8();
  const auto count = arrow::int64();
  return arrow::schema({
      Field("site", text),
      Field("clusters", count),
      Field("first_day", text, true),
      Field("last_day", text, true),
      Field("days", count),
      Field("pages", count),
  });
}

void WriteDay(const std::optional<int64_t>& day, io::RowWriter* table) {
  if (day.has_value()) {
    table->Text(DayText(*day));
  } else {
    table->Null();
  }
}

void WriteCounts(const std::optional<coverage::Share>& share,
                 io::RowWriter* table) {
  if (share.has_value()) {
    table->Int64(share->part).Int64(share->whole);
  } else {
    table->Null().Null();
  }
}

void WriteText(const std::optional<std::string>& text, io::RowWriter* table) {
  if (text.has_value()) {
    table->Text(*text);
  } else {
    table->Null();
  }
}

void WriteVersion(const std::optional<coverage::ChangedPage::Version>& version,
                  io::RowWriter* table) {
  if (!version.has_value()) {
    table->Null().Null().Null();
    return;
  }
  table->Text(version->url);
  WriteText(version->signature.has_value()
                ? std::optional<std::string>(
                      signature::VectorText(*version->signature))
                : std::nullopt,
            table);
  WriteText(version->cluster_id, table);
}

// The day in a column of text; none for null.
absl::StatusOr<std::optional<int64_t>> ReadDay(const io::Row& row,
                                               size_t column) {
  if (row.is_null(column)) return std::nullopt;
  const std::optional<int64_t> day = ParseDay(row.bytes(column));
  if (!day.has_value()) {
    return absl::DataLossError(StrCat("\"", row.bytes(column), "\" is no day"));
  }
  return day;
}

absl::StatusOr<int64_t> ReadGivenDay(const io::Row& row, size_t column) {
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<int64_t> day,
                           ReadDay(row, column));
  if (!day.has_value()) return absl::DataLossError("a row without its day");
  return *day;
}

std::optional<coverage::Share> ReadShare(const io::Row& row, size_t part,
                                         size_t whole) {
  if (row.is_null(part)) return std::nullopt;
  return coverage::Share{row.int64(part), row.int64(whole)};
}

}  // namespace

std::vector<mr::OutputTable> CoverageOutputs() {
  return {{kCoverageTable, TimelinesSchema(), {}},
          {kClusterDaysTable, ClusterDaysSchema(), {}},
          {kExamplesTable, ExamplesSchema(), {"url_before", "url_after"}},
          {kCoveredSitesTable, CoveredSitesSchema(), {}}};
}

absl::Status WriteTimelines(std::string_view site, const coverage::SiteDay& day,
                            io::RowWriter* table) {
  for (const coverage::TimelineDay& timeline : day.timelines) {
    const coverage::SetDay& set = day.sets[timeline.set];
    const bool placed = timeline.counting == coverage::Counting::kPlaced;
    int64_t broken = 0;
    coverage::UrlLoss urls;
    for (const coverage::ClusterDay& cluster : set.clusters) {
      if (!(placed ? cluster.broken : cluster.broken_by_signature)) continue;
      const coverage::UrlLoss& loss =
          placed ? cluster.urls : cluster.urls_by_signature;
      ++broken;
      urls.compared += loss.compared;
      urls.lost += loss.lost;
    }
    table->Text(site)
        .Text(DayText(day.day))
        .Text(coverage::CountingName(timeline.counting))
        .Int64(timeline.threshold);
    WriteDay(set.clustered_on, table);
    WriteDay(day.previous_day, table);
    table->Int64(set.counts.pages)
        .Int64(set.counts.too_short)
        .Int64(set.counts.by_signature)
        .Int64(set.counts.by_sketch)
        .Int64(timeline.coverage.part);
    WriteCounts(timeline.before, table);
    table->Bool(timeline.change);
    WriteCounts(timeline.anew, table);
    table->Double(timeline.coverage.value());
    if (timeline.before.has_value()) {
      table->Double(timeline.before->value() - timeline.coverage.value());
    } else {
      table->Null();
    }
    if (timeline.anew.has_value()) {
      table->Double(timeline.anew->value());
    } else {
      table->Null();
    }
    table->Int64(static_cast<int64_t>(set.clusters.size()))
        .Int64(broken)
        .Int64(urls.compared)
        .Int64(urls.lost);
    TROMMEL_RETURN_IF_ERROR(table->EndRow());
  }
  return absl::OkStatus();
}

absl::Status WriteClusterDays(std::string_view site,
                              const coverage::SiteDay& day,
                              io::RowWriter* table) {
  for (const coverage::SetDay& set : day.sets) {
    for (const coverage::ClusterDay& cluster : set.clusters) {
      table->Text(site).Text(DayText(day.day));
      WriteDay(set.clustered_on, table);
      table->Text(cluster.cluster_id)
          .Int64(cluster.pages)
          .Int64(cluster.by_sketch)
          .Int64(cluster.urls.compared)
          .Int64(cluster.urls.lost)
          .Bool(cluster.broken)
          .Int64(cluster.urls_by_signature.compared)
          .Int64(cluster.urls_by_signature.lost)
          .Bool(cluster.broken_by_signature);
      TROMMEL_RETURN_IF_ERROR(table->EndRow());
    }
  }
  return absl::OkStatus();
}

absl::Status WriteExamples(std::string_view site, const coverage::SiteDay& day,
                           io::RowWriter* table) {
  for (const coverage::SetDay& set : day.sets) {
    for (size_t i = 0; i < set.examples.size(); ++i) {
      const coverage::ChangedPage& page = set.examples[i];
      table->Text(site).Text(DayText(day.day));
      WriteDay(set.clustered_on, table);
      table->Int64(static_cast<int64_t>(i));
      WriteVersion(page.before, table);
      WriteVersion(page.after, table);
      WriteText(page.new_cluster_id, table);
      TROMMEL_RETURN_IF_ERROR(table->EndRow());
    }
  }
  return absl::OkStatus();
}

absl::Status WriteCoveredSite(const CoveredSite& site, io::RowWriter* table) {
  table->Text(site.site).Int64(site.clusters);
  WriteDay(site.first_day, table);
  WriteDay(site.last_day, table);
  table->Int64(site.days).Int64(site.pages);
  return table->EndRow();
}

const std::vector<io::ColumnRequest>& CoverageColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"day", io::ColumnType::kBytes},
      {"counting", io::ColumnType::kBytes},
      {"threshold", io::ColumnType::kInt64},
      {"clustered_on", io::ColumnType::kBytes},
      {"previous_day", io::ColumnType::kBytes},
      {"pages", io::ColumnType::kInt64},
      {"too_short", io::ColumnType::kInt64},
      {"by_signature", io::ColumnType::kInt64},
      {"by_sketch", io::ColumnType::kInt64},
      {"covered_before", io::ColumnType::kInt64},
      {"pages_before", io::ColumnType::kInt64},
      {"covered_anew", io::ColumnType::kInt64},
      {"pages_anew", io::ColumnType::kInt64},
      {"clusters", io::ColumnType::kInt64},
      {"clusters_broken", io::ColumnType::kInt64},
      {"urls_compared", io::ColumnType::kInt64},
      {"urls_lost", io::ColumnType::kInt64}};
  return *columns;
}

absl::StatusOr<CoverageRow> ReadCoverageRow(const io::Row& row) {
  CoverageRow result;
  result.site = row.bytes(0);
  TROMMEL_ASSIGN_OR_RETURN(result.day, ReadGivenDay(row, 1));
  result.counting =
      row.bytes(2) == coverage::CountingName(coverage::Counting::kPlaced)
          ? coverage::Counting::kPlaced
          : coverage::Counting::kSignature;
  result.threshold = static_cast<int>(row.int64(3));
  result.clustered_on = row.bytes(4);
  TROMMEL_ASSIGN_OR_RETURN(result.previous_day, ReadDay(row, 5));
  result.counts = {row.int64(6), row.int64(7), row.int64(8), row.int64(9)};
  result.coverage = coverage::CoverageOf(result.counts, result.counting);
  result.before = ReadShare(row, 10, 11);
  result.anew = ReadShare(row, 12, 13);
  result.clusters = row.int64(14);
  result.clusters_broken = row.int64(15);
  result.urls = {row.int64(16), row.int64(17)};
  return result;
}

const std::vector<io::ColumnRequest>& ExampleColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"day", io::ColumnType::kBytes},
      {"clustered_on", io::ColumnType::kBytes},
      {"url_before", io::ColumnType::kBytes},
      {"signature_before", io::ColumnType::kBytes},
      {"cluster_id_before", io::ColumnType::kBytes},
      {"url_after", io::ColumnType::kBytes},
      {"signature_after", io::ColumnType::kBytes},
      {"cluster_id_after", io::ColumnType::kBytes},
      {"new_cluster_id", io::ColumnType::kBytes}};
  return *columns;
}

absl::StatusOr<ExampleRow> ReadExampleRow(const io::Row& row) {
  ExampleRow example;
  example.site = row.bytes(0);
  TROMMEL_ASSIGN_OR_RETURN(example.day, ReadGivenDay(row, 1));
  example.clustered_on = row.bytes(2);
  example.url_before = row.bytes(3);
  example.signature_before = row.bytes(4);
  example.cluster_id_before = row.bytes(5);
  example.url_after = row.bytes(6);
  example.signature_after = row.bytes(7);
  example.cluster_id_after = row.bytes(8);
  example.new_cluster_id = row.bytes(9);
  return example;
}

const std::vector<io::ColumnRequest>& CoveredSiteColumns() {
  static const auto* const columns =
      new std::vector<io::ColumnRequest>{{"site", io::ColumnType::kBytes},
                                         {"clusters", io::ColumnType::kInt64},
                                         {"first_day", io::ColumnType::kBytes},
                                         {"last_day", io::ColumnType::kBytes},
                                         {"days", io::ColumnType::kInt64},
                                         {"pages", io::ColumnType::kInt64}};
  return *columns;
}

absl::StatusOr<CoveredSite> ReadCoveredSite(const io::Row& row) {
  CoveredSite site;
  site.site = row.bytes(0);
  site.clusters = row.int64(1);
  TROMMEL_ASSIGN_OR_RETURN(site.first_day, ReadDay(row, 2));
  TROMMEL_ASSIGN_OR_RETURN(site.last_day, ReadDay(row, 3));
  site.days = row.int64(4);
  site.pages = row.int64(5);
  return site;
}

}  // namespace trommel::jobs::coverage_job
