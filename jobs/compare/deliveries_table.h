#ifndef TROMMEL_JOBS_COMPARE_DELIVERIES_TABLE_H_
#define TROMMEL_JOBS_COMPARE_DELIVERIES_TABLE_H_

// The table of deliveries, the output of `trommel compare`: a row for each site
// and date, for each rule of it, for each attribute of its records, and for
// each attribute of the records of a rule.
//
//   date              string, YYYY-MM-DD
//   site              string
//   schema            string; null of a site as a whole
//   rule_id           string; null of all rules
//   attribute         string; null of all attributes
//   state             string, of the site's day: good, blocked or missing
//   pages             int64, crawled; of a rule: matched; null of attributes,
//                     as the next two
//   placed            int64, pages that met a rule
//   refused           int64, pages that could not be looked at
//   records           int64
//   filled            int64, records with a value; null where there is no
//                     attribute, as is all that follows of values
//   values            int64
//   distinct          double, share of distinct values in a sample of records;
//                     null where there is none, as of shapes and lengths
//   shapes            string, the most frequent (core/monitor/value_summary.h)
//   lengths           list<int64>, in bytes: of 10%, 50% and 90% of the values
//   compared          int64, records of the sample of the last good days that
//                     have a value again; of a site, pages that have records;
//                     null of rules, as the next four
//   changed           int64, of these, those with another value
//   lost              int64, those that have none
//   gained            int64, records that had none and have one
//   still_blank       int64, records that had none and have none
//   example_urls      list<string>, pages: of a site some with records, and of
//                     whatever was found some that show it
//   found             list<string>, kinds of findings
//                     (core/monitor/delivery_verdict.h)
//   baseline_days     int64, good days before that make the baseline
//   baseline_pages    double, median of these days
//   pages_spread      double, median distance from it
//   baseline_records  double
//   records_spread    double
//   baseline_fill     double, of the share of records with a value
//   fill_spread       double
//   sample            binary, hashes (core/monitor/value_sample.h)
//   histograms        binary, all shapes and lengths
//
// All but the doubles are read again on the nights that follow.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/monitor/delivery.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::compare {

struct DeliveryRow {
  std::string site;
  // Empty: null.
  std::string schema;
  std::string rule_id;
  std::string attribute;
  monitor::Delivery delivery;
  std::vector<std::string> example_urls;
};

std::shared_ptr<arrow::Schema> DeliveriesSchema();
absl::Status WriteDelivery(const DeliveryRow& row,
                           const monitor::Baseline& baseline,
                           io::RowWriter* table);

// The columns that are read again, and a row of them.
std::vector<io::ColumnRequest> DeliveryColumns();
absl::StatusOr<DeliveryRow> ReadDelivery(const io::Row& row);
// The date and site of such a row.
std::string_view DateOfDelivery(const io::Row& row);
std::string_view SiteOfDelivery(const io::Row& row);

// A row on its way to a reducer.
std::string EncodeDelivery(const DeliveryRow& row);
absl::StatusOr<DeliveryRow> DecodeDelivery(std::string_view bytes);

}  // namespace trommel::jobs::compare

#endif  // TROMMEL_JOBS_COMPARE_DELIVERIES_TABLE_H_
