#include "core/base/byte_source.h"

#include <gtest/gtest.h>

#include <string>

namespace trommel {
namespace {

TEST(StringSourceTest, GivesItsBytesInOrderWhateverTheBuffer) {
  const std::string bytes("some bytes\0 and more", 20);
  for (size_t buffer_size = 1; buffer_size <= 25; ++buffer_size) {
    StringSource source(bytes);
    std::string read;
    std::string buffer(buffer_size, 'x');
    while (true) {
      const absl::StatusOr<size_t> count =
          source.Read(buffer.data(), buffer.size());
      ASSERT_TRUE(count.ok());
      if (*count == 0) break;
      read.append(buffer, 0, *count);
    }
    EXPECT_EQ(read, bytes) << "buffer of " << buffer_size;
  }
}

TEST(StringSourceTest, StaysAtTheEnd) {
  StringSource source("ab");
  char buffer[8];
  EXPECT_EQ(source.Read(buffer, 8).value(), 2u);
  EXPECT_EQ(source.Read(buffer, 8).value(), 0u);
  EXPECT_EQ(source.Read(buffer, 8).value(), 0u);
}

TEST(StringSourceTest, EmptySourceAndEmptyBuffer) {
  char buffer[1];
  StringSource empty("");
  EXPECT_EQ(empty.Read(buffer, 1).value(), 0u);
  StringSource source("a");
  EXPECT_EQ(source.Read(buffer, 0).value(), 0u);
  EXPECT_EQ(source.Read(buffer, 1).value(), 1u);
}

}  // namespace
}  // namespace trommel
