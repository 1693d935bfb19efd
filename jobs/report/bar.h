#ifndef TROMMEL_JOBS_REPORT_BAR_H_
#define TROMMEL_JOBS_REPORT_BAR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/report/html.h"

namespace trommel::jobs::report {

// A part of a whole, in a colour that stands for the same in a whole report.
struct BarPart {
  enum class Colour { kMain, kSecond, kRest };
  std::string name;
  int64_t count = 0;
  Colour colour = Colour::kMain;
};

// The parts one after the other, each as long as its share of the whole; where
// they are more than the whole, of their sum. Takes some 60 bytes a part.
Html Bar(const std::vector<BarPart>& parts, int64_t whole);

// The colours of the parts, their names and their shares of the whole.
Html BarLegend(const std::vector<BarPart>& parts, int64_t whole);

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_BAR_H_
