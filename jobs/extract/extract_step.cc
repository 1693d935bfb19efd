#include "jobs/extract/extract_step.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/record/record.h"
#include "core/rule/rule.h"
#include "jobs/cli/settings.h"
#include "jobs/extract/doubtful_records.h"
#include "jobs/extract/extracted_before.h"
#include "jobs/extract/rule_tally.h"
#include "jobs/page/crawl_input.h"
#include "jobs/rule_runner/rule_runner.h"
#include "jobs/tables/extract_output.h"
#include "jobs/tables/figures_table.h"
#include "jobs/tables/records_table.h"
#include "jobs/tables/rule_files.h"
#include "jobs/textproto/textproto.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// What a page goes through is decided by RuleRunner; between meeting a rule and
// being parsed it may be found to have been extracted before. Where a page ends
// without a record, the table of rejects has the reason. That no rule is for a
// page, or that a rule finds nothing on it, is nothing wrong with the page: it
// is passed over. That it cannot be parsed is.
//
// A page may have several records. Those that are complete and whose confidence
// is high enough are written, and numbered in their order on the page; the
// others are counted. A page without a complete one is a reject, for what its
// first record lacks. So is one whose complete records are all doubtful: their
// values are in the table of rejects, where a person can look at them, and
// nowhere else.

namespace trommel::jobs::extract {
namespace {

constexpr char kName[] = "extract";
constexpr char kSinceSideData[] = "since";

// Reasons for which pages are passed over although they met a rule.
constexpr std::string_view kMissingMandatory = "missing_mandatory";
constexpr std::string_view kEmpty = "empty";
constexpr std::string_view kNoRecords = "no_records";
constexpr std::string_view kDoubtful = "doubtful";

class ExtractMapper final : public mr::Mapper {
 public:
  ExtractMapper(rule_runner::RuleRunner runner, ExtractedBefore before,
                std::map<std::string, size_t> tables,
                const ExtractSettings& settings)
      : runner_(std::move(runner)),
        before_(std::move(before)),
        tables_(std::move(tables)),
        try_url_match_(settings.try_url_match),
        min_confidence_(settings.min_confidence),
        tallies_(static_cast<size_t>(runner_.rules().rule_size())) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    Page page;
    page.crawled = layout_.Page(row);
    out_ = out;
    TROMMEL_ASSIGN_OR_RETURN(rule_runner::RuleEncounter met,
                             runner_.Meet(page.crawled));
    page.site = std::move(met.site);
    switch (met.kind) {
      case rule_runner::RuleEncounter::Kind::kMet:
        out->Count(met.match.by == cluster::PlacedBy::kSignature
                       ? kMatchedBySignature
                       : kMatchedBySketch);
        return ExtractMatched(met.match.rule, &page);
      case rule_runner::RuleEncounter::Kind::kRejected:
        return Reject(page, nullptr, met.reason, met.detail);
      case rule_runner::RuleEncounter::Kind::kPassedOver:
        break;
    }
    if (try_url_match_ && met.reason == rule_runner::kNoTemplate) {
      return TryCandidates(met.detail, &page);
    }
    return PassOver(page, nullptr, met.reason, met.detail);
  }

  // Pages without a rule, or with the wrong URL, are not looked at.
  bool NeedsDeferred(int /*input*/, const io::Row& row) override {
    const auto candidates = runner_.MatchUrl(layout_.Page(row).url);
    return !candidates.ok() || !(*candidates)->empty();  // Map() reports it
  }

