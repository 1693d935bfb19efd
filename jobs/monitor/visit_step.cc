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
#include "jobs/monitor/watch.h"
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
// Of the pages that are no bellwethers a few of each rule are visited as well:
// those of its template whose URLs have the smallest hashes, so many that
// enough of them give a record. Which these are depends on the rule and the
// crawl alone. They may become bellwethers when too many of the old ones are
// gone: a crawl loses a few of its URLs every night.
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

// Which pages are worth a look as bellwethers to come, by the hash of their
// URLs. A rule's importance counts pages of its template in a sample, so it has
// at least as many; aiming at kAimed of them leaves room for those that give no
// record.
class FreshPages {
 public:
  explicit FreshPages(const proto::RuleSet& rules) {
    constexpr double kAimed = 3.0 * kMaxFreshBellwethers;
    for (const proto::Rule& rule : rules.rule()) {
      const double share =
          rule.importance() == 0
              ? 1
              : std::min(1.0, kAimed / static_cast<double>(rule.importance()));
      // As a share of 2^32, which doubles hold exactly.
      largest_.push_back(static_cast<uint64_t>(share * 4294967296.0));
    }
  }

  bool IsWorthALook(std::string_view url, size_t rule) const {
    return (Hash64(url, kSeed) >> 32) < largest_[rule];
  }

 private:
  // Not that of any other choice among URLs.
  static constexpr uint64_t kSeed = 0x6672657368;

  std::vector<uint64_t> largest_;  // by rule
};

class VisitMapper final : public mr::Mapper {
 public:
  VisitMapper(rule_runner::RuleRunner runner, BellwetherIndex bellwethers)
      : runner_(std::move(runner)),
        bellwethers_(std::move(bellwethers)),
        fresh_pages_(runner_.rules()) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    Visit visit;
    AppendUtf8Lossy(page.url, &visit.url);
    const std::vector<size_t> rules = bellwethers_.Find(visit.url);
    if (rules.empty()) return VisitFresh(page, &visit, out);
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
    if (!bellwethers_.Find(url).empty()) return true;
    const absl::StatusOr<bool> is_worth_a_look = IsWorthALook(url);
    return !is_worth_a_look.ok() || *is_worth_a_look;  // Map() reports it
  }

  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), runner_.SiteOf(url)};
  }

 private:
  // Whether a rule that the URL may be for could use the page.
  absl::StatusOr<bool> IsWorthALook(std::string_view url) {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<size_t>* const candidates,
                             runner_.MatchUrl(url));
    return std::any_of(
        candidates->begin(), candidates->end(),
        [&](size_t rule) { return fresh_pages_.IsWorthALook(url, rule); });
  }

  // Visits a page that is nobody's bellwether, if it gives a record.
  absl::Status VisitFresh(const io::CrawlPage& page, Visit* visit,
                          mr::MapOutput* out) {
    TROMMEL_ASSIGN_OR_RETURN(const bool is_worth_a_look,
                             IsWorthALook(visit->url));
    if (!is_worth_a_look) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(const rule_runner::RuleEncounter met,
                             runner_.Meet(page));
    if (met.kind != rule_runner::RuleEncounter::Kind::kMet ||
        !fresh_pages_.IsWorthALook(visit->url, met.match.rule) ||
        runner_.Parse(page) != html::ParseOutcome::kOk) {
      return absl::OkStatus();
    }
    const proto::Rule& rule = runner_.rule(met.match.rule);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> records,
                             runner_.ExtractAll(rule, page.url));
    if (!record::HasRecord(rule.schema(), records)) return absl::OkStatus();
    visit->is_fresh = true;
    visit->cluster_id = rule.cluster_id();
    visit->fetch_time_us = page.fetch_time_us;
    visit->content_digest = ContentDigest(page.content);
    visit->placed_by = met.match.by;
    visit->extraction = record::ToProto(rule.schema(), visit->url, records);
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    return WriteVisit(*visit, table);
  }

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
                             runner_.ExtractAll(rule, url));
    visit->extraction = record::ToProto(rule.schema(), visit->url, records);
    return absl::OkStatus();
  }

  rule_runner::RuleRunner runner_;
  const BellwetherIndex bellwethers_;
  const FreshPages fresh_pages_;
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
