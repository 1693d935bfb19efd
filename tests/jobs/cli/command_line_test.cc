#include "jobs/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/testing/run_trommel.h"

namespace trommel::jobs::cli {
namespace {

using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::RunTrommel;

struct UsageCase {
  std::string label;
  std::vector<std::string> arguments;
  std::string message;  // part of it
};

class WrongUsageTest : public testing::TestWithParam<UsageCase> {};

TEST_P(WrongUsageTest, ExitsWith2AndNamesTheProblem) {
  const CommandResult result = RunTrommel(GetParam().arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(GetParam().message));
  EXPECT_THAT(result.err, HasSubstr("--help"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, WrongUsageTest,
    testing::Values(
        UsageCase{"NoVerb", {}, "subcommand"},
        UsageCase{"UnknownShell", {"--completion=fish"}, "--completion"},
        UsageCase{"UnknownVerb", {"frobnicate"}, "frobnicate"},
        UsageCase{"UnknownFlag", {"dom", "x.html", "--colour=red"}, "--colour"},
        UsageCase{"MissingFlag", {"ingest", "--from=warc", "x.warc"}, "--out"},
        UsageCase{"MissingInput", {"dom"}, "PAGE"},
        UsageCase{"BadChoice",
                  {"ingest", "--from=tape", "--out=o", "x.warc"},
                  "--from"},
        UsageCase{
            "BadNumber", {"dom", "--max-depth=deep", "x.html"}, "--max-depth"},
        UsageCase{"NumberTooSmall",
                  {"dom", "--max-depth=1", "x.html"},
                  "--max-depth"},
        UsageCase{"UnknownCharset",
                  {"dom", "--charset=klingon", "x.html"},
                  "klingon"},
        UsageCase{"EmptyValue",
                  {"ingest", "--from=jsonl", "--force", "--out=", "in"},
                  "--out needs a value"},
        UsageCase{"SingleDash", {"dom", "-x.html"}, "./-x.html"},
        UsageCase{"NumberTooLarge",
                  {"dom", "--page-timeout=inf", "x.html"},
                  "--page-timeout"},
        UsageCase{"DirNeedsUrls",
                  {"ingest", "--from=dir", "--out=o", "d"},
                  "--url-prefix"},
        UsageCase{"UrlPrefixOnlyForDir",
                  {"ingest", "--from=warc", "--url-prefix=u", "--out=o", "d"},
                  "--url-prefix"}),
    [](const auto& info) { return info.param.label; });

TEST(CommandLine, HelpListsEveryVerb) {
  const CommandResult result = RunTrommel({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const auto& verb : AllVerbs()) {
    EXPECT_THAT(result.out, HasSubstr(std::string(verb->name())));
    EXPECT_THAT(result.out, HasSubstr(std::string(verb->summary())));
  }
}

TEST(CommandLine, DescribesItself) {
  const CommandResult page = RunTrommel({"--man"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_EQ(page.err, "");
  const CommandResult completion = RunTrommel({"--completion=bash"});
  EXPECT_EQ(completion.exit_code, 0);
  for (const auto& verb : AllVerbs()) {
    const std::string name(verb->name());
    EXPECT_THAT(page.out, HasSubstr(".SS trommel " + name + "\n"));
    EXPECT_THAT(completion.out, HasSubstr("\n    " + name + ") echo"));
  }
}

TEST(CommandLine, EveryVerbExplainsItselfWithAnExample) {
  for (const auto& verb : AllVerbs()) {
    SCOPED_TRACE(std::string(verb->name()));
    const CommandResult result =
        RunTrommel({std::string(verb->name()), "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("Example:"));
    EXPECT_THAT(result.out, HasSubstr(std::string(verb->example())));
    EXPECT_THAT(result.out, HasSubstr("--json"));
  }
}

TEST(CommandLine, VersionIsPrinted) {
  const CommandResult result = RunTrommel({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, testing::StartsWith("trommel 0."));
}

TEST(CommandLine, FailureExitsWith1AndNamesTheFile) {
  const CommandResult result = RunTrommel({"dom", "/nonexistent/page.html"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/page.html"));
}

}  // namespace
}  // namespace trommel::jobs::cli
