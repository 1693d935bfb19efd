#include "core/cluster/site_sample.h"

#include <algorithm>

#include "core/base/hash.h"

namespace trommel::cluster {
namespace {

constexpr uint64_t kSampleSeed = 0x73616D706C65;  // differs from other uses

}  // namespace

int64_t SamplePages(int64_t site_pages) {
  const int64_t wanted =
      std::max<int64_t>(2000, std::min(site_pages / 5, kMaxSamplePages));
  return std::min(site_pages, wanted);
}

uint64_t SampleRank(std::string_view url) { return Hash64(url, kSampleSeed); }

int64_t PruningThreshold(int64_t sample_pages) {
  if (sample_pages >= 1000) return 20;
  return std::max<int64_t>(2, (sample_pages * 2 + 99) / 100);
}

int64_t MinTemplatePages(int64_t sample_pages) {
  if (sample_pages >= 200) return 20;
  return std::max<int64_t>(3, (sample_pages + 9) / 10);
}

}  // namespace trommel::cluster
