#ifndef TROMMEL_JOBS_RUN_REPORTS_CLOSE_NIGHTS_H_
#define TROMMEL_JOBS_RUN_REPORTS_CLOSE_NIGHTS_H_

#include "jobs/run/alerts/alert_book.h"
#include "jobs/run/reports/run_result.h"

namespace trommel::jobs::run::reports {

// Closes the nights of a run, one after the other: what its stages raise goes
// into the book, and the result gets the alerts that are open and those that
// have ended. Which stage found what is no matter for people, so what several
// of them say of one site becomes one alert (close_nights.cc).
void CloseNights(alerts::AlertBook* book, RunResult* result);

}  // namespace trommel::jobs::run::reports

#endif  // TROMMEL_JOBS_RUN_REPORTS_CLOSE_NIGHTS_H_
