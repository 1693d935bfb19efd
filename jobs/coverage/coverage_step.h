#ifndef TROMMEL_JOBS_COVERAGE_COVERAGE_STEP_H_
#define TROMMEL_JOBS_COVERAGE_COVERAGE_STEP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jobs/coverage/crawl_days.h"
#include "mapreduce/job/job.h"

namespace trommel {

// Counters of the step.
inline constexpr char kPagesCovered[] = "pages.compared";
inline constexpr char kSitesCovered[] = "sites.covered";

// The one round of "coverage": signs the pages of all days, and follows each
// site through its days.
std::unique_ptr<mr::Step> MakeCoverageStep();

struct CoverageStepSettings {
  std::string clusters_table;
  std::string sites_table;  // of the same clustering; empty: there is none
  // As the clusters were made.
  std::string site_key;
  std::string site;
  int64_t shingle_length = 0;
  bool merge = true;
  std::vector<int> thresholds;
  int64_t max_page_bytes = 0;
  int num_reducers = 1;
};
mr::StepSpec CoverageSpec(const std::vector<CrawlDay>& crawls,
                          const CoverageStepSettings& settings);

}  // namespace trommel

#endif  // TROMMEL_JOBS_COVERAGE_COVERAGE_STEP_H_
