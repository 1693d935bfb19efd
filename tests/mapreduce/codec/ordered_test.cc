#include "mapreduce/codec/ordered.h"

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"

namespace trommel::mr {
namespace {

using testing_support::BytesThatCollide;
using testing_support::TestSeed;

std::string OrderedBytes(std::string_view bytes) {
  std::string out;
  AppendOrderedBytes(bytes, &out);
  return out;
}

std::string OrderedUint64(uint64_t value) {
  std::string out;
  AppendOrderedUint64(value, &out);
  return out;
}

std::string OrderedInt64(int64_t value) {
  std::string out;
  AppendOrderedInt64(value, &out);
  return out;
}

TEST(Ordered, Encodings) {
  using std::string_literals::operator""s;
  struct Case {
    const char* label;
    std::string encoded, expected;
  };
  const Case cases[] = {
      {"empty", OrderedBytes(""), "\0\0"s},
      {"text", OrderedBytes("ab"), "ab\0\0"s},
      {"NUL", OrderedBytes("\0"s), "\0\xFF\0\0"s},
      {"NUL inside", OrderedBytes("a\0b"s), "a\0\xFF"s + "b\0\0"s},
      {"highest byte", OrderedBytes("\xFF"), "\xFF\0\0"s},
      {"one", OrderedUint64(1), "\0\0\0\0\0\0\0\1"s},
      {"signed zero", OrderedInt64(0), "\x80\0\0\0\0\0\0\0"s},
      {"minus one", OrderedInt64(-1), "\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s},
  };
  for (const Case& c : cases) EXPECT_EQ(c.encoded, c.expected) << c.label;
}

TEST(Ordered, BytesKeepTheirOrderWhateverFollows) {
  Random random(TestSeed(1));
  for (int i = 0; i < 20000; ++i) {
    const std::string a = BytesThatCollide(&random, 6);
    const std::string b = BytesThatCollide(&random, 6);
    const std::string x = OrderedBytes(a) + BytesThatCollide(&random, 3);
    const std::string y = OrderedBytes(b) + BytesThatCollide(&random, 3);
    if (a != b) {
      EXPECT_EQ(a < b, x < y)
          << testing::PrintToString(a) << " and " << testing::PrintToString(b);
    }
  }
}

TEST(Ordered, NumbersKeepTheirOrder) {
  Random random(TestSeed(2));
  std::vector<int64_t> numbers = {std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::min() + 1,
                                  -256,
                                  -255,
                                  -1,
                                  0,
                                  1,
                                  255,
                                  256,
                                  std::numeric_limits<int64_t>::max() - 1,
                                  std::numeric_limits<int64_t>::max()};
  for (int i = 0; i < 100; ++i) {
    numbers.push_back(static_cast<int64_t>(random.Next()) >> random.Below(64));
  }
  for (const int64_t a : numbers) {
    for (const int64_t b : numbers) {
      EXPECT_EQ(a <=> b, OrderedInt64(a) <=> OrderedInt64(b)) << a << ' ' << b;
      const auto x = static_cast<uint64_t>(a);
      const auto y = static_cast<uint64_t>(b);
      EXPECT_EQ(x <=> y, OrderedUint64(x) <=> OrderedUint64(y))
          << x << ' ' << y;
    }
  }
}

// A sequence of values: sorts as the tuple does and comes back as it was.
TEST(Ordered, SequencesSortAsTuplesAndRoundTrip) {
  using Values = std::tuple<std::string, int64_t, std::string, uint64_t>;
  Random random(TestSeed(3));
  const auto make = [&random] {
    return Values(BytesThatCollide(&random, 2), random.Between(-2, 2),
                  BytesThatCollide(&random, 2), random.Below(3));
  };
  const auto encode = [](const Values& values) {
    std::string out;
    AppendOrderedBytes(std::get<0>(values), &out);
    AppendOrderedInt64(std::get<1>(values), &out);
    AppendOrderedBytes(std::get<2>(values), &out);
    AppendOrderedUint64(std::get<3>(values), &out);
    return out;
  };
  for (int i = 0; i < 20000; ++i) {
    const Values a = make();
    const Values b = make();
    EXPECT_EQ(a <=> b, encode(a) <=> encode(b));

    const std::string encoded = encode(a) + "rest";
    std::string_view in = encoded;
    Values decoded;
    ASSERT_TRUE(ConsumeOrderedBytes(&in, &std::get<0>(decoded)));
    ASSERT_TRUE(ConsumeOrderedInt64(&in, &std::get<1>(decoded)));
    ASSERT_TRUE(ConsumeOrderedBytes(&in, &std::get<2>(decoded)));
    ASSERT_TRUE(ConsumeOrderedUint64(&in, &std::get<3>(decoded)));
    EXPECT_EQ(decoded, a);
    EXPECT_EQ(in, "rest");
  }
}

TEST(Ordered, MalformedInputIsRefusedAndLeftAlone) {
  using std::string_literals::operator""s;
  struct Case {
    const char* label;
    std::string in;
  };
  const Case cases[] = {
      {"empty", ""},
      {"no end", "abc"},
      {"half an end", "abc\0"s},
      {"unknown escape", "abc\0\1\0\0"s},
      {"end escaped", "abc\0\xFF"s},
      {"half an end after an escape", "abc\0\xFF\0"s},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    std::string_view in = c.in;
    std::string bytes = "untouched";
    EXPECT_FALSE(ConsumeOrderedBytes(&in, &bytes));
    EXPECT_EQ(in, c.in);
    EXPECT_EQ(bytes, "untouched");
    EXPECT_EQ(OrderedBytesLength(c.in), 0u);
  }
}

TEST(Ordered, CutNumbersAreRefusedAndLeftAlone) {
  const std::string whole = OrderedInt64(7);
  for (size_t size = 0; size < whole.size(); ++size) {
    std::string_view in = std::string_view(whole).substr(0, size);
    int64_t value = 42;
    uint64_t unsigned_value = 42;
    EXPECT_FALSE(ConsumeOrderedInt64(&in, &value)) << size;
    EXPECT_FALSE(ConsumeOrderedUint64(&in, &unsigned_value)) << size;
    EXPECT_EQ(in.size(), size);
    EXPECT_EQ(value, 42);
    EXPECT_EQ(unsigned_value, 42u);
  }
}

}  // namespace
}  // namespace trommel::mr
