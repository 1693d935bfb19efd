#ifndef TROMMEL_JOBS_EXTRACT_RULE_TALLY_H_
#define TROMMEL_JOBS_EXTRACT_RULE_TALLY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jobs/tables/figures_table.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::extract {

// What became of the pages that met a rule, in one task.
struct RuleTally {
  std::string rule_id;  // empty until the rule is met
  size_t table = 0;
  int64_t matched = 0;
  int64_t extracted = 0;
  int64_t skipped = 0;
  int64_t records = 0;
  int64_t incomplete = 0;       // records that are none
  int64_t doubtful = 0;         // records that are left out
  std::vector<int64_t> filled;  // by attribute, records

  // The reasons of rejects are the caller's to add.
  void AddTo(const proto::Rule& rule, tables::Figures* figures) const;
};

}  // namespace trommel::jobs::extract

#endif  // TROMMEL_JOBS_EXTRACT_RULE_TALLY_H_
