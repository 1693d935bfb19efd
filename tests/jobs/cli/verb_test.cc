#include "jobs/cli/verb.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace trommel::jobs::cli {
namespace {

class PressVerb final : public Verb {
 public:
  explicit PressVerb(std::string_view help) : Verb("press", help) {}
  void DefineFlags(Flags*) override {}
  absl::StatusOr<Report> Run() override { return Report(); }
};

TEST(Verb, TakesItsHelpApart) {
  const struct {
    const char* label;
    const char* help;
    const char* summary;
    const char* description;
    const char* example;
  } cases[] = {
      {"three parts", "press fruit\n\nWhat goes in.\n\nExample:\n  a b\n",
       "press fruit", "What goes in.", "a b"},
      {"several paragraphs and commands",
       "press fruit\n\nOne.\n\n  Two.\n\nExample:\n  a\n  b\n", "press fruit",
       "One.\n\n  Two.", "a\n  b"},
      {"a description that says Example: in a line",
       "press fruit\n\nSee\nExample:\n  x.\n\nExample:\n  a\n", "press fruit",
       "See\nExample:\n  x.", "a"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const PressVerb verb(c.help);
    EXPECT_EQ(verb.name(), "press");
    EXPECT_EQ(verb.summary(), c.summary);
    EXPECT_EQ(verb.description(), c.description);
    EXPECT_EQ(verb.example(), c.example);
  }
}

TEST(Report, IsAnEmptyObjectAndDoneUnlessAVerbSaysMore) {
  Report report;
  EXPECT_EQ(report.json->dump(), "{}");
  EXPECT_EQ(report.exit_code, ExitCode::kDone);
  (*report.json)["pages"] = 3;
  report.exit_code = ExitCode::kCheckFlagged;
  const Report moved = std::move(report);
  EXPECT_EQ(moved.json->dump(), R"({"pages":3})");
  EXPECT_EQ(moved.exit_code, ExitCode::kCheckFlagged);
}

}  // namespace
}  // namespace trommel::jobs::cli
