#ifndef TROMMEL_CORE_CLUSTER_LINKAGE_H_
#define TROMMEL_CORE_CLUSTER_LINKAGE_H_

#include <cstdint>
#include <vector>

#include "core/signature/sketch.h"

namespace trommel::cluster {

// Groups pages by structure: the number of each page's group, from 0, in the
// order of the groups' first pages. Which pages form a group does not depend on
// their order. Groups of `min_pages` or more (at least 2) are expected; smaller
// ones may be drawn into others. Quadratic in the number of distinct sketches,
// at some ten nanoseconds a pair; meant for samples.
std::vector<int32_t> GroupByStructure(
    const std::vector<const signature::Sketch*>& pages, int64_t min_pages);

}  // namespace trommel::cluster

#endif  // TROMMEL_CORE_CLUSTER_LINKAGE_H_
