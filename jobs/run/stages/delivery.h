#ifndef TROMMEL_JOBS_RUN_STAGES_DELIVERY_H_
#define TROMMEL_JOBS_RUN_STAGES_DELIVERY_H_

// How the tables of a night get to where people read them, which is not where
// `trommel extract` is at work: every file that it has there meanwhile, or
// leaves when it is killed, readers would take for records or fail on.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jobs/run/layout/layout.h"

namespace trommel::jobs::run::stages {

// Moves what `trommel extract` has left in Layout::Extracted() to the night's
// folders of records, rejects and figures, each with a manifest of its own, and
// replaces those of an earlier run. Records come last: with them the night is
// delivered.
absl::Status DeliverNight(const layout::Layout& layout,
                          const std::string& date);

// Gives the nights that a former version of trommel extracted the layout of
// this one: among its records there are _date=DATE.stage.json, and in date=DATE
// the tables _rejects and _figures. Returns how many nights there were. May be
// interrupted, and is then done again by the next call.
absl::StatusOr<int> AdoptFormerNights(const layout::Layout& layout);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_DELIVERY_H_
