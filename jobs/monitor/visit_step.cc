#include "jobs/monitor/visit_step.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/record/record.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/monitor/visits_table.h"
#include "jobs/page/crawl_input.h"
#include "jobs/rule_runner/rule_runner.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"

// A page costs a hash of its URL, unless it is a bellwether; row groups without
// one are not read beyond their URLs. Both tests are made of every bellwether:
// a page that its template no longer takes is still given to its own rule, so
// that the report can tell what only the match has lost.
//
// A URL may be crawled several times, in different splits; all its versions are
// visited, and the submitter chooses (watch.h).

namespace trommel::jobs::monitor_job {
namespace {

constexpr char kName[] = "monitor-visit";

// Which rules a URL is a bellwether of. 16 bytes a bellwether; what is found
// for a URL that is none, by chance, the submitter does not know and passes
// over.
class BellwetherIndex {
 public:
  explicit BellwetherIndex(const proto::RuleSet& rules) {
    for (int i = 0; i < rules.rule_size(); ++i) {
      for (const proto::PageRecords& bellwether : rules.rule(i).bellwether()) {
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
  VisitMapper(rule_runner::RuleRunner runner, BellwetherIndex bellwethers)
      : runner_(std::move(runner)), bellwethers_(std::move(bellwethers)) {}

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
    const std::optional<signature::PageSignature> signature =
        visit.problem.empty() ? runner_.Sign(page) : std::nullopt;
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    for (const size_t rule : rules) {
      if (visit.problem.empty()) {
        TROMMEL_RETURN_IF_ERROR(Test(rule, page.url, signature, &visit));
      }
      visit.cluster_id = runner_.rule(rule).cluster_id();
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
    return {std::string(url), runner_.SiteOf(url)};
  }

 private:
  // Leaves the page parsed if it is fine.
  std::string WhyUnusable(const io::CrawlPage& page) {
    const std::optional<page::Rejection> rejection = runner_.Open(page);
    if (!rejection.has_value()) return "";
    return rejection->detail.empty()
               ? std::string(rejection->reason)
               : StrCat(rejection->reason, ": ", rejection->detail);
  }

  // The shingle test and what the field test needs.
  absl::Status Test(size_t place, std::string_view url,
                    const std::optional<signature::PageSignature>& signature,
                    Visit* visit) {
    TROMMEL_ASSIGN_OR_RETURN(visit->placed_by,
                             runner_.PlaceIn(place, signature));
    const proto::Rule& rule = runner_.rule(place);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> records,
                             runner_.Extract(rule, url));
    visit->extraction = record::ToProto(rule.schema(), visit->url, records);
    return absl::OkStatus();
  }

  rule_runner::RuleRunner runner_;
  const BellwetherIndex bellwethers_;
  io::CrawlLayout layout_;
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
                             cli::ReadSettings<page::PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Path> files,
                             tables::RuleFilesOfTask(context));
    TROMMEL_ASSIGN_OR_RETURN(
        proto::RuleSet rules,
        tables::ReadRuleFiles(files, tables::RuleParts::kForWatching));
    BellwetherIndex bellwethers(rules);
    // Golden values are the submitter's business.
    for (proto::Rule& rule : *rules.mutable_rule()) rule.clear_bellwether();
    TROMMEL_ASSIGN_OR_RETURN(
        rule_runner::RuleRunner runner,
        rule_runner::RuleRunner::Create(std::move(rules), page));
    return std::make_unique<VisitMapper>(std::move(runner),
                                         std::move(bellwethers));
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeVisitStep() {
  return std::make_unique<VisitStep>();
}

mr::StepSpec VisitSpec(const std::vector<std::string>& crawls,
                       const std::vector<io::Path>& rule_files,
                       const page::PageFlags& page) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {page::CrawlWithDeferredContent(crawls, page.max_page_bytes)};
  tables::AddRuleFiles(rule_files, &spec);
  cli::AddSettings(page, &spec);
  return spec;
}

}  // namespace trommel::jobs::monitor_job
