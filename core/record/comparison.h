#ifndef TROMMEL_CORE_RECORD_COMPARISON_H_
#define TROMMEL_CORE_RECORD_COMPARISON_H_

// The field test of sections IV-B and IV-C of the Vertex paper: does a rule
// still extract from a page what it extracted when it was known to be right?
//
//   const FieldOutcome outcome = CompareRecords(schema, golden, fresh);
//   if (outcome.result == FieldResult::kWrong) ...  // outcome.wrong says where

#include <string>
#include <string_view>
#include <vector>

#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::record {

enum class FieldResult {
  kPass,
  kNull,   // something that must come out does not
  kWrong,  // something comes out that is not what it was
};
// "pass", "null" or "wrong", as tables have it.
std::string_view FieldResultName(FieldResult result);

struct FieldOutcome {
  FieldResult result = FieldResult::kPass;
  // The names of the attributes that fail, in the order of the schema. A page
  // may have both kinds; CompareRecord() says what it then is.
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
// The record is null if it is none, wrong if it is one with a wrong value, and
// null if it is merely incomplete: what fails to become a record cannot put a
// wrong value into one.
FieldOutcome CompareRecord(const proto::Schema& schema, const Record& golden,
                           const Record& fresh);

// The same for all records of a page, which are aligned first. A page with a
// wrong record is wrong, else one with a null record is null; a record that has
// disappeared is null. Records that the page did not have before are none of
// the test's business.
FieldOutcome CompareRecords(const proto::Schema& schema,
                            const std::vector<Record>& golden,
                            const std::vector<Record>& fresh);

}  // namespace trommel::record

#endif  // TROMMEL_CORE_RECORD_COMPARISON_H_
