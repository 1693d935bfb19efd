#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/time/civil_time.h"
#include "jobs/run/reports/run_result.h"

namespace trommel::jobs::run::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A night of which `kinds` have come to what is said of them.
RunResult MakeResult(
    const std::string& date,
    const std::vector<std::pair<std::string, summaries::AnySummary>>& kinds) {
  RunResult result;
  result.dates = {date};
  result.began = "2026-01-03T02:00:00Z";
  for (const auto& [kind, summary] : kinds) {
    scheduling::Stage& stage = result.graph.stages.emplace_back();
    stage.kind = kind;
    stage.date = date;
    scheduling::StageOutcome& outcome = result.outcomes.emplace_back();
    outcome.status = scheduling::StageStatus::kDone;
    outcome.summary = summary;
  }
  return result;
}

TEST(RunMetrics, OfANight) {
  summaries::Cluster cluster;
  cluster.pages = 70;
  summaries::Monitor check;  // of other rules
  check.rules.broken = 5;
  summaries::Extract extract;
  extract.records = 66;
  extract.rejects = {{"no_rule", 4}};
  const RunResult result =
      MakeResult("2026-01-02", {{"cluster", cluster},
                                {"check", check},
                                {"monitor", summaries::Monitor()},
                                {"extract", extract}});
  EXPECT_THAT(RunMetrics(result, 3),
              AllOf(HasSubstr("\ntrommel_pages 70\n"),
                    HasSubstr("\ntrommel_records 66\n"),
                    HasSubstr("\ntrommel_rejects{reason=\"no_rule\"} 4\n"),
                    HasSubstr("\ntrommel_rules 3\n"),
                    HasSubstr("\ntrommel_broken_rules 0\n"),
                    HasSubstr("\ntrommel_date_timestamp_seconds 1767312000\n"),
                    HasSubstr("\ntrommel_stages_failed 0\n")));
}

TEST(RunMetrics, LeavesOutWhatIsNotKnown) {
  RunResult result = MakeResult("2026-01-02", {{"crawl", {}}, {"extract", {}}});
  result.outcomes[0].status = scheduling::StageStatus::kFailed;
  result.outcomes[1].status = scheduling::StageStatus::kBlocked;
  const std::string metrics = RunMetrics(result, std::nullopt);
  for (const char* const unknown : {"pages", "records", "rules", "broken"}) {
    EXPECT_THAT(metrics, Not(HasSubstr(StrCat("trommel_", unknown))));
  }
  EXPECT_THAT(metrics, HasSubstr("\ntrommel_stages_failed 2\n"));
}

TEST(RunMetrics, KnowTheirDate) {
  const std::string metrics = RunMetrics(MakeResult("2026-01-02", {}), 0);
  const absl::TimeZone utc = absl::UTCTimeZone();
  const absl::Time now = absl::FromCivil(absl::CivilDay(2026, 1, 3), utc);
  EXPECT_TRUE(AreOfLaterDate(metrics, "2026-01-01", now));
  EXPECT_FALSE(AreOfLaterDate(metrics, "2026-01-02", now));
  EXPECT_FALSE(AreOfLaterDate(metrics, "2026-01-03", now));
  EXPECT_FALSE(AreOfLaterDate("", "2026-01-01", now));
  EXPECT_FALSE(AreOfLaterDate("trommel_pages 7\n", "2026-01-01", now));
  // Somebody ran a date of next year.
  const absl::Time before = absl::FromCivil(absl::CivilDay(2025, 1, 3), utc);
  EXPECT_FALSE(AreOfLaterDate(metrics, "2025-01-01", before));
}

}  // namespace
}  // namespace trommel::jobs::run::reports
