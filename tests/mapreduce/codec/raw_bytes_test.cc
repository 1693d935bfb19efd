#include "mapreduce/codec/raw_bytes.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/allocations.h"
#include "tests/testing/pairs.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;
using testing_support::AllocationWatch;
using testing_support::BytesThatCollide;
using testing_support::PairList;
using testing_support::ReadPairs;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::TestSeed;
using testing_support::WriteWholeFile;

constexpr size_t kBufferSizes[] = {0, 1, 2, 3, 7, 64, 4096, 1 << 18};

// A file opened for as long as this lives.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path, int flags = O_RDONLY)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    EXPECT_GE(descriptor_, 0) << path;
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

absl::Status WritePairs(int descriptor, const PairList& pairs, size_t buffer) {
  RawBytesWriter writer(descriptor, "test", buffer);
  int64_t num_bytes = 0;
  for (const auto& [key, value] : pairs) {
    TROMMEL_RETURN_IF_ERROR(writer.Append({key, value}));
    num_bytes += static_cast<int64_t>(8 + key.size() + value.size());
    EXPECT_EQ(writer.num_bytes(), num_bytes);
  }
  return writer.Flush();
}

std::string Encoded(const TempDir& dir, const PairList& pairs) {
  {
    const OpenFile file(dir / "encoded", O_WRONLY | O_CREAT | O_TRUNC);
    EXPECT_TRUE(WritePairs(file.descriptor(), pairs, 4096).ok());
  }
  return ReadWholeFile(dir / "encoded");
}

PairList RandomPairs(Random* random) {
  PairList pairs;
  const uint64_t count = random->Below(50);
  for (uint64_t i = 0; i < count; ++i) {
    pairs.emplace_back(BytesThatCollide(random, 20),
                       BytesThatCollide(random, 100));
  }
  return pairs;
}

TEST(RawBytes, Encoding) {
  const TempDir dir;
  EXPECT_EQ(Encoded(dir, {{"key", "v"}, {"", ""}, {"\0"s, "\n\t"}}),
            "\0\0\0\3key\0\0\0\1v"s + "\0\0\0\0\0\0\0\0"s +
                "\0\0\0\1\0\0\0\0\2\n\t"s);
}

TEST(RawBytes, EmptyViewsOfNothing) {
  const TempDir dir;
  const OpenFile file(dir / "f", O_RDWR | O_CREAT);
  RawBytesWriter writer(file.descriptor(), "test");
  ASSERT_TRUE(writer.Append({std::string_view(), std::string_view()}).ok());
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(ReadWholeFile(dir / "f"), std::string(8, '\0'));
}

TEST(RawBytes, RoundTripThroughAPipe) {
  Random random(TestSeed(1));
  for (const size_t write_buffer : kBufferSizes) {
    for (const size_t read_buffer : kBufferSizes) {
      SCOPED_TRACE(testing::Message() << write_buffer << ' ' << read_buffer);
      const PairList pairs = RandomPairs(&random);
      int ends[2];
      ASSERT_EQ(::pipe(ends), 0);
      std::thread writer([&pairs, &ends, write_buffer] {
        EXPECT_TRUE(WritePairs(ends[1], pairs, write_buffer).ok());
        ::close(ends[1]);
      });
      RawBytesReader reader(ends[0], "pipe", read_buffer);
      const auto back = ReadPairs(&reader);
      writer.join();
      ::close(ends[0]);
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_EQ(*back, pairs);
    }
  }
}

