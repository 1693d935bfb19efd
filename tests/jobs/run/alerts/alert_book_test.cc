#include "jobs/run/alerts/alert_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::alerts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

Alert AlertOf(const std::string& kind, const std::string& site) {
  Alert alert;
  alert.kind = kind;
  alert.site = site;
  alert.stage = "extract 2026-01-01";
  return alert;
}

// "kind site since first" of each.
std::vector<std::string> Lines(const std::vector<Alert>& alerts) {
  std::vector<std::string> lines;
  for (const Alert& alert : alerts) {
    lines.push_back(alert.kind + " " + alert.site + " since " + alert.first);
  }
  return lines;
}

class AlertBookTest : public testing::Test {
 protected:
  AlertBook::Night Close(const std::string& date, std::vector<Alert> raised) {
    AlertBook book =
        AlertBook::Read(file_, [this](std::string_view line) { log_ += line; });
    AlertBook::Night night = book.Close(
        date, std::move(raised),
        [this](const Alert& alert) { return alert.site != unknown_; });
    EXPECT_TRUE(book.Write().ok());
    return night;
  }

  TempDir temp_;
  const std::string file_ = temp_ / "open.json";
  std::string unknown_;  // a site of which the night can say nothing
  std::string log_;
};

TEST_F(AlertBookTest, LivesFromTheFirstNightToTheLast) {
  const Alert drop = AlertOf("fill_drop", "a");
  AlertBook::Night night = Close("2026-01-01", {drop});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop a since 2026-01-01"));
  EXPECT_THAT(night.resolved, IsEmpty());
  night = Close("2026-01-02", {drop, AlertOf("fill_drop", "b")});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop a since 2026-01-01",
                                             "fill_drop b since 2026-01-02"));
  night = Close("2026-01-03", {AlertOf("fill_drop", "b")});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop b since 2026-01-02"));
  EXPECT_THAT(Lines(night.resolved),
              ElementsAre("fill_drop a since 2026-01-01"));
  // It ends once.
  night = Close("2026-01-04", {AlertOf("fill_drop", "b")});
  EXPECT_THAT(night.resolved, IsEmpty());
  // When it comes up again it is news.
  night = Close("2026-01-05", {drop, AlertOf("fill_drop", "b")});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop a since 2026-01-05",
                                             "fill_drop b since 2026-01-02"));
}

TEST_F(AlertBookTest, NightThatIsRunAgain) {
  const Alert a = AlertOf("fill_drop", "a");
  const Alert b = AlertOf("fill_drop", "b");
  Close("2026-01-01", {a});
  for (int i = 0; i < 2; ++i) {
    const AlertBook::Night night = Close("2026-01-02", {b});
    EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop b since 2026-01-02"));
    EXPECT_THAT(Lines(night.resolved),
                ElementsAre("fill_drop a since 2026-01-01"));
  }
  // What was mended meanwhile has ended, for somebody was told of it; what is
  // back never ended.
  AlertBook::Night night = Close("2026-01-02", {a});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop a since 2026-01-01"));
  EXPECT_THAT(Lines(night.resolved),
              ElementsAre("fill_drop b since 2026-01-02"));
  night = Close("2026-01-02", {});
  EXPECT_THAT(night.open, IsEmpty());
  EXPECT_THAT(Lines(night.resolved),
              ElementsAre("fill_drop a since 2026-01-01",
                          "fill_drop b since 2026-01-02"));
}

TEST_F(AlertBookTest, PartOfANightEndsNothing) {
  Close("2026-01-01", {AlertOf("fill_drop", "a")});
  unknown_ = "a";  // its stage was not asked
  EXPECT_THAT(Lines(Close("2026-01-01", {}).open),
              ElementsAre("fill_drop a since 2026-01-01"));
  unknown_.clear();
  EXPECT_THAT(Lines(Close("2026-01-02", {AlertOf("fill_drop", "a")}).open),
              ElementsAre("fill_drop a since 2026-01-01"));
}

TEST_F(AlertBookTest, NightBeforeTheLatestIsHistory) {
  Close("2026-01-02", {AlertOf("fill_drop", "a")});
  const AlertBook::Night night =
      Close("2026-01-01", {AlertOf("fill_drop", "b")});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop b since 2026-01-01"));
  EXPECT_THAT(night.resolved, IsEmpty());
  EXPECT_THAT(Lines(Close("2026-01-03", {AlertOf("fill_drop", "a")}).open),
              ElementsAre("fill_drop a since 2026-01-02"));
}

TEST_F(AlertBookTest, WhatNothingIsKnownOfStaysOpen) {
  Close("2026-01-01", {AlertOf("fill_drop", "a"), AlertOf("fill_drop", "b")});
  unknown_ = "a";
  const AlertBook::Night night = Close("2026-01-02", {});
  EXPECT_THAT(Lines(night.open), ElementsAre("fill_drop a since 2026-01-01"));
  EXPECT_THAT(Lines(night.resolved),
              ElementsAre("fill_drop b since 2026-01-01"));
}

TEST_F(AlertBookTest, NewsOfOneNightHasNoEnd) {
  AlertBook::Night night = Close("2026-01-01", {AlertOf("rule_restored", "a")});
  EXPECT_THAT(Lines(night.open),
              ElementsAre("rule_restored a since 2026-01-01"));
  night = Close("2026-01-02", {});
  EXPECT_THAT(night.open, IsEmpty());
  EXPECT_THAT(night.resolved, IsEmpty());
}

TEST_F(AlertBookTest, FileThatCannotBeRead) {
  WriteWholeFile(file_, "{]");
  EXPECT_THAT(Lines(Close("2026-01-01", {AlertOf("fill_drop", "a")}).open),
              ElementsAre("fill_drop a since 2026-01-01"));
  EXPECT_THAT(log_, HasSubstr("begun anew"));
  EXPECT_TRUE(std::filesystem::exists(file_ + ".unreadable"));
}

TEST(AlertKey, SaysWhatItIsAbout) {
  Alert alert = AlertOf("fill_drop", "a.example");
  alert.attribute = "price";
  EXPECT_EQ(alert.Key(), "fill_drop/a.example/price");
  alert = AlertOf("stage_failed", "");
  alert.stage = "learn movie 2026-01-31";
  EXPECT_EQ(alert.Key(), "stage_failed/learn movie");
}

TEST(AlertSeverity, UsualForItsKindOrItsOwn) {
  Alert alert = AlertOf("records_drop", "a");
  EXPECT_EQ(SeverityOf(alert), Severity::kCritical);
  alert.severity = "info";
  EXPECT_EQ(SeverityOf(alert), Severity::kInfo);
  EXPECT_EQ(SeverityOf(AlertOf("needs_annotation", "a")), Severity::kWarning);
  for (const std::string& name : SeverityNames()) {
    EXPECT_EQ(SeverityName(*ParseSeverity(name)), name);
  }
  EXPECT_FALSE(ParseSeverity("bad").ok());
}

}  // namespace
}  // namespace trommel::jobs::run::alerts
