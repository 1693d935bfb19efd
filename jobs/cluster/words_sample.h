#ifndef TROMMEL_JOBS_CLUSTER_WORDS_SAMPLE_H_
#define TROMMEL_JOBS_CLUSTER_WORDS_SAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/words/page_words.h"

namespace trommel::jobs::cluster_job {

// What a set of pages says, on a bounded sample of them, mergeable in any
// order: the pages whose URLs have the smallest hashes, one of each URL.
class WordsSample {
 public:
  // Of so many pages URL and opening are kept.
  static constexpr size_t kShownPages = 3;

  struct Page {
    uint64_t url_hash = 0;
    words::PageWords words;
    std::string url;  // of the first kShownPages

    friend bool operator==(const Page&, const Page&) = default;
  };

  void Add(std::string_view url, words::PageWords words);
  void Merge(const WordsSample& other);

  // By hash of the URL, the smallest first.
  const std::vector<Page>& pages() const { return pages_; }
  // What they say, in the same order.
  std::vector<words::PageWords> Words() const;

  void AppendTo(std::string* bytes) const;
  // Takes a sample off the front of what AppendTo() has written.
  absl::Status ConsumeFrom(std::string_view* bytes);

 private:
  void AddPage(Page page);

  std::vector<Page> pages_;
};

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_WORDS_SAMPLE_H_
