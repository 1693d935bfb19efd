#include "jobs/cluster/template_step.h"

#include <arrow/type.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/cluster/placement.h"
#include "core/cluster/site_sample.h"
#include "core/cluster/templates.h"
#include "jobs/cli/settings.h"
#include "jobs/cluster/names.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/signatures_table.h"
#include "mapreduce/codec/ordered.h"

// How a site is sampled without ever being in one place.
//
// The sample is the pages with the smallest hashes of their URLs, so many as
// the size of the site asks for. Nobody knows that size before all mappers are
// done, but no sample has more than kMaxSamplePages: each mapper keeps that
// many pages of a site at most, in a heap, and counts the rest. The reducer of
// the site receives the counts first (they are combined on the way) and then
// pages in the order of their hashes, and stops reading when it has enough. So
// it holds one sample, whether the site has fifty pages or a hundred million.
//
// A page is its hash, its vector and its sketch, all in the sort key; where
// these are the same, as for a page crawled twice, there is nothing to choose
// between and a number says how often.

namespace trommel::jobs::cluster_job {
namespace {

constexpr char kName[] = "cluster-templates";

// What a sort key begins with.
constexpr char kAbout = 0;  // of the site; comes first
constexpr char kPage = 1;

struct SampledPage {
  uint64_t url_hash = 0;
  signature::PageSignature signature;

  // The order of SortKey(), without making one.
  friend bool operator<(const SampledPage& a, const SampledPage& b) {
    if (a.url_hash != b.url_hash) return a.url_hash < b.url_hash;
    if (a.signature.vector != b.signature.vector) {
      return a.signature.vector < b.signature.vector;
    }
    // As in SortKey(), by bytes: mappers and reducers cut at the same page.
    return a.signature.sketch.Bytes() < b.signature.sketch.Bytes();
  }

  std::string SortKey() const {
    std::string key(1, kPage);
    mr::AppendOrderedUint64(url_hash, &key);
    mr::AppendOrderedUint64(signature.vector, &key);
    key += signature.sketch.Bytes();
    return key;
  }
  static absl::StatusOr<SampledPage> FromSortKey(std::string_view key) {
    SampledPage page;
    key.remove_prefix(1);
    if (!mr::ConsumeOrderedUint64(&key, &page.url_hash) ||
        !mr::ConsumeOrderedUint64(&key, &page.signature.vector)) {
      return absl::DataLossError("a sampled page is cut off");
    }
    TROMMEL_ASSIGN_OR_RETURN(page.signature.sketch,
                             signature::Sketch::FromBytes(key));
    return page;
  }
};

// How the signatures of a site were made: one way, or they are of two tables
// that do not belong together.
struct Settings {
  std::string site_key;
  int64_t shingle_length = 0;

  absl::Status Join(std::string_view site, const Settings& other) {
    if (shingle_length == 0) *this = other;
    if (site_key == other.site_key && shingle_length == other.shingle_length) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        StrCat("the signatures of ", Printable(site),
               " were made with different settings (site_key ", site_key,
               " and ", other.site_key, ", shingle_length ", shingle_length,
               " and ", other.shingle_length, "); cluster them apart"));
  }
};

std::string EncodeCount(uint64_t count) {
  std::string value;
  mr::AppendOrderedUint64(count, &value);
  return value;
}

absl::StatusOr<uint64_t> DecodeCount(std::string_view value) {
  uint64_t count;
  if (!mr::ConsumeOrderedUint64(&value, &count)) {
    return absl::DataLossError("a count is cut off");
  }
  return count;
}

class TemplateMapper final : public mr::Mapper {
 public:
  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* /*out*/) override {
    TROMMEL_ASSIGN_OR_RETURN(const tables::SignedPage page,
                             tables::ReadSignedPage(row));
    auto found = sites_.find(page.site);
    if (found == sites_.end()) {
      found = sites_.emplace(std::string(page.site), Site()).first;
    }
    Site& site = found->second;
    TROMMEL_RETURN_IF_ERROR(site.settings.Join(
        page.site, {std::string(page.site_key), page.shingle_length}));
    if (!page.signature.has_value()) return absl::OkStatus();
    ++site.pages;
    const SampledPage sampled = {cluster::SampleRank(page.url),
                                 *page.signature};
    if (static_cast<int64_t>(site.heap.size()) < cluster::kMaxSamplePages) {
      site.heap.push_back(sampled);
      std::push_heap(site.heap.begin(), site.heap.end());
    } else if (sampled < site.heap.front()) {
      std::pop_heap(site.heap.begin(), site.heap.end());
      site.heap.back() = sampled;
      std::push_heap(site.heap.begin(), site.heap.end());
    }
    return absl::OkStatus();
  }

