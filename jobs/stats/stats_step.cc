#include "jobs/stats/stats_step.h"

#include <arrow/type.h>

#include <utility>

#include "core/base/status.h"
#include "core/url/url.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/page/page_flags.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/crawl.h"

namespace trommel::jobs::stats {
namespace {

constexpr char kName[] = "stats";

// Only what the counts need is read; the content, for its length.
io::CrawlLayout Layout() {
  io::CrawlColumns columns;
  columns.fetch_time = false;
  columns.fetch_status = false;
  columns.charset = false;
  columns.mime_type = false;
  columns.truncated = false;
  return io::CrawlLayout(columns);
}

// What travels between mappers and reducers under the name of a site.
struct Totals {
  uint64_t pages = 0;
  uint64_t bytes = 0;

  std::string Encode() const {
    std::string value;
    mr::AppendOrderedUint64(pages, &value);
    mr::AppendOrderedUint64(bytes, &value);
    return value;
  }
};

absl::StatusOr<Totals> Sum(mr::Values* values) {
  Totals sum;
  while (values->Next()) {
    std::string_view value = values->value();
    Totals part;
    if (!mr::ConsumeOrderedUint64(&value, &part.pages) ||
        !mr::ConsumeOrderedUint64(&value, &part.bytes)) {
      return absl::DataLossError("a value is not two numbers");
    }
    sum.pages += part.pages;
    sum.bytes += part.bytes;
  }
  return sum;
}

class StatsMapper final : public mr::Mapper {
 public:
  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    if (page.url.empty()) return out->Reject(Name(0, row), page::kNoUrl, "");
    const uint64_t bytes =
        page.content.size() + static_cast<uint64_t>(page.withheld_bytes);
    return out->Emit(url::SiteOf(page.url), /*sort_key=*/"",
                     Totals{1, bytes}.Encode());
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), url::SiteOf(url)};
  }

 private:
  io::CrawlLayout layout_ = Layout();
};

class StatsCombiner final : public mr::Combiner {
 public:
  absl::Status Combine(std::string_view /*site*/, mr::Values* values,
                       Output* out) override {
    TROMMEL_ASSIGN_OR_RETURN(const Totals sum, Sum(values));
    return out->Emit(sum.Encode());
  }
};

class StatsReducer final : public mr::Reducer {
 public:
  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    TROMMEL_ASSIGN_OR_RETURN(const Totals sum, Sum(values));
    out->Count("sites.counted");
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    table->Text(site)
        .Int64(static_cast<int64_t>(sum.pages))
        .Int64(static_cast<int64_t>(sum.bytes));
    return table->EndRow();
  }
};

class StatsStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {".",
         arrow::schema({arrow::field("site", arrow::utf8(), false),
                        arrow::field("pages", arrow::int64(), false),
                        arrow::field("bytes", arrow::int64(), false)}),
         {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<StatsMapper>();
  }
  absl::StatusOr<std::unique_ptr<mr::Combiner>> MakeCombiner(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<StatsCombiner>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<StatsReducer>();
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeStatsStep() {
  return std::make_unique<StatsStep>();
}

mr::StepSpec StatsSpec(const std::vector<std::string>& crawls) {
  const io::CrawlLayout layout = Layout();
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {
      page::CrawlInput(crawls, layout, page::AdmissionFlags().max_page_bytes)};
  // Combined, a site is one pair per split: one reducer takes millions of them.
  spec.num_reducers = 1;
  return spec;
}

}  // namespace trommel::jobs::stats
