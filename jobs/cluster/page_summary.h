#ifndef TROMMEL_JOBS_CLUSTER_PAGE_SUMMARY_H_
#define TROMMEL_JOBS_CLUSTER_PAGE_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/url/pattern.h"
#include "core/words/page_words.h"
#include "jobs/cluster/words_sample.h"

namespace trommel::jobs::cluster_job {

// What is known of a set of pages, mergeable in any order: of the pages of a
// cluster, or of those of a site that are in none. Its size does not grow with
// the pages, but for the length of the few URLs.
struct PageSummary {
  static constexpr size_t kExamples = 3;

  int64_t pages = 0;
  int64_t by_sketch = 0;
  int64_t too_short = 0;
  int64_t with_words = 0;  // pages of which is known what they say
  int64_t wordless = 0;    // of them, those that say nothing
  url::UrlPattern pattern;
  // The URLs with the smallest hashes, with these; distinct.
  std::vector<std::pair<uint64_t, std::string>> examples;
  WordsSample words;

  void AddUrl(std::string_view url);
  void AddWords(std::string_view url, words::PageWords page);
  void Merge(const PageSummary& other);

  std::string Encode() const;
  static absl::StatusOr<PageSummary> Decode(std::string_view bytes);

 private:
  void AddExample(uint64_t hash, std::string_view url);
};

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_PAGE_SUMMARY_H_
