#include "jobs/sample/choose_step.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/html/parser.h"
#include "core/sample/page_contents.h"
#include "core/sample/page_sampler.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/page/page_version.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// Which pages travel.
//
// Pages of a cluster are compared with each other in one place, so their
// contents have to get there; 400 are enough (III-B of the Vertex paper) and
// are chosen by the hash of their URL. The mappers know the sizes of the
// clusters and send only pages whose hash is so small that about 700 of the
// cluster have one as small: fewer than 400 is then a matter of 11 standard
// deviations. The // reducer of a site receives them cluster by cluster, by
// hash, and passes over those after the 400th.
//
// The sizes are those of the crawl that was clustered, and count a URL as often
// as it was crawled. Where this crawl is smaller, or most pages are the same
// few URLs, too few hashes are small enough. So each mapper also sends the
// pages with the smallest hashes it has seen, as many URLs of a cluster as the
// sample is to have; and the reducer, where fewer than that were small enough,
// compares just the smallest. Either set is the same whatever the splits.
//
// With --skip-alike, clusters whose pages say nothing of their own are passed
// over: they are walls and errors, and nobody could annotate a record there.
//
// A URL that was crawled several times counts once, by its latest version
// (latest fetch_time, then smallest digest) that is in a cluster. Versions may
// be in different clusters, so each page is announced first, under the site and
// its URL alone; the reducer notes the latest version of URLs that are
// announced twice, and passes over the other versions when they come. A page is
// announced if its hash is small enough for any cluster of its site; on sites
// with millions of pages, for its own, because one small cluster would have all
// of them announced.

namespace trommel::jobs::sample_job {
namespace {

constexpr char kName[] = "sample-choose";
constexpr char kClustersSideData[] = "clusters";

// What a sort key begins with.
constexpr char kAnnouncement = 0;
constexpr char kPage = 1;

constexpr uint64_t kSampleSeed = 0x616E6E6F74617465;  // differs from other uses

// The contents of a cluster's pages are held in memory until it is known which
// of them are chosen. A cluster of very large pages is compared on fewer.
constexpr size_t kMaxClusterBytes = size_t{256} << 20;

// Up to this many pages a site announces them for all its clusters.
constexpr int64_t kMaxAnnouncingPages = 2000000;

// A page as it travels.
struct PageValue {
  std::optional<int64_t> fetch_time_us;
  std::string charset;
  std::string content;
};

std::string EncodePage(const io::CrawlPage& page) {
  std::string value(1, page.fetch_time_us.has_value() ? 1 : 0);
  mr::AppendOrderedInt64(page.fetch_time_us.value_or(0), &value);
  mr::AppendOrderedBytes(page.charset, &value);
  value += page.content;
  return value;
}

bool DecodePage(std::string_view value, PageValue* page) {
  if (value.empty()) return false;
  const bool has_time = value[0] != 0;
  value.remove_prefix(1);
  int64_t time = 0;
  if (!mr::ConsumeOrderedInt64(&value, &time) ||
      !mr::ConsumeOrderedBytes(&value, &page->charset)) {
    return false;
  }
  page->fetch_time_us = has_time ? std::optional<int64_t>(time) : std::nullopt;
  page->content = value;
  return true;
}

// The first byte of a page's value.
constexpr char kSmallHash = 1;
constexpr char kLargeHash = 0;

// The largest hash that is small enough, in a cluster of so many pages.
uint64_t LargestHash(int64_t cluster_size, int64_t compared) {
  const double share = (1.5 * static_cast<double>(compared) + 100) /
                       static_cast<double>(std::max<int64_t>(cluster_size, 1));
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  return share >= 1 ? kMax : static_cast<uint64_t>(share * 0x1p64);
}

class ChooseMapper final : public mr::Mapper {
 public:
  ChooseMapper(tables::ClusterIndex index, tables::WantedSites sites,
               page::AdmissionFlags admission, const ChooseSettings& settings)
      : index_(std::move(index)),
        sites_(std::move(sites)),
        admission_(std::move(admission)),
        chosen_(static_cast<size_t>(settings.pages_per_cluster)),
        compared_(settings.compared_per_cluster),
        skip_alike_(settings.skip_alike),
        signer_(index_.shingle_length()) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    const std::string site_name = index_.site_rule().SiteOf(page.url);
    if (!sites_.Contains(site_name)) return absl::OkStatus();
    if (const std::optional<page::Rejection> rejection =
            page::WhyRejected(page, admission_)) {
      return page::Reject({std::string(page.url), site_name}, *rejection, out);
    }
    const tables::ClusterIndex::Site* const site = index_.Find(site_name);
    if (site == nullptr) return absl::OkStatus();
    const std::optional<signature::PageSignature> signature =
        signer_.Sign(page.content, page.charset);
    if (!signature.has_value()) return absl::OkStatus();
    const std::optional<cluster::Placement> placement =
        site->templates.Place(*signature);
    if (!placement.has_value()) return absl::OkStatus();
    if (skip_alike_ && site->say_the_same[placement->place]) {
      out->Count(kPagesAlike);
      return absl::OkStatus();
    }
    out->Count(kPagesInClusters);
    const uint64_t hash = Hash64(page.url, kSampleSeed);
    const bool is_small =
        hash <= LargestHash(site->sizes[placement->place], compared_);
    const bool travels =
        IsAmongSmallest(site->cluster_ids[placement->place], hash) || is_small;
    if (!travels && hash > LargestAnnounced(*site)) return absl::OkStatus();
    const page::PageVersion version = page::PageVersion::Of(page);
    std::string key(1, kAnnouncement);
    mr::AppendOrderedBytes(page.url, &key);
    version.AppendTo(&key);
    TROMMEL_RETURN_IF_ERROR(out->Emit(site_name, key, ""));
    if (!travels) return absl::OkStatus();
    key.assign(1, kPage);
    mr::AppendOrderedBytes(site->cluster_ids[placement->place], &key);
    mr::AppendOrderedUint64(hash, &key);
    mr::AppendOrderedBytes(page.url, &key);
    version.AppendTo(&key);
    return out->Emit(site_name, key,
                     (is_small ? kSmallHash : kLargeHash) + EncodePage(page));
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), index_.site_rule().SiteOf(url)};
  }

 private:
  // Of the pages that are announced.
  uint64_t LargestAnnounced(const tables::ClusterIndex::Site& site) const {
    int64_t all = 0;
    int64_t smallest = std::numeric_limits<int64_t>::max();
    for (const int64_t size : site.sizes) {
      all += size;
      smallest = std::min(smallest, size);
    }
    return all > kMaxAnnouncingPages ? 0 : LargestHash(smallest, compared_);
  }

  // Whether fewer URLs of the cluster than a sample has were seen with a
  // smaller hash.
  bool IsAmongSmallest(const std::string& cluster_id, uint64_t hash) {
    std::set<uint64_t>& smallest = smallest_[cluster_id];
    smallest.insert(hash);
    if (smallest.size() > chosen_) smallest.erase(std::prev(smallest.end()));
    return smallest.count(hash) > 0;
  }

  const tables::ClusterIndex index_;
  const tables::WantedSites sites_;
  const page::AdmissionFlags admission_;
  const size_t chosen_;
  const int64_t compared_;
  const bool skip_alike_;
  std::map<std::string, std::set<uint64_t>> smallest_;  // hashes, by cluster
  signature::PageSigner signer_;
  io::CrawlLayout layout_;
};

