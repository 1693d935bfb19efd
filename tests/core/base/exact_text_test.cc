#include "core/base/exact_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel {
namespace {

TEST(ExactTextTest, Table) {
  EXPECT_EQ(ExactText(0), "0");
  EXPECT_EQ(ExactText(0.1), "0.1");
  EXPECT_EQ(ExactText(0.9999999), "0.9999999");
  EXPECT_EQ(ExactText(0.0001), "0.0001");
  EXPECT_EQ(ExactText(100000), "100000");
  EXPECT_EQ(ExactText(1e300), "1e+300");
  EXPECT_EQ(ExactText(1e-9), "1e-09");
  EXPECT_EQ(ExactText(-2.5), "-2.5");
}

TEST(ExactTextTest, IsReadAsTheSameNumber) {
  const uint64_t seed = testing_support::TestSeed(20);
  Random random(seed);
  for (int i = 0; i < 10000; ++i) {
    const double value = std::ldexp(static_cast<double>(random.Next()),
                                    static_cast<int>(random.Below(200)) - 100);
    const std::string text = ExactText(value);
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

}  // namespace
}  // namespace trommel
