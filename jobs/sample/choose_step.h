#ifndef TROMMEL_JOBS_SAMPLE_CHOOSE_STEP_H_
#define TROMMEL_JOBS_SAMPLE_CHOOSE_STEP_H_

// The job of `trommel sample`: from a crawl to the pages of each cluster that
// are worth annotating.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jobs/cli/flags.h"
#include "jobs/page/page_flags.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::sample_job {

inline constexpr char kPagesInClusters[] = "pages.in_clusters";
// In clusters that are left out, for their pages all say the same.
inline constexpr char kPagesAlike[] = "pages.alike";
inline constexpr char kPagesCompared[] = "pages.compared";
inline constexpr char kPagesChosen[] = "pages.chosen";
inline constexpr char kClustersSampled[] = "clusters.sampled";

struct ChooseSettings {
  int64_t pages_per_cluster = 20;
  int64_t compared_per_cluster = 400;
  bool skip_alike = false;

  void Define(cli::Flags* flags);
};

std::unique_ptr<mr::Step> MakeChooseStep();
// Reads crawls and, as side data, a table of clusters; writes samples/.
mr::StepSpec ChooseSpec(const std::vector<std::string>& crawls,
                        const std::string& clusters,
                        const ChooseSettings& settings,
                        const tables::WantedSites& sites,
                        const page::PageFlags& page, int num_reducers);

}  // namespace trommel::jobs::sample_job

#endif  // TROMMEL_JOBS_SAMPLE_CHOOSE_STEP_H_
