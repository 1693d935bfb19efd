#include "core/monitor/rule_trial.h"

#include <algorithm>

#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/record/alignment.h"

// Section IV-B of the Vertex paper tests whole pages: a constant attribute that
// differs or a mandatory one that is missing fails the page, and a majority of
// failed pages breaks the rule. That is right for calling somebody, and wrong
// for deciding what may serve: a rule that has lost one optional attribute is
// worth all its other attributes, and one that finds nothing does no harm. So
// what serves is decided by attribute, and only values that are wrong count:
//
//  - The values of a constant attribute are wrong where most of those that
//    still come out are others.
//  - Other values may change from day to day, but go on looking like values of
//    their attribute ("$9.50" and "$17.25" do, "sold out" does not): they are
//    wrong where most no longer do.
//  - Where no attribute is constant, a rule that has slipped to another part of
//    the page may still find things that look right. A page on which everything
//    is another at once is not the page that it was: where most values of each
//    of at least kManyAttributes attributes are others, all of them are wrong.
//
// Missing values never count, nor do those that turn up anew.

namespace trommel::monitor {
namespace {

constexpr size_t kManyAttributes = 3;

bool IsMost(int64_t count, int64_t all, const TrialThresholds& thresholds) {
  return all >= thresholds.min_values && ShareOf(count, all) > thresholds.wrong;
}

std::string Reason(const std::string& attribute, const char* what,
                   int64_t count, int64_t all) {
  return StrCat(attribute, " ", what, " on ", count, " of ",
                Counted(all, "page"));
}

// Returns whether most values of all attributes that can be compared are
// others.
bool IsEverythingAnother(const RuleTrial& trial,
                         const TrialThresholds& thresholds) {
  size_t num_compared = 0;
  for (const auto& [name, counts] : trial.attributes) {
    const int64_t kept = counts.kept();
    if (kept < thresholds.min_values) continue;
    ++num_compared;
    if (!IsMost(kept - counts.same, kept, thresholds)) return false;
  }
  return num_compared >= kManyAttributes;
}

}  // namespace

void RuleTrial::Add(const proto::Schema& schema,
                    const std::vector<record::Record>& golden,
                    const std::vector<record::Record>& fresh) {
  ++pages;
  pages_with_record += record::HasRecord(schema, fresh) ? 1 : 0;
  const std::vector<const record::Record*> now =
      record::CounterpartsOf(schema, golden, fresh);
  for (size_t i = 0; i < golden.size(); ++i) {
    for (int place = 0; place < schema.attribute_size(); ++place) {
      attributes[schema.attribute(place).name()].Add(golden[i].values(place),
                                                     now[i]->values(place));
    }
  }
}

std::vector<WrongAttribute> FindWrongAttributes(
    const proto::Schema& schema, const RuleTrial& trial,
    const TrialThresholds& thresholds) {
  const bool is_everything_another = IsEverythingAnother(trial, thresholds);
  std::vector<WrongAttribute> wrong;
  for (const proto::Attribute& attribute : schema.attribute()) {
    const auto found = trial.attributes.find(attribute.name());
    if (found == trial.attributes.end()) continue;
    const record::AttributeCounts& counts = found->second;
    const int64_t kept = counts.kept();
    const int64_t others = kept - counts.same;
    const int64_t unlike = kept - counts.alike;
    if (is_everything_another && kept >= thresholds.min_values) {
      wrong.push_back(
          {attribute.name(),
           StrCat(Reason(attribute.name(), "is another", others, kept),
                  ", as everything else is")});
    } else if (attribute.constant() && IsMost(others, kept, thresholds)) {
      wrong.push_back({attribute.name(),
                       Reason(attribute.name(), "is another", others, kept)});
    } else if (!attribute.constant() && IsMost(unlike, kept, thresholds)) {
      wrong.push_back(
          {attribute.name(),
           Reason(attribute.name(), "looks different", unlike, kept)});
    }
  }
  return wrong;
}

}  // namespace trommel::monitor
