#ifndef TROMMEL_JOBS_COMPARE_DELIVERY_KEY_H_
#define TROMMEL_JOBS_COMPARE_DELIVERY_KEY_H_

// How the values of a site are sorted on their way to its reducer.

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::jobs::compare {

// What a row is about, in the order in which a reducer meets it.
enum class DeliveryLevel : int64_t { kSite, kRule, kAttribute };

// What a value is, in the same way: all earlier days come before tonight.
enum class DeliveryPart : int64_t {
  kBefore,   // a row of an earlier date: EncodeDelivery()
  kFigure,   // rule, event and count: EncodeFigure()
  kSchema,   // of a rule: its name
  kSummary,  // of values, or of pages with and without records
  kRecordUrls,
  kRejectUrls,
};

struct DeliveryKey {
  DeliveryLevel level = DeliveryLevel::kSite;
  // Of attributes.
  std::string schema;
  std::string attribute;
  // Of rules, and of attributes of rules: the part of the rule's id that stays
  // when the rule changes. Empty: of all rules.
  std::string rule;
  DeliveryPart part = DeliveryPart::kBefore;
  // Decides the order of what has the same part: a date, say. Of a summary, the
  // whole id of the rule.
  std::string order;

  std::string Encode() const;
  static absl::StatusOr<DeliveryKey> Decode(std::string_view bytes);

  // Whether the key is about the same row.
  bool HasRowOf(const DeliveryKey& other) const;
};

// "cluster" of "cluster@version".
std::string_view LastingPartOfRuleId(std::string_view rule_id);

struct EventCount {
  std::string rule_id;
  std::string event;
  int64_t count = 0;
};
std::string EncodeFigure(const EventCount& figure);
absl::StatusOr<EventCount> DecodeFigure(std::string_view bytes);

}  // namespace trommel::jobs::compare

#endif  // TROMMEL_JOBS_COMPARE_DELIVERY_KEY_H_
