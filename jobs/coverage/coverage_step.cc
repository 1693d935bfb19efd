#include "jobs/coverage/coverage_step.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "core/base/status.h"
#include "core/cluster/site_sample.h"
#include "core/coverage/site_coverage.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/coverage/coverage_tables.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/crawl.h"

// One scan of the bytes: mappers sign pages and know nothing of clusters, for
// which clusters a page is measured with is decided by the days before. All
// that travels of a page is its signature and its URL, some 350 bytes.
//
// A site is a group. First come its clusters and what it was like when these
// were made, then the pages of the first day in the order of their sample, then
// those of the second, so the reducer reads a site once and holds the kept
// pages of two days (core/coverage). A site that has clusters and no pages is a
// group too.

namespace trommel::jobs::coverage_job {
namespace {

constexpr char kName[] = "coverage";
// Of an input without a day.
constexpr char kNoDay[] = "-";

// What a sort key begins with.
constexpr char kClusterKey = 0;
constexpr char kSiteKey = 1;
constexpr char kPageKey = 2;

io::CrawlLayout Layout() { return io::CrawlLayout(); }

std::string PageKey(int64_t day, uint64_t rank,
                    const std::optional<signature::PageSignature>& signature) {
  std::string key(1, kPageKey);
  mr::AppendOrderedInt64(day, &key);
  mr::AppendOrderedUint64(rank, &key);
  if (signature.has_value()) {
    mr::AppendOrderedUint64(signature->vector, &key);
    key += signature->sketch.Bytes();
  }
  return key;
}

absl::Status ReadPageKey(std::string_view key, int64_t* day,
                         coverage::DayPage* page) {
  key.remove_prefix(1);
  if (!mr::ConsumeOrderedInt64(&key, day) ||
      !mr::ConsumeOrderedUint64(&key, &page->rank)) {
    return absl::DataLossError("the key of a page is cut off");
  }
  page->signature.reset();
  if (key.empty()) return absl::OkStatus();
  page->signature.emplace();
  if (!mr::ConsumeOrderedUint64(&key, &page->signature->vector)) {
    return absl::DataLossError("the signature of a page is cut off");
  }
  TROMMEL_ASSIGN_OR_RETURN(page->signature->sketch,
                           signature::Sketch::FromBytes(key));
  return absl::OkStatus();
}

const std::vector<io::ColumnRequest>& ClusteredSiteColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"site", io::ColumnType::kBytes},
      {"pages", io::ColumnType::kInt64},
      {"too_short", io::ColumnType::kInt64},
      {"by_signature", io::ColumnType::kInt64},
      {"by_sketch", io::ColumnType::kInt64}};
  return *columns;
}

class CoverageMapper final : public mr::Mapper {
 public:
  // The days of the crawls; the inputs behind them are clusters and sites.
  CoverageMapper(std::vector<std::optional<int64_t>> days,
                 tables::SiteRule site_rule, int shingle_length,
                 page::AdmissionFlags admission)
      : days_(std::move(days)),
        site_rule_(std::move(site_rule)),
        admission_(std::move(admission)),
        signer_(shingle_length) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    const auto place = static_cast<size_t>(input);
    if (place < days_.size()) return MapPage(days_[place], row, out);
    return place == days_.size() ? MapCluster(row, out) : MapSite(row, out);
  }

  mr::RowName Name(int input, const io::Row& row) const override {
    if (static_cast<size_t>(input) >= days_.size()) {
      return {"", std::string(row.bytes(0))};
    }
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), site_rule_.SiteOf(url)};
  }

 private:
  absl::Status MapPage(std::optional<int64_t> day, const io::Row& row,
                       mr::MapOutput* out) {
    const io::CrawlPage page = layout_.Page(row);
    const std::string site = site_rule_.SiteOf(page.url);
    if (const std::optional<page::Rejection> rejection =
            page::WhyRejected(page, admission_)) {
      return page::Reject({std::string(page.url), site}, *rejection, out);
    }
    if (!day.has_value() && page.fetch_time_us.has_value()) {
      day = DayOfTime(*page.fetch_time_us);
    }
    if (!day.has_value()) {
      return out->Reject({std::string(page.url), site}, "no_day",
                         "neither a folder day=YYYY-MM-DD nor a fetch_time in "
                         "the years 1000 to 9999");
    }
    out->Count(kPagesSigned);
    return out->Emit(site,
                     PageKey(*day, cluster::SampleRank(page.url),
                             signer_.Sign(page.content, page.charset)),
                     page.url);
  }

  absl::Status MapCluster(const io::Row& row, mr::MapOutput* out) {
    TROMMEL_ASSIGN_OR_RETURN(const tables::ClusterRow cluster,
                             tables::ReadCluster(row));
    std::string value;
    mr::AppendOrderedInt64(cluster.size, &value);
    mr::AppendOrderedInt64(cluster.size_by_sketch, &value);
    return out->Emit(cluster.site, kClusterKey + cluster.cluster_id,
                     value + tables::EncodeTemplate(cluster));
  }

  absl::Status MapSite(const io::Row& row, mr::MapOutput* out) {
    std::string value;
    for (size_t i = 1; i < ClusteredSiteColumns().size(); ++i) {
      mr::AppendOrderedInt64(row.int64(i), &value);
    }
    return out->Emit(row.bytes(0), std::string(1, kSiteKey), value);
  }

  const std::vector<std::optional<int64_t>> days_;
  const tables::SiteRule site_rule_;
  const page::AdmissionFlags admission_;
  signature::PageSigner signer_;
  const io::CrawlLayout layout_ = Layout();
};

