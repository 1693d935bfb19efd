#include "jobs/run/alerts/alert_outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_split.h"
#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::alerts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::ReadWholeFile;
using testing_support::TempDir;

Alert MakeAlert(const std::string& stage, const std::string& message) {
  Alert alert;
  alert.kind = "stage_failed";
  alert.date = "2026-01-01";
  alert.stage = stage;
  alert.message = message;
  return alert;
}

class AlertOutboxTest : public testing::Test {
 protected:
  // As a run opens it. The command fails as long as there is a file "down".
  AlertOutbox Open(const std::string& today = "2026-01-02") {
    AlertOutbox::Options options;
    options.command = "test ! -e down && cat >>mail";
    options.folder = temp_.path();
    options.file = temp_ / "alerts.json";
    options.command_log = temp_ / "log";
    options.log = [this](std::string_view line) { StrAppend(&log_, line); };
    options.today = today;
    return AlertOutbox(options);
  }
  void BreakMail() { std::ofstream(temp_ / "down") << "x"; }
  void MendMail() { std::filesystem::remove(temp_ / "down"); }

  // The messages that arrived, in order.
  std::vector<std::string> Mail() const {
    std::vector<std::string> messages;
    if (!std::filesystem::exists(temp_ / "mail")) return messages;
    for (const std::string& line : std::vector<std::string>(absl::StrSplit(
             ReadWholeFile(temp_ / "mail"), '\n', absl::SkipEmpty()))) {
      messages.push_back(nlohmann::json::parse(line)["message"]);
    }
    return messages;
  }

  TempDir temp_;
  std::string log_;
};

TEST_F(AlertOutboxTest, TellsOfTheSameOnce) {
  for (int run = 0; run < 3; ++run) {
    AlertOutbox outbox = Open();
    outbox.SendUndelivered();
    outbox.Send(MakeAlert("learn", "a"));
    outbox.Send(MakeAlert("extract", "a"));
  }
  EXPECT_THAT(Mail(), ElementsAre("a", "a"));
  Open().Send(MakeAlert("learn", "b"));
  EXPECT_THAT(Mail(), ElementsAre("a", "a", "b"));
}

TEST_F(AlertOutboxTest, TriesAgainWhatDidNotArrive) {
  BreakMail();
  AlertOutbox outbox = Open();
  outbox.Send(MakeAlert("learn", "a"));
  outbox.Send(MakeAlert("learn", "b"));
  outbox.Send(MakeAlert("learn", "a"));
  log_.clear();
  outbox.LogUndelivered();
  EXPECT_THAT(log_, HasSubstr("2 alerts could not be delivered by on_alert; "
                              "the next run tries again"));
  Open().SendUndelivered();
  EXPECT_THAT(Mail(), IsEmpty());
  MendMail();
  Open().SendUndelivered();
  EXPECT_THAT(Mail(), ElementsAre("b", "a"));
  log_.clear();
  AlertOutbox later = Open();
  later.SendUndelivered();
  later.Send(MakeAlert("learn", "a"));
  later.LogUndelivered();
  EXPECT_THAT(Mail(), ElementsAre("b", "a"));
  EXPECT_EQ(log_, "");
}

TEST_F(AlertOutboxTest, WhatCameBackIsNews) {
  Open().Send(MakeAlert("learn", "a"));
  Open().Send(MakeAlert("extract", "a"));
  Open().KeepOnly("learn", {MakeAlert("learn", "a")});
  Open().Send(MakeAlert("learn", "a"));
  EXPECT_THAT(Mail(), ElementsAre("a", "a"));
  Open().KeepOnly("learn", {});
  Open().Send(MakeAlert("extract", "a"));
  Open().Send(MakeAlert("learn", "a"));
  EXPECT_THAT(Mail(), ElementsAre("a", "a", "a"));
}

TEST_F(AlertOutboxTest, ForgetsAfterAMonth) {
  Open("2026-01-02").Send(MakeAlert("learn", "a"));
  Open("2026-02-01").Send(MakeAlert("learn", "a"));  // last raised
  Open("2026-03-03").Send(MakeAlert("learn", "a"));
  EXPECT_THAT(Mail(), ElementsAre("a"));
  Open("2026-04-05").Send(MakeAlert("learn", "a"));
  EXPECT_THAT(Mail(), ElementsAre("a", "a"));
}

TEST_F(AlertOutboxTest, FileThatIsNone) {
  std::ofstream(temp_ / "alerts.json") << "{\"delivered\":[1,{}],";
  Open().Send(MakeAlert("learn", "a"));
  EXPECT_THAT(log_, HasSubstr("alerts.json cannot be read"));
  EXPECT_THAT(Mail(), ElementsAre("a"));
}

}  // namespace
}  // namespace trommel::jobs::run::alerts
