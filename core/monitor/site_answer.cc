#include "core/monitor/site_answer.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"

// When a site's answer is no answer.
//
// On a site that has none of them on other days, half of the pages alike are a
// wall. A site may have alike pages every day, though: stubs, profiles that
// nobody has filled in, pages that scripts fill. If a share u of its pages is
// alike on good days, what counts is what became of the others: that at least
// half of them are alike as well, so that the share is u + (1 - u) / 2 or more.
// With a large u few pages make that difference, and a crawl of other pages
// could make it too; so the excess must also be three standard deviations of a
// sample of so many pages with the usual share, and min_pages at least. A site
// whose pages are all alike on good days is never blocked.

namespace trommel::monitor {
namespace {

std::string Reason(const SiteAnswer& tonight, double usual_share) {
  const std::string count =
      StrCat(tonight.alike.value_or(0), " of ", Counted(tonight.pages, "page"));
  std::string reason =
      tonight.text.empty()
          ? StrCat(count, " say nothing of their own")
          : StrCat(count, " say the same: \"", tonight.text, "\"");
  if (usual_share > 0) {
    absl::StrAppendFormat(&reason, " (on good days %.0f%% do)",
                          100 * usual_share);
  }
  return reason;
}

}  // namespace

AnswerVerdict JudgeAnswer(const SiteAnswer& tonight,
                          std::optional<double> usual_share,
                          const AnswerThresholds& thresholds) {
  if (!tonight.alike.has_value() || tonight.pages < thresholds.min_pages) {
    return {};
  }
  const auto pages = static_cast<double>(tonight.pages);
  const auto alike = static_cast<double>(*tonight.alike);
  const double usual = std::clamp(usual_share.value_or(0), 0.0, 1.0);
  const double excess = alike - usual * pages;
  const double deviation = std::sqrt(pages * usual * (1 - usual));
  // Shares come from divisions; no site is blocked or not for their last bit.
  constexpr double kTolerance = 1e-9;
  if (excess + kTolerance < thresholds.share * (1 - usual) * pages ||
      excess + kTolerance < thresholds.deviations * deviation ||
      (usual > 0 &&
       excess + kTolerance < static_cast<double>(thresholds.min_pages)) ||
      *tonight.alike == 0) {
    return {};
  }
  return {true, Reason(tonight, usual)};
}

}  // namespace trommel::monitor
