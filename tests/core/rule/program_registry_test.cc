#include "core/rule/program_registry.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/strings.h"

namespace trommel::rule {
namespace {

proto::Rule RuleOf(const std::string& program) {
  proto::Rule rule;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      StrCat("cluster_id: 'c1' schema { attribute { name: 'title' } } ",
             program),
      &rule));
  return rule;
}

// A kind whose programs never compile and say what they were given.
ProgramKind Failing(const std::string& name, const std::string& message) {
  return {name,
          [=](const proto::Rule& rule)
              -> absl::StatusOr<std::unique_ptr<PageExtractor>> {
            return absl::DataLossError(
                StrCat(message, rule.program().other().content()));
          }};
}

TEST(CompileRule, AsksTheKindAndNamesTheCluster) {
  RegisterProgramKind(Failing("a", "a: "));
  RegisterProgramKind(Failing("b", "first b: "));
  RegisterProgramKind(Failing("b", "second b: "));
  const struct {
    const char* label;
    const char* program;
    absl::Status status;
  } cases[] = {
      {"fields", "program { fields {} }", absl::OkStatus()},
      {"no program", "",
       absl::InvalidArgumentError("rule of cluster c1: it has no program")},
      {"registered", "program { other { kind: 'a' content: 'x' } }",
       absl::DataLossError("rule of cluster c1: a: x")},
      {"registered twice", "program { other { kind: 'b' content: 'y' } }",
       absl::DataLossError("rule of cluster c1: second b: y")},
      {"unknown", "program { other { kind: 'c' } }",
       absl::InvalidArgumentError(
           "rule of cluster c1: its program is of the kind \"c\", which this "
           "program does not know")},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(CompileRule(RuleOf(c.program)).status(), c.status) << c.label;
  }
}

}  // namespace
}  // namespace trommel::rule
