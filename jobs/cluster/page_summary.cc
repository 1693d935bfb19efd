#include "jobs/cluster/page_summary.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "mapreduce/codec/ordered.h"

namespace trommel::jobs::cluster_job {

void PageSummary::AddExample(uint64_t hash, std::string_view url) {
  if (examples.size() == kExamples &&
      std::pair(hash, url) >=
          std::pair(examples.back().first,
                    std::string_view(examples.back().second))) {
    return;
  }
  const auto place = std::lower_bound(
      examples.begin(), examples.end(), std::pair(hash, url),
      [](const auto& a, const auto& b) {
        return std::pair(a.first, std::string_view(a.second)) < b;
      });
  if (place != examples.end() && place->second == url) return;
  examples.emplace(place, hash, url);
  if (examples.size() > kExamples) examples.pop_back();
}

void PageSummary::AddUrl(std::string_view url) {
  pattern.Add(url);
  AddExample(Hash64(url), url);
}

void PageSummary::AddWords(std::string_view url, words::PageWords page) {
  ++with_words;
  wordless += page.count == 0 ? 1 : 0;
  words.Add(url, std::move(page));
}

void PageSummary::Merge(const PageSummary& other) {
  pages += other.pages;
  by_sketch += other.by_sketch;
  too_short += other.too_short;
  with_words += other.with_words;
  wordless += other.wordless;
  pattern.Merge(other.pattern);
  for (const auto& [hash, url] : other.examples) AddExample(hash, url);
  words.Merge(other.words);
}

std::string PageSummary::Encode() const {
  std::string bytes;
  mr::AppendOrderedInt64(pages, &bytes);
  mr::AppendOrderedInt64(by_sketch, &bytes);
  mr::AppendOrderedInt64(too_short, &bytes);
  mr::AppendOrderedInt64(with_words, &bytes);
  mr::AppendOrderedInt64(wordless, &bytes);
  mr::AppendOrderedBytes(pattern.Encode(), &bytes);
  words.AppendTo(&bytes);
  for (const auto& [hash, url] : examples) {
    mr::AppendOrderedBytes(url, &bytes);
  }
  return bytes;
}

absl::StatusOr<PageSummary> PageSummary::Decode(std::string_view bytes) {
  PageSummary summary;
  std::string text;
  if (!mr::ConsumeOrderedInt64(&bytes, &summary.pages) ||
      !mr::ConsumeOrderedInt64(&bytes, &summary.by_sketch) ||
      !mr::ConsumeOrderedInt64(&bytes, &summary.too_short) ||
      !mr::ConsumeOrderedInt64(&bytes, &summary.with_words) ||
      !mr::ConsumeOrderedInt64(&bytes, &summary.wordless) ||
      !mr::ConsumeOrderedBytes(&bytes, &text)) {
    return absl::DataLossError("a summary of pages is cut off");
  }
  TROMMEL_ASSIGN_OR_RETURN(summary.pattern, url::UrlPattern::Decode(text));
  TROMMEL_RETURN_IF_ERROR(summary.words.ConsumeFrom(&bytes));
  while (!bytes.empty()) {
    if (!mr::ConsumeOrderedBytes(&bytes, &text)) {
      return absl::DataLossError("an example in a summary is cut off");
    }
    summary.AddExample(Hash64(text), text);
  }
  return summary;
}

}  // namespace trommel::jobs::cluster_job
