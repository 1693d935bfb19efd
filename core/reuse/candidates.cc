#include "core/reuse/candidates.h"

#include <algorithm>
#include <optional>
#include <tuple>

// The shingle tests of section IV-C of the Vertex paper.
//
// "Let C be a new cluster and C_1, ..., C_k be the old clusters with which C
// has non-empty URL overlap. [...] Shingle tests for detecting matching cluster
// pairs C, C_i have two variants. Below, they are listed in decreasing order of
// strictness.
//  - Cluster match: Clusters C and C_i have the same masked shingle signature.
//  - Page match: The shingles of all the pages in C match the masked shingle
//    signature of C_i. [...]
// In case of ties, we select the cluster with the largest importance score."
//
// Whether a page matches is for the placing function to say, so a page that two
// old clusters cover counts for the one it would be given to. Pages that only a
// sketch places make a match of its own, the weaker one.
//
// Beyond the paper:
//  - an old cluster without a common URL is a candidate too if a shingle test
//    by signatures says so: on a site whose pages have all been replaced the
//    rules still fit;
//  - one that no shingle test matches is a candidate for the field test alone,
//    those with most common URLs first: a wrapper around the content changes
//    all shingles and breaks few XPaths;
//  - where the field test rejects a candidate, the next one is tried.

namespace trommel::reuse {
namespace {

bool HasSignature(const cluster::Template& tmpl,
                  const signature::MaskedVector& vector) {
  return std::any_of(tmpl.signatures.begin(), tmpl.signatures.end(),
                     [&](const cluster::Signature& signature) {
                       return signature.vector == vector;
                     });
}

int64_t NumPlaced(const OldCluster& old) {
  return old.placed_by_signature + old.placed_by_sketch;
}

// None: no candidate.
std::optional<HowMatched> Match(const cluster::Template& new_cluster,
                                int64_t num_pages, const OldCluster& old) {
  if (IsClusterMatch(new_cluster, *old.tmpl)) return HowMatched::kCluster;
  if (num_pages > 0 && old.placed_by_signature >= num_pages) {
    return HowMatched::kPage;
  }
  if (old.shared_urls == 0) return std::nullopt;
  if (num_pages > 0 && NumPlaced(old) >= num_pages) {
    return HowMatched::kPageBySketch;
  }
  return HowMatched::kFieldTest;
}

}  // namespace

std::string_view HowMatchedName(HowMatched how) {
  switch (how) {
    case HowMatched::kCluster:
      return "cluster_match";
    case HowMatched::kPage:
      return "page_match";
    case HowMatched::kPageBySketch:
      return "page_match_by_sketch";
    case HowMatched::kFieldTest:
      return "field_test";
  }
  return "";
}

bool IsClusterMatch(const cluster::Template& new_cluster,
                    const cluster::Template& old_cluster) {
  if (new_cluster.signatures.empty()) return false;
  int64_t all = 0;
  int64_t common = 0;
  bool has_common = false;
  for (const cluster::Signature& signature : new_cluster.signatures) {
    all += signature.importance;
    if (!HasSignature(old_cluster, signature.vector)) continue;
    common += signature.importance;
    has_common = true;
  }
  return has_common && 2 * common >= all;
}

std::vector<Candidate> FindCandidates(const cluster::Template& new_cluster,
                                      int64_t num_pages,
                                      const std::vector<OldCluster>& old) {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < old.size(); ++i) {
    if (!old[i].has_rule) continue;
    if (const auto how = Match(new_cluster, num_pages, old[i])) {
      candidates.push_back({i, *how});
    }
  }
  // One that shares URLs can be tested, so it goes before one that shares none.
  const auto key = [&](const Candidate& candidate) {
    const OldCluster& cluster = old[candidate.old_cluster];
    const int64_t importance = cluster.tmpl->Importance();
    const bool alone = candidate.how == HowMatched::kFieldTest;
    return std::make_tuple(cluster.shared_urls == 0, candidate.how,
                           alone ? -cluster.shared_urls : -importance,
                           alone ? -importance : -cluster.shared_urls,
                           std::string_view(cluster.cluster_id));
  };
  std::sort(
      candidates.begin(), candidates.end(),
      [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
  if (candidates.size() > kMaxCandidates) candidates.resize(kMaxCandidates);
  return candidates;
}

int Predecessor(const std::vector<OldCluster>& old) {
  const auto key = [](const OldCluster& cluster) {
    return std::make_tuple(-cluster.shared_urls, -NumPlaced(cluster),
                           std::string_view(cluster.cluster_id));
  };
  const auto best = std::min_element(
      old.begin(), old.end(), [&](const OldCluster& a, const OldCluster& b) {
        return key(a) < key(b);
      });
  if (best == old.end() || best->shared_urls + NumPlaced(*best) == 0) return -1;
  return static_cast<int>(best - old.begin());
}

}  // namespace trommel::reuse
