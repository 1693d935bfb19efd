#ifndef TROMMEL_JOBS_LEARN_FINDINGS_TEXT_H_
#define TROMMEL_JOBS_LEARN_FINDINGS_TEXT_H_

#include <string>

#include "jobs/tables/rules_folder.h"

namespace trommel::jobs::learn_job {

// What `trommel learn` prints of a cluster that was learnt: how often its rule
// finds each attribute, values that it finds, and what is in doubt.
//
//   films.example f6318a6cadd3c040:
//     attribute   fill  examples
//     title     100.0%  "The Sea", "Rain", "Ned's Modern Budget"
//     author     98.0%  "A", "B, C"
//     author: it may be "A, B" instead of "A" (https://films.example/7)
//
// Empty where there is nothing to show. Ends every line.
std::string FindingsText(const tables::ClusterStatus& status);

}  // namespace trommel::jobs::learn_job

#endif  // TROMMEL_JOBS_LEARN_FINDINGS_TEXT_H_
