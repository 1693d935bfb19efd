#ifndef TROMMEL_CORE_RULE_FIELDS_TEXT_RANGE_H_
#define TROMMEL_CORE_RULE_FIELDS_TEXT_RANGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "proto/rule.pb.h"

namespace trommel::rule::fields {

// The words of a normalised text.
std::vector<std::string_view> WordsOf(std::string_view text);

// The words that a range names, as they stand in the text; empty where the text
// has too few.
std::string_view ApplyRange(const proto::TextRange& range,
                            std::string_view text);

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_TEXT_RANGE_H_
