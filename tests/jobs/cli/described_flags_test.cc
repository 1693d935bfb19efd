#include "jobs/cli/described_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jobs/cli/completion.h"
#include "jobs/cli/man_page.h"

namespace trommel::jobs::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A verb with a flag of each kind.
class PressVerb final : public Verb {
 public:
  explicit PressVerb(std::string_view name)
      : Verb(name,
             "press apples\n\n.juice goes\n'here' and C:\\there\n\n"
             "Example:\n  trommel press --dry\n") {}
  void DefineFlags(Flags* flags) override {
    flags->Text("out", &out_, "where to").Required();
    flags->Texts("from", &from_, "which tree");
    flags->Integer("apples", &apples_, "how many");
    flags->Number("share", &share_, "of each");
    flags->Bool("dry", &dry_, "only say so");
    flags->Bool("wash", &wash_, "before");
    flags->Choice("press", &press_, {"screw", "water"}, "what with");
    flags->Positional("BASKET", &baskets_, "what is in");
    if (name() == "press") flags->Text("alone", &out_, "of one verb");
  }
  absl::StatusOr<Report> Run() override { return Report(); }

 private:
  std::string out_;
  std::vector<std::string> from_ = {"old", "young"};
  int64_t apples_ = 12;
  double share_ = 0.5;
  bool dry_ = false;
  bool wash_ = true;
  std::string press_ = "screw";
  std::vector<std::string> baskets_;
};

std::vector<VerbDescription> ThreeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const char* const name : {"press", "squeeze", "crush"}) {
    verbs.push_back(std::make_unique<PressVerb>(name));
  }
  return DescribeVerbs(verbs);
}

TEST(DescribeVerbs, KeepsWhatAVerbDefines) {
  const std::vector<VerbDescription> verbs = ThreeVerbs();
  ASSERT_EQ(verbs.size(), 3u);
  EXPECT_EQ(verbs[1].name, "squeeze");
  EXPECT_THAT(
      verbs[1].flags,
      ElementsAre(
          FlagDescription{"out", "where to", "TEXT", "", {}, true},
          FlagDescription{
              "from", "which tree", "TEXT", "old, young", {}, false, true},
          FlagDescription{"apples", "how many", "N", "12"},
          FlagDescription{"share", "of each", "NUMBER", "0.5"},
          FlagDescription{"dry", "only say so", "", ""},
          FlagDescription{"wash", "before", "", "true"},
          FlagDescription{
              "press", "what with", "TEXT", "screw", {"screw", "water"}},
          FlagDescription{
              "BASKET", "what is in", "", "", {}, false, true, true},
          FlagDescription{"verify",
                          "read input files that have a manifest twice, to "
                          "compare their digests",
                          "", ""},
          FlagDescription{"json",
                          "print one JSON summary object on standard output",
                          "", ""}));
}

TEST(SharedFlags, AreThoseThatThreeVerbsDefineAlike) {
  std::vector<VerbDescription> verbs = ThreeVerbs();
  EXPECT_EQ(SharedFlags(verbs).size(), 10u);
  // Another default is another flag.
  verbs[2].flags[2].default_value = "13";
  const std::vector<FlagDescription> shared = SharedFlags(verbs);
  ASSERT_EQ(shared.size(), 9u);
  EXPECT_EQ(shared[0].name, "out");
  EXPECT_EQ(shared[2].name, "share");
  verbs.pop_back();
  EXPECT_EQ(SharedFlags(verbs).size(), 0u);
}

TEST(ManPage, TextStaysText) {
  const std::string page = ManPage("1.2", "About it.", ThreeVerbs());
  EXPECT_THAT(page, HasSubstr(".TH TROMMEL 1 \"\" \"trommel 1.2\""));
  EXPECT_THAT(page, HasSubstr("\n\\&.juice goes\n\\&\\(aqhere\\(aq and C:\\e"
                              "there\n"));
  EXPECT_THAT(page, HasSubstr("trommel press \\-\\-dry"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-press=\\fIscrew|\\:water\\fR"));
  EXPECT_THAT(page, HasSubstr("how many [12]"));
  EXPECT_THAT(page, HasSubstr("(on; \\-\\-wash=false turns it off)"));
}

TEST(ManPage, SaysSharedFlagsOnce) {
  const std::string page = ManPage("1.2", "About it.", ThreeVerbs());
  const size_t first = page.find("how many");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("how many", first + 1), std::string::npos);
  EXPECT_GT(first, page.find("of one verb"));
}

TEST(ZshCompletion, KnowsVerbsFlagsChoicesAndWhatTheyAreFor) {
  const std::string script = ZshCompletion(ThreeVerbs());
  EXPECT_EQ(script.rfind("#compdef trommel\n", 0), 0u);
  EXPECT_THAT(script, HasSubstr("\n    'squeeze:"));
  EXPECT_THAT(script,
              HasSubstr("\n_trommel_verb_crush() {\n  _arguments \\\n"));
  EXPECT_THAT(script, HasSubstr("'--apples=[how many]:N: '"));
  EXPECT_THAT(script, HasSubstr("]:TEXT:(screw water)'"));
  EXPECT_THAT(script, HasSubstr("'*:BASKET:_files'"));
  EXPECT_THAT(script, HasSubstr("'--json["));
}

TEST(ZshCompletion, TextStaysText) {
  VerbDescription verb;
  verb.name = "press";
  verb.summary = "it's: so";
  verb.flags.push_back({"out", "a [b]: 'c' \\d", "TEXT", ""});
  const std::string script = ZshCompletion({verb});
  EXPECT_THAT(script, HasSubstr("'press:it'\\''s: so'"));
  EXPECT_THAT(script, HasSubstr("'--out=[a \\[b\\]\\: '\\''c'\\'' \\\\d]:TEXT:"
                                "_files'"));
}

TEST(BashCompletion, KnowsVerbsFlagsAndChoices) {
  const std::string script = BashCompletion(ThreeVerbs());
  EXPECT_THAT(script, HasSubstr("echo \"press squeeze crush\""));
  EXPECT_THAT(script,
              HasSubstr("squeeze) echo \"--help --out= --from= --apples= "
                        "--share= --dry --wash --press= --verify --json\""));
  EXPECT_THAT(script, HasSubstr("\"crush --press\") echo \"screw water\""));
  EXPECT_THAT(script, Not(HasSubstr("BASKET")));
}

}  // namespace
}  // namespace trommel::jobs::cli
