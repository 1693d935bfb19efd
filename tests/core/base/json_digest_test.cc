#include "core/base/json_digest.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace trommel {
namespace {

using nlohmann::ordered_json;

TEST(JsonDigest, IsThatOfTheRest) {
  const std::string text = JsonFileTextWithDigest(
      {{"name", "v000001"}, {"bytes", "\xff"}, {"list", {1, 2}}});
  ordered_json json = ordered_json::parse(text);
  EXPECT_TRUE(CheckJsonDigest(json).ok());
  json["list"][1] = 3;
  EXPECT_EQ(CheckJsonDigest(json).code(), absl::StatusCode::kDataLoss);
}

TEST(JsonDigest, MayBeAbsentButNotWrong) {
  EXPECT_TRUE(CheckJsonDigest({{"name", "v000001"}}).ok());
  for (const ordered_json& digest :
       {ordered_json(), ordered_json(7), ordered_json("abc")}) {
    EXPECT_FALSE(CheckJsonDigest({{"a", 1}, {"self_digest", digest}}).ok());
  }
}

}  // namespace
}  // namespace trommel
