#ifndef TROMMEL_CORE_EXTRACT_EXTRACTOR_H_
#define TROMMEL_CORE_EXTRACT_EXTRACTOR_H_

// Running a rule on a page.
//
//   TROMMEL_ASSIGN_OR_RETURN(const RuleExtractor extractor,
//                            RuleExtractor::Compile(rule));
//   PageRecord record = extractor.Extract(document, url);

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "proto/rule.pb.h"

namespace trommel {

// What one alternative of an attribute's rule finds on a page.
struct AlternativeResult {
  std::vector<html::NodeId> nodes;  // in document order
  std::vector<std::string> values;  // of these nodes; repetitions left out
};

struct AttributeRecord {
  // White space normalised, entities decoded, links absolute; in document
  // order. At most one where the attribute is not repeated.
  std::vector<std::string> values;
  // The share of alternatives that give these values; 0.5 for a lone one.
  double confidence = 0;
  int alternative = -1;  // whose values they are
};

// The record of a page.
struct PageRecord {
  // By attribute of the schema, in its order.
  std::vector<AttributeRecord> attributes;
  // The least over the attributes that have values; 0 without any.
  double confidence = 0;
  bool has_values = false;
  // The first mandatory attribute without a value; null when there is none.
  const proto::Attribute* missing = nullptr;

  // A record has every mandatory attribute and at least one value.
  bool IsRecord() const { return has_values && missing == nullptr; }
};

// A compiled rule. May be used by several threads.
//
// The first alternative of an attribute that finds a value decides. Where the
// attribute is not repeated, one that finds different values on a page is
// passed over if another finds one only.
class RuleExtractor {
 public:
  // InvalidArgument names the attribute and what is wrong with its XPath,
  // pattern or range. Keeps a copy of the rule.
  static absl::StatusOr<RuleExtractor> Compile(const proto::Rule& rule);
  RuleExtractor(RuleExtractor&&) noexcept;
  RuleExtractor& operator=(RuleExtractor&&) noexcept;
  ~RuleExtractor();

  const proto::Rule& rule() const;

  PageRecord Extract(const html::Document& document,
                     std::string_view url) const;

  // The results of all alternatives of the attributes, by attribute of the
  // schema; empty where the rule has none.
  std::vector<std::vector<AlternativeResult>> Alternatives(
      const html::Document& document, std::string_view url) const;

 private:
  struct Compiled;
  explicit RuleExtractor(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_EXTRACT_EXTRACTOR_H_
