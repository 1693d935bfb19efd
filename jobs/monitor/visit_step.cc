#include "jobs/monitor/visit_step.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/extract/extractor.h"
#include "core/html/parser.h"
#include "core/monitor/field_test.h"
#include "core/rule/rule_index.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/monitor/visits_table.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// A page costs a hash of its URL, unless it is a bellwether; row groups without
// one are not read beyond their URLs. Both tests are made of every bellwether:
// a page that its template no longer takes is still given to its own rule, so
// that the report can tell what only the match has lost.
//
// A URL may be crawled several times, in different splits; all its versions are
// visited, and the submitter chooses (watch.h).

namespace trommel {
namespace {

constexpr char kName[] = "monitor-visit";

// Which rules a URL is a bellwether of. 16 bytes a bellwether; what is found
// for a URL that is none, by chance, the submitter does not know and passes
// over.
class BellwetherIndex {
 public:
  explicit BellwetherIndex(const proto::RuleSet& rules) {
    for (int i = 0; i < rules.rule_size(); ++i) {
      for (const proto::Bellwether& bellwether : rules.rule(i).bellwether()) {
        entries_.emplace_back(Hash64(bellwether.url()), static_cast<size_t>(i));
      }
    }
    std::sort(entries_.begin(), entries_.end());
    entries_.erase(std::unique(entries_.begin(), entries_.end()),
                   entries_.end());
  }

  // Of a URL as tables have it.
  std::vector<size_t> Find(std::string_view url) const {
    const uint64_t hash = Hash64(url);
    std::vector<size_t> rules;
    for (auto entry = std::lower_bound(entries_.begin(), entries_.end(),
                                       std::pair(hash, size_t{0}));
         entry != entries_.end() && entry->first == hash; ++entry) {
      rules.push_back(entry->second);
    }
    return rules;
  }

 private:
  std::vector<std::pair<uint64_t, size_t>> entries_;  // sorted
};

class VisitMapper final : public mr::Mapper {
 public:
  VisitMapper(RuleIndex index, BellwetherIndex bellwethers, SiteRule site_rule,
              const PageFlags& page)
      : index_(std::move(index)),
        bellwethers_(std::move(bellwethers)),
        site_rule_(std::move(site_rule)),
        max_page_bytes_(page.max_page_bytes),
        parser_(page.MakeParser()),
        signer_(
            index_.rules().rule_size() == 0
                ? kDefaultShingleLength
                : static_cast<int>(index_.rules().rule(0).shingle_length())),
        extractors_(static_cast<size_t>(index_.rules().rule_size())) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    Visit visit;
    AppendUtf8Lossy(page.url, &visit.url);
    const std::vector<size_t> rules = bellwethers_.Find(visit.url);
    if (rules.empty()) return absl::OkStatus();
    out->Count(kPagesVisited);
    visit.fetch_time_us = page.fetch_time_us;
    visit.content_digest = ContentDigest(page.content);
    visit.problem = WhyUnusable(page);
    if (!visit.problem.empty()) out->Count(kPagesUnusable);
    const std::optional<PageSignature> signature =
        visit.problem.empty() ? signer_.Sign(page.content, page.charset)
                              : std::nullopt;
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    for (const size_t rule : rules) {
      if (visit.problem.empty()) {
        TROMMEL_RETURN_IF_ERROR(Test(rule, page.url, signature, &visit));
      }
      visit.cluster_id =
          index_.rules().rule(static_cast<int>(rule)).cluster_id();
      TROMMEL_RETURN_IF_ERROR(WriteVisit(visit, table));
    }
    return absl::OkStatus();
  }

  bool NeedsDeferred(int /*input*/, const io::Row& row) override {
    std::string url;
    AppendUtf8Lossy(layout_.Page(row).url, &url);
    return !bellwethers_.Find(url).empty();
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), site_rule_.SiteOf(url)};
  }

 private:
  // Leaves the page in document_ if it is fine.
  std::string WhyUnusable(const io::CrawlPage& page) {
    if (const std::optional<Rejection> rejection =
            WhyRejected(page, max_page_bytes_)) {
      return StrCat(rejection->reason, ": ", rejection->detail);
    }
    if (IsBlank(page.content)) return "empty";
    const html::ParseOutcome outcome =
        parser_->ParsePage(page.content, page.charset, &document_);
    return outcome == html::ParseOutcome::kOk
               ? ""
               : std::string(html::ToString(outcome));
  }

  // The shingle test and what the field test needs.
  absl::Status Test(size_t rule, std::string_view url,
                    const std::optional<PageSignature>& signature,
                    Visit* visit) {
    const proto::Rule& of_rule = index_.rules().rule(static_cast<int>(rule));
    TROMMEL_ASSIGN_OR_RETURN(const SiteRules* const site,
                             index_.Find(of_rule.site()));
    visit->placed_by.reset();
    if (signature.has_value()) {
      const std::optional<RuleMatch> match = site->Match(*signature, {rule});
      if (match.has_value()) visit->placed_by = match->by;
    }
    std::unique_ptr<const RuleExtractor>& extractor = extractors_[rule];
    if (extractor == nullptr) {
      TROMMEL_ASSIGN_OR_RETURN(RuleExtractor compiled,
                               RuleExtractor::Compile(of_rule));
      extractor = std::make_unique<const RuleExtractor>(std::move(compiled));
    }
    const FieldValues values =
        FieldValuesOf(extractor->Extract(document_, url));
    visit->extraction.clear_golden();
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].empty()) continue;
      proto::Values* const of_attribute = visit->extraction.add_golden();
      of_attribute->set_attribute(
          of_rule.schema().attribute(static_cast<int>(i)).name());
      for (const std::string& value : values[i]) {
        of_attribute->add_value(value);
      }
    }
    return absl::OkStatus();
  }

  RuleIndex index_;
  const BellwetherIndex bellwethers_;
  const SiteRule site_rule_;
  const int64_t max_page_bytes_;
  const std::unique_ptr<html::Parser> parser_;
  PageSigner signer_;
  io::CrawlLayout layout_;
  // Null until it is needed.
  std::vector<std::unique_ptr<const RuleExtractor>> extractors_;
  html::Document document_;
};

class VisitStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {kVisitsFolder, VisitsSchema(), {"url", "extraction"}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Path> files,
                             RuleFilesOfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules,
                             ReadRuleFiles(files, RuleParts::kForWatching));
    TROMMEL_ASSIGN_OR_RETURN(SiteRule site_rule, SiteRuleOf(rules));
    BellwetherIndex bellwethers(rules);
    // Golden values are the submitter's business.
    for (proto::Rule& rule : *rules.mutable_rule()) rule.clear_bellwether();
    TROMMEL_ASSIGN_OR_RETURN(RuleIndex index,
                             RuleIndex::Create(std::move(rules)));
    return std::make_unique<VisitMapper>(
        std::move(index), std::move(bellwethers), std::move(site_rule), page);
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeVisitStep() {
  return std::make_unique<VisitStep>();
}

mr::StepSpec VisitSpec(const std::vector<std::string>& crawls,
                       const std::vector<io::Path>& rule_files,
                       const PageFlags& page) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {CrawlWithDeferredContent(crawls)};
  AddRuleFiles(rule_files, &spec);
  cli::AddSettings(page, &spec);
  return spec;
}

}  // namespace trommel