class ChooseReducer final : public mr::Reducer {
 public:
  ChooseReducer(const page::PageFlags& page_flags,
                const ChooseSettings& settings)
      : parser_(page_flags.MakeParser()),
        chosen_(static_cast<size_t>(settings.pages_per_cluster)),
        compared_(static_cast<size_t>(settings.compared_per_cluster)) {}

  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    site_ = site;
    cluster_id_.clear();
    latest_.clear();
    std::optional<std::string> last_url;
    page::PageVersion last_version;
    while (values->Next()) {
      std::string_view key = values->sort_key();
      if (key.empty()) return absl::DataLossError("a page without its key");
      const char kind = key[0];
      key.remove_prefix(1);
      std::string url, cluster_id;
      uint64_t hash = 0;
      page::PageVersion version;
      if ((kind == kPage && (!mr::ConsumeOrderedBytes(&key, &cluster_id) ||
                             !mr::ConsumeOrderedUint64(&key, &hash))) ||
          !mr::ConsumeOrderedBytes(&key, &url) || !version.ConsumeFrom(&key)) {
        return absl::DataLossError("the key of a page is cut off");
      }
      if (kind == kAnnouncement) {
        // The latest comes first.
        if (url == last_url) {
          latest_.try_emplace(url, last_version);
        } else {
          last_version = version;
          last_url = url;
        }
        continue;
      }
      if (cluster_id != cluster_id_) {
        TROMMEL_RETURN_IF_ERROR(FinishCluster(out));
        cluster_id_ = cluster_id;
        last_url.reset();
      }
      if (url == last_url) continue;
      const auto latest = latest_.find(url);
      if (latest != latest_.end() && latest->second != version) continue;
      last_url = url;
      TROMMEL_RETURN_IF_ERROR(AddPage(url, values->value(), out));
    }
    return FinishCluster(out);
  }

 private:
  struct Page {
    std::string url;
    PageValue value;
  };

  absl::Status AddPage(const std::string& url, std::string_view bytes,
                       mr::TaskOutput* out) {
    if (bytes.empty()) return absl::DataLossError("a page is cut off");
    const bool is_small = bytes[0] == kSmallHash;
    bytes.remove_prefix(1);
    if (pages_.size() == compared_ || (!is_small && pages_.size() >= chosen_) ||
        (pages_.size() >= chosen_ && held_bytes_ > kMaxClusterBytes)) {
      return absl::OkStatus();
    }
    Page page;
    page.url = url;
    if (!DecodePage(bytes, &page.value)) {
      return absl::DataLossError("a page is cut off");
    }
    const html::ParseOutcome outcome =
        parser_->ParsePage(page.value.content, page.value.charset, &document_);
    if (outcome != html::ParseOutcome::kOk) {
      return out->Reject({url, site_}, html::ToString(outcome), "");
    }
    collector_.Collect(document_, &contents_);
    sampler_.AddPage(contents_);
    held_bytes_ += page.value.content.size();
    pages_.push_back(std::move(page));
    return absl::OkStatus();
  }

  absl::Status FinishCluster(mr::TaskOutput* out) {
    if (pages_.empty()) return absl::OkStatus();
    out->Count(kClustersSampled);
    out->Count(kPagesCompared, static_cast<int64_t>(pages_.size()));
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    tables::SampleRow row;
    row.site = site_;
    row.cluster_id = cluster_id_;
    for (const sample::PageSampler::ChosenPage& chosen :
         sampler_.Choose(chosen_)) {
      const Page& page = pages_[chosen.page];
      row.url = page.url;
      row.content = page.value.content;
      row.charset = page.value.charset;
      row.fetch_time_us = page.value.fetch_time_us;
      row.gain = chosen.gain;
      TROMMEL_RETURN_IF_ERROR(tables::WriteSample(row, table));
      ++row.rank;
    }
    out->Count(kPagesChosen, row.rank);
    pages_.clear();
    sampler_ = sample::PageSampler();
    held_bytes_ = 0;
    return absl::OkStatus();
  }

  const std::unique_ptr<html::Parser> parser_;
  const size_t chosen_;
  const size_t compared_;
  html::Document document_;
  sample::ContentCollector collector_;
  std::vector<sample::PathContent> contents_;

  // Of the site.
  std::string site_;
  std::map<std::string, page::PageVersion>
      latest_;  // of URLs that have several versions
  // Of the cluster.
  std::string cluster_id_;
  std::vector<Page> pages_;
  sample::PageSampler sampler_;
  size_t held_bytes_ = 0;
};

class ChooseStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{tables::kSamplesFolder,
                                         tables::SamplesSchema(),
                                         tables::SamplesPlainColumns()}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<ChooseSettings>(context));
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<page::PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(auto sites,
                             cli::ReadSettings<tables::WantedSites>(context));
    TROMMEL_ASSIGN_OR_RETURN(const std::string clusters,
                             context.SideDataPath(kClustersSideData));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(clusters));
    TROMMEL_ASSIGN_OR_RETURN(tables::ClusterIndex index,
                             tables::ClusterIndex::Read(path));
    return std::make_unique<ChooseMapper>(std::move(index), std::move(sites),
                                          page, settings);
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<ChooseSettings>(context));
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<page::PageFlags>(context));
    return std::make_unique<ChooseReducer>(page, settings);
  }
};

}  // namespace

void ChooseSettings::Define(cli::Flags* flags) {
  flags
      ->Integer("pages", &pages_per_cluster,
                "pages in the sample of a cluster, at most")
      .Between(1, 1000)
      .Recorded();
  flags
      ->Integer("compare", &compared_per_cluster,
                "pages of a cluster, by URL hash, among which to choose")
      .Between(1, 100000)
      .Recorded();
  flags
      ->Bool("skip-alike", &skip_alike,
             "leave out clusters whose pages say nothing of their own, such as "
             "walls and errors")
      .Recorded();
}

std::unique_ptr<mr::Step> MakeChooseStep() {
  return std::make_unique<ChooseStep>();
}

mr::StepSpec ChooseSpec(const std::vector<std::string>& crawls,
                        const std::string& clusters,
                        const ChooseSettings& settings,
                        const tables::WantedSites& sites,
                        const page::PageFlags& page, int num_reducers) {
  const io::CrawlLayout layout;
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {page::CrawlInput(crawls, layout, page.max_page_bytes)};
  spec.side_data = {{kClustersSideData, clusters, /*from_output=*/""}};
  cli::AddSettings(settings, &spec);
  cli::AddSettings(sites, &spec);
  cli::AddSettings(page, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::sample_job
