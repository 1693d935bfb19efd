#ifndef TROMMEL_CORE_RULE_FIELDS_TEXT_RANGE_H_
#define TROMMEL_CORE_RULE_FIELDS_TEXT_RANGE_H_

// Ranges cut values out of the text of a node (proto/rule.proto, TextRange).

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/rule.pb.h"

namespace trommel::rule::fields {

// The words of a normalised text.
std::vector<std::string_view> WordsOf(std::string_view text);

// Whether a range says what it cuts out: by words or by what stands around,
// and not by both.
absl::Status CheckRange(const proto::TextRange& range);

// Whether the range counts words; else it goes by what stands around.
bool IsRangeOfWords(const proto::TextRange& range);

// The values that a range that passes CheckRange() cuts out of a normalised
// text: parts of it, in its order, without white space around. One at most
// where the range has no separators; none where the text has too few words or
// lacks a delimiter.
std::vector<std::string_view> ApplyRange(const proto::TextRange& range,
                                         std::string_view text);

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_TEXT_RANGE_H_
