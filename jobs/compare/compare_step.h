#ifndef TROMMEL_JOBS_COMPARE_COMPARE_STEP_H_
#define TROMMEL_JOBS_COMPARE_COMPARE_STEP_H_

// The only step of `trommel compare`: the tables of a night and the deliveries
// of earlier ones, by site.

#include <memory>
#include <string>
#include <vector>

#include "jobs/value_summaries/record_sets.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::compare {

// Findings as JSON, for the verb only.
inline constexpr char kFindingsFolder[] = "_findings";
enum FindingColumn : size_t { kIsCritical, kAffected, kFindingJson };
std::vector<io::ColumnRequest> FindingColumns();

// What goes in. Tables without files are left out.
struct CompareInputs {
  std::string date;
  value_summaries::RecordSets records;
  std::string rejects;
  std::string figures;
  std::vector<std::string> before;
  std::string blocked;  // a file; empty: none
};

std::unique_ptr<mr::Step> MakeCompareStep();
// Writes the table of deliveries, which is the output itself, and
// kFindingsFolder.
mr::StepSpec CompareSpec(const CompareInputs& inputs, int num_reducers);

}  // namespace trommel::jobs::compare

#endif  // TROMMEL_JOBS_COMPARE_COMPARE_STEP_H_
