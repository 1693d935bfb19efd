#include "jobs/extract/extract_step.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/extract/extractor.h"
#include "core/html/parser.h"
#include "core/rule/rule.h"
#include "core/rule/rule_index.h"
#include "core/schema/schema.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/extract/extracted_before.h"
#include "jobs/extract/figures.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/tables/records_table.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/site_rule.h"
#include "jobs/textproto/textproto.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// What a page goes through, from cheap to dear: its site, its URL, what the
// crawl says against it, its signature, whether it was extracted before, the
// parser, the rule. Each is where some pages end, with the reason in the table
// of rejects. That no rule is for a page, or that a rule finds nothing on it,
// is nothing wrong with the page: it is passed over. That it cannot be parsed
// is.

namespace trommel {
namespace {

constexpr char kName[] = "extract";
constexpr char kSinceSideData[] = "since";

// Reasons for which pages are passed over.
constexpr std::string_view kNoRule = "no_rule";
constexpr std::string_view kNoUrlMatch = "no_url_match";
constexpr std::string_view kNoTemplate = "no_template";
constexpr std::string_view kMissingMandatory = "missing_mandatory";
constexpr std::string_view kEmpty = "empty";

// A rule ready to run, and what became of the pages that met it.
struct CompiledRule {
  explicit CompiledRule(RuleExtractor e) : extractor(std::move(e)) {}

  RuleExtractor extractor;
  std::string rule_id;
  size_t table = 0;
  int64_t matched = 0;
  int64_t extracted = 0;
  int64_t skipped = 0;
  std::vector<int64_t> filled;  // by attribute, records
};

class ExtractMapper final : public mr::Mapper {
 public:
  ExtractMapper(RuleIndex index, SiteRule site_rule, ExtractedBefore before,
                std::map<std::string, size_t> tables, const PageFlags& page,
                bool try_url_match)
      : index_(std::move(index)),
        site_rule_(std::move(site_rule)),
        before_(std::move(before)),
        tables_(std::move(tables)),
        max_page_bytes_(page.max_page_bytes),
        try_url_match_(try_url_match),
        parser_(page.MakeParser()),
        signer_(ShingleLength(index_)),
        rules_(static_cast<size_t>(index_.rules().rule_size())) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    Page page;
    page.crawled = layout_.Page(row);
    page.site = site_rule_.SiteOf(page.crawled.url);
    out_ = out;
    TROMMEL_ASSIGN_OR_RETURN(const SiteRules* const site,
                             index_.Find(page.site));
    if (site == nullptr) return PassOver(page, nullptr, kNoRule, "");
    site->MatchUrl(page.crawled.url, &candidates_);
    if (candidates_.empty()) return PassOver(page, nullptr, kNoUrlMatch, "");
    if (const std::optional<Rejection> rejection =
            WhyRejected(page.crawled, max_page_bytes_)) {
      return Reject(page, nullptr, rejection->reason, rejection->detail);
    }
    if (IsBlank(page.crawled.content)) {
      return PassOver(page, nullptr, kEmpty, "the page has no content");
    }
    const std::optional<PageSignature> signature =
        signer_.Sign(page.crawled.content, page.crawled.charset);
    const std::optional<RuleMatch> match =
        signature.has_value() ? site->Match(*signature, candidates_)
                              : std::nullopt;
    if (match.has_value()) {
      out->Count(match->by == PlacedBy::kSignature ? kMatchedBySignature
                                                   : kMatchedBySketch);
      return ExtractMatched(match->rule, &page);
    }
    const std::string_view detail =
        signature.has_value() ? "" : "fewer tags than a shingle";
    if (!try_url_match_) return PassOver(page, nullptr, kNoTemplate, detail);
    return TryCandidates(detail, &page);
  }

  // Pages without a rule, or with the wrong URL, are not looked at.
  bool NeedsDeferred(int /*input*/, const io::Row& row) override {
    const std::string_view url = layout_.Page(row).url;
    const absl::StatusOr<const SiteRules*> site =
        index_.Find(site_rule_.SiteOf(url));
    if (!site.ok()) return true;  // Map() reports it
    if (*site == nullptr) return false;
    (*site)->MatchUrl(url, &candidates_);
    return !candidates_.empty();
  }

