#include "core/base/status.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace trommel {
namespace {

TEST(AnnotateTest, PutsTheContextInFrontAndKeepsTheCode) {
  const absl::Status status =
      Annotate(absl::DataLossError("truncated"), "part-00000.parquet");
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ToStd(status.message()), "part-00000.parquet: truncated");
  EXPECT_TRUE(Annotate(absl::OkStatus(), "x").ok());
}

absl::Status ReturnIfError(const absl::Status& status, bool* went_on) {
  TROMMEL_RETURN_IF_ERROR(status);
  *went_on = true;
  return absl::OkStatus();
}

TEST(ReturnIfErrorTest, ReturnsErrorsOnly) {
  bool went_on = false;
  EXPECT_EQ(ReturnIfError(absl::NotFoundError("x"), &went_on),
            absl::NotFoundError("x"));
  EXPECT_FALSE(went_on);
  EXPECT_TRUE(ReturnIfError(absl::OkStatus(), &went_on).ok());
  EXPECT_TRUE(went_on);
}

absl::StatusOr<std::unique_ptr<int>> MakeInt(bool fail) {
  if (fail) return absl::InvalidArgumentError("no");
  return std::make_unique<int>(7);
}

absl::StatusOr<int> AssignTwice(bool first_fails, bool second_fails) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<int> a, MakeInt(first_fails));
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<int> b, MakeInt(second_fails));
  return *a + *b;
}

TEST(AssignOrReturnTest, MovesTheValueOrReturnsTheError) {
  EXPECT_EQ(AssignTwice(false, false).value(), 14);
  EXPECT_EQ(AssignTwice(true, false).status(),
            absl::InvalidArgumentError("no"));
  EXPECT_EQ(AssignTwice(false, true).status(),
            absl::InvalidArgumentError("no"));
}

template <typename Key, typename Value>
absl::StatusOr<std::map<Key, Value>> MakeMap() {
  return std::map<Key, Value>{{1, "one"}};
}

absl::StatusOr<size_t> AssignFromExpressionWithComma() {
  TROMMEL_ASSIGN_OR_RETURN(const auto map, MakeMap<int, std::string>());
  return map.size();
}

TEST(AssignOrReturnTest, TakesExpressionsWithCommas) {
  EXPECT_EQ(AssignFromExpressionWithComma().value(), 1u);
}

}  // namespace
}  // namespace trommel
