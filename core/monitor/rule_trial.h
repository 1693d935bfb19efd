#ifndef TROMMEL_CORE_MONITOR_RULE_TRIAL_H_
#define TROMMEL_CORE_MONITOR_RULE_TRIAL_H_

// What a rule is still good for, attribute by attribute: a verdict (verdict.h)
// says that somebody should look at a rule, a trial what of it may serve until
// somebody has.
//
//   RuleTrial trial;
//   for (each bellwether that was crawled) trial.Add(schema, golden, fresh);
//   for (const WrongAttribute& wrong :
//        FindWrongAttributes(schema, trial, thresholds)) ...

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/record/attribute_counts.h"
#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::monitor {

struct RuleTrial {
  int64_t pages = 0;
  int64_t pages_with_record = 0;  // a complete one
  // Over the records that the pages had; by attribute.
  std::map<std::string, record::AttributeCounts> attributes;

  // Adds a page: what the rule extracted from it when it was known to be right,
  // and what it extracts now.
  void Add(const proto::Schema& schema,
           const std::vector<record::Record>& golden,
           const std::vector<record::Record>& fresh);

  // Whether at least half of the pages give a record.
  bool GivesRecords() const {
    return pages > 0 && 2 * pages_with_record >= pages;
  }
};

// An attribute whose values are not what they were.
struct WrongAttribute {
  std::string name;
  std::string reason;  // for people: "director is another on 18 of 20 pages"
};

struct TrialThresholds {
  // An attribute is wrong where more than this share of the values that come
  // out are.
  double wrong = 0.5;
  // With fewer values to compare nothing is said, however many differ.
  int64_t min_values = 3;
};

// Returns the attributes that give wrong values, in the order of the schema.
std::vector<WrongAttribute> FindWrongAttributes(
    const proto::Schema& schema, const RuleTrial& trial,
    const TrialThresholds& thresholds);

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_RULE_TRIAL_H_