  absl::Status Finish(mr::MapOutput* out) override {
    for (size_t i = 0; i < rules_.size(); ++i) {
      const CompiledRule* const rule = rules_[i].get();
      if (rule == nullptr) continue;
      const std::string& site = rule->extractor.rule().site();
      const auto add = [&](std::string_view event, int64_t count) {
        if (count > 0) figures_.Add(site, rule->rule_id, event, count);
      };
      add(kMatched, rule->matched);
      add(kExtracted, rule->extracted);
      add(kSkipped, rule->skipped);
      const proto::Schema& schema = rule->extractor.rule().schema();
      for (size_t k = 0; k < rule->filled.size(); ++k) {
        add(StrCat(kFilledPrefix, schema.attribute(static_cast<int>(k)).name()),
            rule->filled[k]);
      }
    }
    if (figures_.counts().empty()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table,
                             out->Table(tables_.size()));
    return figures_.Write(table);
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), site_rule_.SiteOf(url)};
  }

 private:
  struct Page {
    io::CrawlPage crawled;
    std::string site;
    std::string digest;  // once it is needed
  };

  static int ShingleLength(const RuleIndex& index) {
    return index.rules().rule_size() == 0
               ? kDefaultShingleLength
               : static_cast<int>(index.rules().rule(0).shingle_length());
  }

  absl::Status PassOver(const Page& page, const CompiledRule* rule,
                        std::string_view reason, std::string_view detail) {
    figures_.Add(page.site, rule == nullptr ? "" : rule->rule_id, reason);
    return out_->PassOver({std::string(page.crawled.url), page.site}, reason,
                          detail);
  }

  absl::Status Reject(const Page& page, const CompiledRule* rule,
                      std::string_view reason, std::string_view detail) {
    figures_.Add(page.site, rule == nullptr ? "" : rule->rule_id, reason);
    return out_->Reject({std::string(page.crawled.url), page.site}, reason,
                        detail);
  }

  absl::StatusOr<CompiledRule*> Compiled(size_t place) {
    std::unique_ptr<CompiledRule>& rule = rules_[place];
    if (rule == nullptr) {
      const proto::Rule& of_index =
          index_.rules().rule(static_cast<int>(place));
      TROMMEL_ASSIGN_OR_RETURN(RuleExtractor extractor,
                               RuleExtractor::Compile(of_index));
      rule = std::make_unique<CompiledRule>(std::move(extractor));
      rule->rule_id = RuleId(of_index);
      rule->filled.resize(
          static_cast<size_t>(of_index.schema().attribute_size()));
      const auto table = tables_.find(of_index.schema().name());
      if (table == tables_.end()) {
        return absl::InternalError(
            StrCat("no table for schema ", of_index.schema().name()));
      }
      rule->table = table->second;
    }
    return rule.get();
  }

  bool WasExtractedBefore(const CompiledRule& rule, Page* page) {
    if (page->digest.empty()) {
      page->digest = ContentDigest(page->crawled.content);
    }
    return before_.Contains(page->crawled.url, page->digest, rule.rule_id);
  }

  absl::Status Skip(CompiledRule* rule) {
    ++rule->skipped;
    out_->Count(kPagesSkipped);
    return absl::OkStatus();
  }

  absl::Status ExtractMatched(size_t place, Page* page) {
    TROMMEL_ASSIGN_OR_RETURN(CompiledRule* const rule, Compiled(place));
    ++rule->matched;
    if (WasExtractedBefore(*rule, page)) return Skip(rule);
    const html::ParseOutcome outcome = Parse(*page);
    if (outcome != html::ParseOutcome::kOk) {
      return Reject(*page, rule, html::ToString(outcome), "");
    }
    const PageRecord record =
        rule->extractor.Extract(document_, page->crawled.url);
    if (record.missing != nullptr) {
      return PassOver(*page, rule, kMissingMandatory, record.missing->name());
    }
    if (!record.has_values) {
      return PassOver(*page, rule, kEmpty, "no attribute has a value");
    }
    return Write(*page, record, rule);
  }

  // For a page that no template takes: the rules whose URL pattern matches, the
  // most important first, until one finds all that it has to.
  absl::Status TryCandidates(std::string_view detail, Page* page) {
    out_->Count(kTriedByUrl);
    bool is_parsed = false;
    for (const size_t place : candidates_) {
      TROMMEL_ASSIGN_OR_RETURN(CompiledRule* const rule, Compiled(place));
      if (WasExtractedBefore(*rule, page)) return Skip(rule);
      if (!is_parsed) {
        const html::ParseOutcome outcome = Parse(*page);
        if (outcome != html::ParseOutcome::kOk) {
          return Reject(*page, nullptr, html::ToString(outcome), "");
        }
        is_parsed = true;
      }
      const PageRecord record =
          rule->extractor.Extract(document_, page->crawled.url);
      if (!IsComplete(rule->extractor.rule(), record)) continue;
      ++rule->matched;
      out_->Count(kKeptByUrl);
      return Write(*page, record, rule);
    }
    return PassOver(*page, nullptr, kNoTemplate,
                    detail.empty() ? "tried by URL" : detail);
  }

  // Whether a record has all mandatory attributes. Where the schema has none,
  // all that the rule can extract are asked for.
  static bool IsComplete(const proto::Rule& rule, const PageRecord& record) {
    if (!record.IsRecord()) return false;
    if (HasMandatory(rule.schema())) return true;
    for (int i = 0; i < rule.schema().attribute_size(); ++i) {
      if (!record.attributes[static_cast<size_t>(i)].values.empty()) continue;
      for (const proto::AttributeRule& of_rule : rule.attribute()) {
        if (of_rule.name() == rule.schema().attribute(i).name() &&
            of_rule.alternative_size() > 0) {
          return false;
        }
      }
    }
    return true;
  }

  html::ParseOutcome Parse(const Page& page) {
    return parser_->ParsePage(page.crawled.content, page.crawled.charset,
                              &document_);
  }

  absl::Status Write(const Page& page, const PageRecord& record,
                     CompiledRule* rule) {
    const proto::Rule& of_rule = rule->extractor.rule();
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table,
                             out_->Table(rule->table));
    RecordRow row;
    row.url = page.crawled.url;
    row.site = page.site;
    row.cluster_id = of_rule.cluster_id();
    row.rule_id = rule->rule_id;
    row.fetch_time_us = page.crawled.fetch_time_us;
    row.content_digest = page.digest;
    row.confidence = record.confidence;
    BeginRecord(row, table);
    for (size_t i = 0; i < record.attributes.size(); ++i) {
      const std::vector<std::string>& values = record.attributes[i].values;
      WriteAttribute(values,
                     of_rule.schema().attribute(static_cast<int>(i)).repeated(),
                     table);
      rule->filled[i] += values.empty() ? 0 : 1;
    }
    ++rule->extracted;
    out_->Count(kPagesExtracted);
    out_->Count(kRecordsWritten);
    return table->EndRow();
  }

  RuleIndex index_;
  const SiteRule site_rule_;
  const ExtractedBefore before_;
  const std::map<std::string, size_t> tables_;  // by schema
  const int64_t max_page_bytes_;
  const bool try_url_match_;
  const std::unique_ptr<html::Parser> parser_;
  PageSigner signer_;
  io::CrawlLayout layout_;
  std::vector<std::unique_ptr<CompiledRule>> rules_;  // null until it is met
  Figures figures_;

  // Of the page.
  mr::MapOutput* out_ = nullptr;
  std::vector<size_t> candidates_;
  html::Document document_;
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
          ParseTextproto(text, "schemas", &parsed.emplace_back()));
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
      tables.push_back({RecordsFolder(schema.name()), RecordsSchema(schema),
                        RecordsPlainColumns()});
    }
    tables.push_back({kTaskFiguresFolder, FiguresSchema(), {}});
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
                             RuleFilesOfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules, ReadRuleFiles(files));
    TROMMEL_ASSIGN_OR_RETURN(SiteRule site_rule, SiteRuleOf(rules));
    TROMMEL_ASSIGN_OR_RETURN(RuleIndex index,
                             RuleIndex::Create(std::move(rules)));
    ExtractedBefore before;
    if (task.has_since) {
      TROMMEL_ASSIGN_OR_RETURN(const std::string since,
                               context.SideDataPath(kSinceSideData));
      TROMMEL_ASSIGN_OR_RETURN(const io::Path records, io::ResolvePath(since));
      TROMMEL_ASSIGN_OR_RETURN(before, ExtractedBefore::Read(records));
    }
    return std::make_unique<ExtractMapper>(
        std::move(index), std::move(site_rule), std::move(before),
        std::move(tables), settings.page, settings.try_url_match);
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
  spec.inputs = {CrawlWithDeferredContent(crawls)};
  AddRuleFiles(rule_files, &spec);
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

}  // namespace trommel
