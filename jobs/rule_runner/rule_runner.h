#ifndef TROMMEL_JOBS_RULE_RUNNER_RULE_RUNNER_H_
#define TROMMEL_JOBS_RULE_RUNNER_RULE_RUNNER_H_

// From a page of a crawl to the records that a rule finds on it: every verb
// that applies rules goes this way.
//
//   TROMMEL_ASSIGN_OR_RETURN(const RuleEncounter met, runner.Meet(page));
//   if (met.kind != RuleEncounter::Kind::kMet) ...    // met.reason says why
//   if (runner.Parse(page) != html::ParseOutcome::kOk) ...
//   TROMMEL_ASSIGN_OR_RETURN(const std::vector<record::Record> records,
//                            runner.Extract(rule, page.url));
//
// From cheap to dear: the site of the URL, the URL patterns of its rules, what
// the crawl says against the page, its signature, the parser, the program. A
// page that ends early costs nothing of what follows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/record/record.h"
#include "core/rule/program.h"
#include "core/rule/rule_index.h"
#include "core/signature/page_signature.h"
#include "jobs/page/admission.h"
#include "jobs/page/page_flags.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/crawl.h"

namespace trommel::jobs::rule_runner {

// Why a page meets no rule that its URL may be for.
inline constexpr std::string_view kNoTemplate = "no_template";

// How far a page gets on its way to a rule.
struct RuleEncounter {
  enum class Kind {
    kMet,         // `match` is the rule
    kPassedOver,  // no rule is for the page, or nobody wants it
    kRejected,    // the page is bad
  };
  Kind kind = Kind::kPassedOver;
  std::string site;
  rule::RuleMatch match{};
  // Without a rule: "no_rule", "no_url_match", "empty", "no_template", or what
  // admission says.
  std::string_view reason = {};
  std::string detail = {};
};

// Holds one page at a time, so it is for one thread.
class RuleRunner {
 public:
  RuleRunner(rule::RuleIndex index, tables::SiteRule site_rule,
             const page::PageFlags& page);
  // Pages are assigned to sites as the rules say.
  static absl::StatusOr<RuleRunner> Create(proto::RuleSet rules,
                                           const page::PageFlags& page);

  const proto::RuleSet& rules() const { return index_.rules(); }
  const proto::Rule& rule(size_t place) const {
    return index_.rules().rule(static_cast<int>(place));
  }
  std::string SiteOf(std::string_view url) const {
    return site_rule_.SiteOf(url);
  }

  // The rules whose site and URL pattern fit, the more important first. All
  // that a page needs of its content is decided without it: one that has none
  // of these is not read. The answer is good until the next call.
  absl::StatusOr<const std::vector<size_t>*> MatchUrl(std::string_view url);

  // The rule of a page, by URL and template. Does not parse it.
  absl::StatusOr<RuleEncounter> Meet(const io::CrawlPage& page);

  // Whether the page is still placed in the template of a rule, and how; its
  // URL may be anything.
  absl::StatusOr<std::optional<cluster::PlacedBy>> PlaceIn(
      size_t rule, const std::optional<signature::PageSignature>& signature);
  std::optional<signature::PageSignature> Sign(const io::CrawlPage& page) {
    return signer_.Sign(page.content, page.charset);
  }

  // Why a page cannot be looked at: what admission, its emptiness or the parser
  // says. If there is nothing, the page is parsed.
  std::optional<page::Rejection> Open(const io::CrawlPage& page);

  html::ParseOutcome Parse(const io::CrawlPage& page) {
    return parser_->ParsePage(page.content, page.charset, &document_);
  }
  // The page that was parsed last.
  const html::Document& document() const { return document_; }

  // The program of a rule, compiled when it is first asked for. The rule need
  // not be one of the index; it stays where it is.
  absl::StatusOr<const rule::PageExtractor*> Extractor(const proto::Rule& rule);
  // What it finds on the page that was parsed last, attributes that are
  // switched off included.
  absl::StatusOr<std::vector<record::Record>> ExtractAll(
      const proto::Rule& rule, std::string_view url);
  // The same without these: what people get.
  absl::StatusOr<std::vector<record::Record>> Extract(const proto::Rule& rule,
                                                      std::string_view url);

 private:
  rule::RuleIndex index_;
  tables::SiteRule site_rule_;
  page::AdmissionFlags admission_;
  std::unique_ptr<html::Parser> parser_;
  signature::PageSigner signer_;
  absl::flat_hash_map<const proto::Rule*, std::unique_ptr<rule::PageExtractor>>
      extractors_;

  // Of the page.
  std::vector<size_t> candidates_;
  html::Document document_;
};

}  // namespace trommel::jobs::rule_runner

#endif  // TROMMEL_JOBS_RULE_RUNNER_RULE_RUNNER_H_