absl::Status AddCluster(std::string_view cluster_id, std::string_view value,
                        coverage::FirstClusters* first) {
  tables::ClusterRow cluster;
  if (!mr::ConsumeOrderedInt64(&value, &cluster.size) ||
      !mr::ConsumeOrderedInt64(&value, &cluster.size_by_sketch)) {
    return absl::DataLossError("the size of a cluster is cut off");
  }
  TROMMEL_RETURN_IF_ERROR(tables::DecodeTemplate(value, &cluster));
  first->templates.push_back(std::move(cluster.tmpl));
  first->cluster_ids.emplace_back(cluster_id);
  first->sizes.push_back(cluster.size);
  first->sizes_by_sketch.push_back(cluster.size_by_sketch);
  return absl::OkStatus();
}

// A site may be in the table several times, when tables were put together.
absl::Status AddCounts(std::string_view value, coverage::FirstClusters* first) {
  coverage::CoverageCounts counts;
  for (int64_t* const count : {&counts.pages, &counts.too_short,
                               &counts.by_signature, &counts.by_sketch}) {
    if (!mr::ConsumeOrderedInt64(&value, count)) {
      return absl::DataLossError("the figures of a site are cut off");
    }
  }
  if (!first->counts.has_value()) first->counts.emplace();
  first->counts->pages += counts.pages;
  first->counts->too_short += counts.too_short;
  first->counts->by_signature += counts.by_signature;
  first->counts->by_sketch += counts.by_sketch;
  return absl::OkStatus();
}

class CoverageReducer final : public mr::Reducer {
 public:
  explicit CoverageReducer(coverage::CoverageSettings settings)
      : settings_(std::move(settings)) {}

  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    coverage::FirstClusters first;
    CoveredSite about;
    about.site = site;
    std::optional<coverage::SiteCoverage> coverage;
    std::optional<int64_t> day;
    while (values->Next()) {
      const std::string_view key = values->sort_key();
      if (key.empty()) return absl::DataLossError("a value without its key");
      if (key[0] == kClusterKey) {
        ++about.clusters;
        TROMMEL_RETURN_IF_ERROR(
            AddCluster(key.substr(1), values->value(), &first));
        continue;
      }
      if (key[0] == kSiteKey) {
        TROMMEL_RETURN_IF_ERROR(AddCounts(values->value(), &first));
        continue;
      }
      coverage::DayPage page;
      int64_t page_day = 0;
      TROMMEL_RETURN_IF_ERROR(ReadPageKey(key, &page_day, &page));
      page.url = values->value();
      if (!coverage.has_value()) {
        coverage.emplace(site, settings_, std::move(first));
      }
      if (day != page_day) {
        if (day.has_value()) {
          TROMMEL_RETURN_IF_ERROR(Write(site, coverage->EndDay(), out));
        }
        day = page_day;
        coverage->BeginDay(page_day);
        if (!about.first_day.has_value()) about.first_day = page_day;
        about.last_day = page_day;
        ++about.days;
      }
      ++about.pages;
      coverage->Add(std::move(page));
    }
    if (day.has_value()) {
      TROMMEL_RETURN_IF_ERROR(Write(site, coverage->EndDay(), out));
    }
    out->Count(kSitesFollowed);
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const sites,
                             Table(CoverageOutput::kSites, out));
    return WriteCoveredSite(about, sites);
  }

 private:
  static absl::StatusOr<io::RowWriter*> Table(CoverageOutput output,
                                              mr::TaskOutput* out) {
    return out->Table(static_cast<size_t>(output));
  }

  static absl::Status Write(std::string_view site, const coverage::SiteDay& day,
                            mr::TaskOutput* out) {
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const timelines,
                             Table(CoverageOutput::kCoverage, out));
    TROMMEL_RETURN_IF_ERROR(WriteTimelines(site, day, timelines));
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const clusters,
                             Table(CoverageOutput::kClusterDays, out));
    TROMMEL_RETURN_IF_ERROR(WriteClusterDays(site, day, clusters));
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const examples,
                             Table(CoverageOutput::kExamples, out));
    return WriteExamples(site, day, examples);
  }

  const coverage::CoverageSettings settings_;
};