  absl::Status Finish(mr::MapOutput* out) override {
    for (size_t i = 0; i < tallies_.size(); ++i) {
      if (tallies_[i].rule_id.empty()) continue;
      tallies_[i].AddTo(runner_.rule(i), &figures_);
    }
    if (figures_.counts().empty()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table,
                             out->Table(tables_.size()));
    return figures_.Write(table);
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), runner_.SiteOf(url)};
  }

 private:
  struct Page {
    io::CrawlPage crawled;
    std::string site;
    std::string digest;  // once it is needed
  };

  absl::Status PassOver(const Page& page, const RuleTally* tally,
                        std::string_view reason, std::string_view detail) {
    figures_.Add(page.site, tally == nullptr ? "" : tally->rule_id, reason);
    return out_->PassOver({std::string(page.crawled.url), page.site}, reason,
                          detail);
  }

  absl::Status Reject(const Page& page, const RuleTally* tally,
                      std::string_view reason, std::string_view detail) {
    figures_.Add(page.site, tally == nullptr ? "" : tally->rule_id, reason);
    return out_->Reject({std::string(page.crawled.url), page.site}, reason,
                        detail);
  }

  // The tally of a rule, begun when the rule is first met.
  absl::StatusOr<RuleTally*> Tally(size_t place) {
    RuleTally& tally = tallies_[place];
    if (tally.rule_id.empty()) {
      const proto::Rule& rule = runner_.rule(place);
      const auto table = tables_.find(rule.schema().name());
      if (table == tables_.end()) {
        return absl::InternalError(
            StrCat("no table for schema ", rule.schema().name()));
      }
      tally.table = table->second;
      tally.filled.resize(static_cast<size_t>(rule.schema().attribute_size()));
      tally.rule_id = rule::RuleId(rule);
    }
    return &tally;
  }

  bool WasExtractedBefore(const RuleTally& tally, Page* page) {
    if (page->digest.empty()) {
      page->digest = ContentDigest(page->crawled.content);
    }
    return before_.Contains(page->crawled.url, page->digest, tally.rule_id);
  }

  absl::Status Skip(RuleTally* tally) {
    ++tally->skipped;
    out_->Count(kPagesSkipped);
    return absl::OkStatus();
  }

  absl::Status ExtractMatched(size_t place, Page* page) {
    TROMMEL_ASSIGN_OR_RETURN(RuleTally* const tally, Tally(place));
    ++tally->matched;
    if (WasExtractedBefore(*tally, page)) return Skip(tally);
    const html::ParseOutcome outcome = runner_.Parse(page->crawled);
    if (outcome != html::ParseOutcome::kOk) {
      return Reject(*page, tally, html::ToString(outcome), "");
    }
    const proto::Rule& rule = runner_.rule(place);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> records,
                             runner_.Extract(rule, page->crawled.url));
    if (records.empty()) return PassOver(*page, tally, kNoRecords, "");
    if (record::HasRecord(rule.schema(), records)) {
      return Deliver(*page, rule, records, tally);
    }
    const proto::Attribute* const missing =
        record::CheckComplete(rule.schema(), records[0]).missing;
    return missing != nullptr
               ? PassOver(*page, tally, kMissingMandatory, missing->name())
               : PassOver(*page, tally, kEmpty, "no attribute has a value");
  }

  // For a page that no template takes: the rules whose URL pattern matches, the
  // most important first, until one finds all that it has to.
  absl::Status TryCandidates(std::string_view detail, Page* page) {
    out_->Count(kTriedByUrl);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<size_t>* const candidates,
                             runner_.MatchUrl(page->crawled.url));
    bool is_parsed = false;
    for (const size_t place : *candidates) {
      TROMMEL_ASSIGN_OR_RETURN(RuleTally* const tally, Tally(place));
      if (WasExtractedBefore(*tally, page)) return Skip(tally);
      if (!is_parsed) {
        const html::ParseOutcome outcome = runner_.Parse(page->crawled);
        if (outcome != html::ParseOutcome::kOk) {
          return Reject(*page, nullptr, html::ToString(outcome), "");
        }
        is_parsed = true;
      }
      const proto::Rule& rule = runner_.rule(place);
      TROMMEL_ASSIGN_OR_RETURN(const rule::PageExtractor* const extractor,
                               runner_.Extractor(rule));
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> all,
                               runner_.ExtractAll(rule, page->crawled.url));
      const auto is_complete = [&](const record::Record& record) {
        return record::CheckComplete(rule.schema(), record,
                                     extractor->extracts())
            .IsRecord();
      };
      if (!std::any_of(all.begin(), all.end(), is_complete)) continue;
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> records,
                               runner_.Extract(rule, page->crawled.url));
      if (!record::HasRecord(rule.schema(), records)) continue;
      ++tally->matched;
      out_->Count(kKeptByUrl);
      return Deliver(*page, rule, records, tally);
    }
    return PassOver(*page, nullptr, rule_runner::kNoTemplate,
                    detail.empty() ? "tried by URL" : detail);
  }

  // Writes the records that are complete and not doubtful; at least one is
  // complete.
  absl::Status Deliver(const Page& page, const proto::Rule& rule,
                       const std::vector<record::Record>& records,
                       RuleTally* tally) {
    std::vector<const record::Record*> delivered, doubtful;
    for (const record::Record& record : records) {
      if (!record::CheckComplete(rule.schema(), record).IsRecord()) {
        ++tally->incomplete;
        out_->Count(kRecordsIncomplete);
      } else if (record.Confidence() < min_confidence_) {
        ++tally->doubtful;
        out_->Count(kRecordsDoubtful);
        doubtful.push_back(&record);
      } else {
        delivered.push_back(&record);
      }
    }
    if (!delivered.empty()) return Write(page, rule, delivered, tally);
    return PassOver(page, tally, kDoubtful,
                    DescribeDoubtful(rule.schema(), doubtful));
  }

  absl::Status Write(const Page& page, const proto::Rule& rule,
                     const std::vector<const record::Record*>& records,
                     RuleTally* tally) {
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table,
                             out_->Table(tally->table));
    tables::RecordRow row;
    row.url = page.crawled.url;
    row.site = page.site;
    row.cluster_id = rule.cluster_id();
    row.rule_id = tally->rule_id;
    row.fetch_time_us = page.crawled.fetch_time_us;
    row.content_digest = page.digest;
    for (const record::Record* const record : records) {
      row.confidence = record->Confidence();
      row.attribute_confidence.clear();
      for (const record::AttributeValues& attribute : record->attributes) {
        row.attribute_confidence.push_back(
            attribute.values.empty() ? 0 : attribute.confidence);
      }
      tables::BeginRecord(row, table);
      for (size_t i = 0; i < record->attributes.size(); ++i) {
        const std::vector<std::string>& values = record->attributes[i].values;
        tables::WriteAttribute(
            values, rule.schema().attribute(static_cast<int>(i)).repeated(),
            table);
        tally->filled[i] += values.empty() ? 0 : 1;
      }
      TROMMEL_RETURN_IF_ERROR(table->EndRow());
      ++row.record_index;
    }
    ++tally->extracted;
    tally->records += row.record_index;
    out_->Count(kPagesExtracted);
    out_->Count(kRecordsWritten, row.record_index);
    return absl::OkStatus();
  }

  rule_runner::RuleRunner runner_;
  const ExtractedBefore before_;
  const std::map<std::string, size_t> tables_;  // by schema
  const bool try_url_match_;
  const double min_confidence_;
  io::CrawlLayout layout_;
  std::vector<RuleTally> tallies_;  // by rule
  tables::Figures figures_;

  // Of the page.
  mr::MapOutput* out_ = nullptr;
};

