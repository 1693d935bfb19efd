#ifndef TROMMEL_CORE_CLUSTER_THREE_PASS_H_
#define TROMMEL_CORE_CLUSTER_THREE_PASS_H_

// Algorithm 1 of Vertex (section III-A): from the shingle vectors of a site's
// pages to the masked vectors that stand for its clusters.
//
//   std::vector<VectorCount> vectors = CountVectors(pages);
//   std::vector<Signature> found = FindSignatures(vectors, /*threshold=*/20);
//   const Signature* cluster = FindCovering(found, page_vector);

#include <cstdint>
#include <vector>

#include "core/signature/masked_vector.h"

namespace trommel::cluster {

// A vector, and how many pages have it.
struct VectorCount {
  signature::ShingleVector vector = 0;
  int64_t count = 0;
  // Pages of one group may share a signature, pages of two may not. With a
  // single group this is the paper's algorithm.
  int32_t group = 0;
};

// A masked vector and its count after the second pass: the signature of a
// cluster with its importance, which is not the cluster's size.
struct Signature {
  signature::MaskedVector vector;
  int64_t importance = 0;
  int32_t group = 0;

  // Most important first, ties by MaskedVector's order.
  friend bool operator<(const Signature& a, const Signature& b) {
    if (a.importance != b.importance) return a.importance > b.importance;
    return a.vector < b.vector;
  }
  friend bool operator==(const Signature&, const Signature&) = default;
};

// The distinct vectors with their counts, in the order of the second pass:
// increasing counts, ties by bytes from the left.
std::vector<VectorCount> CountVectors(
    std::vector<signature::ShingleVector> vectors);

// Sorts into the order of the second pass.
void SortForSecondPass(std::vector<VectorCount>* vectors);

// Passes one and two. The vectors are distinct within a group and taken in the
// order given, which has to be of increasing counts; SortForSecondPass() makes
// one that depends on nothing else. Returns the masked vectors whose counts are
// at least `threshold` (1 or more), most important first. A masked vector that
// covers vectors of two groups is not considered.
std::vector<Signature> FindSignatures(const std::vector<VectorCount>& vectors,
                                      int64_t threshold);

// The third pass for one page: the most important signature that covers its
// vector, or null. `signatures` are sorted.
const Signature* FindCovering(const std::vector<Signature>& signatures,
                              signature::ShingleVector vector);

}  // namespace trommel::cluster

#endif  // TROMMEL_CORE_CLUSTER_THREE_PASS_H_
