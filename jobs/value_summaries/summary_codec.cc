#include "jobs/value_summaries/summary_codec.h"

#include <cstdint>

#include "mapreduce/codec/ordered.h"

namespace trommel::jobs::value_summaries {

std::string EncodeSummary(const monitor::ValueSummary& summary) {
  std::string bytes;
  const auto number = [&](int64_t value) {
    mr::AppendOrderedInt64(value, &bytes);
  };
  number(summary.records);
  number(summary.filled);
  number(summary.values);
  number(static_cast<int64_t>(summary.shapes.size()));
  for (const auto& [shape, count] : summary.shapes) {
    mr::AppendOrderedBytes(shape, &bytes);
    number(count);
  }
  for (const int64_t count : summary.lengths) number(count);
  number(static_cast<int64_t>(summary.sample.size()));
  for (const auto& [record, values] : summary.sample) {
    mr::AppendOrderedUint64(record, &bytes);
    mr::AppendOrderedUint64(values, &bytes);
  }
  for (const uint64_t record : summary.blank_sample) {
    mr::AppendOrderedUint64(record, &bytes);
  }
  return bytes;
}

absl::StatusOr<monitor::ValueSummary> DecodeSummary(std::string_view bytes) {
  monitor::ValueSummary summary;
  bool is_fine = true;
  const auto number = [&](int64_t* value) {
    is_fine = is_fine && mr::ConsumeOrderedInt64(&bytes, value);
  };
  int64_t num_shapes = 0;
  number(&summary.records);
  number(&summary.filled);
  number(&summary.values);
  number(&num_shapes);
  for (int64_t i = 0; is_fine && i < num_shapes; ++i) {
    std::string shape;
    is_fine = mr::ConsumeOrderedBytes(&bytes, &shape);
    number(&summary.shapes[shape]);
  }
  for (int64_t& count : summary.lengths) number(&count);
  int64_t sampled = 0;
  number(&sampled);
  for (int64_t i = 0; is_fine && i < sampled; ++i) {
    uint64_t record = 0;
    uint64_t values = 0;
    is_fine = mr::ConsumeOrderedUint64(&bytes, &record) &&
              mr::ConsumeOrderedUint64(&bytes, &values);
    summary.sample[record] = values;
  }
  while (is_fine && !bytes.empty()) {
    uint64_t record = 0;
    is_fine = mr::ConsumeOrderedUint64(&bytes, &record);
    summary.blank_sample.insert(record);
  }
  if (!is_fine) return absl::DataLossError("a summary of values is cut off");
  return summary;
}

}  // namespace trommel::jobs::value_summaries