  absl::Status Finish(mr::MapOutput* out) override {
    for (const auto& [name, site] : sites_) {
      std::string about(1, kAbout);
      mr::AppendOrderedBytes(site.settings.site_key, &about);
      mr::AppendOrderedInt64(site.settings.shingle_length, &about);
      TROMMEL_RETURN_IF_ERROR(out->Emit(name, about, EncodeCount(site.pages)));
      for (const SampledPage& page : site.heap) {
        TROMMEL_RETURN_IF_ERROR(
            out->Emit(name, page.SortKey(), EncodeCount(1)));
      }
    }
    return absl::OkStatus();
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(tables::SignedPageUrl(row)),
            std::string(tables::SignedPageSite(row))};
  }

 private:
  struct Site {
    Settings settings;
    uint64_t pages = 0;             // with a signature
    std::vector<SampledPage> heap;  // the largest on top
  };
  std::map<std::string, Site, std::less<>> sites_;
};

class TemplateCombiner final : public mr::Combiner {
 public:
  absl::Status Combine(std::string_view /*site*/, mr::Values* values,
                       Output* out) override {
    uint64_t sum = 0;
    while (values->Next()) {
      TROMMEL_ASSIGN_OR_RETURN(const uint64_t count,
                               DecodeCount(values->value()));
      sum += count;
    }
    return out->Emit(EncodeCount(sum));
  }
};

// Of the sample, the pages that the templates' signatures cover.
int64_t NumCovered(const std::vector<cluster::Template>& templates,
                   const std::vector<signature::PageSignature>& sample) {
  const cluster::SiteTemplates site(templates);
  return std::count_if(
      sample.begin(), sample.end(), [&](const signature::PageSignature& page) {
        const std::optional<cluster::Placement> place = site.Place(page);
        return place.has_value() && place->by == cluster::PlacedBy::kSignature;
      });
}

class TemplateReducer final : public mr::Reducer {
 public:
  explicit TemplateReducer(bool merge) : merge_(merge) {}

  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    Settings site_settings;
    uint64_t pages = 0;
    size_t wanted = 0;
    std::vector<signature::PageSignature> sample;
    while (values->Next()) {
      std::string_view key = values->sort_key();
      TROMMEL_ASSIGN_OR_RETURN(const uint64_t count,
                               DecodeCount(values->value()));
      if (key.empty()) return absl::DataLossError("a page without its key");
      if (key[0] == kAbout) {
        key.remove_prefix(1);
        Settings settings;
        if (!mr::ConsumeOrderedBytes(&key, &settings.site_key) ||
            !mr::ConsumeOrderedInt64(&key, &settings.shingle_length)) {
          return absl::DataLossError("the count of a site is cut off");
        }
        TROMMEL_RETURN_IF_ERROR(site_settings.Join(site, settings));
        pages += count;
        wanted = static_cast<size_t>(
            cluster::SamplePages(static_cast<int64_t>(pages)));
        continue;
      }
      TROMMEL_ASSIGN_OR_RETURN(const SampledPage page,
                               SampledPage::FromSortKey(key));
      const size_t room = wanted - sample.size();
      sample.insert(sample.end(), std::min<uint64_t>(room, count),
                    page.signature);
      if (sample.size() == wanted) break;
    }

    out->Count(kSitesClustered);
    out->Count(kPagesSampled, static_cast<int64_t>(sample.size()));
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const templates, out->Table(0));
    tables::ClusterRow cluster;
    cluster.site = site;
    cluster.site_key = site_settings.site_key;
    cluster.shingle_length = site_settings.shingle_length;
    std::vector<cluster::Template> found = cluster::ThreePassTemplates(sample);
    out->Count(kThreePassClusters, static_cast<int64_t>(found.size()));
    out->Count(kThreePassCovered, NumCovered(found, sample));
    if (merge_) found = cluster::MergedTemplates(sample);
    for (cluster::Template& tmpl : found) {
      cluster.cluster_id = cluster::ClusterId(site, tmpl);
      cluster.tmpl = std::move(tmpl);
      TROMMEL_RETURN_IF_ERROR(tables::WriteCluster(cluster, templates));
    }
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const samples, out->Table(1));
    samples->Text(site).Int64(static_cast<int64_t>(sample.size()));
    return samples->EndRow();
  }

 private:
  const bool merge_;
};

class TemplateStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {kTemplatesTable, tables::ClustersSchema(), {"sketch"}},
        {kSamplesTable,
         arrow::schema({arrow::field("site", arrow::utf8(), false),
                        arrow::field("sampled", arrow::int64(), false)}),
         {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<TemplateMapper>();
  }
  absl::StatusOr<std::unique_ptr<mr::Combiner>> MakeCombiner(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<TemplateCombiner>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<ClusterSettings>(context));
    return std::make_unique<TemplateReducer>(settings.merge);
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeTemplateStep() {
  return std::make_unique<TemplateStep>();
}

mr::StepSpec TemplateSpec(mr::TableInput signatures,
                          const ClusterSettings& settings, int num_reducers) {
  signatures.columns = tables::SignaturesColumns();
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {std::move(signatures)};
  cli::AddSettings(settings, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::cluster_job
