#include "core/monitor/verdict.h"

#include <algorithm>
#include <utility>

#include "core/base/share.h"
#include "core/base/strings.h"

// Section IV-B of the Vertex paper.
//
// The shingle test of a rule fails if the signatures of a majority of its
// bellwethers no longer match; the field test likewise, where null and wrong
// extractions count together, for a page is one or the other. Either breaks the
// rule.
//
// The paper lets every broken rule trigger a site change and then finds half of
// the sites of its Table IV to be false alarms (ads, frames that were not
// fetched): there at most 10% of the rules broke, at 80 to 90% of the
// bellwethers, where genuine changes are at 99.5 to 100%. So the two are kept
// apart here: a rule breaks at one half, and the site has changed when the
// crawled bellwethers of its broken rules, taken together, fail at 95%. The
// share of rules decides nothing, since genuine changes may be partial; it is
// there for the reader.
//
// What was not crawled says nothing. A rule with too few crawled bellwethers is
// unknown, and a site is fine only if all its rules are.

namespace trommel::monitor {
namespace {

std::string OfBellwethers(int64_t count, int64_t present) {
  return StrCat(count, " of ", Counted(present, "bellwether"));
}

// "title (12), price (3)": most pages first.
std::string Attributes(const std::map<std::string, int64_t>& pages) {
  std::vector<std::pair<std::string, int64_t>> sorted(pages.begin(),
                                                      pages.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, count] : sorted) {
    StrAppend(&text, text.empty() ? "" : ", ", name, " (", count, ")");
  }
  return text;
}

std::string WhyUnknown(const RuleCounts& counts) {
  if (counts.bellwethers == 0) return "the rule has no bellwethers";
  if (counts.present == 0) {
    return StrCat("none of the rule's ",
                  Counted(counts.bellwethers, "bellwether"),
                  " is a page of the crawl");
  }
  return StrCat("only ", counts.present, " of the rule's ",
                Counted(counts.bellwethers, "bellwether"),
                " are pages of the crawl");
}

std::vector<std::string> WhyUnknown(const SiteVerdict& site,
                                    int64_t bellwethers, int64_t present) {
  if (site.rules == 0) return {"the site has no rules"};
  if (bellwethers > 0 && present == 0) {
    return {"no bellwether of the site is a page of the crawl"};
  }
  return {StrCat("too few bellwethers for ", site.unknown, " of ",
                 Counted(site.rules, "rule"))};
}

std::string WhyBroken(const SiteVerdict& site, int64_t failed,
                      int64_t present) {
  return StrCat(site.broken, " of ", Counted(site.rules, "rule"), " broken, ",
                failed, " of their ", Counted(present, "bellwether"),
                " failed");
}

}  // namespace

void RuleCounts::Add(bool is_signature_changed,
                     const record::FieldOutcome& fields) {
  const bool passes = fields.result == record::FieldResult::kPass;
  ++present;
  signature_changed += is_signature_changed ? 1 : 0;
  null_extraction += fields.result == record::FieldResult::kNull ? 1 : 0;
  wrong_extraction += fields.result == record::FieldResult::kWrong ? 1 : 0;
  failed += is_signature_changed || !passes ? 1 : 0;
  saved_by_fields += is_signature_changed && passes ? 1 : 0;
  for (const std::string& name : fields.missing) ++missing[name];
  for (const std::string& name : fields.wrong) ++wrong[name];
}

double RuleCounts::ShareOfPresent(int64_t count) const {
  return ShareOf(count, present);
}

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFine:
      return "fine";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kUnknown:
      return "unknown";
  }
  return "";
}

RuleVerdict JudgeRule(const RuleCounts& counts,
                      const VerdictThresholds& thresholds) {
  RuleVerdict verdict;
  const int64_t needed = std::max(
      int64_t{1}, std::min(thresholds.min_bellwethers, counts.bellwethers));
  if (counts.present < needed) {
    verdict.reasons.push_back(WhyUnknown(counts));
    return verdict;
  }
  const auto fails = [&](int64_t count) {
    return counts.ShareOfPresent(count) > thresholds.rule;
  };
  verdict.shingle_test_failed = fails(counts.signature_changed);
  verdict.field_test_failed =
      fails(counts.null_extraction + counts.wrong_extraction);
  if (verdict.shingle_test_failed) {
    std::string reason =
        StrCat("signature changed on ",
               OfBellwethers(counts.signature_changed, counts.present));
    if (counts.saved_by_fields > 0) {
      StrAppend(&reason, ", fields pass on ", counts.saved_by_fields,
                " of these");
    }
    verdict.reasons.push_back(std::move(reason));
  }
  if (verdict.field_test_failed && counts.null_extraction > 0) {
    verdict.reasons.push_back(
        StrCat("null extraction on ",
               OfBellwethers(counts.null_extraction, counts.present),
               ", missing: ", Attributes(counts.missing)));
  }
  if (verdict.field_test_failed && counts.wrong_extraction > 0) {
    std::string reason =
        StrCat("wrong extraction on ",
               OfBellwethers(counts.wrong_extraction, counts.present),
               ", differing: ", Attributes(counts.wrong));
    // With null extractions these are in their reason.
    if (counts.null_extraction == 0 && !counts.missing.empty()) {
      StrAppend(&reason, "; missing: ", Attributes(counts.missing));
    }
    verdict.reasons.push_back(std::move(reason));
  }
  verdict.verdict = verdict.reasons.empty() ? Verdict::kFine : Verdict::kBroken;
  return verdict;
}

std::string_view SiteStateName(SiteState state) {
  switch (state) {
    case SiteState::kFine:
      return "fine";
    case SiteState::kBroken:
      return "broken";
    case SiteState::kChanged:
      return "changed";
    case SiteState::kUnknown:
      return "unknown";
  }
  return "";
}

SiteVerdict JudgeSite(const std::vector<JudgedRule>& rules,
                      const VerdictThresholds& thresholds) {
  SiteVerdict site;
  int64_t bellwethers = 0;
  int64_t present = 0;
  int64_t present_of_broken = 0;
  int64_t failed_of_broken = 0;
  for (const JudgedRule& rule : rules) {
    ++site.rules;
    bellwethers += rule.counts.bellwethers;
    present += rule.counts.present;
    if (rule.verdict.verdict == Verdict::kUnknown) ++site.unknown;
    if (rule.verdict.verdict != Verdict::kBroken) continue;
    ++site.broken;
    present_of_broken += rule.counts.present;
    failed_of_broken += rule.counts.failed;
  }
  site.share_of_rules = ShareOf(site.broken, site.rules);
  site.share_of_urls = ShareOf(failed_of_broken, present_of_broken);
  if (site.broken > 0) {
    site.state = site.share_of_urls >= thresholds.site ? SiteState::kChanged
                                                       : SiteState::kBroken;
    site.reasons.push_back(
        WhyBroken(site, failed_of_broken, present_of_broken));
  } else if (site.rules == 0 || site.unknown > 0) {
    site.state = SiteState::kUnknown;
    site.reasons = WhyUnknown(site, bellwethers, present);
  } else {
    site.state = SiteState::kFine;
  }
  return site;
}

}  // namespace trommel::monitor
