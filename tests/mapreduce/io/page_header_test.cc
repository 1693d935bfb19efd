#include "mapreduce/io/page_header.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::io {
namespace {

// As parquet-cpp writes it: type, sizes, checksum, and the struct of a data
// page with statistics that have a binary field and a boolean one.
const std::string& DataPage() {
  static const auto* const bytes = new std::string(
      "\x15\x00\x15\xd0\x0f\x15\x82\x03\x15\x9f\x83\x91\xb8\x0c"
      "\x1c\x15\xc8\x01\x15\x10\x15\x06\x15\x06"
      "\x1c\x18\x03xyz\x16\x04\x21\x00\x00\x00",
      36);
  return *bytes;
}

TEST(PageHeader, IsReadWhateverFollows) {
  for (const char* const behind : {"", "the bytes of the page"}) {
    const auto header = ParsePageHeader(DataPage() + behind);
    ASSERT_TRUE(header.has_value());
    EXPECT_EQ(header->type, PageHeader::kDataPage);
    EXPECT_EQ(header->uncompressed_size, 1000);
    EXPECT_EQ(header->compressed_size, 193);
    EXPECT_EQ(header->num_values, 100);
    EXPECT_EQ(header->header_size, 36);
  }
}

TEST(PageHeader, OfADictionary) {
  const auto header = ParsePageHeader(
      std::string("\x15\x04\x15\x14\x15\x18\x4c\x15\x06\x15\x00\x00\x00", 13));
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->type, PageHeader::kDictionaryPage);
  EXPECT_EQ(header->uncompressed_size, 10);
  EXPECT_EQ(header->num_values, 3);
  EXPECT_EQ(header->header_size, 13);
}

TEST(PageHeader, CutOffIsNone) {
  for (size_t size = 0; size < DataPage().size(); ++size) {
    EXPECT_FALSE(ParsePageHeader(DataPage().substr(0, size)).has_value())
        << size;
  }
}

TEST(PageHeader, NegativeSizesAreNone) {
  // Type 0, sizes -1 and 1.
  EXPECT_FALSE(ParsePageHeader(std::string("\x15\x00\x15\x01\x15\x02\x00", 7))
                   .has_value());
}

TEST(PageHeader, AnyBytesAreAHeaderOrNone) {
  Random random(testing_support::TestSeed(20260118));
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = DataPage();
    if (round % 2 == 0) bytes.resize(random.Below(64));
    for (uint64_t i = random.Below(4) + 1; i > 0 && !bytes.empty(); --i) {
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
    }
    const auto header = ParsePageHeader(bytes);
    if (!header.has_value()) continue;
    EXPECT_LE(header->header_size, static_cast<int64_t>(bytes.size()));
    EXPECT_GE(header->uncompressed_size, 0);
    EXPECT_GE(header->compressed_size, 0);
    EXPECT_GE(header->num_values, 0);
  }
}

}  // namespace
}  // namespace trommel::io