// The days of the step's first inputs.
struct InputDays {
  std::vector<std::string> days;

  void Define(cli::Flags* flags) {
    flags->Texts("days", &days, "the day of each crawl, or none");
  }
};

class CoverageStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return CoverageOutputs();
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto clustering,
                             cli::ReadSettings<Clustering>(context));
    TROMMEL_ASSIGN_OR_RETURN(
        tables::SiteRule rule,
        tables::SiteRule::FromTable(clustering.site_key, clustering.site));
    TROMMEL_ASSIGN_OR_RETURN(auto admission,
                             cli::ReadSettings<page::AdmissionFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(const auto inputs,
                             cli::ReadSettings<InputDays>(context));
    std::vector<std::optional<int64_t>> days;
    for (const std::string& day : inputs.days) {
      days.push_back(ParseDay(day));
      if (!days.back().has_value() && day != kNoDay) {
        return absl::InvalidArgumentError(StrCat("days has \"", day, "\""));
      }
    }
    return std::make_unique<CoverageMapper>(
        std::move(days), std::move(rule),
        static_cast<int>(clustering.shingle_length), std::move(admission));
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto thresholds,
                             cli::ReadSettings<DropThresholds>(context));
    TROMMEL_ASSIGN_OR_RETURN(const auto clustering,
                             cli::ReadSettings<Clustering>(context));
    coverage::CoverageSettings settings;
    TROMMEL_ASSIGN_OR_RETURN(settings.thresholds, thresholds.Parse());
    settings.merge = clustering.merge;
    return std::make_unique<CoverageReducer>(std::move(settings));
  }
};

}  // namespace

void DropThresholds::Define(cli::Flags* flags) {
  flags
      ->Texts("threshold", &percents,
              "drop that is a change, in points of percent")
      .NotAPath()
      .Recorded();
}

absl::StatusOr<std::vector<int>> DropThresholds::Parse() const {
  std::vector<int> thresholds;
  for (const std::string& text : percents) {
    int threshold = 0;
    if (!absl::SimpleAtoi(text, &threshold) || threshold < 1 ||
        threshold > 99) {
      return absl::InvalidArgumentError(
          StrCat("--threshold=", text, " is not a whole number from 1 to 99"));
    }
    thresholds.push_back(threshold);
  }
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()),
                   thresholds.end());
  return thresholds;
}

void Clustering::Define(cli::Flags* flags) {
  flags->Text("site-key", &site_key, "which site a page belongs to");
  flags->Text("site", &site, "the site of all pages, if it is fixed");
  flags->Integer("shingle", &shingle_length, "length of shingles");
  flags->Bool("merge", &merge, "whether clusters are merged");
}

std::unique_ptr<mr::Step> MakeCoverageStep() {
  return std::make_unique<CoverageStep>();
}

mr::StepSpec CoverageSpec(const CoverageStepInputs& inputs,
                          const DropThresholds& thresholds,
                          const Clustering& clustering,
                          const page::AdmissionFlags& admission,
                          int num_reducers) {
  const io::CrawlLayout layout = Layout();
  mr::StepSpec spec;
  spec.step = kName;
  InputDays days;
  for (const CrawlDay& crawl : inputs.crawls) {
    spec.inputs.push_back(
        page::CrawlInput(crawl.paths, layout, admission.max_page_bytes));
    days.days.push_back(crawl.day.has_value() ? DayText(*crawl.day) : kNoDay);
  }
  mr::TableInput clusters;
  clusters.paths = {inputs.clusters_table};
  clusters.columns = tables::ClustersColumns();
  spec.inputs.push_back(std::move(clusters));
  if (!inputs.sites_table.empty()) {
    mr::TableInput sites;
    sites.paths = {inputs.sites_table};
    sites.columns = ClusteredSiteColumns();
    spec.inputs.push_back(std::move(sites));
  }
  cli::AddSettings(days, &spec);
  cli::AddSettings(thresholds, &spec);
  cli::AddSettings(clustering, &spec);
  cli::AddSettings(admission, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::coverage_job
