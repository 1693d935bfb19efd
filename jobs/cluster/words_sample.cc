#include "jobs/cluster/words_sample.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/words/own_words.h"
#include "mapreduce/codec/ordered.h"

namespace trommel::jobs::cluster_job {
namespace {

// The order of pages; the first of each URL is kept. A page that is among the
// first of a whole is among the first of each of its parts, so URLs and
// openings that matter are never missing.
auto Rank(const WordsSample::Page& page) {
  return std::tie(page.url_hash, page.words.count, page.words.sample,
                  page.words.opening);
}

}  // namespace

void WordsSample::Add(std::string_view url, words::PageWords words) {
  const uint64_t hash = Hash64(url);
  if (pages_.size() == words::kMaxGroupPages && hash > pages_.back().url_hash) {
    return;
  }
  AddPage({hash, std::move(words), std::string(url)});
}

void WordsSample::Merge(const WordsSample& other) {
  for (const Page& page : other.pages_) AddPage(page);
}

void WordsSample::AddPage(Page page) {
  const auto place = std::lower_bound(
      pages_.begin(), pages_.end(), page.url_hash,
      [](const Page& a, uint64_t hash) { return a.url_hash < hash; });
  if (place != pages_.end() && place->url_hash == page.url_hash) {
    if (Rank(page) < Rank(*place)) *place = std::move(page);
  } else {
    pages_.insert(place, std::move(page));
    if (pages_.size() > words::kMaxGroupPages) pages_.pop_back();
  }
  for (size_t i = kShownPages; i < pages_.size(); ++i) {
    pages_[i].url.clear();
    pages_[i].words.opening.clear();
  }
}

std::vector<words::PageWords> WordsSample::Words() const {
  std::vector<words::PageWords> words;
  words.reserve(pages_.size());
  for (const Page& page : pages_) words.push_back(page.words);
  return words;
}

void WordsSample::AppendTo(std::string* bytes) const {
  mr::AppendOrderedInt64(static_cast<int64_t>(pages_.size()), bytes);
  for (const Page& page : pages_) {
    mr::AppendOrderedUint64(page.url_hash, bytes);
    mr::AppendOrderedInt64(page.words.count, bytes);
    mr::AppendOrderedBytes(page.words.SampleBytes(), bytes);
    mr::AppendOrderedBytes(page.words.opening, bytes);
    mr::AppendOrderedBytes(page.url, bytes);
  }
}

absl::Status WordsSample::ConsumeFrom(std::string_view* bytes) {
  const absl::Status cut_off = absl::DataLossError("what pages say is cut off");
  int64_t num_pages = 0;
  if (!mr::ConsumeOrderedInt64(bytes, &num_pages)) return cut_off;
  for (; num_pages > 0; --num_pages) {
    Page page;
    int64_t count = 0;
    std::string sample, opening;
    if (!mr::ConsumeOrderedUint64(bytes, &page.url_hash) ||
        !mr::ConsumeOrderedInt64(bytes, &count) ||
        !mr::ConsumeOrderedBytes(bytes, &sample) ||
        !mr::ConsumeOrderedBytes(bytes, &opening) ||
        !mr::ConsumeOrderedBytes(bytes, &page.url)) {
      return cut_off;
    }
    TROMMEL_ASSIGN_OR_RETURN(
        page.words, words::PageWords::FromParts(count, sample, opening));
    AddPage(std::move(page));
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::cluster_job
