#ifndef TROMMEL_JOBS_CLUSTER_SIGN_STEP_H_
#define TROMMEL_JOBS_CLUSTER_SIGN_STEP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mapreduce/job/job.h"

namespace trommel {

// The first round of "cluster": a signature of each page of a crawl, in the
// table signatures/. Pages that cannot be looked at are rejected.
std::unique_ptr<mr::Step> MakeSignStep();

struct SignSettings {
  std::string site_key = "host";  // a SiteRule's
  std::string site;               // when it is fixed
  int64_t shingle_length = 0;
  int64_t max_page_bytes = 0;
};
mr::StepSpec SignSpec(const std::vector<std::string>& crawls,
                      const SignSettings& settings);

}  // namespace trommel

#endif  // TROMMEL_JOBS_CLUSTER_SIGN_STEP_H_
