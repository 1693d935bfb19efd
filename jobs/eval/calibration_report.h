#ifndef TROMMEL_JOBS_EVAL_CALIBRATION_REPORT_H_
#define TROMMEL_JOBS_EVAL_CALIBRATION_REPORT_H_

#include "core/eval/calibration.h"
#include "jobs/cli/verb.h"

namespace trommel::jobs::eval_job {

// Adds to what `trommel eval` says the tables of stated against found, and to
// its JSON an object "calibration". Its counts of several runs can be added up.
void AddCalibration(const eval::Calibration& calibration, cli::Report* report);

}  // namespace trommel::jobs::eval_job

#endif  // TROMMEL_JOBS_EVAL_CALIBRATION_REPORT_H_
