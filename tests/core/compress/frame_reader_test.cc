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
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::Zstd;

bool BeginsWithRecord(std::string_view prefix) {
  return prefix.starts_with("record");
}

struct Frames {
  std::vector<std::string> frames;
  std::vector<uint64_t> offsets;
  int num_damaged = 0;
  uint64_t bytes_skipped = 0;
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
      result.bytes_skipped = reader.bytes_skipped();
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

// A frame that can be decoded and lies where a page may be counts as damaged,
// unless frames follow that no page can hold.
TEST(FrameReader, FramesInPagesAreNotTheFiles) {
  Random random(1);
  std::string page = "record with a page, ";
  for (int i = 0; i < 5; ++i)
    page += Gzip("record " + RandomBytes(&random, 99));
  const std::string good = Gzip("record " + RandomBytes(&random, 50));
  std::string zstd_page = "record with a page, ";
  for (int i = 0; i < 5; ++i) {
    zstd_page += Zstd("record " + RandomBytes(&random, 99));
  }
  const std::string zstd_good = Zstd("record " + RandomBytes(&random, 50));
  struct Case {
    std::string label;
    std::string frame;
    std::string good;
  };
  std::vector<Case> cases;
  for (const int level : {0, 6}) {
    const std::string frame = Gzip(page, level);
    cases.push_back({"checksum", frame, good});
    cases.back().frame[frame.size() - 5] ^= 1;
    cases.push_back({"length", frame, good});
    cases.back().frame[frame.size() - 1] ^= 1;
    cases.push_back({"byte in the middle", frame, good});
    cases.back().frame[frame.size() / 2] ^= 1;
    cases.push_back({"magic number", frame, good});
    cases.back().frame[1] ^= 1;
    cases.push_back({"cut", frame.substr(0, frame.size() - 100), good});
    cases.push_back({"hole", frame, good});
    cases.back().frame.erase(frame.size() / 2, 30);
    cases.push_back({"inserted", frame, good});
    cases.back().frame.insert(frame.size() / 2, "inserted");
  }
  const std::string frame = Zstd(zstd_page);
  cases.push_back({"zstd checksum", frame, zstd_good});
  cases.back().frame[frame.size() - 1] ^= 1;
  cases.push_back({"zstd magic number", frame, zstd_good});
  cases.back().frame[1] ^= 1;
  cases.push_back({"zstd header", frame, zstd_good});
  cases.back().frame[4] ^= 8;
  cases.push_back({"zstd byte", frame, zstd_good});
  cases.back().frame[frame.size() / 2] ^= 1;
  cases.push_back({"zstd cut", frame.substr(0, frame.size() - 100), zstd_good});
  cases.push_back({"zstd hole", frame, zstd_good});
  cases.back().frame.erase(frame.size() / 2, 30);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    // What is decoded of the damaged frame itself may come, too.
    const Frames result = ReadFrames(c.good + c.frame + c.good + c.good);
    EXPECT_GE(result.num_damaged, 1);
    std::vector<uint64_t> offsets = result.offsets;
    std::erase(offsets, c.good.size());
    EXPECT_EQ(offsets,
              (std::vector<uint64_t>{0, c.good.size() + c.frame.size(),
                                     2 * c.good.size() + c.frame.size()}));
  }
}

// Members nested in stored blocks, each of which passes the trial and fails
// only at its end: without a limit on the work, quadratic. The limit does not
// give up what follows.
TEST(FrameReader, SearchIsNotQuadraticAndGoesOn) {
  std::string file;
  const std::string gzip_header = Gzip("").substr(0, 10);
  while (file.size() < (4 << 20)) {
    file += gzip_header + std::string("\0\xFF\xFF\0\0", 5) + "record";
  }
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    file += Gzip("record " + RandomBytes(&random, 1000));
  }
  const std::string last = "record at the end";
  file += Gzip(last);
  const Frames result = ReadFrames(file);
  EXPECT_GE(result.num_damaged, 1);
  ASSERT_FALSE(result.frames.empty());
  EXPECT_TRUE(result.frames.back() == last);
  EXPECT_GE(result.bytes_skipped, size_t{3} << 20);
}

}  // namespace
}  // namespace trommel::compress
