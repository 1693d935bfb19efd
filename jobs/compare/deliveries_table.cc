#include "jobs/compare/deliveries_table.h"

#include <arrow/type.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "jobs/value_summaries/summary_codec.h"
#include "mapreduce/codec/ordered.h"

namespace trommel::jobs::compare {
namespace {

constexpr size_t kTopShapes = 5;
constexpr double kLengthQuantiles[] = {0.1, 0.5, 0.9};

// The columns that are read again, in this order.
enum Column : size_t {
  kDate,
  kSite,
  kSchema,
  kRuleId,
  kAttribute,
  kState,
  kPages,
  kPlaced,
  kRefused,
  kRecords,
  kFilled,
  kCompared,
  kChanged,
  kLost,
  kGained,
  kStillBlank,
  kExampleUrls,
  kFound,
  kSample,
  kHistograms,
};

std::vector<std::string> ListOf(const io::Row& row, size_t column) {
  std::vector<std::string> list;
  for (int64_t i = 0; i < row.list_size(column); ++i) {
    list.emplace_back(row.list_bytes(column, i));
  }
  return list;
}

// The numbers of a delivery, in the order of their columns.
std::vector<int64_t*> NumbersOf(monitor::Delivery* delivery) {
  return {&delivery->pages,         &delivery->placed,
          &delivery->refused,       &delivery->records,
          &delivery->filled,        &delivery->match.kept,
          &delivery->match.changed, &delivery->match.lost,
          &delivery->match.gained,  &delivery->match.blank};
}

void AppendTexts(const std::vector<std::string>& texts, std::string* bytes) {
  mr::AppendOrderedInt64(static_cast<int64_t>(texts.size()), bytes);
  for (const std::string& text : texts) mr::AppendOrderedBytes(text, bytes);
}

bool ConsumeTexts(std::string_view* bytes, std::vector<std::string>* texts) {
  int64_t count = 0;
  if (!mr::ConsumeOrderedInt64(bytes, &count)) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (!mr::ConsumeOrderedBytes(bytes, &texts->emplace_back())) return false;
  }
  return true;
}

// Shapes and lengths; the samples of a summary are no part of them.
std::string EncodeHistograms(const monitor::ValueSummary& values) {
  monitor::ValueSummary histograms = values;
  histograms.sample.clear();
  histograms.blank_sample.clear();
  return value_summaries::EncodeSummary(histograms);
}

void WriteLooks(const monitor::Delivery& delivery, io::RowWriter* table) {
  const monitor::ValueSummary& values = delivery.values;
  table->Int64(values.values);
  if (values.values == 0) {
    table->Null().Null().Null();
    return;
  }
  const size_t sampled = std::min(delivery.sample.filled.size(),
                                  monitor::ValueSample::kMaxKeptFilled);
  table->Double(monitor::DistinctShare(delivery.sample, sampled));
  table->Text(values.TopShapes(kTopShapes)).BeginList();
  for (const double quantile : kLengthQuantiles) {
    table->Int64(values.LengthQuantile(quantile));
  }
  table->EndList();
}

// The numbers, with nulls for those that the row is not about.
void WriteCounts(const DeliveryRow& row, io::RowWriter* table) {
  const monitor::Delivery& delivery = row.delivery;
  const bool is_attribute = !row.attribute.empty();
  const auto write = [&](bool has_meaning, int64_t number) {
    has_meaning ? table->Int64(number) : table->Null();
  };
  write(!is_attribute, delivery.pages);
  write(!is_attribute, delivery.placed);
  write(!is_attribute, delivery.refused);
  write(true, delivery.records);
  write(is_attribute, delivery.filled);
  if (is_attribute) {
    WriteLooks(delivery, table);
  } else {
    table->Null().Null().Null().Null();
  }
  const bool has_sample = row.rule_id.empty();
  const monitor::SampleMatch& match = delivery.match;
  for (const int64_t number :
       {match.kept, match.changed, match.lost, match.gained, match.blank}) {
    write(has_sample, number);
  }
}

}  // namespace

std::shared_ptr<arrow::Schema> DeliveriesSchema() {
  const auto text = [](const char* name) {
    return arrow::field(name, arrow::utf8(), false);
  };
  const auto optional_text = [](const char* name) {
    return arrow::field(name, arrow::utf8());
  };
  const auto number = [](const char* name) {
    return arrow::field(name, arrow::int64(), false);
  };
  const auto optional_number = [](const char* name) {
    return arrow::field(name, arrow::int64());
  };
  const auto real = [](const char* name) {
    return arrow::field(name, arrow::float64(), false);
  };
  const auto texts = [](const char* name) {
    return arrow::field(name, arrow::list(arrow::utf8()), false);
  };
  return arrow::schema({text("date"),
                        text("site"),
                        optional_text("schema"),
                        optional_text("rule_id"),
                        optional_text("attribute"),
                        text("state"),
                        optional_number("pages"),
                        optional_number("placed"),
                        optional_number("refused"),
                        number("records"),
                        optional_number("filled"),
                        optional_number("values"),
                        arrow::field("distinct", arrow::float64()),
                        optional_text("shapes"),
                        arrow::field("lengths", arrow::list(arrow::int64())),
                        optional_number("compared"),
                        optional_number("changed"),
                        optional_number("lost"),
                        optional_number("gained"),
                        optional_number("still_blank"),
                        texts("example_urls"),
                        texts("found"),
                        number("baseline_days"),
                        real("baseline_pages"),
                        real("pages_spread"),
                        real("baseline_records"),
                        real("records_spread"),
                        real("baseline_fill"),
                        real("fill_spread"),
                        arrow::field("sample", arrow::binary(), false),
                        arrow::field("histograms", arrow::binary(), false)});
}

