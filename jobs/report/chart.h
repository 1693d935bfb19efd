#ifndef TROMMEL_JOBS_REPORT_CHART_H_
#define TROMMEL_JOBS_REPORT_CHART_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jobs/report/html.h"

namespace trommel::jobs::report {

// Shares over days, 0 to 100%, as a small inline picture: many of them stand
// beside each other with the same axes.
struct ShareChart {
  struct Point {
    // Days since any day: points stand as far apart as their days.
    int64_t day = 0;
    std::string label;  // of the day: "2026-03-01"
    std::string tip;    // what is shown when one points at it
    // Where a share is missing the line is broken.
    std::optional<double> share;
    // A second, fainter line below the first.
    std::optional<double> fainter;
    bool marked = false;  // an event
  };

  std::string description;  // for readers who do not see it
  // In the order of days. All charts of a report have the same first and last
  // day, or they cannot be compared.
  std::vector<Point> points;
  int64_t first_day = 0;
  int64_t last_day = 0;
};

// SVG. Takes some 150 bytes a point.
Html Chart(const ShareChart& chart);

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_CHART_H_
