#ifndef TROMMEL_CORE_SCHEMA_SCHEMA_H_
#define TROMMEL_CORE_SCHEMA_SCHEMA_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "proto/schema.pb.h"

namespace trommel::schema {

// The columns that every table of records has; attributes are called otherwise.
absl::Span<const std::string_view> FixedRecordColumns();

// Whether an attribute may have this name: it is of letters, digits, '_' and
// '-', and no fixed column has it.
bool IsAttributeName(std::string_view name);

// Whether a schema can name a partition and the columns of a table: names are
// there and of letters, digits, '_' and '-', no attribute comes twice or is
// called like a fixed column, a pattern is one. The error names the attribute.
absl::Status CheckSchema(const proto::Schema& schema);

// The attribute of a name; null when the schema has none.
const proto::Attribute* FindAttribute(const proto::Schema& schema,
                                      std::string_view name);

bool HasMandatory(const proto::Schema& schema);

// The pattern (RE2) of an attribute's values, from its regex or its type; empty
// where any text will do.
std::string ValuePattern(const proto::Attribute& attribute);

// What a text must have to be such a value at all (RE2): a digit for a price,
// whatever its currency and format. Empty where any text will do.
std::string CheckPattern(const proto::Attribute& attribute);

// Whether the values of an attribute are those of src and href, not text.
bool IsLink(const proto::Attribute& attribute);

}  // namespace trommel::schema

#endif  // TROMMEL_CORE_SCHEMA_SCHEMA_H_
