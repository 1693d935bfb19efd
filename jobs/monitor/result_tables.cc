#include "jobs/monitor/result_tables.h"

#include <arrow/type.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/io/row_writer.h"

namespace trommel::jobs::monitor_job {
namespace {

using ArrowFields = std::vector<std::shared_ptr<arrow::Field>>;

std::shared_ptr<arrow::Field> Text(const char* name) {
  return arrow::field(name, arrow::utf8(), false);
}
std::shared_ptr<arrow::Field> Number(const char* name) {
  return arrow::field(name, arrow::int64(), false);
}
std::shared_ptr<arrow::Field> Real(const char* name) {
  return arrow::field(name, arrow::float64(), false);
}
std::shared_ptr<arrow::Field> Texts(const char* name) {
  return arrow::field(name, arrow::list(arrow::utf8()), false);
}
std::shared_ptr<arrow::Field> ValuesByAttribute(const char* name) {
  return arrow::field(
      name, arrow::list(arrow::struct_({Text("attribute"), Texts("values")})),
      false);
}

ArrowFields SitesFields() {
  return {Text("site"),      Number("rules"),        Number("broken"),
          Number("unknown"), Real("share_of_rules"), Real("share_of_urls"),
          Text("verdict"),   Texts("reasons")};
}

ArrowFields RulesFields() {
  return {Text("site"),
          Text("cluster_id"),
          Text("rule_id"),
          Text("schema"),
          Number("bellwethers"),
          Number("present"),
          Number("absent"),
          Number("placed_by_signature"),
          Number("placed_by_sketch"),
          Number("signature_changed"),
          Number("null_extraction"),
          Number("wrong_extraction"),
          Number("failed"),
          Number("saved_by_fields"),
          Number("with_record"),
          Real("share_signature_changed"),
          Real("share_null_extraction"),
          Real("share_wrong_extraction"),
          Real("share_failed"),
          Text("verdict"),
          Texts("reasons"),
          Texts("wrong_attributes"),
          Texts("wrong_reasons")};
}

ArrowFields BellwethersFields() {
  return {Text("site"),
          Text("cluster_id"),
          Text("rule_id"),
          Text("url"),
          Text("outcome"),
          arrow::field("absent_reason", arrow::utf8()),
          arrow::field("fetch_time",
                       arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
          arrow::field("placed_by", arrow::utf8()),
          arrow::field("fields", arrow::utf8()),
          Texts("missing"),
          Texts("wrong"),
          ValuesByAttribute("golden"),
          ValuesByAttribute("fresh")};
}

absl::Status WriteSite(const WatchedSite& site, io::RowWriter* table) {
  const monitor::SiteVerdict& verdict = site.verdict;
  table->Text(site.site)
      .Int64(verdict.rules)
      .Int64(verdict.broken)
      .Int64(verdict.unknown)
      .Double(verdict.share_of_rules)
      .Double(verdict.share_of_urls)
      .Text(monitor::SiteStateName(verdict.state))
      .Texts(verdict.reasons);
  return table->EndRow();
}

absl::Status WriteRule(const WatchedRule& rule, io::RowWriter* table) {
  const monitor::RuleCounts& counts = rule.judged.counts;
  table->Text(rule.site).Text(rule.cluster_id).Text(rule.rule_id);
  table->Text(rule.schema);
  table->Int64(counts.bellwethers).Int64(counts.present).Int64(counts.absent());
  table->Int64(counts.present - counts.signature_changed - rule.by_sketch)
      .Int64(rule.by_sketch)
      .Int64(counts.signature_changed)
      .Int64(counts.null_extraction)
      .Int64(counts.wrong_extraction)
      .Int64(counts.failed)
      .Int64(counts.saved_by_fields)
      .Int64(rule.trial.pages_with_record);
  for (const int64_t count : {counts.signature_changed, counts.null_extraction,
                              counts.wrong_extraction, counts.failed}) {
    table->Double(counts.ShareOfPresent(count));
  }
  table->Text(monitor::VerdictName(rule.judged.verdict.verdict))
      .Texts(rule.judged.verdict.reasons);
  std::vector<std::string> names;
  std::vector<std::string> reasons;
  for (const monitor::WrongAttribute& wrong : rule.wrong_attributes) {
    names.push_back(wrong.name);
    reasons.push_back(wrong.reason);
  }
  table->Texts(names).Texts(reasons);
  return table->EndRow();
}

// Record after record, each by attribute.
void WriteValues(const WatchedRule& rule,
                 const std::vector<record::Record>& records,
                 io::RowWriter* table) {
  table->BeginList();
  for (const record::Record& record : records) {
    for (size_t i = 0; i < record.attributes.size(); ++i) {
      const std::vector<std::string>& values = record.attributes[i].values;
      if (values.empty()) continue;
      table->BeginStruct().Text(rule.attributes[i]).Texts(values).EndStruct();
    }
  }
  table->EndList();
}

absl::Status WriteBellwether(const WatchedRule& rule,
                             const WatchedBellwether& bellwether,
                             io::RowWriter* table) {
  const bool is_present = bellwether.is_present();
  table->Text(rule.site).Text(rule.cluster_id).Text(rule.rule_id);
  table->Text(bellwether.url);
  table->Text(!is_present ? "absent" : bellwether.Fails() ? "failed" : "fine");
  table->TextOrNull(bellwether.absent).TimeOrNull(bellwether.fetch_time_us);
  table->TextOrNull(bellwether.placed_by.has_value()
                        ? cluster::PlacedByName(*bellwether.placed_by)
                        : std::string_view());
  table->TextOrNull(is_present
                        ? record::FieldResultName(bellwether.fields.result)
                        : std::string_view());
  table->Texts(bellwether.fields.missing).Texts(bellwether.fields.wrong);
  WriteValues(rule, bellwether.golden, table);
  WriteValues(rule, bellwether.fresh, table);
  return table->EndRow();
}

// Appends the files of a table that `write` fills.
absl::Status WriteTable(
    const io::Path& folder, const char* name, const ArrowFields& fields,
    const std::function<absl::Status(io::RowWriter* table)>& write,
    std::vector<io::ShardInfo>* shards) {
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<io::RowWriter> table,
      io::RowWriter::Create(folder.Child(name), arrow::schema(fields), {}));
  TROMMEL_RETURN_IF_ERROR(write(table.get()));
  TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> files, table->Close());
  for (io::ShardInfo& file : files) {
    file.file = StrCat(name, "/", file.file);
    shards->push_back(std::move(file));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<io::ShardInfo>> WriteResultTables(
    const WatchResult& result, const io::Path& folder) {
  std::vector<io::ShardInfo> shards;
  const auto sites = [&](io::RowWriter* table) -> absl::Status {
    for (const WatchedSite& site : result.sites) {
      TROMMEL_RETURN_IF_ERROR(WriteSite(site, table));
    }
    return absl::OkStatus();
  };
  const auto rules = [&](io::RowWriter* table) -> absl::Status {
    for (const WatchedRule& rule : result.rules) {
      TROMMEL_RETURN_IF_ERROR(WriteRule(rule, table));
    }
    return absl::OkStatus();
  };
  const auto bellwethers = [&](io::RowWriter* table) -> absl::Status {
    for (const WatchedRule& rule : result.rules) {
      for (const WatchedBellwether& bellwether : rule.bellwethers) {
        TROMMEL_RETURN_IF_ERROR(WriteBellwether(rule, bellwether, table));
      }
    }
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(
      WriteTable(folder, kSitesFolder, SitesFields(), sites, &shards));
  TROMMEL_RETURN_IF_ERROR(
      WriteTable(folder, kRuleVerdictsFolder, RulesFields(), rules, &shards));
  TROMMEL_RETURN_IF_ERROR(WriteTable(
      folder, kBellwethersFolder, BellwethersFields(), bellwethers, &shards));
  return shards;
}

}  // namespace trommel::jobs::monitor_job
