#include "jobs/run/reports/close_nights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::reports {
namespace {

using alerts::Alert;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::TempDir;

class CloseNightsTest : public testing::Test {
 protected:
  // Adds a stage of the night that raised these alerts, by kind and site.
  void Add(const std::string& kind,
           const std::vector<std::pair<std::string, std::string>>& raised,
           scheduling::StageStatus status = scheduling::StageStatus::kDone,
           summaries::AnySummary summary = {}) {
    scheduling::Stage& stage = result_.graph.stages.emplace_back();
    stage.kind = kind;
    stage.date = date_;
    scheduling::StageOutcome& outcome = result_.outcomes.emplace_back();
    outcome.status = status;
    outcome.summary = std::move(summary);
    for (const auto& [alert_kind, site] : raised) {
      Alert& alert = outcome.alerts.emplace_back();
      alert.kind = alert_kind;
      alert.site = site;
      alert.date = date_;
      alert.stage = stage.Name();
    }
  }
  // Adds reuse that repaired all pages of a site but for a share.
  void AddReuse(const std::string& site, double to_annotate) {
    summaries::Reuse summary;
    summaries::Reuse::Site& figures = summary.sites.emplace_back();
    figures.site = site;
    figures.pages = 100;
    figures.repaired = 1 - to_annotate;
    figures.to_annotate = to_annotate;
    Add("reuse", {}, scheduling::StageStatus::kDone, std::move(summary));
  }

  // Closes the night; "kind site severity" of what is open.
  std::vector<std::string> Close() {
    result_.dates = {date_};
    alerts::AlertBook book =
        alerts::AlertBook::Read(temp_ / "book", [](std::string_view) {});
    CloseNights(&book, &result_);
    EXPECT_TRUE(book.Write().ok());
    std::vector<std::string> lines;
    for (const Alert& alert : result_.open_alerts) {
      lines.push_back(StrCat(alert.kind, " ", alert.site, " ",
                             alerts::SeverityName(alerts::SeverityOf(alert))));
    }
    return lines;
  }
  void NextNight(const std::string& date) {
    result_ = {};
    date_ = date;
  }

  TempDir temp_;
  std::string date_ = "2026-01-01";
  RunResult result_;
};

TEST_F(CloseNightsTest, RepairedSiteIsOneLine) {
  Add("monitor", {{"site_changed", "a"}, {"rule_broken", "a"}});
  Add("coverage", {{"coverage_drop", "a"}});
  AddReuse("a", 0);
  EXPECT_THAT(Close(), ElementsAre("site_changed a info"));
  EXPECT_THAT(result_.open_alerts[0].message,
              HasSubstr("its rules were repaired, and it delivers as before"));
}

TEST_F(CloseNightsTest, SiteThatIsNotRepairedStaysBroken) {
  Add("monitor", {{"site_changed", "a"}, {"rule_broken", "a"}});
  AddReuse("a", 0.5);
  Add("compare", {{"records_drop", "a"}});
  EXPECT_THAT(Close(),
              ElementsAre("records_drop a critical", "site_changed a warning",
                          "rule_broken a warning"));
}

TEST_F(CloseNightsTest, RepairThatDoesNotDeliverIsNone) {
  Add("monitor", {{"site_changed", "a"}});
  AddReuse("a", 0);
  Add("compare", {{"fill_drop", "a"}});
  EXPECT_THAT(Close(),
              ElementsAre("fill_drop a critical", "site_changed a warning"));
}

TEST_F(CloseNightsTest, OldDesignThatIsBackIsOneLine) {
  Add("monitor", {{"site_changed", "a"}, {"rule_broken", "a"}});
  Add("publish", {{"rule_restored", "a"}});
  EXPECT_THAT(Close(), ElementsAre("rule_restored a info"));
}

TEST_F(CloseNightsTest, NothingElseIsSaidOfAWall) {
  Add("monitor", {{"site_changed", "a"}, {"rule_broken", "b"}});
  Add("compare", {{"site_blocked", "a"}});
  EXPECT_THAT(Close(),
              ElementsAre("site_blocked a critical", "rule_broken b warning"));
}

TEST_F(CloseNightsTest, WhatAFailedStageWouldSayStaysOpen) {
  Add("compare", {{"fill_drop", "a"}});
  Add("monitor", {{"rule_broken", "b"}});
  Close();
  NextNight("2026-01-02");
  Add("compare", {}, scheduling::StageStatus::kBlocked);
  Add("monitor", {});
  EXPECT_THAT(Close(), ElementsAre("fill_drop a critical"));
  ASSERT_EQ(result_.resolved_alerts.size(), 1u);
  EXPECT_EQ(result_.resolved_alerts[0].kind, "rule_broken");
  EXPECT_EQ(result_.resolved_alerts[0].resolved, "2026-01-02");
  NextNight("2026-01-03");
  Add("compare", {}, scheduling::StageStatus::kUnchanged);
  EXPECT_THAT(Close(), IsEmpty());
  ASSERT_EQ(result_.resolved_alerts.size(), 1u);
  EXPECT_EQ(result_.resolved_alerts[0].kind, "fill_drop");
}

}  // namespace
}  // namespace trommel::jobs::run::reports
