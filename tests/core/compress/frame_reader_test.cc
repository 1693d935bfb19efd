#include "core/compress/frame_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/testing/chunked_source.h"
#include "tests/testing/compression.h"

namespace trommel::compress {
namespace {

using ::trommel::testing_support::ChunkedSource;
using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::Zstd;

bool BeginsWithRecord(std::string_view prefix) {
  return prefix.starts_with("record");
}

struct Frames {
  std::vector<std::string> frames;
  std::vector<uint64_t> offsets;
  int num_damaged = 0;
};

Frames ReadFrames(std::string file, size_t step = 0) {
  FrameReader reader(std::make_unique<ChunkedSource>(std::move(file), step),
                     BeginsWithRecord);
  Frames result;
  char buffer[64];
  while (true) {
    const auto count = reader.Read(buffer, sizeof(buffer));
    if (!count.ok()) {
      ++result.num_damaged;
      EXPECT_NE(reader.damage(), FrameReader::Damage::kNone);
      const auto found = reader.SkipToNextFrame();
      EXPECT_TRUE(found.ok());
      if (!*found) return result;
      continue;
    }
    if (*count == 0) return result;
    if (reader.frame_bytes() == *count) {
      result.frames.emplace_back();
      result.offsets.push_back(reader.frame_offset());
    }
    result.frames.back().append(buffer, *count);
  }
}

TEST(FrameReader, ShowsWhereFramesBegin) {
  const std::string a = Gzip("record " + std::string(500, 'a'));
  const std::string b = Gzip("record b");
  const Frames result = ReadFrames(a + Gzip("") + b);
  ASSERT_EQ(result.frames.size(), 2u);
  EXPECT_EQ(result.frames[0].size(), 507u);
  EXPECT_EQ(result.offsets,
            (std::vector<uint64_t>{0, a.size() + Gzip("").size()}));
}

struct SearchCase {
  std::string label;
  std::string file;
  std::vector<std::string> expected_last;
};

TEST(FrameReader, FindsTheNextFrameAfterDamage) {
  const std::string page = Gzip("<html>");  // a frame that is no record
  std::string inner_gzip = Gzip("record " + page + page, 0);
  inner_gzip.back() ^= 1;
  std::string inner_zstd = Zstd("record " + Zstd("<html>"));
  inner_zstd.back() ^= 1;
  std::string bad_start = Gzip("record x");
  bad_start[0] ^= 1;
  std::string bad_zstd_start = Zstd("record x");
  bad_zstd_start[0] ^= 1;
  const std::vector<SearchCase> cases = {
      {"rubbish",
       Gzip("record 1") + "rubbish" + Gzip("record 2"),
       {"record 2"}},
      {"pages stored inside", inner_gzip + Gzip("record 2"), {"record 2"}},
      {"frames stored inside", inner_zstd + Zstd("record 2"), {"record 2"}},
      {"cut", Gzip("record 1").substr(0, 14) + Gzip("record 2"), {"record 2"}},
      {"cut zstd",
       Zstd("record 1").substr(0, 14) + Zstd("record 2"),
       {"record 2"}},
      {"first magic number", bad_start + Gzip("record 2"), {"record 2"}},
      {"first zstd magic number",
       bad_zstd_start + Zstd("record 2"),
       {"record 2"}},
  };
  for (const SearchCase& c : cases) {
    SCOPED_TRACE(c.label);
    for (const size_t step : {0, 1}) {
      const Frames result = ReadFrames(c.file, step);
      EXPECT_GE(result.num_damaged, 1);
      ASSERT_FALSE(result.frames.empty());
      EXPECT_EQ(result.frames.back(), c.expected_last[0]);
    }
  }
}

// Members nested in stored blocks, each of which passes the trial and fails
// only at its end: without a limit on the work, quadratic.
TEST(FrameReader, SearchIsNotQuadratic) {
  std::string file;
  const std::string gzip_header = Gzip("").substr(0, 10);
  while (file.size() < (4 << 20)) {
    file += gzip_header + std::string("\0\xFF\xFF\0\0", 5) + "record";
  }
  const Frames result = ReadFrames(file);
  EXPECT_GE(result.num_damaged, 1);
}

}  // namespace
}  // namespace trommel::compress
