#ifndef TROMMEL_JOBS_MONITOR_DRIFT_STEP_H_
#define TROMMEL_JOBS_MONITOR_DRIFT_STEP_H_

// The second step of `trommel monitor`: the records of two days compared by
// site, schema and attribute.

#include <memory>
#include <string>

#include "core/monitor/drift.h"
#include "jobs/cli/flags.h"
#include "jobs/value_summaries/record_sets.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::monitor_job {

// Rows of drift/, by state: this and its name.
inline constexpr char kAttributesPrefix[] = "attributes.";

struct DriftSettings : monitor::DriftThresholds {
  void Define(cli::Flags* flags, bool is_recorded = true);
};

std::unique_ptr<mr::Step> MakeDriftStep();
// Writes kDriftFolder.
mr::StepSpec DriftSpec(const value_summaries::RecordSets& before,
                       const value_summaries::RecordSets& after,
                       const DriftSettings& settings, int num_reducers);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_DRIFT_STEP_H_
