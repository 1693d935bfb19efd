#include "core/record/comparison.h"

#include <algorithm>
#include <set>

#include "core/record/alignment.h"
#include "core/record/value_set.h"
#include "core/schema/schema.h"

namespace trommel::record {
namespace {

// The names in the order of the schema.
std::vector<std::string> Ordered(const proto::Schema& schema,
                                 const std::set<std::string>& names) {
  std::vector<std::string> ordered;
  for (const proto::Attribute& attribute : schema.attribute()) {
    if (names.count(attribute.name()) > 0) {
      ordered.push_back(attribute.name());
    }
  }
  return ordered;
}

}  // namespace

std::string_view FieldResultName(FieldResult result) {
  switch (result) {
    case FieldResult::kPass:
      return "pass";
    case FieldResult::kNull:
      return "null";
    case FieldResult::kWrong:
      return "wrong";
  }
  return "";
}

FieldOutcome CompareRecord(const proto::Schema& schema, const Record& golden,
                           const Record& fresh) {
  const bool has_mandatory = schema::HasMandatory(schema);
  bool had_values = false;
  bool has_values = false;
  bool misses_mandatory = false;
  FieldOutcome outcome;
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const proto::Attribute& attribute = schema.attribute(i);
    const ValueSet before = NormalizedValues(golden.values(i));
    const ValueSet now = NormalizedValues(fresh.values(i));
    had_values |= !before.empty();
    has_values |= !now.empty();
    const bool is_wanted =
        attribute.mandatory() ||
        (!before.empty() && (attribute.constant() || !has_mandatory));
    if (now.empty() && is_wanted) {
      misses_mandatory |= attribute.mandatory();
      outcome.missing.push_back(attribute.name());
    } else if (attribute.constant() && !before.empty() && !now.empty() &&
               before != now) {
      outcome.wrong.push_back(attribute.name());
    }
  }
  if (!has_values && !had_values && !has_mandatory) {
    for (const proto::Attribute& attribute : schema.attribute()) {
      outcome.missing.push_back(attribute.name());
    }
  }
  // Something wrong says more than something optional that is missing.
  if (!misses_mandatory && !outcome.wrong.empty()) {
    outcome.result = FieldResult::kWrong;
  } else if (!has_values || !outcome.missing.empty()) {
    outcome.result = FieldResult::kNull;
  }
  return outcome;
}

FieldOutcome CompareRecords(const proto::Schema& schema,
                            const std::vector<Record>& golden,
                            const std::vector<Record>& fresh) {
  static const Record kNoRecord;
  if (golden.empty()) {
    return CompareRecord(schema, kNoRecord,
                         fresh.empty() ? kNoRecord : fresh[0]);
  }
  const std::vector<const Record*> found =
      CounterpartsOf(schema, golden, fresh);
  FieldOutcome page;
  std::set<std::string> missing;
  std::set<std::string> wrong;
  for (size_t i = 0; i < golden.size(); ++i) {
    const FieldOutcome outcome = CompareRecord(schema, golden[i], *found[i]);
    page.result = std::max(page.result, outcome.result);
    missing.insert(outcome.missing.begin(), outcome.missing.end());
    wrong.insert(outcome.wrong.begin(), outcome.wrong.end());
  }
  page.missing = Ordered(schema, missing);
  page.wrong = Ordered(schema, wrong);
  return page;
}

}  // namespace trommel::record
