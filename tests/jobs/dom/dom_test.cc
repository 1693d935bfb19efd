#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/random.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::dom {
namespace {

using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

TEST(Dom, PrintsTheTreeIndented) {
  const TempDir dir;
  WriteWholeFile(dir / "p.html",
                 "<title>T</title><p class=a>One &amp; <b>two</b>");
  for (const char* parser : {"direct", "lexbor", "gumbo"}) {
    const CommandResult result =
        RunTrommel({"dom", dir / "p.html", std::string("--parser=") + parser});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out,
              "html\n"
              "  head\n"
              "    title\n"
              "      \"T\"\n"
              "  body\n"
              "    p class=\"a\"\n"
              "      \"One &\"\n"
              "      b\n"
              "        \"two\"\n");
  }
}

TEST(Dom, XmlIsWellFormedForAnyBytes) {
  constexpr uint64_t kSeed = 4;
  Random random(kSeed);
  const TempDir dir;
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << " round " << round);
    std::string bytes(2000, ' ');
    for (char& c : bytes) {
      c = random.Chance(0.2) ? "<>&\"'/=!- a"[random.Below(11)]
                             : static_cast<char>(random.Next());
    }
    WriteWholeFile(dir / "p.html", bytes);
    const CommandResult result = RunTrommel({"dom", "--xml", dir / "p.html"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    WriteWholeFile(dir / "p.xml", result.out);
    EXPECT_EQ(std::system(("xmllint --noout " + (dir / "p.xml")).c_str()), 0);
  }
}

TEST(Dom, CharsetFlagDecodes) {
  const TempDir dir;
  WriteWholeFile(dir / "p.html", "<p>\xE9");
  const CommandResult result =
      RunTrommel({"dom", "--charset=iso-8859-2", dir / "p.html"});
  EXPECT_THAT(result.out, HasSubstr("\"\xC3\xA9\""));
}

TEST(Dom, AnyFileNameIsAFileName) {
  const TempDir dir;
  for (const char* name : {"[x]", "[a,b]", "-x.html", "a b", "x=y"}) {
    SCOPED_TRACE(name);
    WriteWholeFile(dir / name, "<p>found");
    const CommandResult result = RunTrommel({"dom", dir / name});
    EXPECT_THAT(result.out, HasSubstr("found")) << result.err;
    // Relative names, where the brackets and the dash come first.
    const std::string before = std::filesystem::current_path();
    std::filesystem::current_path(dir.path());
    EXPECT_THAT(RunTrommel({"dom", "--", name}).out, HasSubstr("found"));
    std::filesystem::current_path(before);
  }
}

TEST(Dom, EndlessInputEndsAtTheLimit) {
  const CommandResult result = RunTrommel({"dom", "/dev/zero"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("too_large"));
}

TEST(Dom, PageOverALimitIsAnErrorThatNamesIt) {
  const TempDir dir;
  WriteWholeFile(dir / "p.html", std::string(100, 'x'));
  const CommandResult result =
      RunTrommel({"dom", "--max-page-bytes=99", dir / "p.html"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("too_large"));
}

TEST(Dom, JsonSummary) {
  const TempDir dir;
  WriteWholeFile(dir / "p.html", "<meta charset=koi8-r><p>x");
  const CommandResult result = RunTrommel({"dom", "--json", dir / "p.html"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["encoding"], "KOI8-R");
  EXPECT_EQ(json["nodes"], 7);
}

}  // namespace
}  // namespace trommel::jobs::dom
