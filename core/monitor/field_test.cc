#include "core/monitor/field_test.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/eval/score.h"
#include "core/schema/schema.h"

// Values are compared as the truth of an evaluation is: white space normalised,
// and as sets. The order of a repeated attribute's values, such as a film's
// genres, belongs to the page's design and changes with it (sorted by name,
// then by rank); a value that stands on the page twice is one value. Neither
// makes the extraction wrong.

namespace trommel {
namespace {}  // namespace

const std::vector<std::string>& ValuesAt(const FieldValues& values, int place) {
  static const std::vector<std::string> kNone;
  const size_t i = static_cast<size_t>(place);
  return i < values.size() ? values[i] : kNone;
}

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

FieldValues FieldValuesOf(const PageRecord& record) {
  FieldValues values;
  values.reserve(record.attributes.size());
  for (const AttributeRecord& attribute : record.attributes) {
    values.push_back(attribute.values);
  }
  return values;
}

FieldValues GoldenValues(const proto::Schema& schema,
                         const proto::Bellwether& bellwether) {
  FieldValues values(static_cast<size_t>(schema.attribute_size()));
  for (const proto::Values& golden : bellwether.golden()) {
    for (int i = 0; i < schema.attribute_size(); ++i) {
      if (schema.attribute(i).name() != golden.attribute()) continue;
      values[static_cast<size_t>(i)].assign(golden.value().begin(),
                                            golden.value().end());
    }
  }
  return values;
}

FieldOutcome CompareFields(const proto::Schema& schema,
                           const FieldValues& golden,
                           const FieldValues& fresh) {
  const bool has_mandatory = HasMandatory(schema);
  bool had_values = false;
  bool has_values = false;
  bool misses_mandatory = false;
  FieldOutcome outcome;
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const proto::Attribute& attribute = schema.attribute(i);
    const ValueSet before = NormalizedValues(ValuesAt(golden, i));
    const ValueSet now = NormalizedValues(ValuesAt(fresh, i));
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

}  // namespace trommel
