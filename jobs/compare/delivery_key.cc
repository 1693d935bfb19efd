#include "jobs/compare/delivery_key.h"

#include <tuple>

#include "mapreduce/codec/ordered.h"

namespace trommel::jobs::compare {

std::string DeliveryKey::Encode() const {
  std::string bytes;
  mr::AppendOrderedInt64(static_cast<int64_t>(level), &bytes);
  mr::AppendOrderedBytes(schema, &bytes);
  mr::AppendOrderedBytes(attribute, &bytes);
  mr::AppendOrderedBytes(rule, &bytes);
  mr::AppendOrderedInt64(static_cast<int64_t>(part), &bytes);
  mr::AppendOrderedBytes(order, &bytes);
  return bytes;
}

absl::StatusOr<DeliveryKey> DeliveryKey::Decode(std::string_view bytes) {
  DeliveryKey key;
  int64_t level = 0;
  int64_t part = 0;
  if (!mr::ConsumeOrderedInt64(&bytes, &level) ||
      !mr::ConsumeOrderedBytes(&bytes, &key.schema) ||
      !mr::ConsumeOrderedBytes(&bytes, &key.attribute) ||
      !mr::ConsumeOrderedBytes(&bytes, &key.rule) ||
      !mr::ConsumeOrderedInt64(&bytes, &part) ||
      !mr::ConsumeOrderedBytes(&bytes, &key.order)) {
    return absl::DataLossError("the key of a delivery is cut off");
  }
  key.level = static_cast<DeliveryLevel>(level);
  key.part = static_cast<DeliveryPart>(part);
  return key;
}

bool DeliveryKey::HasRowOf(const DeliveryKey& other) const {
  return std::tie(level, schema, attribute, rule) ==
         std::tie(other.level, other.schema, other.attribute, other.rule);
}

std::string_view LastingPartOfRuleId(std::string_view rule_id) {
  return rule_id.substr(0, rule_id.find('@'));
}

std::string EncodeFigure(const EventCount& figure) {
  std::string bytes;
  mr::AppendOrderedBytes(figure.rule_id, &bytes);
  mr::AppendOrderedBytes(figure.event, &bytes);
  mr::AppendOrderedInt64(figure.count, &bytes);
  return bytes;
}

absl::StatusOr<EventCount> DecodeFigure(std::string_view bytes) {
  EventCount figure;
  if (!mr::ConsumeOrderedBytes(&bytes, &figure.rule_id) ||
      !mr::ConsumeOrderedBytes(&bytes, &figure.event) ||
      !mr::ConsumeOrderedInt64(&bytes, &figure.count)) {
    return absl::DataLossError("a figure is cut off");
  }
  return figure;
}

}  // namespace trommel::jobs::compare
