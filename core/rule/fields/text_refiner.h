#ifndef TROMMEL_CORE_RULE_FIELDS_TEXT_REFINER_H_
#define TROMMEL_CORE_RULE_FIELDS_TEXT_REFINER_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/rule.pb.h"

namespace re2 {
class RE2;
}

namespace trommel::rule::fields {

// What an extractor does to the text of a node: its range, then its pattern,
// its check and its stop values.
//
//   TROMMEL_ASSIGN_OR_RETURN(const TextRefiner refiner,
//                            TextRefiner::Compile(extractor));
//   refiner.Values("by Ann Lee, editor")  // "Ann Lee"
class TextRefiner {
 public:
  // InvalidArgument says what is wrong with the pattern or the range.
  static absl::StatusOr<TextRefiner> Compile(const proto::Extractor& extractor);

  // The values in a normalised text, as they stand in it and in its order; none
  // where it has none. Several only where the range has separators. May be
  // called by several threads.
  std::vector<std::string> Values(std::string text) const;

 private:
  TextRefiner() = default;

  // The value in what the range cuts out; empty where it has none.
  std::string Value(std::string text) const;

  std::optional<proto::TextRange> range_;
  std::shared_ptr<const re2::RE2> regex_;  // null for none
  std::shared_ptr<const re2::RE2> check_;
  std::set<std::string> stop_values_;
};

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_TEXT_REFINER_H_
