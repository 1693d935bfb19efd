#include "jobs/cluster/place_step.h"

#include <arrow/type.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/cluster/placement.h"
#include "core/words/own_words.h"
#include "jobs/cluster/names.h"
#include "jobs/cluster/page_summary.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/signatures_table.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/path.h"

// Pages are placed and written by the mappers. What the reducers get is small:
// under each site and cluster a summary of the pages that a mapper has placed
// there, merged on the way, and the cluster's own row, which the mappers pass
// on from the second round's table; under the site and an empty cluster id the
// pages in no cluster, and the size of the sample.

namespace trommel::jobs::cluster_job {
namespace {

constexpr char kName[] = "cluster-place";
constexpr char kTemplatesSideData[] = "templates";

enum Input { kSignatures, kTemplates, kSamples };

// The first byte of a value.
constexpr char kSummaryValue = 'p';
constexpr char kTemplateValue = 't';
constexpr char kSampledValue = 's';

class PlaceMapper final : public mr::Mapper {
 public:
  explicit PlaceMapper(tables::ClusterIndex index) : index_(std::move(index)) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    switch (input) {
      case kSignatures:
        return MapPage(row, out);
      case kTemplates: {
        TROMMEL_ASSIGN_OR_RETURN(const tables::ClusterRow cluster,
                                 tables::ReadCluster(row));
        return out->Emit(cluster.site, cluster.cluster_id,
                         kTemplateValue + tables::EncodeTemplate(cluster));
      }
      default: {
        std::string value(1, kSampledValue);
        mr::AppendOrderedInt64(row.int64(1), &value);
        return out->Emit(row.bytes(0), /*sort_key=*/"", value);
      }
    }
  }

  absl::Status Finish(mr::MapOutput* out) override { return Flush(out); }

  mr::RowName Name(int input, const io::Row& row) const override {
    if (input == kSignatures) {
      return {std::string(tables::SignedPageUrl(row)),
              std::string(tables::SignedPageSite(row))};
    }
    return {"", std::string(row.bytes(0))};
  }

 private:
  // So many summaries are kept before they are sent on. One has some 10 KB, for
  // what 64 pages say, or more where it has long URLs and a pattern of wildly
  // different ones.
  static constexpr size_t kMaxSummaries = 1024;

  absl::Status MapPage(const io::Row& row, mr::MapOutput* out) {
    TROMMEL_ASSIGN_OR_RETURN(const tables::SignedPage page,
                             tables::ReadSignedPage(row));
    const tables::ClusterIndex::Site* const site = index_.Find(page.site);
    std::optional<cluster::Placement> placement;
    if (site != nullptr && page.signature.has_value()) {
      placement = site->templates.Place(*page.signature);
    }
    const std::string_view cluster_id =
        placement.has_value()
            ? std::string_view(site->cluster_ids[placement->place])
            : std::string_view();

    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    table->Text(page.url).Text(page.site);
    if (page.signature.has_value()) {
      table->Text(signature::VectorText(page.signature->vector));
    } else {
      table->Null();
    }
    if (placement.has_value()) {
      table->Text(cluster_id).Text(cluster::PlacedByName(placement->by));
    } else {
      table->Null().Null();
    }
    TROMMEL_RETURN_IF_ERROR(table->EndRow());

    if (summaries_.size() == kMaxSummaries) TROMMEL_RETURN_IF_ERROR(Flush(out));
    auto found = summaries_.find(KeyView(page.site, cluster_id));
    if (found == summaries_.end()) {
      found = summaries_
                  .emplace(Key(std::string(page.site), std::string(cluster_id)),
                           PageSummary())
                  .first;
    }
    PageSummary& summary = found->second;
    ++summary.pages;
    summary.AddUrl(page.url);
    if (page.words.has_value()) summary.AddWords(page.url, *page.words);
    if (!page.signature.has_value()) {
      ++summary.too_short;
      out->Count(kPagesTooShort);
    }
    if (!placement.has_value()) {
      out->Count(kPagesUncovered);
    } else if (placement->by == cluster::PlacedBy::kSketch) {
      ++summary.by_sketch;
      out->Count(kPagesPlacedBySketch);
    } else {
      out->Count(kPagesPlacedBySignature);
    }
    return absl::OkStatus();
  }

