#include "jobs/compare/site_comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "absl/time/civil_time.h"
#include "core/base/civil_date.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/tables/figures_table.h"
#include "jobs/value_summaries/summary_codec.h"
#include "mapreduce/codec/ordered.h"

// The values of a site come row by row, and of each row its earlier days before
// tonight: first the site as a whole, which decides the state of the day, then
// its rules, then its attributes, of each the days of all rules and then rule
// after rule. So a site takes the memory of what it needs for one attribute:
// its own days, those of one row at a time, and the rules of one attribute.

namespace trommel::jobs::compare {
namespace {

constexpr size_t kExamples = 3;
// A site that stays away has rows as long as this.
constexpr int kDaysOfMissingSite = 30;

int64_t DaysBetween(const std::string& earlier, const std::string& later) {
  absl::CivilDay from, to;
  if (!ParseDate(earlier, &from) || !ParseDate(later, &to)) return 0;
  return to - from;
}

// Reasons of rejects that say nothing of rules: the page could not be looked
// at. A page is "empty" in this sense only if it met no rule; else the rule
// found nothing.
bool IsRefused(const EventCount& figure) {
  static const auto* const reasons = new std::set<std::string>{
      "fetch_status", "not_html",       "truncated", "no_url",
      "too_large",    "too_many_nodes", "timeout",   "crashed"};
  return reasons->count(figure.event) > 0 ||
         (figure.event == "empty" && figure.rule_id.empty());
}

monitor::DeliveryHistory HistoryOf(std::vector<DeliveryRow> rows) {
  monitor::DeliveryHistory history;
  for (DeliveryRow& row : rows) history.Add(std::move(row.delivery));
  return history;
}

// Adds URLs of the wanted records until there are enough.
void AddExamples(const UrlSample& urls,
                 const std::function<bool(uint32_t)>& is_wanted,
                 std::vector<std::string>* examples) {
  for (const auto& [hash, url] : urls.urls()) {
    if (examples->size() >= kExamples) return;
    if (is_wanted(monitor::SampleHash(hash)) &&
        std::find(examples->begin(), examples->end(), url) == examples->end()) {
      examples->push_back(url);
    }
  }
}

bool Contains(const std::vector<uint32_t>& records, uint32_t record) {
  return std::find(records.begin(), records.end(), record) != records.end();
}

}  // namespace

void UrlSample::Add(uint64_t hash, std::string_view url) {
  if (urls_.size() == kMaxUrls && hash > urls_.rbegin()->first) return;
  const auto [entry, is_new] = urls_.emplace(hash, url);
  if (!is_new && url < entry->second) entry->second = url;
  if (urls_.size() > kMaxUrls) urls_.erase(std::prev(urls_.end()));
}

void UrlSample::Merge(const UrlSample& other) {
  for (const auto& [hash, url] : other.urls_) Add(hash, url);
}

std::string UrlSample::Encode() const {
  std::string bytes;
  for (const auto& [hash, url] : urls_) {
    mr::AppendOrderedUint64(hash, &bytes);
    mr::AppendOrderedBytes(url, &bytes);
  }
  return bytes;
}

absl::StatusOr<UrlSample> UrlSample::Decode(std::string_view bytes) {
  UrlSample sample;
  while (!bytes.empty()) {
    uint64_t hash = 0;
    std::string url;
    if (!mr::ConsumeOrderedUint64(&bytes, &hash) ||
        !mr::ConsumeOrderedBytes(&bytes, &url)) {
      return absl::DataLossError("a sample of URLs is cut off");
    }
    sample.Add(hash, url);
  }
  return sample;
}

SiteComparison::SiteComparison(std::string site, std::string date,
                               std::string wall, ComparisonOutput* out)
    : site_(std::move(site)),
      date_(std::move(date)),
      wall_(std::move(wall)),
      out_(out) {}

absl::Status SiteComparison::Add(const DeliveryKey& key,
                                 std::string_view value) {
  if (open_.is_open && !open_.key.HasRowOf(key)) {
    TROMMEL_RETURN_IF_ERROR(CloseRow());
  }
  if (!open_.is_open) {
    // The row of the site decides how the others are judged, and is there even
    // if only a rule has anything to say.
    if (key.level != DeliveryLevel::kSite && tonight_.date.empty()) {
      TROMMEL_RETURN_IF_ERROR(CloseSite());
    }
    if (all_rules_.is_open && (key.schema != all_rules_.key.schema ||
                               key.attribute != all_rules_.key.attribute)) {
      TROMMEL_RETURN_IF_ERROR(CloseAllRules());
    }
    open_.is_open = true;
    open_.key = key;
  }
  return Take(key, value);
}

absl::Status SiteComparison::Finish() {
  if (open_.is_open) TROMMEL_RETURN_IF_ERROR(CloseRow());
  if (all_rules_.is_open) TROMMEL_RETURN_IF_ERROR(CloseAllRules());
  return absl::OkStatus();
}

absl::Status SiteComparison::Take(const DeliveryKey& key,
                                  std::string_view value) {
  switch (key.part) {
    case DeliveryPart::kBefore: {
      TROMMEL_ASSIGN_OR_RETURN(DeliveryRow row, DecodeDelivery(value));
      // The same date twice: the first is taken.
      if (open_.before.empty() ||
          open_.before.back().delivery.date != row.delivery.date) {
        open_.before.push_back(std::move(row));
      }
      return absl::OkStatus();
    }
    case DeliveryPart::kFigure: {
      TROMMEL_ASSIGN_OR_RETURN(const EventCount figure, DecodeFigure(value));
      open_.has_tonight = true;
      CountEvent(figure);
      return absl::OkStatus();
    }
    case DeliveryPart::kSchema:
      open_.tonight.schema = value;
      return absl::OkStatus();
    case DeliveryPart::kSummary: {
      TROMMEL_ASSIGN_OR_RETURN(const monitor::ValueSummary summary,
                               value_summaries::DecodeSummary(value));
      open_.has_tonight = true;
      open_.tonight.rule_id = key.order;
      open_.values.Merge(summary);
      return absl::OkStatus();
    }
    case DeliveryPart::kRecordUrls:
    case DeliveryPart::kRejectUrls: {
      TROMMEL_ASSIGN_OR_RETURN(const UrlSample urls, UrlSample::Decode(value));
      (key.part == DeliveryPart::kRecordUrls ? record_urls_ : reject_urls_)
          .Merge(urls);
      return absl::OkStatus();
    }
  }
  return absl::DataLossError("a delivery has an unknown part");
}

void SiteComparison::CountEvent(const EventCount& figure) {
  monitor::Delivery& delivery = open_.tonight.delivery;
  if (open_.key.level == DeliveryLevel::kRule) {
    open_.tonight.rule_id = figure.rule_id;
  }
  if (figure.event == tables::kMatchedEvent) {
    delivery.placed += figure.count;
    // What did not meet the rule is not of the rule.
    if (open_.key.level == DeliveryLevel::kRule) delivery.pages += figure.count;
  } else if (figure.event == tables::kRecordsEvent) {
    delivery.records += figure.count;
  } else if (tables::EndsPage(figure.event)) {
    if (open_.key.level == DeliveryLevel::kSite) delivery.pages += figure.count;
    if (IsRefused(figure)) delivery.refused += figure.count;
  }
}

absl::Status SiteComparison::CloseRow() {
  absl::Status status;
  switch (open_.key.level) {
    case DeliveryLevel::kSite:
      status = CloseSite();
      break;
    case DeliveryLevel::kRule:
      status = CloseRule();
      break;
    case DeliveryLevel::kAttribute:
      status =
          open_.key.rule.empty() ? CloseAttribute() : CloseAttributeOfRule();
      break;
  }
  open_ = OpenRow();
  return status;
}

absl::Status SiteComparison::CloseSite() {
  for (const DeliveryRow& row : open_.before) {
    if (row.delivery.state == monitor::DayState::kGood) {
      last_examples_ = row.example_urls;
    }
  }
  history_ = HistoryOf(std::exchange(open_.before, {}));
  DeliveryRow row = std::move(open_.tonight);
  row.site = site_;
  monitor::Delivery& delivery = row.delivery;
  delivery.date = date_;
  const monitor::ValueSample sample = monitor::SampleOf(open_.values);
  delivery.match = history_.Match(sample);
  delivery.sample = history_.KeptSample(sample);
  delivery.state =
      monitor::JudgeDay(delivery, history_.good_days(), !wall_.empty());
  tonight_ = delivery;
  tonight_.sample = monitor::ValueSample();
  if (delivery.pages == 0 && (history_.last_date_with_pages().empty() ||
                              DaysBetween(history_.last_date_with_pages(),
                                          date_) > kDaysOfMissingSite)) {
    return absl::OkStatus();
  }
  const monitor::Baseline baseline = monitor::BaselineOf(history_.good_days());
  out_->Count(StrCat(kSitesPrefix, monitor::DayStateName(delivery.state)), 1);
  out_->Count(kRecordsDelivered, delivery.records);
  out_->Count(kRecordsUsual, std::llround(baseline.records));
  if (baseline.days > 0) out_->Count(kSitesCompared, 1);
  const std::vector<monitor::DeliveryFinding> findings =
      monitor::JudgeSiteDelivery(delivery, history_, wall_);
  for (const monitor::DeliveryFinding& finding : findings) {
    has_dropped_records_ =
        has_dropped_records_ ||
        finding.kind == monitor::DeliveryFindingKind::kRecordsDrop;
  }
  TROMMEL_RETURN_IF_ERROR(Found(findings, &row));
  if (findings.empty()) {
    AddExamples(
        record_urls_, [](uint32_t) { return true; }, &row.example_urls);
  }
  return out_->WriteRow(row, baseline);
}

absl::Status SiteComparison::CloseRule() {
  if (!open_.has_tonight) {
    // A rule that nothing met tonight has still been expected.
    if (open_.before.empty()) return absl::OkStatus();
    open_.tonight.rule_id = open_.before.back().rule_id;
  }
  // Where the rule has no row of a good day of the site, no page met it.
  std::map<std::string, DeliveryRow*> by_date;
  for (DeliveryRow& row : open_.before) by_date[row.delivery.date] = &row;
  monitor::DeliveryHistory history;
  for (const monitor::Delivery& day : history_.good_days()) {
    const auto found = by_date.find(day.date);
    monitor::Delivery rule_day;
    rule_day.date = day.date;
    if (found != by_date.end()) rule_day = found->second->delivery;
    history.Add(std::move(rule_day));
  }
  DeliveryRow row = std::move(open_.tonight);
  // A rule without records does not say its schema.
  if (row.schema.empty() && !open_.before.empty()) {
    row.schema = open_.before.back().schema;
  }
  row.site = site_;
  row.delivery.date = date_;
  row.delivery.state = tonight_.state;
  if (tonight_.state == monitor::DayState::kGood && !has_dropped_records_) {
    TROMMEL_RETURN_IF_ERROR(Found(
        monitor::JudgeRuleDelivery(row.delivery, history, tonight_, history_),
        &row));
  }
  if (!open_.has_tonight && row.delivery.found.empty()) return absl::OkStatus();
  return out_->WriteRow(row, monitor::BaselineOf(history.good_days()));
}

absl::Status SiteComparison::CloseAttributeOfRule() {
  if (!all_rules_.is_open) {
    all_rules_.is_open = true;
    all_rules_.key = open_.key;
    all_rules_.key.rule.clear();
  }
  if (!open_.has_tonight) return absl::OkStatus();
  all_rules_.has_tonight = true;
  all_rules_.values.Merge(open_.values);
  DeliveryRow row;
  row.site = site_;
  row.schema = open_.key.schema;
  row.attribute = open_.key.attribute;
  row.rule_id = open_.tonight.rule_id;
  row.delivery.date = date_;
  row.delivery.state = tonight_.state;
  row.delivery.records = open_.values.records;
  row.delivery.filled = open_.values.filled;
  row.delivery.sample = monitor::SampleOf(open_.values);
  row.delivery.values = std::move(open_.values);
  const monitor::DeliveryHistory history =
      HistoryOf(std::exchange(open_.before, {}));
  return out_->WriteRow(row, monitor::BaselineOf(history.good_days()));
}

absl::Status SiteComparison::CloseAttribute() {
  all_rules_ = std::move(open_);
  return absl::OkStatus();
}

absl::Status SiteComparison::CloseAllRules() {
  OpenRow all = std::exchange(all_rules_, OpenRow());
  // What the schema no longer has is no loss.
  if (!all.has_tonight) return absl::OkStatus();
  const monitor::DeliveryHistory history = HistoryOf(std::move(all.before));
  DeliveryRow row;
  row.site = site_;
  row.schema = all.key.schema;
  row.attribute = all.key.attribute;
  monitor::Delivery& delivery = row.delivery;
  delivery.date = date_;
  delivery.state = tonight_.state;
  delivery.records = all.values.records;
  delivery.filled = all.values.filled;
  delivery.sample = monitor::SampleOf(all.values);
  delivery.values = std::move(all.values);
  delivery.match = history.Match(delivery.sample);
  if (tonight_.state == monitor::DayState::kGood) {
    TROMMEL_RETURN_IF_ERROR(
        Found(monitor::JudgeAttributeDelivery(delivery, history), &row));
  }
  delivery.sample = history.KeptSample(std::move(delivery.sample));
  return out_->WriteRow(row, monitor::BaselineOf(history.good_days()));
}

std::vector<std::string> SiteComparison::ExamplesOf(
    monitor::DeliveryFindingKind kind, const DeliveryRow& row) const {
  using Kind = monitor::DeliveryFindingKind;
  const monitor::SampleMatch& match = row.delivery.match;
  const monitor::ValueSample& sample = row.delivery.sample;
  const auto any = [](uint32_t) { return true; };
  std::vector<std::string> examples;
  switch (kind) {
    case Kind::kSiteMissing:
      return last_examples_;
    case Kind::kSiteBlocked:
    case Kind::kRecordsDrop:
      AddExamples(
          reject_urls_,
          [&](uint32_t page) { return Contains(match.lost_records, page); },
          &examples);
      AddExamples(reject_urls_, any, &examples);
      return examples;
    case Kind::kFillDrop:
      AddExamples(
          record_urls_,
          [&](uint32_t record) { return Contains(match.lost_records, record); },
          &examples);
      AddExamples(
          record_urls_,
          [&](uint32_t record) { return Contains(sample.blank, record); },
          &examples);
      return examples;
    case Kind::kValuesChanged:
      AddExamples(
          record_urls_,
          [&](uint32_t record) {
            return Contains(match.changed_records, record);
          },
          &examples);
      AddExamples(
          record_urls_,
          [&](uint32_t record) { return !Contains(sample.blank, record); },
          &examples);
      return examples;
  }
  return examples;
}

absl::Status SiteComparison::Found(
    const std::vector<monitor::DeliveryFinding>& findings, DeliveryRow* row) {
  for (const monitor::DeliveryFinding& found : findings) {
    summaries::Compare::Finding finding;
    finding.kind = monitor::DeliveryFindingName(found.kind);
    finding.severity = monitor::DeliveryFindingSeverity(found.kind);
    finding.site = site_;
    finding.schema = row->schema;
    finding.rule_id = row->rule_id;
    finding.attribute = row->attribute;
    finding.before = found.before;
    finding.after = found.after;
    finding.affected = std::llround(found.affected);
    finding.message = Printable(site_);
    if (!row->attribute.empty()) {
      StrAppend(&finding.message, ", ", row->attribute);
    }
    if (!row->rule_id.empty()) {
      StrAppend(&finding.message, ", rule ", row->rule_id);
    }
    StrAppend(&finding.message, ": ", found.message);
    finding.example_urls = ExamplesOf(found.kind, *row);
    row->delivery.found.push_back(finding.kind);
    for (const std::string& url : finding.example_urls) {
      if (std::find(row->example_urls.begin(), row->example_urls.end(), url) ==
          row->example_urls.end()) {
        row->example_urls.push_back(url);
      }
    }
    TROMMEL_RETURN_IF_ERROR(out_->WriteFinding(finding));
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::compare