TEST(RawBytes, RoundTripThroughRangesOfAFile) {
  Random random(TestSeed(2));
  const TempDir dir;
  for (const size_t buffer : kBufferSizes) {
    SCOPED_TRACE(buffer);
    std::vector<PairList> lists;
    std::vector<int64_t> ends;
    std::string bytes = "before";
    for (int i = 0; i < 5; ++i) {
      lists.push_back(RandomPairs(&random));
      ends.push_back(static_cast<int64_t>(bytes.size()));
      bytes += Encoded(dir, lists.back());
    }
    ends.push_back(static_cast<int64_t>(bytes.size()));
    WriteWholeFile(dir / "f", bytes + "behind");
    // All readers share a descriptor and take turns.
    const OpenFile file(dir / "f");
    std::vector<RawBytesReader> readers;
    for (size_t i = 0; i < lists.size(); ++i) {
      readers.emplace_back(file.descriptor(), "range", ends[i], ends[i + 1],
                           buffer);
    }
    std::vector<PairList> back(lists.size());
    for (size_t left = lists.size(); left > 0;) {
      for (size_t i = 0; i < readers.size(); ++i) {
        if (back[i].size() == lists[i].size()) continue;
        Pair pair;
        const auto more = readers[i].Next(&pair);
        ASSERT_TRUE(more.ok()) << more.status();
        ASSERT_TRUE(*more);
        back[i].emplace_back(pair.key, pair.value);
      }
      left = static_cast<size_t>(std::count_if(
          readers.begin(), readers.end(), [&](const RawBytesReader& reader) {
            const auto i = static_cast<size_t>(&reader - readers.data());
            return back[i].size() < lists[i].size();
          }));
    }
    EXPECT_EQ(back, lists);
    for (RawBytesReader& reader : readers) {
      Pair pair;
      EXPECT_FALSE(*reader.Next(&pair));
      EXPECT_FALSE(*reader.Next(&pair));  // and again
    }
  }
}

TEST(RawBytes, PairsLargerThanTheBuffer) {
  const TempDir dir;
  const PairList pairs = {{"small", "one"},
                          {"large", std::string(3000000, 'x')},
                          {std::string(2000000, 'k'), "value"},
                          {"small", "two"}};
  for (const size_t buffer : {size_t{1}, size_t{16}, size_t{1} << 18}) {
    {
      const OpenFile file(dir / "f", O_WRONLY | O_CREAT | O_TRUNC);
      ASSERT_TRUE(WritePairs(file.descriptor(), pairs, buffer).ok());
    }
    const OpenFile file(dir / "f");
    RawBytesReader reader(file.descriptor(), "f", buffer);
    const auto back = ReadPairs(&reader);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == pairs);
  }
}

TEST(RawBytes, BufferOfARareLargePairIsGivenBack) {
  const TempDir dir;
  PairList pairs = {{"large", std::string(30000000, 'x')}};
  for (int i = 0; i < 1000; ++i)
    pairs.emplace_back("k", std::string(1000, 'v'));
  WriteWholeFile(dir / "f", Encoded(dir, pairs));
  const OpenFile file(dir / "f");
  const AllocationWatch watch;
  RawBytesReader reader(file.descriptor(), "f", 1 << 14);
  Pair pair;
  ASSERT_TRUE(*reader.Next(&pair));
  EXPECT_EQ(pair.value.size(), 30000000u);
  EXPECT_GT(watch.Held(), size_t{30000000});
  int rest = 0;
  while (*reader.Next(&pair)) ++rest;
  EXPECT_EQ(rest, 1000);
  EXPECT_LT(watch.Held(), size_t{2} << 20);
}

// Cuts at every byte. A stream cannot know that whole pairs are missing; a
// range of a file does.
TEST(RawBytes, EveryTruncationIsDataLoss) {
  const TempDir dir;
  const PairList pairs = {{"first", "1"}, {"", ""}, {"third", "three"}};
  const std::string whole = Encoded(dir, pairs);
  std::vector<size_t> boundaries = {0};
  for (const auto& [key, value] : pairs) {
    boundaries.push_back(boundaries.back() + 8 + key.size() + value.size());
  }
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    SCOPED_TRACE(cut);
    WriteWholeFile(dir / "f", whole.substr(0, cut));
    const auto boundary = std::find(boundaries.begin(), boundaries.end(), cut);
    for (const size_t buffer : kBufferSizes) {
      SCOPED_TRACE(buffer);
      const OpenFile file(dir / "f");
      RawBytesReader stream(file.descriptor(), "the-file", buffer);
      const auto from_stream = ReadPairs(&stream);
      if (boundary != boundaries.end()) {
        ASSERT_TRUE(from_stream.ok()) << from_stream.status();
        EXPECT_EQ(from_stream->size(),
                  static_cast<size_t>(boundary - boundaries.begin()));
      } else {
        EXPECT_EQ(from_stream.status().code(), absl::StatusCode::kDataLoss);
        EXPECT_THAT(std::string(from_stream.status().message()),
                    HasSubstr("the-file"));
      }
      RawBytesReader range(file.descriptor(), "the-file", 0,
                           static_cast<int64_t>(whole.size()), buffer);
      const auto from_range = ReadPairs(&range);
      EXPECT_EQ(from_range.status().code(), absl::StatusCode::kDataLoss);
      EXPECT_THAT(std::string(from_range.status().message()),
                  HasSubstr("the-file"));
    }
  }
}

