#include "core/record/comparison.h"

#include <algorithm>
#include <set>

#include "core/record/alignment.h"
#include "core/record/value_set.h"
#include "core/schema/schema.h"

namespace trommel::record {
namespace {

// The names of `schema` that are in either list, in the schema's order.
std::vector<std::string> Union(const proto::Schema& schema,
                               const std::vector<std::string>& a,
                               const std::vector<std::string>& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  std::set<std::string> names(a.begin(), a.end());
  names.insert(b.begin(), b.end());
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
  const bool is_wrong =
      !misses_mandatory && has_values && !outcome.wrong.empty();
  if (is_wrong) {
    outcome.result = FieldResult::kWrong;
  } else if (misses_mandatory || !has_values || !outcome.missing.empty()) {
    outcome.result = FieldResult::kNull;
  }
  return outcome;
}

FieldOutcome CompareRecords(const proto::Schema& schema,
                            const std::vector<Record>& golden,
                            const std::vector<Record>& fresh) {
  static const Record kNoRecord;
  if (golden.empty() || (golden.size() == 1 && fresh.size() <= 1)) {
    return CompareRecord(schema, golden.empty() ? kNoRecord : golden[0],
                         fresh.empty() ? kNoRecord : fresh[0]);
  }
  std::vector<const Record*> found(golden.size(), &kNoRecord);
  for (const auto& [before, now] : AlignRecords(schema, golden, fresh)) {
    found[before] = &fresh[now];
  }
  FieldOutcome page;
  for (size_t i = 0; i < golden.size(); ++i) {
    const FieldOutcome outcome = CompareRecord(schema, golden[i], *found[i]);
    page.result = std::max(page.result, outcome.result);
    page.missing = Union(schema, page.missing, outcome.missing);
    page.wrong = Union(schema, page.wrong, outcome.wrong);
  }
  return page;
}

}  // namespace trommel::record
