#ifndef TROMMEL_JOBS_RUN_STAGES_SITES_TO_SAMPLE_H_
#define TROMMEL_JOBS_RUN_STAGES_SITES_TO_SAMPLE_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "jobs/run/stages/stages.h"
#include "proto/pipeline.pb.h"

namespace trommel::jobs::run::stages {

// The sites that an editor is needed for.
struct SitesToSample {
  bool has_crawled = false;  // any site of the vertical
  std::set<std::string> sites;
  // Those that were never sampled and answer with pages that are no pages, with
  // what people are told.
  std::map<std::string, std::string> blocked;
  // The reasons of those that were sampled before, by site.
  std::map<std::string, std::string> again;
};

// A site of the vertical is sampled on the first night on which it has
// pages. Later it is again:
//
// 1. when it has changed so that a rule gives no right records, and reuse has
//    none for some of its pages;
// 2. when it has changed, and reuse could not be tried: what its rules were
//    made for is gone, or the stage failed or is off;
// 3. when it has lost a rule on an earlier night on which nobody could be
//    asked, because that night's clusters were missing, say.
//
// But not if it has been sampled since: an editor is asked once. A site that
// answers with pages that are no pages waits for a better night.
absl::StatusOr<SitesToSample> FindSitesToSample(
    const Night& night, const proto::Vertical& vertical,
    const scheduling::Available& available);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_SITES_TO_SAMPLE_H_
