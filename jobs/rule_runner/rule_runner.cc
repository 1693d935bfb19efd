#include "jobs/rule_runner/rule_runner.h"

#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/program_registry.h"
#include "jobs/tables/rule_files.h"

namespace trommel::jobs::rule_runner {
namespace {

constexpr std::string_view kNoRule = "no_rule";
constexpr std::string_view kNoUrlMatch = "no_url_match";
constexpr std::string_view kEmpty = "empty";

int ShingleLength(const proto::RuleSet& rules) {
  return rules.rule_size() == 0
             ? signature::kDefaultShingleLength
             : static_cast<int>(rules.rule(0).shingle_length());
}

}  // namespace

RuleRunner::RuleRunner(rule::RuleIndex index, tables::SiteRule site_rule,
                       const page::PageFlags& page)
    : index_(std::move(index)),
      site_rule_(std::move(site_rule)),
      admission_(page),
      parser_(page.MakeParser()),
      signer_(ShingleLength(index_.rules())) {}

absl::StatusOr<RuleRunner> RuleRunner::Create(proto::RuleSet rules,
                                              const page::PageFlags& page) {
  TROMMEL_ASSIGN_OR_RETURN(tables::SiteRule site_rule,
                           tables::SiteRuleOf(rules));
  TROMMEL_ASSIGN_OR_RETURN(rule::RuleIndex index,
                           rule::RuleIndex::Create(std::move(rules)));
  return RuleRunner(std::move(index), std::move(site_rule), page);
}

absl::StatusOr<const std::vector<size_t>*> RuleRunner::MatchUrl(
    std::string_view url) {
  candidates_.clear();
  TROMMEL_ASSIGN_OR_RETURN(const rule::SiteRules* const site,
                           index_.Find(site_rule_.SiteOf(url)));
  if (site != nullptr) site->MatchUrl(url, &candidates_);
  return &candidates_;
}

absl::StatusOr<RuleEncounter> RuleRunner::Meet(const io::CrawlPage& page) {
  RuleEncounter met;
  met.site = site_rule_.SiteOf(page.url);
  const auto pass_over = [&](std::string_view reason, std::string_view detail) {
    met.reason = reason;
    met.detail = detail;
    return met;
  };
  const auto reject = [&](page::Rejection rejection) {
    if (rejection.is_bad) met.kind = RuleEncounter::Kind::kRejected;
    met.reason = rejection.reason;
    met.detail = std::move(rejection.detail);
    return met;
  };
  if (page.url.empty()) return reject({page::kNoUrl, ""});
  candidates_.clear();
  TROMMEL_ASSIGN_OR_RETURN(const rule::SiteRules* const site,
                           index_.Find(met.site));
  if (site == nullptr) return pass_over(kNoRule, "");
  site->MatchUrl(page.url, &candidates_);
  if (candidates_.empty()) return pass_over(kNoUrlMatch, "");
  if (std::optional<page::Rejection> rejection =
          page::WhyRejected(page, admission_)) {
    return reject(*std::move(rejection));
  }
  if (IsBlank(page.content)) {
    return pass_over(kEmpty, "the page has no content");
  }
  const std::optional<signature::PageSignature> signature = Sign(page);
  if (!signature.has_value()) {
    return pass_over(kNoTemplate, "fewer tags than a shingle");
  }
  const std::optional<rule::RuleMatch> match =
      site->Match(*signature, candidates_);
  if (!match.has_value()) return pass_over(kNoTemplate, "");
  met.kind = RuleEncounter::Kind::kMet;
  met.match = *match;
  return met;
}

absl::StatusOr<std::optional<cluster::PlacedBy>> RuleRunner::PlaceIn(
    size_t place, const std::optional<signature::PageSignature>& signature) {
  if (!signature.has_value()) return std::nullopt;
  TROMMEL_ASSIGN_OR_RETURN(const rule::SiteRules* const site,
                           index_.Find(rule(place).site()));
  const std::optional<rule::RuleMatch> match = site->Match(*signature, {place});
  if (!match.has_value()) return std::nullopt;
  return match->by;
}

std::optional<page::Rejection> RuleRunner::Open(const io::CrawlPage& page) {
  if (std::optional<page::Rejection> rejection =
          page::WhyRejected(page, admission_)) {
    return rejection;
  }
  if (IsBlank(page.content)) return page::Rejection{kEmpty, ""};
  const html::ParseOutcome outcome = Parse(page);
  if (outcome == html::ParseOutcome::kOk) return std::nullopt;
  return page::Rejection{html::ToString(outcome), ""};
}

absl::StatusOr<const rule::PageExtractor*> RuleRunner::Extractor(
    const proto::Rule& rule) {
  std::unique_ptr<rule::PageExtractor>& extractor = extractors_[&rule];
  if (extractor == nullptr) {
    TROMMEL_ASSIGN_OR_RETURN(extractor, rule::CompileRule(rule));
  }
  return extractor.get();
}

absl::StatusOr<std::vector<record::Record>> RuleRunner::ExtractAll(
    const proto::Rule& rule, std::string_view url) {
  TROMMEL_ASSIGN_OR_RETURN(const rule::PageExtractor* const extractor,
                           Extractor(rule));
  return extractor->Extract(document_, url);
}

absl::StatusOr<std::vector<record::Record>> RuleRunner::Extract(
    const proto::Rule& rule, std::string_view url) {
  TROMMEL_ASSIGN_OR_RETURN(std::vector<record::Record> records,
                           ExtractAll(rule, url));
  record::LeaveOut(rule.schema(), rule.switched_off(), &records);
  return records;
}

}  // namespace trommel::jobs::rule_runner