  absl::Status Flush(mr::MapOutput* out) {
    for (const auto& [key, summary] : summaries_) {
      TROMMEL_RETURN_IF_ERROR(
          out->Emit(key.first, key.second, kSummaryValue + summary.Encode()));
    }
    summaries_.clear();
    return absl::OkStatus();
  }

  using Key = std::pair<std::string, std::string>;  // site, cluster id
  using KeyView = std::pair<std::string_view, std::string_view>;
  struct KeyLess {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return KeyView(a.first, a.second) < KeyView(b.first, b.second);
    }
  };

  const tables::ClusterIndex index_;
  std::map<Key, PageSummary, KeyLess> summaries_;
};

class PlaceCombiner final : public mr::Combiner {
 public:
  absl::Status Combine(std::string_view /*site*/, mr::Values* values,
                       Output* out) override {
    std::optional<PageSummary> sum;
    while (values->Next()) {
      const std::string_view value = values->value();
      if (value.empty() || value[0] != kSummaryValue) {
        TROMMEL_RETURN_IF_ERROR(out->Emit(value));
        continue;
      }
      TROMMEL_ASSIGN_OR_RETURN(PageSummary summary,
                               PageSummary::Decode(value.substr(1)));
      if (sum.has_value()) {
        sum->Merge(summary);
      } else {
        sum = std::move(summary);
      }
    }
    if (!sum.has_value()) return absl::OkStatus();
    return out->Emit(kSummaryValue + sum->Encode());
  }
};

// The pages of a site that say nothing of their own, and one of them to show.
class AlikePages {
 public:
  // A group of the site's pages, with its pages' own words and the typical
  // figure.
  void AddGroup(const PageSummary& group, const std::vector<double>& own_words,
                std::optional<int64_t> typical) {
    with_words_ += group.with_words;
    const bool are_all = words::SayTheSame(typical);
    pages_ += are_all ? group.with_words : group.wordless;
    const std::vector<WordsSample::Page>& sample = group.words.pages();
    for (size_t i = 0; i < std::min(sample.size(), WordsSample::kShownPages);
         ++i) {
      const words::PageWords& page = sample[i].words;
      if (are_all ? own_words[i] > words::kFewOwnWords : page.count > 0) {
        continue;
      }
      Show({!page.opening.empty(), are_all ? group.with_words : group.wordless,
            sample[i].url_hash, page.opening, sample[i].url});
      return;
    }
  }

  // Null where nothing is known.
  void Write(io::RowWriter* table) const {
    if (with_words_ == 0) {
      table->Null().Null().Null();
      return;
    }
    table->Int64(pages_).TextOrNull(shown_.text).TextOrNull(shown_.url);
  }

 private:
  struct ShownPage {
    bool has_text = false;
    int64_t group_pages = 0;
    uint64_t url_hash = 0;
    std::string text;
    std::string url;
  };

  // Text is preferred to none, then the larger group.
  void Show(ShownPage page) {
    const auto rank = [](const ShownPage& a) {
      return std::tuple(!a.has_text, -a.group_pages, a.url_hash);
    };
    if (shown_.url.empty() || rank(page) < rank(shown_)) {
      shown_ = std::move(page);
    }
  }

  int64_t with_words_ = 0;
  int64_t pages_ = 0;
  ShownPage shown_;
};

