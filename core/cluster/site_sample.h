#ifndef TROMMEL_CORE_CLUSTER_SITE_SAMPLE_H_
#define TROMMEL_CORE_CLUSTER_SITE_SAMPLE_H_

// How many pages of a site are looked at, and how many make a cluster.

#include <cstdint>
#include <string_view>

namespace trommel::cluster {

// No sample is larger.
inline constexpr int64_t kMaxSamplePages = 20000;

// A fifth of the site and at most 20,000 pages, but never under 2,000, or the
// whole of a smaller site (Vertex, section III-A: 20%, at most 20K; the lower
// bound is for sites the paper does not look at).
int64_t SamplePages(int64_t site_pages);

// The sample is the pages of the smallest ranks, so it depends neither on the
// order of pages nor on where they are stored. Of pages with the same rank, the
// one with the smaller vector comes first, then the smaller bytes of its
// sketch.
uint64_t SampleRank(std::string_view url);

// Masked vectors with a smaller count are pruned after the second pass: 20, or
// 2% of a sample under 1,000 pages, at least 2.
int64_t PruningThreshold(int64_t sample_pages);

// From how many pages on pages that only resemble each other are a template:
// 20, or a tenth of a sample under 200 pages, at least 3.
int64_t MinTemplatePages(int64_t sample_pages);

}  // namespace trommel::cluster

#endif  // TROMMEL_CORE_CLUSTER_SITE_SAMPLE_H_
