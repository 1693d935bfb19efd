#include "jobs/cli/path_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/strings.h"
#include "jobs/registry.h"
#include "mapreduce/io/output_dir.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::cli {
namespace {

using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

bool IsText(const Flag& flag) {
  return !std::holds_alternative<int64_t*>(flag.value) &&
         !std::holds_alternative<double*>(flag.value) &&
         !std::holds_alternative<bool*>(flag.value);
}

bool IsPath(const Flag& flag) {
  return flag.path_use != PathUse::kUndeclared &&
         flag.path_use != PathUse::kNone;
}

std::string ArgumentFor(const Flag& flag, const std::string& path) {
  const std::string value = flag.is_after_name ? StrCat("name=", path) : path;
  return flag.is_positional ? value : StrCat("--", flag.name, "=", value);
}

// A call of the verb with this argument and what it cannot do without, whose
// `choice` is taken of flags that have them.
std::vector<std::string> CallWith(const Verb& verb, const Flags& flags,
                                  const Flag& flag, const std::string& path,
                                  size_t choice) {
  std::vector<std::string> call = {std::string(verb.name())};
  for (const Flag& other : flags.all()) {
    if (&other == &flag) {
      call.push_back(ArgumentFor(flag, path));
    } else if (other.is_required && other.choices.empty()) {
      call.push_back(ArgumentFor(other, "elsewhere"));
    } else if (other.is_required) {
      call.push_back(ArgumentFor(other, other.choices[choice]));
    }
  }
  return call;
}

size_t NumChoices(const Flags& flags) {
  size_t count = 1;
  for (const Flag& flag : flags.all()) {
    if (flag.is_required) count = std::max(count, flag.choices.size());
  }
  return count;
}

// Whoever adds a flag says whether it is a path: that is what the checks of
// all verbs go by.
TEST(PathFlags, EveryTextOfEveryVerbIsDeclared) {
  for (const std::unique_ptr<Verb>& verb : AllVerbs()) {
    Flags flags;
    verb->DefineFlags(&flags);
    bool has_output = false;
    bool has_force = false;
    for (const Flag& flag : flags.all()) {
      SCOPED_TRACE(StrCat(verb->name(), " ", flag.name));
      if (IsText(flag) && flag.choices.empty()) {
        EXPECT_NE(flag.path_use, PathUse::kUndeclared)
            << "is it .Input(), .Output(), .InPlace() or .NotAPath()?";
      } else {
        EXPECT_EQ(flag.path_use, PathUse::kUndeclared);
      }
      has_output = has_output || flag.path_use == PathUse::kOutput;
      has_force = has_force || flag.name == "force";
    }
    EXPECT_EQ(has_output, has_force) << verb->name();
  }
}

// A finished output as earlier versions wrote it: nothing but the check of
// paths stands between --force and what is inside.
class KeptInputsTest : public testing::Test {
 protected:
  KeptInputsTest() : out_(temp_ / "out") {
    io::Manifest manifest;
    manifest.verb = "test";
    WriteWholeFile(out_ + "/_SUCCESS", manifest.ToJson());
    WriteWholeFile(out_ + "/inside/file", "precious");
    std::filesystem::create_directory_symlink(out_ + "/inside", temp_ / "link");
    WriteWholeFile(temp_ / "folder/other", "x");
    std::filesystem::create_symlink(out_ + "/inside/file",
                                    temp_ / "folder/linked");
    std::filesystem::create_directory(temp_ / ".out.replaced");
  }
  void ExpectRefused(const std::vector<std::string>& call,
                     const std::string& input) {
    std::vector<std::string> arguments = call;
    for (std::string& argument : arguments) {
      if (argument == "--out=elsewhere") argument = StrCat("--out=", out_);
    }
    if (arguments == call) arguments.push_back(StrCat("--out=", out_));
    arguments.push_back("--force");
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(input));
    EXPECT_THAT(result.err, HasSubstr(StrCat("--out=", out_, ", which")));
    EXPECT_THAT(result.err, HasSubstr("; write the output elsewhere"));
    EXPECT_EQ(ReadWholeFile(out_ + "/inside/file"), "precious");
  }

  TempDir temp_;
  const std::string out_;
};

TEST_F(KeptInputsTest, NoInputOfAnyVerbIsReplaced) {
  const std::vector<std::string> places = {
      out_,
      out_ + "/",
      out_ + "/inside",
      out_ + "/inside/file",
      "file://" + out_ + "/inside/file",
      temp_ / "nowhere/../out/./inside/file",
      temp_ / "link",
      temp_ / "link/file",
      temp_ / "folder",
      temp_ / ".out.replaced"};
  int num_flags = 0;
  for (const std::unique_ptr<Verb>& verb : AllVerbs()) {
    Flags flags;
    verb->DefineFlags(&flags);
    bool has_output = false;
    for (const Flag& flag : flags.all()) {
      has_output = has_output || flag.path_use == PathUse::kOutput;
    }
    for (const Flag& flag : flags.all()) {
      if (!has_output || !IsPath(flag) || flag.path_use == PathUse::kOutput) {
        continue;
      }
      ++num_flags;
      for (const std::string& place : places) {
        for (size_t choice = 0; choice < NumChoices(flags); ++choice) {
          SCOPED_TRACE(StrCat(verb->name(), " ", flag.name, " ", place));
          ExpectRefused(CallWith(*verb, flags, flag, place, choice),
                        StrCat(flag.name, flag.is_positional ? " " : "=",
                               flag.is_after_name ? "name=" : "", place));
        }
      }
    }
  }
  EXPECT_GT(num_flags, 40);
}

