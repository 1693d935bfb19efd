#ifndef TROMMEL_CORE_MONITOR_FIELD_TEST_H_
#define TROMMEL_CORE_MONITOR_FIELD_TEST_H_

// The field test of sections IV-B and IV-C of the Vertex paper: does a rule
// still extract from a page what it extracted when it was known to be right?
//
//   const FieldOutcome outcome =
//       CompareFields(schema, GoldenValues(schema, bellwether),
//                     FieldValuesOf(extractor.Extract(document, url)));
//   if (outcome.result == FieldResult::kWrong) ...  // outcome.wrong says where

#include <string>
#include <string_view>
#include <vector>

#include "core/extract/extractor.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel {

enum class FieldResult {
  kPass,
  kNull,   // something that must come out does not
  kWrong,  // something comes out that is not what it was
};
// "pass", "null" or "wrong", as tables have it.
std::string_view FieldResultName(FieldResult result);

// What a rule finds on a page, by attribute of the schema, in its order.
using FieldValues = std::vector<std::vector<std::string>>;
// Those of one attribute; none where the list ends before it.
const std::vector<std::string>& ValuesAt(const FieldValues& values, int place);

FieldValues FieldValuesOf(const PageRecord& record);
// What it found when it was made. Attributes that the schema does not have are
// left out.
FieldValues GoldenValues(const proto::Schema& schema,
                         const proto::Bellwether& bellwether);

struct FieldOutcome {
  FieldResult result = FieldResult::kPass;
  // The names of the attributes that fail, in the order of the schema. A page
  // may have both kinds; see CompareFields() for what it then is.
  std::vector<std::string> missing;
  std::vector<std::string> wrong;
};

// Compares what comes out of a page with what came out earlier.
//
// Missing are mandatory attributes without a value, whatever they were; where
// the schema has no mandatory attribute, those that had a value; and in either
// case constant ones that had a value. If nothing ever came out of a page of
// such a schema, and nothing does now, all its attributes are missing. Wrong
// are constant attributes that have a value, had one, and it is another. One
// that comes out now and did not before is neither: pages gain values.
//
// The page is null if it gives no record, wrong if it gives one with a wrong
// value, and null if it gives one that is merely incomplete: what fails to
// become a record cannot put a wrong value into one.
FieldOutcome CompareFields(const proto::Schema& schema,
                           const FieldValues& golden, const FieldValues& fresh);

}  // namespace trommel

#endif  // TROMMEL_CORE_MONITOR_FIELD_TEST_H_
