#ifndef TROMMEL_JOBS_LEARN_LEARN_STEP_H_
#define TROMMEL_JOBS_LEARN_LEARN_STEP_H_

// The job of `trommel learn`: from samples and annotations to an outcome for
// each cluster.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/annotation/annotation.h"
#include "jobs/cli/flags.h"
#include "jobs/learner/learner_flags.h"
#include "jobs/page/page_flags.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/job/job.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::learn_job {

inline constexpr char kPagesLearnt[] = "pages.learnt";
inline constexpr char kSitesLearnt[] = "sites.learnt";

// The table that the step writes (outcomes_table.h); the driver reads it and
// removes it.
inline constexpr char kOutcomesFolder[] = "_outcomes";

struct LearnStepSettings {
  learner::LearnerFlags learner;
  int64_t max_annotated_pages = 4;

  void Define(cli::Flags* flags);
};

struct LearnInputs {
  std::string samples;   // table
  std::string clusters;  // table
  proto::Schema schema;
  std::vector<annotation::Annotation> annotations;  // without contradictions
  tables::WantedSites sites;
};

std::unique_ptr<mr::Step> MakeLearnStep();
// Reads the tables of a sample.
mr::StepSpec LearnSpec(const LearnInputs& inputs,
                       const LearnStepSettings& settings,
                       const page::PageFlags& page, int num_reducers);

}  // namespace trommel::jobs::learn_job

#endif  // TROMMEL_JOBS_LEARN_LEARN_STEP_H_
