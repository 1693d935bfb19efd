#ifndef TROMMEL_CORE_REUSE_CANDIDATES_H_
#define TROMMEL_CORE_REUSE_CANDIDATES_H_

// Which rules of yesterday a cluster of today may go on with.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/templates.h"

namespace trommel::reuse {

// How an old cluster was found to be the new one, the strictest first.
enum class HowMatched {
  kCluster,       // both have the same masked signature
  kPage,          // signatures of the old one cover all pages of the new one
  kPageBySketch,  // the old one takes them all, some by its sketch
  kFieldTest,     // by no shingle test; they share URLs, and fields may decide
};
// "cluster_match", "page_match", "page_match_by_sketch" or "field_test", as
// tables have it.
std::string_view HowMatchedName(HowMatched how);

// Whether two clusters have the same masked signature. A merged template has
// several; then the signatures that both have must hold at least half of the
// new cluster's importance. With one signature each this is the paper's
// definition. A template without signatures matches none.
bool IsClusterMatch(const cluster::Template& new_cluster,
                    const cluster::Template& old_cluster);

// An old cluster as seen from a new one of the same site.
struct OldCluster {
  std::string cluster_id;
  const cluster::Template* tmpl = nullptr;
  bool has_rule = false;
  bool is_ignored = false;  // by the editor who was asked for it
  int64_t shared_urls = 0;
  // Pages of the new cluster that the old templates of the site place in this
  // one.
  int64_t placed_by_signature = 0;
  int64_t placed_by_sketch = 0;
};

struct Candidate {
  size_t old_cluster = 0;  // its place among those given
  HowMatched how = HowMatched::kFieldTest;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// So many are tried, at most.
inline constexpr size_t kMaxCandidates = 4;

// The old clusters whose rules are worth a field test on the new cluster, in
// the order in which they are to be tried. `num_pages` are those of the new
// cluster. Those that are not `has_rule` are no candidates.
std::vector<Candidate> FindCandidates(const cluster::Template& new_cluster,
                                      int64_t num_pages,
                                      const std::vector<OldCluster>& old);

// The place of the old cluster whose pages became the new one: the one that
// shares most URLs, or, where none shares any, that places most pages; -1 where
// there is none.
int Predecessor(const std::vector<OldCluster>& old);

}  // namespace trommel::reuse

#endif  // TROMMEL_CORE_REUSE_CANDIDATES_H_
