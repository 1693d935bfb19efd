#include "core/xpath/ast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/xpath/matcher.h"

namespace trommel::xpath {
namespace {

using ::testing::HasSubstr;

Expr Nested(int levels) {
  Expr expr = HasAttribute("a");
  for (int i = 1; i < levels; ++i) expr = Not(std::move(expr));
  return expr;
}

TEST(ValidateTest, SaysWhatIsWrong) {
  Expr no_operands;
  no_operands.kind = ExprKind::kNot;
  struct Case {
    LocationPath path;
    std::string_view message;
  };
  const Case kCases[] = {
      {LocationPath{}, "without steps"},
      {Anywhere({ChildStep("")}), "an empty name"},
      {Anywhere({ChildStep("\xFF")}), "not UTF-8"},
      {Anywhere({AttributeStep("a"), ChildStep("b")}), "last of its path"},
      {Anywhere({MakeStep(Axis::kAttribute, NodeTest::kText)}), "name or *"},
      {Anywhere({MakeStep(Axis::kAttribute, "a", {AtPosition(1)})}),
       "no predicates"},
      {Anywhere({ChildStep("a", {AtPosition(0)})}), "positions go from 1"},
      {Anywhere({ChildStep("a", {AtPosition(kMaxPosition + 1)})}),
       "positions go from 1"},
      {LocationPath{true, {ChildStep("a")}, kMaxPosition + 1},
       "positions go from 1"},
      {Anywhere({ChildStep("a", {AnyOf({HasAttribute("b")})})}),
       "need two operands"},
      {Anywhere({ChildStep("a", {no_operands})}), "needs one operand"},
      {Anywhere({ChildStep("a", {Exists({})})}), "without steps"},
      {Anywhere({ChildStep("a", {Nested(kMaxNesting + 1)})}), "nested deeper"},
      {Anywhere({ChildStep("a", {Nested(1000)})}), "nested deeper"},
  };
  for (const Case& c : kCases) {
    const absl::Status status = Validate(c.path);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
    EXPECT_EQ(Matcher::Compile(c.path).status(), status);
  }
}

TEST(ValidateTest, AcceptsAllElse) {
  for (const LocationPath& path :
       {Anywhere({ChildStep("a")}), LocationPath{false, Self(), kNoPosition},
        LocationPath{true, {Gap()}, kLast},
        Anywhere({ChildStep("a", {Nested(kMaxNesting)})}),
        Anywhere({ChildStep("a", {AttributeIs("b", "\x01\xFF")})})}) {
    EXPECT_TRUE(Validate(path).ok()) << Validate(path);
  }
}

TEST(LiteralValueTest, IsWhatXmlCanHold) {
  EXPECT_EQ(LiteralValue("a b\n\xC2\xA0"), "a b\n\xC2\xA0");
  EXPECT_EQ(LiteralValue("a\fb"), "a\xEF\xBF\xBD\x62");
  EXPECT_EQ(LiteralValue("a\xFF"), "a\xEF\xBF\xBD");
  EXPECT_EQ(LiteralValue("\xEF\xBF\xBF"), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace trommel::xpath
