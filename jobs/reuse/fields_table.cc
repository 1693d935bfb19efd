#include "jobs/reuse/fields_table.h"

#include <arrow/type.h>

#include <iterator>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::reuse_job {
namespace {

constexpr std::string_view kPassed = "passed";
constexpr std::string_view kComplete = "complete";
constexpr std::string_view kGolden = "golden";

absl::Status WritePages(std::string_view kind,
                        const std::map<FieldTests::Key, PageSample>& samples,
                        io::RowWriter* table) {
  for (const auto& [key, sample] : samples) {
    for (const auto& [place, bytes] : sample.entries()) {
      table->Text(key.first)
          .Text(key.second)
          .Text(kind)
          .Int64(place.first)
          .Bytes(bytes);
      TROMMEL_RETURN_IF_ERROR(table->EndRow());
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::shared_ptr<arrow::Schema> FieldsSchema() {
  return arrow::schema({arrow::field("cluster_id", arrow::utf8(), false),
                        arrow::field("old_cluster_id", arrow::utf8(), false),
                        arrow::field("event", arrow::utf8(), false),
                        arrow::field("count", arrow::int64(), false)});
}

std::shared_ptr<arrow::Schema> FieldPagesSchema() {
  return arrow::schema({arrow::field("cluster_id", arrow::utf8(), false),
                        arrow::field("old_cluster_id", arrow::utf8(), false),
                        arrow::field("kind", arrow::utf8(), false),
                        arrow::field("hash", arrow::int64(), false),
                        arrow::field("page", arrow::binary(), false)});
}

void PageSample::Add(int64_t hash, const proto::PageRecords& page,
                     size_t max_pages) {
  std::pair<int64_t, std::string> place(hash, page.url());
  if (pages_.size() == max_pages && std::prev(pages_.end())->first < place) {
    return;
  }
  pages_.emplace(std::move(place), page.SerializeAsString());
  if (pages_.size() > max_pages) pages_.erase(std::prev(pages_.end()));
}

std::vector<proto::PageRecords> PageSample::Pages() const {
  std::vector<proto::PageRecords> pages;
  for (const auto& [place, bytes] : pages_) {
    pages.emplace_back().ParseFromString(bytes);
  }
  return pages;
}

absl::StatusOr<FieldTests> FieldTests::Read(const io::Path& fields,
                                            const io::Path& pages,
                                            Pages which) {
  FieldTests tests;
  TROMMEL_RETURN_IF_ERROR(
      io::VisitRows(fields,
                    {{"cluster_id", io::ColumnType::kBytes},
                     {"old_cluster_id", io::ColumnType::kBytes},
                     {"event", io::ColumnType::kBytes},
                     {"count", io::ColumnType::kInt64}},
                    [&](const io::Row& row) -> absl::Status {
                      reuse::FieldCounts& counts =
                          tests.counts[Key(row.bytes(0), row.bytes(1))];
                      if (counts.AddEvent(row.bytes(2), row.int64(3))) {
                        return absl::OkStatus();
                      }
                      return absl::DataLossError(StrCat(
                          fields.name, ": unknown event ", row.bytes(2)));
                    }));
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(
      pages,
      {{"cluster_id", io::ColumnType::kBytes},
       {"old_cluster_id", io::ColumnType::kBytes},
       {"kind", io::ColumnType::kBytes},
       {"hash", io::ColumnType::kInt64},
       {"page", io::ColumnType::kBytes}},
      [&](const io::Row& row) -> absl::Status {
        const Key key(row.bytes(0), row.bytes(1));
        const bool is_golden = row.bytes(2) == kGolden;
        if (is_golden != (which == Pages::kGolden) ||
            (is_golden && tests.counts[key].IsAsBefore())) {
          return absl::OkStatus();
        }
        proto::PageRecords page;
        const std::string_view bytes = row.bytes(4);
        if (!page.ParseFromArray(bytes.data(),
                                 static_cast<int>(bytes.size()))) {
          return absl::DataLossError(StrCat(pages.name, ": a page is cut off"));
        }
        auto& samples = is_golden                 ? tests.golden
                        : row.bytes(2) == kPassed ? tests.passed
                                                  : tests.complete;
        samples[key].Add(row.int64(3), page,
                         is_golden ? kMaxGoldenPages : kMaxFreshPages);
        return absl::OkStatus();
      }));
  return tests;
}

absl::Status FieldTests::Write(io::RowWriter* fields, io::RowWriter* pages) {
  for (const auto& [key, test] : counts) {
    absl::Status status;
    test.VisitEvents([&, &pair = key](const std::string& event, int64_t count) {
      if (!status.ok()) return;
      fields->Text(pair.first).Text(pair.second).Text(event).Int64(count);
      status = fields->EndRow();
    });
    TROMMEL_RETURN_IF_ERROR(status);
  }
  TROMMEL_RETURN_IF_ERROR(WritePages(kPassed, passed, pages));
  TROMMEL_RETURN_IF_ERROR(WritePages(kComplete, complete, pages));
  TROMMEL_RETURN_IF_ERROR(WritePages(kGolden, golden, pages));
  *this = FieldTests();
  return absl::OkStatus();
}

}  // namespace trommel::jobs::reuse_job
