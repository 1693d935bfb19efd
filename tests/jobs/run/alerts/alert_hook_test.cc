#include "jobs/run/alerts/alert_hook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::alerts {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing_support::ReadWholeFile;
using testing_support::TempDir;

Alert MakeAlert() {
  Alert alert;
  alert.kind = "rule_broken";
  alert.site = "a.example";
  alert.message = "it \"broke\"\n";
  alert.numbers = {{"failed", 7}};
  return alert;
}

TEST(AlertHook, GetsJson) {
  TempDir temp;
  const absl::Status status =
      TellOfAlert("cat >got", temp.path(), MakeAlert(), 10, temp / "log");
  ASSERT_TRUE(status.ok()) << status;
  const auto got = nlohmann::ordered_json::parse(ReadWholeFile(temp / "got"));
  EXPECT_EQ(got["kind"], "rule_broken");
  EXPECT_EQ(got["message"], "it \"broke\"\n");
  EXPECT_EQ(got["numbers"]["failed"], 7);
}

TEST(AlertHook, FailureAndTimeOut) {
  TempDir temp;
  EXPECT_THAT(std::string(TellOfAlert("echo oh >&2; exit 7", "", MakeAlert(),
                                      10, temp / "log")
                              .message()),
              HasSubstr("exit code 7"));
  EXPECT_EQ(ReadWholeFile(temp / "log"), "oh\n");
  EXPECT_THAT(
      std::string(
          TellOfAlert("sleep 30", "", MakeAlert(), 1, temp / "log").message()),
      HasSubstr("longer than 1 s"));
}

TEST(Alerts, SameKindIsCutOff) {
  std::vector<Alert> alerts(50, MakeAlert());
  alerts.push_back({});
  LimitAlerts(&alerts);
  EXPECT_THAT(alerts, SizeIs(kMaxAlertsOfAKind + 1));
  EXPECT_THAT(alerts[kMaxAlertsOfAKind - 1].message,
              HasSubstr("and 30 more like this"));
}

}  // namespace
}  // namespace trommel::jobs::run::alerts
