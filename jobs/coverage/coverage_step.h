#ifndef TROMMEL_JOBS_COVERAGE_COVERAGE_STEP_H_
#define TROMMEL_JOBS_COVERAGE_COVERAGE_STEP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/cli/flags.h"
#include "jobs/coverage/crawl_days.h"
#include "jobs/page/page_flags.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::coverage_job {

// Counters of the step.
inline constexpr char kPagesSigned[] = "pages.signed";
inline constexpr char kSitesFollowed[] = "sites.followed";

// The one round of "coverage": signs the pages of all days, and follows each
// site through its days.
std::unique_ptr<mr::Step> MakeCoverageStep();

// How large a drop of coverage is a change: several, each with a timeline.
struct DropThresholds {
  std::vector<std::string> percents = {"10", "20", "30", "40", "50"};

  void Define(cli::Flags* flags);
  // Rising, each once.
  absl::StatusOr<std::vector<int>> Parse() const;
};

// How the clusters were made, and new ones are.
struct Clustering {
  std::string site_key;
  std::string site;
  int64_t shingle_length = 0;
  bool merge = true;

  void Define(cli::Flags* flags);
};

struct CoverageStepInputs {
  std::vector<CrawlDay> crawls;
  std::string clusters_table;
  std::string sites_table;  // of the same clustering; empty: there is none
};

mr::StepSpec CoverageSpec(const CoverageStepInputs& inputs,
                          const DropThresholds& thresholds,
                          const Clustering& clustering,
                          const page::AdmissionFlags& admission,
                          int num_reducers);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_COVERAGE_STEP_H_
