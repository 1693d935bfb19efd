#ifndef TROMMEL_JOBS_LEARN_LEARN_STEP_H_
#define TROMMEL_JOBS_LEARN_LEARN_STEP_H_

// The job of `trommel learn`: from samples and annotations to an outcome for
// each cluster.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/annotation/annotation.h"
#include "jobs/learner/learner_flags.h"
#include "jobs/page/page_flags.h"
#include "mapreduce/job/job.h"
#include "proto/schema.pb.h"

namespace trommel {

inline constexpr char kPagesLearnt[] = "pages.learnt";
inline constexpr char kSitesLearnt[] = "sites.learnt";

// The table that the step writes (outcomes_table.h); the driver reads it and
// removes it.
inline constexpr char kOutcomesFolder[] = "_outcomes";

struct LearnStepSettings {
  PageFlags page;
  LearnerFlags learner;
  int64_t max_annotated_pages = 4;
  int num_reducers = 4;
};

std::unique_ptr<mr::Step> MakeLearnStep();
// Reads the tables samples/ and clusters/ of a sample. `sites` are those to
// learn; none: all. `annotations` are without contradictions.
mr::StepSpec LearnSpec(const std::string& samples, const std::string& clusters,
                       const proto::Schema& schema,
                       const std::vector<Annotation>& annotations,
                       const std::set<std::string>& sites,
                       const LearnStepSettings& settings);

}  // namespace trommel

#endif  // TROMMEL_JOBS_LEARN_LEARN_STEP_H_