absl::Status WriteDelivery(const DeliveryRow& row,
                           const monitor::Baseline& baseline,
                           io::RowWriter* table) {
  const monitor::Delivery& delivery = row.delivery;
  table->Text(delivery.date)
      .Text(row.site)
      .TextOrNull(row.schema)
      .TextOrNull(row.rule_id)
      .TextOrNull(row.attribute)
      .Text(monitor::DayStateName(delivery.state));
  WriteCounts(row, table);
  table->Texts(row.example_urls).Texts(delivery.found);
  table->Int64(baseline.days)
      .Double(baseline.pages)
      .Double(baseline.pages_spread)
      .Double(baseline.records)
      .Double(baseline.records_spread)
      .Double(baseline.fill)
      .Double(baseline.fill_spread);
  table
      ->Bytes(row.rule_id.empty() ? monitor::EncodeSample(delivery.sample) : "")
      .Bytes(row.rule_id.empty() && delivery.values.values > 0
                 ? EncodeHistograms(delivery.values)
                 : "");
  return table->EndRow();
}

std::vector<io::ColumnRequest> DeliveryColumns() {
  using io::ColumnType;
  return {{"date", ColumnType::kBytes},
          {"site", ColumnType::kBytes},
          {"schema", ColumnType::kBytes},
          {"rule_id", ColumnType::kBytes},
          {"attribute", ColumnType::kBytes},
          {"state", ColumnType::kBytes},
          {"pages", ColumnType::kInt64},
          {"placed", ColumnType::kInt64},
          {"refused", ColumnType::kInt64},
          {"records", ColumnType::kInt64},
          {"filled", ColumnType::kInt64},
          {"compared", ColumnType::kInt64},
          {"changed", ColumnType::kInt64},
          {"lost", ColumnType::kInt64},
          {"gained", ColumnType::kInt64},
          {"still_blank", ColumnType::kInt64},
          {"example_urls", ColumnType::kBytesList},
          {"found", ColumnType::kBytesList},
          {"sample", ColumnType::kBytes},
          {"histograms", ColumnType::kBytes}};
}

std::string_view DateOfDelivery(const io::Row& row) { return row.bytes(kDate); }
std::string_view SiteOfDelivery(const io::Row& row) { return row.bytes(kSite); }

absl::StatusOr<DeliveryRow> ReadDelivery(const io::Row& row) {
  DeliveryRow read;
  monitor::Delivery& delivery = read.delivery;
  delivery.date = row.bytes(kDate);
  read.site = row.bytes(kSite);
  read.schema = row.bytes(kSchema);
  read.rule_id = row.bytes(kRuleId);
  read.attribute = row.bytes(kAttribute);
  if (!monitor::ParseDayState(row.bytes(kState), &delivery.state)) {
    return absl::InvalidArgumentError(
        StrCat("\"", row.bytes(kState), "\" is no state of a day"));
  }
  size_t column = kPages;
  for (int64_t* const number : NumbersOf(&delivery)) {
    *number = row.int64(column++);
  }
  read.example_urls = ListOf(row, kExampleUrls);
  delivery.found = ListOf(row, kFound);
  TROMMEL_ASSIGN_OR_RETURN(delivery.sample,
                           monitor::DecodeSample(row.bytes(kSample)));
  if (!row.bytes(kHistograms).empty()) {
    TROMMEL_ASSIGN_OR_RETURN(delivery.values, value_summaries::DecodeSummary(
                                                  row.bytes(kHistograms)));
  }
  return read;
}

std::string EncodeDelivery(const DeliveryRow& row) {
  monitor::Delivery delivery = row.delivery;
  std::string bytes;
  for (const std::string_view text :
       {std::string_view(delivery.date), std::string_view(row.site),
        std::string_view(row.schema), std::string_view(row.rule_id),
        std::string_view(row.attribute)}) {
    mr::AppendOrderedBytes(text, &bytes);
  }
  mr::AppendOrderedBytes(monitor::DayStateName(delivery.state), &bytes);
  for (const int64_t* const number : NumbersOf(&delivery)) {
    mr::AppendOrderedInt64(*number, &bytes);
  }
  AppendTexts(row.example_urls, &bytes);
  AppendTexts(delivery.found, &bytes);
  mr::AppendOrderedBytes(monitor::EncodeSample(delivery.sample), &bytes);
  bytes += EncodeHistograms(delivery.values);
  return bytes;
}

absl::StatusOr<DeliveryRow> DecodeDelivery(std::string_view bytes) {
  DeliveryRow row;
  monitor::Delivery& delivery = row.delivery;
  bool is_fine = true;
  for (std::string* const text :
       {&delivery.date, &row.site, &row.schema, &row.rule_id, &row.attribute}) {
    is_fine = is_fine && mr::ConsumeOrderedBytes(&bytes, text);
  }
  std::string state;
  is_fine = is_fine && mr::ConsumeOrderedBytes(&bytes, &state) &&
            monitor::ParseDayState(state, &delivery.state);
  for (int64_t* const number : NumbersOf(&delivery)) {
    is_fine = is_fine && mr::ConsumeOrderedInt64(&bytes, number);
  }
  std::string sample;
  is_fine = is_fine && ConsumeTexts(&bytes, &row.example_urls) &&
            ConsumeTexts(&bytes, &delivery.found) &&
            mr::ConsumeOrderedBytes(&bytes, &sample);
  if (!is_fine) return absl::DataLossError("a delivery is cut off");
  TROMMEL_ASSIGN_OR_RETURN(delivery.sample, monitor::DecodeSample(sample));
  TROMMEL_ASSIGN_OR_RETURN(delivery.values,
                           value_summaries::DecodeSummary(bytes));
  return row;
}

}  // namespace trommel::jobs::compare