TEST(RawBytes, RangeThatEndsWithinAPairIsDataLoss) {
  const TempDir dir;
  const std::string whole = Encoded(dir, {{"key", "value"}});
  WriteWholeFile(dir / "f", whole + whole);
  const OpenFile file(dir / "f");
  for (size_t end = 1; end < whole.size(); ++end) {
    for (const size_t buffer : kBufferSizes) {
      RawBytesReader reader(file.descriptor(), "f", 0,
                            static_cast<int64_t>(end), buffer);
      EXPECT_EQ(ReadPairs(&reader).status().code(),
                absl::StatusCode::kDataLoss);
    }
  }
}

TEST(RawBytes, DamagedLengthDoesNotAskForGigabytes) {
  struct Case {
    const char* label;
    std::string head;
  };
  const Case cases[] = {
      {"key within the limit", "\x7F\xFF\xFF\0"s},
      {"key over the limit", "\xFF\xFF\xFF\xFF"s},
      {"value within the limit", "\0\0\0\1k\x7F\xFF\xFF\0"s},
      {"value over the limit", "\0\0\0\1k\x80\0\0\0"s},
  };
  const TempDir dir;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    WriteWholeFile(dir / "f", c.head + std::string(100000, 'x'));
    const OpenFile file(dir / "f");
    for (const size_t buffer : {size_t{16}, size_t{1} << 18}) {
      const AllocationWatch watch;
      RawBytesReader stream(file.descriptor(), "f", buffer);
      EXPECT_EQ(ReadPairs(&stream).status().code(),
                absl::StatusCode::kDataLoss);
      RawBytesReader range(file.descriptor(), "f", 0,
                           static_cast<int64_t>(c.head.size() + 100000),
                           buffer);
      EXPECT_EQ(ReadPairs(&range).status().code(), absl::StatusCode::kDataLoss);
      EXPECT_LT(watch.Peak(), size_t{2} << 20);
      ASSERT_EQ(::lseek(file.descriptor(), 0, SEEK_SET), 0);
    }
  }
}

TEST(RawBytes, SystemErrorsNameTheFile) {
  RawBytesWriter writer(-1, "the-file");
  ASSERT_TRUE(writer.Append({"key", "value"}).ok());
  const absl::Status written = writer.Flush();
  EXPECT_EQ(written.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(written.message()), HasSubstr("the-file"));
  RawBytesReader reader(-1, "the-file");
  const absl::Status read = ReadPairs(&reader).status();
  EXPECT_EQ(read.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(read.message()), HasSubstr("the-file"));
}

TEST(RawBytes, TooLongAFieldIsRefused) {
  const TempDir dir;
  const OpenFile file(dir / "f", O_WRONLY | O_CREAT);
  RawBytesWriter writer(file.descriptor(), "the-file");
  // Only its length is looked at.
  const std::string_view huge("", kMaxFieldBytes + 1);
  for (const Pair& pair : {Pair{huge, "v"}, Pair{"k", huge}}) {
    EXPECT_EQ(writer.Append(pair).code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(writer.num_bytes(), 0);
}

}  // namespace
}  // namespace trommel::mr
