#include "core/monitor/site_answer.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace trommel::monitor {
namespace {

TEST(SiteAnswerTest, Verdicts) {
  struct Case {
    const char* label;
    int64_t pages;
    std::optional<int64_t> alike;
    std::string text;
    std::optional<double> usual_share;
    std::string reason;  // empty: not blocked
  };
  const Case kCases[] = {
      {"a wall", 200, 190, "Please verify you are human", std::nullopt,
       "190 of 200 pages say the same: \"Please verify you are human\""},
      {"a wall on a site that never had one", 200, 190, "Wait", 0.0,
       "190 of 200 pages say the same: \"Wait\""},
      {"empty pages", 200, 200, "", std::nullopt,
       "200 of 200 pages say nothing of their own"},
      {"half", 10, 5, "Wait", std::nullopt,
       "5 of 10 pages say the same: \"Wait\""},
      {"less than half", 10, 4, "Wait", std::nullopt, ""},
      {"none", 10, 0, "", std::nullopt, ""},
      {"no pages", 0, 0, "", std::nullopt, ""},
      {"too few pages", 2, 2, "Wait", std::nullopt, ""},
      {"three pages", 3, 3, "Wait", std::nullopt,
       "3 of 3 pages say the same: \"Wait\""},
      {"nobody has looked", 200, std::nullopt, "", std::nullopt, ""},
      {"as usual", 200, 120, "Wait", 0.6, ""},
      {"a little more than usual", 200, 150, "Wait", 0.6, ""},
      {"half of the others too", 200, 160, "Wait", 0.6,
       "160 of 200 pages say the same: \"Wait\" (on good days 60% do)"},
      {"all, usually nine in ten", 200, 200, "Wait", 0.9,
       "200 of 200 pages say the same: \"Wait\" (on good days 90% do)"},
      {"all of a few pages, usually nine in ten", 20, 20, "Wait", 0.9, ""},
      {"all, as always", 200, 200, "Wait", 1.0, ""},
      {"less than usual", 200, 100, "Wait", 0.9, ""},
      {"a share that is none", 200, 190, "Wait", -3.0,
       "190 of 200 pages say the same: \"Wait\""},
  };
  for (const Case& c : kCases) {
    const AnswerVerdict verdict =
        JudgeAnswer({c.pages, c.alike, c.text}, c.usual_share, {});
    EXPECT_EQ(verdict.is_blocked, !c.reason.empty()) << c.label;
    EXPECT_EQ(verdict.reason, c.reason) << c.label;
  }
}

TEST(SiteAnswerTest, Thresholds) {
  const SiteAnswer answer = {10, 8, ""};
  EXPECT_TRUE(JudgeAnswer(answer, std::nullopt, {.share = 0.8}).is_blocked);
  EXPECT_FALSE(JudgeAnswer(answer, std::nullopt, {.share = 0.9}).is_blocked);
  EXPECT_FALSE(JudgeAnswer(answer, std::nullopt, {.min_pages = 11}).is_blocked);
  EXPECT_TRUE(JudgeAnswer(answer, 0.5, {.deviations = 1}).is_blocked);
  EXPECT_FALSE(JudgeAnswer(answer, 0.5, {.deviations = 3}).is_blocked);
}

}  // namespace
}  // namespace trommel::monitor
