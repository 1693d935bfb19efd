#include "core/compress/decompress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/testing/chunked_source.h"
#include "tests/testing/compression.h"
#include "tests/testing/seed.h"

namespace trommel::compress {
namespace {

using ::testing::HasSubstr;
using ::trommel::testing_support::ChunkedSource;
using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::SkippableFrame;
using ::trommel::testing_support::TestSeed;
using ::trommel::testing_support::TrainDictionary;
using ::trommel::testing_support::Zstd;

constexpr uint32_t kDictionaryMagic = 0x184D2A5D;

// All that a source returns, and how it ended.
struct Content {
  std::string bytes;
  absl::Status status;
};

Content ReadAll(std::unique_ptr<ByteSource> source, size_t buffer_size) {
  Content content;
  std::string buffer(buffer_size, '\0');
  while (true) {
    const auto count = source->Read(buffer.data(), buffer.size());
    if (!count.ok()) {
      content.status = count.status();
      return content;
    }
    if (*count == 0) return content;
    content.bytes.append(buffer, 0, *count);
  }
}

Content Decompress(std::string bytes, size_t step = 0,
                   size_t buffer_size = 4096) {
  return ReadAll(std::make_unique<DecompressingSource>(
                     std::make_unique<ChunkedSource>(std::move(bytes), step)),
                 buffer_size);
}

struct GoodCase {
  std::string label;
  std::string file;
  std::string expected;
};

std::vector<GoodCase> GoodCases() {
  Random random(3);
  const std::string noise = RandomBytes(&random, 300'000);
  const std::string zeros(3'000'000, '\0');
  const std::string dictionary = TrainDictionary();
  const std::string text = "WARC/1.0\r\nWARC-Type: response word7 in common;";
  const std::string in_dictionary = Zstd(text, dictionary);
  return {
      {"nothing", "", ""},
      {"plain", "some text\n", "some text\n"},
      {"plain noise", "x" + noise, "x" + noise},
      {"one byte of a magic number", "\x1F", "\x1F"},
      {"gzip", Gzip("text"), "text"},
      {"gzip of nothing", Gzip(""), ""},
      {"gzip noise", Gzip(noise), noise},
      {"gzip zeros", Gzip(zeros), zeros},
      {"gzip members", Gzip("a") + Gzip("") + Gzip("b") + Gzip(noise),
       "ab" + noise},
      {"gzip padded with zeros", Gzip("a") + std::string(512, '\0'), "a"},
      {"zstd", Zstd("text"), "text"},
      {"zstd of nothing", Zstd(""), ""},
      {"zstd noise", Zstd(noise), noise},
      {"zstd zeros", Zstd(zeros), zeros},
      {"zstd frames", Zstd("a") + Zstd("") + Zstd("b") + Zstd(noise),
       "ab" + noise},
      {"zstd skippable frames",
       SkippableFrame(0x184D2A50, "x") + Zstd("a") +
           SkippableFrame(0x184D2A5F, noise) + Zstd("b") +
           SkippableFrame(0x184D2A51, ""),
       "ab"},
      {"zstd with a dictionary",
       SkippableFrame(kDictionaryMagic, dictionary) + in_dictionary +
           in_dictionary,
       text + text},
      {"zstd with a compressed dictionary",
       SkippableFrame(kDictionaryMagic, Zstd(dictionary)) + in_dictionary +
           SkippableFrame(0x184D2A50, "x") + in_dictionary,
       text + text},
      {"a dictionary frame that holds none",
       SkippableFrame(kDictionaryMagic, "notes") + Zstd("a"), "a"},
      {"a window of 2^27", Zstd("text", {}, 27), "text"},
  };
}

TEST(DecompressingSource, DecodesEveryFormat) {
  for (const GoodCase& c : GoodCases()) {
    SCOPED_TRACE(c.label);
    const Content content = Decompress(c.file);
    EXPECT_TRUE(content.status.ok()) << content.status;
    EXPECT_TRUE(content.bytes == c.expected);
  }
}

TEST(DecompressingSource, ReadSizesDoNotMatter) {
  for (const GoodCase& c : GoodCases()) {
    SCOPED_TRACE(c.label);
    for (const auto& [step, buffer_size] :
         {std::pair<size_t, size_t>{1, 4096}, {7, 1000}, {100'000, 13}}) {
      const Content content = Decompress(c.file, step, buffer_size);
      EXPECT_TRUE(content.status.ok()) << content.status;
      EXPECT_TRUE(content.bytes == c.expected);
    }
  }
}

struct BadCase {
  std::string label;
  std::string file;
  std::string decoded;  // before the error
};

TEST(DecompressingSource, DamageIsDataLossWithAnOffset) {
  const std::string dictionary = TrainDictionary();
  std::string bad_checksum = Gzip("text");
  bad_checksum[bad_checksum.size() - 5] ^= 1;
  std::string bad_zstd_checksum = Zstd("text");
  bad_zstd_checksum.back() ^= 1;
  const std::vector<BadCase> cases = {
      {"gzip cut in its magic number", "\x1F\x8B", ""},
      {"gzip cut in its trailer", Gzip("a") + Gzip("text").substr(0, 20),
       "atext"},
      {"gzip checksum", bad_checksum, "text"},
      {"gzip of another method", "\x1F\x8B\x07zzzzzzzzzz", ""},
      {"rubbish after gzip", Gzip("a") + "rubbish", "a"},
      {"zstd cut", Zstd("a") + Zstd("text").substr(0, 8), "a"},
      {"zstd cut in a magic number", Zstd("a") + "\x28\xB5", "a"},
      {"zstd checksum", bad_zstd_checksum, "text"},
      {"rubbish after zstd", Zstd("a") + "rubbish", "a"},
      {"skippable frame cut", SkippableFrame(0x184D2A50, "xyz").substr(0, 9),
       ""},
      {"skippable header cut", SkippableFrame(0x184D2A50, "").substr(0, 6), ""},
      {"missing dictionary", Zstd("a") + Zstd("text", dictionary), "a"},
      {"damaged dictionary",
       SkippableFrame(kDictionaryMagic, dictionary.substr(0, 20)) + Zstd("a"),
       ""},
      {"damaged compressed dictionary",
       SkippableFrame(kDictionaryMagic, Zstd(dictionary).substr(0, 60)) +
           Zstd("a"),
       ""},
      {"a window of 2^28", Zstd("text", {}, 28), ""},
  };
  for (const BadCase& c : cases) {
    SCOPED_TRACE(c.label);
    for (const size_t step : {0, 1}) {
      const Content content = Decompress(c.file, step);
      EXPECT_EQ(content.status.code(), absl::StatusCode::kDataLoss)
          << content.status;
      EXPECT_THAT(std::string(content.status.message()), HasSubstr("offset "));
      // A checksum covers bytes that zstd holds back until it has seen it.
      if (c.label != "zstd checksum") {
        EXPECT_EQ(content.bytes, c.decoded);
      }
    }
  }
}

TEST(DecompressingSource, TruncationIsFoundAtEveryOffset) {
  for (const std::string& file : {Gzip("some text"), Zstd("some text")}) {
    for (size_t cut = 4; cut < file.size(); ++cut) {
      const Content content = Decompress(file.substr(0, cut));
      EXPECT_EQ(content.status.code(), absl::StatusCode::kDataLoss) << cut;
    }
  }
}

TEST(DecompressingSource, ErrorsOfTheInputPass) {
  for (const std::string& file : {std::string("plain"), Gzip("x"), Zstd("x")}) {
    const Content content = ReadAll(
        std::make_unique<DecompressingSource>(std::make_unique<ChunkedSource>(
            file, 0, absl::UnavailableError("disk"))),
        100);
    EXPECT_EQ(content.status.code(), absl::StatusCode::kUnavailable);
  }
}

TEST(DecompressingSource, RandomDamageNeverBreaksIt) {
  const uint64_t seed = TestSeed(20240601);
  SCOPED_TRACE("TROMMEL_SEED=" + std::to_string(seed));
  Random random(seed);
  const std::vector<GoodCase> cases = GoodCases();
  for (int i = 0; i < 400; ++i) {
    const GoodCase& chosen = cases[random.Below(cases.size())];
    std::string file = chosen.file;
    // The window costs much time under sanitizers and little elsewhere.
    if (chosen.label == "a window of 2^27") continue;
    if (file.empty() || chosen.expected.size() > 20'000) continue;
    const uint64_t flips = 1 + random.Below(4);
    for (uint64_t j = 0; j < flips; ++j) {
      file[random.Below(file.size())] ^=
          static_cast<char>(1 << random.Below(8));
    }
    const Content whole = Decompress(file);
    const Content bytewise = Decompress(file, 1, 1);
    EXPECT_EQ(whole.status.code(), bytewise.status.code());
    EXPECT_EQ(whole.bytes, bytewise.bytes);
  }
}

}  // namespace
}  // namespace trommel::compress
