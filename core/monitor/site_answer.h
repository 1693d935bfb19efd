#ifndef TROMMEL_CORE_MONITOR_SITE_ANSWER_H_
#define TROMMEL_CORE_MONITOR_SITE_ANSWER_H_

// Has a site answered with its pages tonight, or with a wall, an error,
// nothing?
//
//   SiteAnswer tonight;
//   tonight.pages = 200;
//   tonight.alike = 190;
//   tonight.text = "Please verify you are human";
//   const AnswerVerdict verdict = JudgeAnswer(tonight, usual_share, {});
//   if (verdict.is_blocked) Tell(verdict.reason);

#include <cstdint>
#include <optional>
#include <string>

namespace trommel::monitor {

struct AnswerThresholds {
  // A site is blocked where at least this share of its pages, of those that
  // usually say something of their own, say nothing of their own.
  double share = 0.5;
  // With fewer pages nothing is said. At least 1.
  int64_t min_pages = 3;
  // On a site that usually has such pages there have to be more than usual by
  // this many standard deviations of a sample of its pages.
  double deviations = 3;
};

// A site's row in the table sites/ of `trommel cluster`.
struct SiteAnswer {
  int64_t pages = 0;
  // Those that say nothing of their own; none where nobody has looked.
  std::optional<int64_t> alike;
  std::string text;  // how one of them begins; may be empty
};

struct AnswerVerdict {
  bool is_blocked = false;
  // For people: "190 of 200 pages say the same: "Please verify you are human"".
  // Empty for a site that is not blocked.
  std::string reason;
};

// `usual_share` is the share of alike pages on the site's good days before, 0
// to 1; without it, it is taken to be 0.
AnswerVerdict JudgeAnswer(const SiteAnswer& tonight,
                          std::optional<double> usual_share,
                          const AnswerThresholds& thresholds);

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_SITE_ANSWER_H_
