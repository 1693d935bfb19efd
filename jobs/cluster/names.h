#ifndef TROMMEL_JOBS_CLUSTER_NAMES_H_
#define TROMMEL_JOBS_CLUSTER_NAMES_H_

// The names under which the rounds of "cluster" know their tables and counters.

namespace trommel::jobs::cluster_job {

// In the output.
inline constexpr char kSignaturesTable[] = "signatures";
inline constexpr char kAssignmentsTable[] = "assignments";
inline constexpr char kClustersTable[] = "clusters";
inline constexpr char kSitesTable[] = "sites";
// From the second round to the third; gone afterwards.
inline constexpr char kTemplatesTable[] = "_scratch_templates";
inline constexpr char kSamplesTable[] = "_scratch_samples";

inline constexpr char kSitesClustered[] = "sites.clustered";
inline constexpr char kPagesSampled[] = "pages.sampled";
inline constexpr char kPagesPlacedBySignature[] = "pages.placed_by_signature";
inline constexpr char kPagesPlacedBySketch[] = "pages.placed_by_sketch";
inline constexpr char kPagesUncovered[] = "pages.uncovered";
inline constexpr char kPagesTooShort[] = "pages.too_short";
// What the three passes alone find, for comparison where clusters are merged.
inline constexpr char kThreePassClusters[] = "three_passes.clusters";
inline constexpr char kThreePassCovered[] = "three_passes.sample_covered";
inline constexpr char kClustersFound[] = "clusters.found";
inline constexpr char kClustersEmpty[] = "clusters.empty";

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_NAMES_H_
