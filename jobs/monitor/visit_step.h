#ifndef TROMMEL_JOBS_MONITOR_VISIT_STEP_H_
#define TROMMEL_JOBS_MONITOR_VISIT_STEP_H_

// The first step of `trommel monitor`: the bellwethers of a crawl, placed among
// the templates of their site and extracted by their rules. Map only.

#include <memory>
#include <string>
#include <vector>

#include "jobs/page/page_flags.h"
#include "mapreduce/io/path.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::monitor_job {

// Pages of the crawl that are bellwethers; and, of these, those that cannot be
// looked at.
inline constexpr char kPagesVisited[] = "pages.visited";
inline constexpr char kPagesUnusable[] = "pages.unusable";

std::unique_ptr<mr::Step> MakeVisitStep();
// Reads crawls and, as side data, files of rules. Writes kVisitsFolder.
mr::StepSpec VisitSpec(const std::vector<std::string>& crawls,
                       const std::vector<io::Path>& rule_files,
                       const page::PageFlags& page);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_VISIT_STEP_H_