TEST(PathFlags, NoVerbTakesAFileSystemThatIsNotSupported) {
  for (const std::unique_ptr<Verb>& verb : AllVerbs()) {
    Flags flags;
    verb->DefineFlags(&flags);
    for (const Flag& flag : flags.all()) {
      if (!IsPath(flag)) continue;
      for (const char* const uri : {"gs://bucket/x", "abfs://c@a.net/x"}) {
        SCOPED_TRACE(StrCat(verb->name(), " ", flag.name, " ", uri));
        const CommandResult result =
            RunTrommel(CallWith(*verb, flags, flag, uri, 0));
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.err, HasSubstr(StrCat(flag.name, ": ", uri, ": ")));
        EXPECT_THAT(result.err, HasSubstr("is not supported; a path is one "
                                          "of this machine or a file:"));
      }
    }
  }
}

struct Command {
  std::string input;
  std::string output;
  FolderReading reading = FolderReading::kAll;

  absl::Status Check() {
    Flags flags;
    flags.Text("in", &input, "").Input(reading);
    flags.Text("out", &output, "").Output();
    return CheckPaths(flags);
  }
};

TEST(CheckPaths, SaysHowTheTwoMeet) {
  struct Case {
    const char* label;
    Command command;
    const char* message;  // empty: fine
  };
  const Case cases[] = {
      {"apart", {"/a/in", "/a/out"}, ""},
      {"the same beginning", {"/a/out2", "/a/out"}, ""},
      {"no output", {"/a/in", ""}, ""},
      {"the same",
       {"/a/b/../out", "/a/out/"},
       "--in=/a/b/../out is the same place as --out=/a/out/, which is "
       "replaced as a whole; write the output elsewhere"},
      {"inside",
       {"/a/out/x", "/a/out"},
       "--in=/a/out/x lies inside --out=/a/out, which is replaced as a whole; "
       "write the output elsewhere"},
      {"around",
       {"/a", "/a/out"},
       "--out=/a/out lies inside --in=/a, as a part of which it would be "
       "read; write the output elsewhere"},
      {"around, but only some names are read",
       {"/a", "/a/out", FolderReading::kByName},
       ""},
      {"left by a run",
       {"/a/.out.replaced/x", "/a/out"},
       "--in=/a/.out.replaced/x is what an interrupted run left beside "
       "--out=/a/out, which cleans it up; write the output elsewhere"},
      {"on a cluster",
       {"hdfs://h:8020/out/x", "hdfs://h/out"},
       "--in=hdfs://h:8020/out/x lies inside --out=hdfs://h/out, which is "
       "replaced as a whole; write the output elsewhere"},
      {"on a cluster and here", {"hdfs://h/out/x", "/out"}, ""},
      {"unknown",
       {"/a", "s3://b/x"},
       "--out: s3://b/x: s3:// is not supported; a path is one of this "
       "machine or a file:, hdfs: or viewfs: URI"},
  };
  for (Case c : cases) {
    EXPECT_EQ(c.command.Check().message(), c.message) << c.label;
  }
}

TEST(CheckPaths, NamesTheLink) {
  const TempDir dir;
  WriteWholeFile(dir / "out/x", "x");
  std::filesystem::create_directory(dir / "in");
  std::filesystem::create_symlink("../out/x", dir / "in/y");
  Command command = {dir / "in", dir / "out"};
  EXPECT_EQ(command.Check().message(),
            StrCat("--in=", dir / "in", " has the link ", dir / "in/y",
                   " to --out=", dir / "out",
                   ", which is replaced as a whole; write the output "
                   "elsewhere"));
  std::filesystem::remove_all(dir / "out");
  EXPECT_TRUE(command.Check().ok());
}

TEST(GivenPaths, TakesNamesAway) {
  std::vector<std::string> named = {"a=/x", "/y", "b="};
  std::vector<std::string> positional = {"/z"};
  std::string other = "/no";
  Flags flags;
  flags.Texts("named", &named, "").Input().AfterName();
  flags.Positional("FILE", &positional, "").Input();
  flags.Text("other", &other, "").NotAPath();
  std::vector<std::string> seen;
  for (const GivenPath& given : GivenPaths(flags)) {
    seen.push_back(StrCat(given.argument, " is ", given.path));
  }
  EXPECT_THAT(seen, testing::ElementsAre("--named=a=/x is /x",
                                         "--named=/y is /y", "FILE /z is /z"));
}

}  // namespace
}  // namespace trommel::jobs::cli