// What a task has to know beside its settings.
struct ExtractTask {
  std::vector<std::string> schemas;  // textproto, in the order of the tables
  bool has_since = false;

  void Define(cli::Flags* flags) {
    flags->Texts("schemas", &schemas, "schemas of the rules");
    flags->Bool("has-since", &has_since, "whether there are earlier records");
  }

  absl::StatusOr<std::vector<proto::Schema>> ParseSchemas() const {
    std::vector<proto::Schema> parsed;
    for (const std::string& text : schemas) {
      TROMMEL_RETURN_IF_ERROR(
          textproto::ParseTextproto(text, "schemas", &parsed.emplace_back()));
    }
    return parsed;
  }
};

class ExtractStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }

  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& context) const override {
    std::vector<mr::OutputTable> tables;
    TROMMEL_ASSIGN_OR_RETURN(const auto task,
                             cli::ReadSettings<ExtractTask>(context));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<proto::Schema> schemas,
                             task.ParseSchemas());
    for (const proto::Schema& schema : schemas) {
      tables.push_back({StrCat(tables::kRecordsFolder, "/",
                               tables::SchemaPartition(schema.name())),
                        tables::RecordsSchema(schema),
                        tables::RecordsPlainColumns()});
    }
    tables.push_back({kTaskFiguresFolder, tables::FiguresSchema(), {}});
    return tables;
  }

  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<ExtractSettings>(context));
    TROMMEL_ASSIGN_OR_RETURN(const auto task,
                             cli::ReadSettings<ExtractTask>(context));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<proto::Schema> schemas,
                             task.ParseSchemas());
    std::map<std::string, size_t> tables;
    for (size_t i = 0; i < schemas.size(); ++i) tables[schemas[i].name()] = i;
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Path> files,
                             tables::RuleFilesOfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules,
                             tables::ReadRuleFiles(files));
    TROMMEL_ASSIGN_OR_RETURN(
        rule_runner::RuleRunner runner,
        rule_runner::RuleRunner::Create(std::move(rules), settings.page));
    ExtractedBefore before;
    if (task.has_since) {
      TROMMEL_ASSIGN_OR_RETURN(const std::string since,
                               context.SideDataPath(kSinceSideData));
      TROMMEL_ASSIGN_OR_RETURN(const io::Path records, io::ResolvePath(since));
      TROMMEL_ASSIGN_OR_RETURN(before, ExtractedBefore::Read(records));
    }
    return std::make_unique<ExtractMapper>(std::move(runner), std::move(before),
                                           std::move(tables), settings);
  }
};

}  // namespace

void ExtractSettings::Define(cli::Flags* flags) {
  flags
      ->Bool("try-url-match", &try_url_match,
             "try a page that no template takes with the rules whose URL "
             "pattern matches; keep the record if every mandatory attribute "
             "(of a schema without: every attribute of the rule) is there")
      .Recorded();
  flags
      ->Number("min-confidence", &min_confidence,
               "a record with less confidence is doubtful: its page goes to "
               "the rejects, with the values, unless it has other records")
      .Between(0, 1)
      .Recorded();
  page.Define(flags);
}

std::unique_ptr<mr::Step> MakeExtractStep() {
  return std::make_unique<ExtractStep>();
}

mr::StepSpec ExtractSpec(const std::vector<std::string>& crawls,
                         const std::vector<io::Path>& rule_files,
                         const std::string& since,
                         const std::map<std::string, proto::Schema>& schemas,
                         const ExtractSettings& settings) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {
      page::CrawlWithDeferredContent(crawls, settings.page.max_page_bytes)};
  tables::AddRuleFiles(rule_files, &spec);
  if (!since.empty()) {
    spec.side_data.push_back({kSinceSideData, since, /*from_output=*/""});
  }
  ExtractTask task;
  for (const auto& [schema_name, schema] : schemas) {
    task.schemas.push_back(schema.ShortDebugString());
  }
  task.has_since = !since.empty();
  cli::AddSettings(task, &spec);
  cli::AddSettings(settings, &spec);
  return spec;
}

}  // namespace trommel::jobs::extract
