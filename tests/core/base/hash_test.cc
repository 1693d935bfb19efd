#include "core/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace trommel {
namespace {

// These values are stored in tables; another value means that data written by
// earlier releases no longer matches.
TEST(HashTest, ValuesNeverChange) {
  EXPECT_EQ(Hash64(""), 0x2D06800538D394C2u);  // XXH3's own test vector
  EXPECT_EQ(Hex64(Hash64("div")), "513308103d4d12cc");
  EXPECT_EQ(Hex64(Hash64("div", 1)), "65b2ae0dfc4af620");
  // XXH3-128 of the empty string, high half first.
  EXPECT_EQ(ContentDigest(""), "99aa06d3014798d86001c324468d497f");
}

TEST(HashTest, SeedsAreIndependent) {
  std::set<uint64_t> values;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    values.insert(Hash64("some text", seed));
  }
  EXPECT_EQ(values.size(), 1000u);
}

TEST(HashTest, Mix64IsInjectiveOnSmallNumbers) {
  std::set<uint64_t> values;
  for (uint64_t i = 0; i < 10000; ++i) values.insert(Mix64(i));
  EXPECT_EQ(values.size(), 10000u);
}

TEST(HashTest, HexHasSixteenDigits) {
  EXPECT_EQ(Hex64(0), "0000000000000000");
  EXPECT_EQ(Hex64(0xABC), "0000000000000abc");
  EXPECT_EQ(Hex64(~uint64_t{0}), "ffffffffffffffff");
}

TEST(DigestStreamTest, EqualsTheDigestOfTheWholeForAnyPieces) {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(i * 31);
  for (size_t piece :
       {size_t{1}, size_t{7}, size_t{240}, size_t{1024}, size_t{5000}}) {
    DigestStream stream;
    for (size_t i = 0; i < bytes.size(); i += piece) {
      stream.Update(std::string_view(bytes).substr(i, piece));
    }
    EXPECT_EQ(stream.Hex(), ContentDigest(bytes)) << "pieces of " << piece;
  }
}

TEST(DigestStreamTest, CanBeReadInBetweenAndMoved) {
  DigestStream stream;
  EXPECT_EQ(stream.Hex(), ContentDigest(""));
  stream.Update("ab");
  EXPECT_EQ(stream.Hex(), ContentDigest("ab"));
  DigestStream moved = std::move(stream);
  moved.Update("c");
  EXPECT_EQ(moved.Hex(), ContentDigest("abc"));
}

}  // namespace
}  // namespace trommel
