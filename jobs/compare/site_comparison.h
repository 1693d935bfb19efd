#ifndef TROMMEL_JOBS_COMPARE_SITE_COMPARISON_H_
#define TROMMEL_JOBS_COMPARE_SITE_COMPARISON_H_

// One site of tonight against its days before, from the values that a reducer
// gets of it.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/monitor/delivery.h"
#include "core/monitor/delivery_verdict.h"
#include "jobs/compare/deliveries_table.h"
#include "jobs/compare/delivery_key.h"
#include "jobs/summaries/compare.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::compare {

// Hashes of records, or of pages, and their URLs: those with the smallest.
class UrlSample {
 public:
  static constexpr size_t kMaxUrls = 128;

  void Add(uint64_t hash, std::string_view url);
  void Merge(const UrlSample& other);
  const std::map<uint64_t, std::string>& urls() const { return urls_; }

  std::string Encode() const;
  static absl::StatusOr<UrlSample> Decode(std::string_view bytes);

 private:
  std::map<uint64_t, std::string> urls_;
};

// Where rows and findings go.
class ComparisonOutput {
 public:
  virtual ~ComparisonOutput() = default;
  virtual absl::Status WriteRow(const DeliveryRow& row,
                                const monitor::Baseline& baseline) = 0;
  virtual absl::Status WriteFinding(
      const summaries::Compare::Finding& finding) = 0;
  virtual void Count(std::string_view counter, int64_t amount) = 0;
};

// The counters of the sites: sites by the state of their day, and those of
// which a day before is known; records tonight, and usually.
inline constexpr char kSitesPrefix[] = "sites.";
inline constexpr char kSitesCompared[] = "sites.compared";
inline constexpr char kRecordsDelivered[] = "records.delivered";
inline constexpr char kRecordsUsual[] = "records.usual";

class SiteComparison {
 public:
  // `wall` is what others found of the site tonight; empty: nothing. The output
  // stays the caller's.
  SiteComparison(std::string site, std::string date, std::string wall,
                 ComparisonOutput* out);

  // Takes the values in the order of their keys.
  absl::Status Add(const DeliveryKey& key, std::string_view value);
  absl::Status Finish();

 private:
  // What is known of the row that is being put together.
  struct OpenRow {
    bool is_open = false;
    DeliveryKey key;
    std::vector<DeliveryRow> before;
    DeliveryRow tonight;
    monitor::ValueSummary values;
    bool has_tonight = false;
  };

  absl::Status Take(const DeliveryKey& key, std::string_view value);
  absl::Status CloseRow();
  absl::Status CloseSite();
  absl::Status CloseRule();
  absl::Status CloseAttributeOfRule();
  absl::Status CloseAttribute();
  // The attribute of all rules, whose rows have all come.
  absl::Status CloseAllRules();

  void CountEvent(const EventCount& figure);
  // Names what was found in the row, looks for examples and writes them.
  absl::Status Found(const std::vector<monitor::DeliveryFinding>& findings,
                     DeliveryRow* row);
  std::vector<std::string> ExamplesOf(monitor::DeliveryFindingKind kind,
                                      const DeliveryRow& row) const;

  const std::string site_;
  const std::string date_;
  const std::string wall_;
  ComparisonOutput* const out_;
  OpenRow open_;

  // The site as a whole, which comes first.
  monitor::Delivery tonight_;
  monitor::DeliveryHistory history_;
  std::vector<std::string> last_examples_;
  UrlSample record_urls_;
  UrlSample reject_urls_;
  bool has_dropped_records_ = false;

  // The attribute of all rules, while those of the rules pass by.
  OpenRow all_rules_;
};

}  // namespace trommel::jobs::compare

#endif  // TROMMEL_JOBS_COMPARE_SITE_COMPARISON_H_