class PlaceReducer final : public mr::Reducer {
 public:
  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    Site totals;
    // Of the cluster being read; its id is empty for pages in none.
    std::string cluster_id;
    tables::ClusterRow cluster;
    PageSummary summary;
    const auto finish = [&]() -> absl::Status {
      totals.pages += summary.pages;
      totals.too_short += summary.too_short;
      totals.by_sketch += summary.by_sketch;
      const std::vector<words::PageWords> pages = summary.words.Words();
      const std::vector<double> own_words = words::OwnWordsOfPages(pages);
      const std::optional<int64_t> typical =
          words::TypicalOwnWords(pages, own_words);
      totals.alike.AddGroup(summary, own_words, typical);
      if (cluster_id.empty()) {
        totals.uncovered = summary.pages;
        return absl::OkStatus();
      }
      if (summary.pages == 0) {
        // All pages that its signature covers are covered by a more important
        // one too.
        out->Count(kClustersEmpty);
        return absl::OkStatus();
      }
      ++totals.clusters;
      out->Count(kClustersFound);
      cluster.site = site;
      cluster.cluster_id = cluster_id;
      cluster.size = summary.pages;
      cluster.size_by_sketch = summary.by_sketch;
      cluster.own_words = typical;
      cluster.url_regex = summary.pattern.Regex();
      for (auto& [hash, url] : summary.examples) {
        cluster.example_urls.push_back(std::move(url));
      }
      TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(1));
      return tables::WriteCluster(cluster, table);
    };
    while (values->Next()) {
      if (values->sort_key() != cluster_id) {
        TROMMEL_RETURN_IF_ERROR(finish());
        cluster_id = values->sort_key();
        cluster = tables::ClusterRow();
        summary = PageSummary();
      }
      std::string_view value = values->value();
      if (value.empty()) return absl::DataLossError("an empty value");
      const char kind = value[0];
      value.remove_prefix(1);
      if (kind == kTemplateValue) {
        TROMMEL_RETURN_IF_ERROR(tables::DecodeTemplate(value, &cluster));
      } else if (kind == kSampledValue) {
        if (!mr::ConsumeOrderedInt64(&value, &totals.sampled)) {
          return absl::DataLossError("the size of a sample is cut off");
        }
      } else {
        TROMMEL_ASSIGN_OR_RETURN(const PageSummary part,
                                 PageSummary::Decode(value));
        summary.Merge(part);
      }
    }
    TROMMEL_RETURN_IF_ERROR(finish());
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(2));
    table->Text(site)
        .Int64(totals.pages)
        .Int64(totals.sampled)
        .Int64(totals.clusters)
        .Int64(totals.pages - totals.uncovered - totals.by_sketch)
        .Int64(totals.by_sketch)
        .Int64(totals.uncovered)
        .Int64(totals.too_short);
    totals.alike.Write(table);
    return table->EndRow();
  }

 private:
  struct Site {
    int64_t pages = 0;
    int64_t sampled = 0;
    int64_t clusters = 0;
    int64_t by_sketch = 0;
    int64_t uncovered = 0;
    int64_t too_short = 0;
    AlikePages alike;
  };
};

class PlaceStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    const auto text = [](const char* name, bool nullable) {
      return arrow::field(name, arrow::utf8(), nullable);
    };
    const auto count = [](const char* name) {
      return arrow::field(name, arrow::int64(), false);
    };
    return std::vector<mr::OutputTable>{
        {kAssignmentsTable,
         arrow::schema({text("url", false), text("site", false),
                        text("signature", true), text("cluster_id", true),
                        text("by", true)}),
         {"url"}},
        {kClustersTable, tables::ClustersSchema(), {"sketch"}},
        {kSitesTable,
         arrow::schema({text("site", false), count("pages"), count("sampled"),
                        count("clusters"), count("by_signature"),
                        count("by_sketch"), count("uncovered"),
                        count("too_short"),
                        arrow::field("alike", arrow::int64()),
                        text("alike_text", true), text("alike_url", true)}),
         {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const std::string templates,
                             context.SideDataPath(kTemplatesSideData));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(templates));
    TROMMEL_ASSIGN_OR_RETURN(tables::ClusterIndex index,
                             tables::ClusterIndex::Read(path));
    return std::make_unique<PlaceMapper>(std::move(index));
  }
  absl::StatusOr<std::unique_ptr<mr::Combiner>> MakeCombiner(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<PlaceCombiner>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<PlaceReducer>();
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakePlaceStep() {
  return std::make_unique<PlaceStep>();
}

mr::StepSpec PlaceSpec(mr::TableInput signatures, int num_reducers) {
  signatures.columns = tables::SignaturesColumns();
  mr::TableInput templates;
  templates.from_output = kTemplatesTable;
  templates.columns = tables::ClustersColumns();
  mr::TableInput samples;
  samples.from_output = kSamplesTable;
  samples.columns = {{"site", io::ColumnType::kBytes},
                     {"sampled", io::ColumnType::kInt64}};
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {std::move(signatures), std::move(templates),
                 std::move(samples)};
  spec.side_data = {{kTemplatesSideData, /*path=*/"", kTemplatesTable}};
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::cluster_job
