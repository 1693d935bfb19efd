#include "core/warc/warc_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/compress/decompress.h"
#include "tests/testing/chunked_source.h"
#include "tests/testing/compression.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_dir.h"

namespace trommel::warc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::trommel::testing_support::ChunkedSource;
using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::SkippableFrame;
using ::trommel::testing_support::TestSeed;
using ::trommel::testing_support::TrainDictionary;
using ::trommel::testing_support::Zstd;

using Reason = RejectReason;

std::string MakeRecord(std::string_view type, std::string_view uri,
                       std::string_view block) {
  std::string out = "WARC/1.0\r\nWARC-Type: ";
  out.append(type).append("\r\nWARC-Target-URI: ").append(uri);
  out += "\r\nWARC-Date: 2016-09-19T17:20:24Z\r\n";
  out += "Content-Type: text/plain\r\nContent-Length: ";
  out += std::to_string(block.size()) + "\r\n\r\n";
  return out.append(block).append("\r\n\r\n");
}

std::string MakeRecord(std::string_view uri, std::string_view block) {
  return MakeRecord("resource", uri, block);
}

// What a reader made of a file. The reader is driven to its end, and its
// counters are checked on the way.
struct Result {
  std::vector<WarcRecord> records;
  std::vector<WarcReader::Rejection> rejections;
  absl::Status status;

  std::vector<std::string> Uris() const {
    std::vector<std::string> uris;
    for (const WarcRecord& record : records) uris.push_back(record.target_uri);
    return uris;
  }
  std::vector<Reason> Reasons() const {
    std::vector<Reason> reasons;
    for (const auto& rejection : rejections) {
      reasons.push_back(rejection.reason);
    }
    return reasons;
  }
};

Result ReadFrom(std::unique_ptr<ByteSource> source,
                WarcReader::Options options = {}) {
  WarcReader reader(std::move(source), options);
  Result result;
  WarcRecord record;
  while (true) {
    const auto outcome = reader.Next(&record);
    const WarcReader::Counters& counters = reader.counters();
    EXPECT_EQ(counters.records_begun,
              counters.records_returned + counters.records_rejected);
    if (!outcome.ok()) {
      result.status = outcome.status();
      EXPECT_EQ(reader.Next(&record).status(), result.status);
      return result;
    }
    if (*outcome == WarcReader::Outcome::kEnd) {
      EXPECT_EQ(*reader.Next(&record), WarcReader::Outcome::kEnd);
      break;
    }
    if (*outcome == WarcReader::Outcome::kRecord) {
      result.records.push_back(record);
    } else {
      result.rejections.push_back(reader.rejection());
    }
  }
  const WarcReader::Counters& counters = reader.counters();
  EXPECT_EQ(counters.records_returned,
            static_cast<int64_t>(result.records.size()));
  EXPECT_EQ(counters.records_rejected,
            static_cast<int64_t>(result.rejections.size()));
  EXPECT_EQ(std::accumulate(counters.rejected_by_reason.begin(),
                            counters.rejected_by_reason.end(), int64_t{0}),
            counters.records_rejected);
  return result;
}

Result Read(std::string file, WarcReader::Options options = {},
            size_t step = 0) {
  return ReadFrom(std::make_unique<ChunkedSource>(std::move(file), step),
                  options);
}

void ExpectSame(const Result& a, const Result& b) {
  EXPECT_EQ(a.Uris(), b.Uris());
  EXPECT_EQ(a.Reasons(), b.Reasons());
  ASSERT_EQ(a.records.size(), b.records.size());
  for (size_t i = 0; i < a.records.size(); ++i) {
    EXPECT_TRUE(a.records[i].block == b.records[i].block);
    EXPECT_EQ(a.records[i].offset, b.records[i].offset);
  }
}

// The ways in which records become a file.
enum class Framing {
  kPlain,
  kGzipRecords,
  kGzipWhole,
  kZstdRecords,
  kZstdWhole,
  kZstdDictionary,
  kZstdSplit,  // two frames a record
};
constexpr Framing kFramings[] = {Framing::kPlain,     Framing::kGzipRecords,
                                 Framing::kGzipWhole, Framing::kZstdRecords,
                                 Framing::kZstdWhole, Framing::kZstdDictionary,
                                 Framing::kZstdSplit};
const char* const kFramingNames[] = {
    "plain",      "gzip records",    "gzip whole",    "zstd records",
    "zstd whole", "zstd dictionary", "zstd in halves"};
const char* Name(Framing framing) {
  return kFramingNames[static_cast<int>(framing)];
}
bool IsFramedByRecord(Framing framing) {
  return framing != Framing::kPlain && framing != Framing::kGzipWhole &&
         framing != Framing::kZstdWhole;
}

struct Archive {
  std::string file;
  size_t begin = 0;          // of the first record
  std::vector<size_t> ends;  // of the records; in the text if kXWhole
};

Archive Build(Framing framing, const std::vector<std::string>& records) {
  static const std::string& dictionary = *new std::string(TrainDictionary());
  Archive archive;
  std::string& file = archive.file;
  if (framing == Framing::kZstdDictionary) {
    file = SkippableFrame(0x184D2A5D, Zstd(dictionary));
  }
  archive.begin = file.size();
  for (const std::string& record : records) {
    const size_t half = record.size() / 2;
    switch (framing) {
      case Framing::kPlain:
      case Framing::kGzipWhole:
      case Framing::kZstdWhole:
        file += record;
        break;
      case Framing::kGzipRecords:
        file += Gzip(record);
        break;
      case Framing::kZstdRecords:
        file += Zstd(record);
        break;
      case Framing::kZstdDictionary:
        file += Zstd(record, dictionary);
        break;
      case Framing::kZstdSplit:
        file += Zstd(record.substr(0, half)) + Zstd(record.substr(half));
        break;
    }
    archive.ends.push_back(file.size());
  }
  if (framing == Framing::kGzipWhole) file = Gzip(file);
  if (framing == Framing::kZstdWhole) file = Zstd(file);
  return archive;
}

// A handful of records with blocks of different kinds.
std::vector<std::string> SampleRecords() {
  Random random(11);
  const std::string noise = RandomBytes(&random, 150);
  return {
      MakeRecord("warcinfo", "", "software: test\r\n"),
      MakeRecord("u:1", "words and more words, \r\n\r\nwords in common; word7"),
      MakeRecord("u:2", ""),
      MakeRecord("u:3", noise),
      MakeRecord("u:4", "HTTP/1.1 200 OK\r\n\r\n" + Gzip(noise) + "\r\n\r\n"),
  };
}

TEST(WarcReader, ReadsTheFieldsOfARecord) {
  const std::string block = "HTTP/1.1 200 OK\r\n\r\nhello";
  const Result result = Read(
      "WARC/1.0\r\n"
      "WARC-Type: response\r\n"
      "WARC-Target-URI: <http://example.com/a>\r\n"
      "WARC-Date: 2016-09-19T17:20:24.250Z\r\n"
      "WARC-Record-ID: <urn:uuid:1>\r\n"
      "WARC-Truncated: length\r\n"
      "Content-Type: application/http; msgtype=response\r\n"
      "Content-Length: 24\r\n\r\n" +
      block + "\r\n\r\n");
  ASSERT_EQ(result.records.size(), 1u);
  const WarcRecord& record = result.records[0];
  EXPECT_EQ(record.type, WarcType::kResponse);
  EXPECT_EQ(record.target_uri, "http://example.com/a");
  EXPECT_EQ(record.date_ms, 1474305624250);
  EXPECT_EQ(record.content_type, "application/http; msgtype=response");
  EXPECT_EQ(record.truncated, "length");
  EXPECT_EQ(record.block, block);
  EXPECT_EQ(record.offset, 0u);
  EXPECT_TRUE(IsHttpResponse(record));
}

// A record after one that has every field must not inherit them.
TEST(WarcReader, ClearsTheRecordItReuses) {
  const Result result = Read(MakeRecord("response", "u:1", "block") +
                             "WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
  ASSERT_EQ(result.records.size(), 2u);
  const WarcRecord& record = result.records[1];
  EXPECT_EQ(record.type, WarcType::kOther);
  EXPECT_EQ(record.target_uri, "");
  EXPECT_EQ(record.date_ms, std::nullopt);
  EXPECT_EQ(record.content_type, "");
  EXPECT_EQ(record.block, "");
}

// Each file must read as records u:1 and u:2 with blocks "one" and "two".
TEST(WarcReader, ToleratesVariants) {
  const auto lf = [](std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    return text;
  };
  const std::string one = MakeRecord("u:1", "one");
  const std::string two = MakeRecord("u:2", "two");
  const std::string body1 = "Content-Length: 3\r\n\r\none\r\n\r\n";
  const auto version = [&](std::string number) {
    return "WARC/" + number + "\r\nWARC-Target-URI: u:1\r\n" + body1 + two;
  };
  struct Case {
    std::string label;
    std::string file;
  };
  const std::vector<Case> cases = {
      {"as written", one + two},
      {"version 0.17", version("0.17")},
      {"version 0.18", version("0.18")},
      {"version 1.1", version("1.1")},
      {"spaces after the version", version("1.0 ")},
      {"LF", lf(one + two)},
      {"LF in one", one + lf(two)},
      {"names in any case",
       "WARC/"
       "1.0\r\nwarc-target-uri:u:1\r\nCONTENT-LENGTH:3\r\n\r\none\r\n\r\n" +
           two},
      {"folded lines",
       "WARC/1.0\r\nX: y\r\n z\r\nWARC-Target-URI:\r\n\tu:1\r\n" + body1 + two},
      {"folded length",
       "WARC/1.0\r\nWARC-Target-URI: u:1\r\nContent-Length:\r\n "
       "3\r\n\r\none\r\n\r\n" +
           two},
      {"the first of two fields counts",
       "WARC/1.0\r\nWARC-Target-URI: u:1\r\nWARC-Target-URI: u:9\r\n" + body1 +
           two},
      {"the same length twice",
       "WARC/1.0\r\nWARC-Target-URI: u:1\r\nContent-Length: 3\r\n" + body1 +
           two},
      {"space before the colon",
       "WARC/1.0\r\nWARC-Target-URI : u:1\r\n" + body1 + two},
      {"blank lines first", "\r\n\n" + one + two},
      {"blank lines between", one + "\r\n\r\n\r\n" + two},
      {"blank lines last", one + two + "\n\n\n"},
      {"no blank line last", one + two.substr(0, two.size() - 4)},
      {"half a blank line last", one + two.substr(0, two.size() - 3)},
      {"no blank line between", one.substr(0, one.size() - 4) + two},
      {"one line end between", one.substr(0, one.size() - 2) + two},
      {"padded gzip", Gzip(one) + Gzip(two) + std::string(100, '\0')},
      {"empty members", Gzip("") + Gzip(one) + Gzip("") + Gzip(two)},
      {"blank lines in a member", Gzip(one) + Gzip("\r\n") + Gzip(two)},
      {"the start in two members",
       Gzip(one) + Gzip(two.substr(0, 3)) + Gzip(two.substr(3))},
      {"members of any cut", Gzip(one.substr(0, 30)) +
                                 Gzip(one.substr(30) + two.substr(0, 50)) +
                                 Gzip(two.substr(50))},
      {"zstd with other frames",
       Zstd(one) + SkippableFrame(0x184D2A50, "skip") + Zstd("") + Zstd(two)},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    for (const size_t step : {0, 1}) {
      const Result result = Read(c.file, {}, step);
      EXPECT_THAT(result.Uris(), ElementsAre("u:1", "u:2"));
      EXPECT_THAT(result.Reasons(), IsEmpty());
      if (result.records.size() != 2) continue;
      EXPECT_EQ(result.records[0].block, "one");
      EXPECT_EQ(result.records[1].block, "two");
    }
  }
}

TEST(WarcReader, EmptyFilesHaveNoRecords) {
  for (const std::string& file :
       {std::string(), std::string("\r\n\n"), Gzip(""), Zstd("")}) {
    const Result result = Read(file);
    EXPECT_TRUE(result.status.ok());
    EXPECT_THAT(result.records, IsEmpty());
    EXPECT_THAT(result.rejections, IsEmpty());
  }
}

TEST(WarcReader, OffsetsArePlacesInTheFile) {
  const std::vector<std::string> records = SampleRecords();
  for (const Framing framing : kFramings) {
    SCOPED_TRACE(Name(framing));
    const Archive archive = Build(framing, records);
    const Result result = Read(archive.file);
    ASSERT_EQ(result.records.size(), records.size());
    size_t begin = archive.begin;
    for (size_t i = 0; i < records.size(); ++i) {
      const bool whole =
          framing == Framing::kGzipWhole || framing == Framing::kZstdWhole;
      EXPECT_EQ(result.records[i].offset, whole ? 0 : begin);
      begin = archive.ends[i];
    }
  }
}

TEST(WarcReader, FramingAndReadSizesDoNotMatter) {
  const std::vector<std::string> records = SampleRecords();
  const Result plain = Read(Build(Framing::kPlain, records).file);
  ASSERT_EQ(plain.records.size(), records.size());
  for (const Framing framing : kFramings) {
    SCOPED_TRACE(Name(framing));
    const std::string file = Build(framing, records).file;
    const Result whole = Read(file);
    EXPECT_THAT(whole.rejections, IsEmpty());
    ASSERT_EQ(whole.records.size(), records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(whole.records[i].target_uri, plain.records[i].target_uri);
      EXPECT_EQ(whole.records[i].type, plain.records[i].type);
      EXPECT_TRUE(whole.records[i].block == plain.records[i].block);
    }
    for (const size_t step : {1, 3, 100}) {
      ExpectSame(Read(file, {}, step), whole);
    }
  }
}

TEST(WarcReader, LargeBlocksCrossBuffers) {
  Random random(5);
  std::vector<std::string> records;
  for (const size_t size : {300'000, 1'000'000, 10, 2'500'000, 262'144}) {
    records.push_back(
        MakeRecord("u:" + std::to_string(size), RandomBytes(&random, size)));
  }
  for (const Framing framing : kFramings) {
    SCOPED_TRACE(Name(framing));
    const Result result = Read(Build(framing, records).file, {}, 70'001);
    EXPECT_THAT(result.rejections, IsEmpty());
    ASSERT_EQ(result.records.size(), records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ("u:" + std::to_string(result.records[i].block.size()),
                result.records[i].target_uri);
      EXPECT_NE(records[i].find(result.records[i].block), std::string::npos);
    }
  }
}

// Damage that is in the text of the records, so every framing meets it. The
// damaged record stands between two good ones.
TEST(WarcReader, RejectsOneRecordAndReadsTheNext) {
  const std::string uri = "WARC-Target-URI: u:bad\r\n";
  struct Case {
    std::string label;
    std::string record;
    Reason reason;
    // Unless the next frame comes first.
    bool leads_out_of_the_file = false;
  };
  const std::vector<Case> cases = {
      {"unknown version",
       "WARC/2.0\r\n" + uri + "Content-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kUnsupportedVersion},
      {"version with rubbish",
       "WARC/1.0x\r\n" + uri + "Content-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kBadHeader},
      {"no length", "WARC/1.0\r\n" + uri + "\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"empty length", "WARC/1.0\r\nContent-Length:\r\n\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"negative length", "WARC/1.0\r\nContent-Length: -3\r\n\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"signed length", "WARC/1.0\r\nContent-Length: +3\r\n\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"length in words", "WARC/1.0\r\nContent-Length: 3b\r\n\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"length of 67 bits",
       "WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"lengths that differ",
       "WARC/1.0\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nbad\r\n\r\n",
       Reason::kBadContentLength},
      {"line without a colon",
       "WARC/1.0\r\nrubbish\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kBadHeader},
      {"name with a space",
       "WARC/1.0\r\na b: c\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kBadHeader},
      {"folded line first",
       "WARC/1.0\r\n x: c\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kBadHeader},
      {"header that does not end", "WARC/1.0\r\n" + uri, Reason::kBadHeader},
      {"two headers run together",
       "WARC/1.0\r\nWARC-Type: warcinfo\r\n" + uri +
           "Content-Length: 3WARC/1.0\r\nWARC-Type: response\r\n"
           "Content-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kBadHeader},
      {"zeros in a header line",
       "WARC/1.0\r\nWARC-Type: response\r\nX: " + std::string(20, '\0') +
           "\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kBadHeader},
      {"length too small", "WARC/1.0\r\nContent-Length: 2\r\n\r\nbad\r\n\r\n",
       Reason::kLengthMismatch},
      {"length too large by a little",
       "WARC/1.0\r\nContent-Length: 12\r\n\r\nbad\r\n\r\n",
       Reason::kLengthMismatch},
      {"length too large by much",
       "WARC/1.0\r\nContent-Length: 150\r\n\r\nbad\r\n\r\n",
       Reason::kLengthMismatch},
      {"length over the limit",
       "WARC/1.0\r\nContent-Length: 1001\r\n\r\nbad\r\n\r\n",
       Reason::kLengthMismatch, /*leads_out_of_the_file=*/true},
      {"huge length",
       "WARC/1.0\r\nContent-Length: 9999999999999999\r\n\r\nbad\r\n\r\n",
       Reason::kLengthMismatch, /*leads_out_of_the_file=*/true},
      {"block over the limit", MakeRecord("u:bad", std::string(1001, 'x')),
       Reason::kOversizeBlock},
      {"block over the limit, of lines",
       MakeRecord("u:bad", std::string(5000, '\n')), Reason::kOversizeBlock},
      {"header over the limit",
       "WARC/1.0\r\nX: " + std::string(600, 'x') +
           "\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
       Reason::kOversizeHeader},
      {"first line over the limit", "WARC/1.0" + std::string(600, 'x') + "\r\n",
       Reason::kOversizeHeader},
  };
  const WarcReader::Options options = {.max_block_bytes = 1000,
                                       .max_header_bytes = 500};
  for (const Case& c : cases) {
    for (const Framing framing : kFramings) {
      SCOPED_TRACE(c.label + ", " + Name(framing));
      std::vector<std::string> records = {MakeRecord("u:1", "one"), c.record};
      // Enough good bytes that a length too large does not lead to the end.
      records.push_back(MakeRecord("u:2", "two"));
      records.push_back(MakeRecord("u:3", std::string(40, 'z')));
      const std::string file = Build(framing, records).file;
      const Result result = Read(file, options);
      EXPECT_THAT(result.Uris(), ElementsAre("u:1", "u:2", "u:3"));
      const bool is_truncated =
          c.leads_out_of_the_file &&
          (framing == Framing::kPlain || framing == Framing::kGzipWhole ||
           framing == Framing::kZstdWhole);
      EXPECT_THAT(result.Reasons(),
                  ElementsAre(is_truncated ? Reason::kTruncated : c.reason));
      for (const auto& rejection : result.rejections) {
        EXPECT_NE(rejection.detail, "");
      }
      ExpectSame(Read(file, options, 1), result);
    }
  }
}

TEST(WarcReader, RejectsRubbish) {
  const std::string one = MakeRecord("u:1", "one");
  const std::string two = MakeRecord("u:2", "two");
  struct Case {
    std::string label;
    std::string file;
    std::vector<std::string> uris;
    std::vector<Reason> reasons;
  };
  std::string bad_checksum = Gzip(one);
  bad_checksum[bad_checksum.size() - 6] ^= 1;
  std::string bad_zstd = Zstd(one);
  bad_zstd.back() ^= 1;
  const std::vector<Case> cases = {
      {"only rubbish",
       "<html>\n<p>WARC/1.0\n</html>",
       {},
       {Reason::kBadHeader}},
      {"short rubbish", "x", {}, {Reason::kBadHeader}},
      {"rubbish first", "rubbish\r\n" + one, {"u:1"}, {Reason::kBadHeader}},
      {"rubbish between",
       one + "rubbish\r\n" + two,
       {"u:1", "u:2"},
       {Reason::kBadHeader}},
      {"damaged first line",
       one + "V" + two.substr(1) + MakeRecord("u:3", "x"),
       {"u:1", "u:3"},
       {Reason::kBadHeader}},
      {"rubbish last", one + "rubbish", {"u:1"}, {Reason::kBadHeader}},
      {"checksum", bad_checksum + Gzip(two), {"u:2"}, {Reason::kCorruptFrame}},
      {"checksum of the last",
       Gzip(one) + bad_checksum,
       {"u:1"},
       {Reason::kCorruptFrame}},
      {"zstd checksum", bad_zstd + Zstd(two), {"u:2"}, {Reason::kCorruptFrame}},
      {"rubbish between members",
       Gzip(one) + "rubbish" + Gzip(two),
       {"u:1", "u:2"},
       {Reason::kCorruptFrame}},
      {"rubbish between frames",
       Zstd(one) + "rubbish" + Zstd(two),
       {"u:1", "u:2"},
       {Reason::kCorruptFrame}},
      {"rubbish in a member",
       Gzip(one) + Gzip("rubbish") + Gzip(two),
       {"u:1", "u:2"},
       {Reason::kBadHeader}},
      {"rubbish at the end of a member",
       Gzip(one + "rubbish") + Gzip(two),
       {"u:2"},
       {Reason::kLengthMismatch}},
      {"rubbish after members",
       Gzip(one) + "rubbish",
       {"u:1"},
       {Reason::kCorruptFrame}},
      {"only rubbish in gzip", Gzip("<html>"), {}, {Reason::kBadHeader}},
      {"only a gzip header", Gzip("").substr(0, 10), {}, {Reason::kTruncated}},
      {"a gzip header of rubbish",
       "\x1F\x8B\x08rubbish and so on",
       {},
       {Reason::kCorruptFrame}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    for (const size_t step : {0, 1}) {
      const Result result = Read(c.file, {}, step);
      EXPECT_EQ(result.Uris(), c.uris);
      EXPECT_EQ(result.Reasons(), c.reasons);
    }
  }
}

TEST(WarcReader, RejectionsSayWhere) {
  const std::string one = MakeRecord("u:1", "one");
  const std::string bad = MakeRecord("u:bad", std::string(2000, 'x'));
  const WarcReader::Options options = {.max_block_bytes = 1000};
  struct Case {
    std::string label;
    std::string file;
    uint64_t offset;
    std::string uri;
  };
  const std::vector<Case> cases = {
      {"plain", one + bad + one, one.size(), "u:bad"},
      {"gzip", Gzip(one) + Gzip(bad) + Gzip(one), Gzip(one).size(), "u:bad"},
      {"rubbish", Gzip(one) + "rubbish" + Gzip(one), Gzip(one).size(), ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const Result result = Read(c.file, options);
    EXPECT_EQ(result.records.size(), 2u);
    ASSERT_EQ(result.rejections.size(), 1u);
    EXPECT_EQ(result.rejections[0].offset, c.offset);
    EXPECT_EQ(result.rejections[0].target_uri, c.uri);
  }
}

// A length that swallows several records costs only its own.
TEST(WarcReader, FindsSwallowedRecords) {
  std::string file = "WARC/1.0\r\nContent-Length: 700\r\n\r\nbad\r\n\r\n";
  for (int i = 0; i < 20; ++i) {
    file += MakeRecord("u:" + std::to_string(i), "block");
  }
  const Result result = Read(file);
  EXPECT_EQ(result.records.size(), 20u);
  EXPECT_THAT(result.Reasons(), ElementsAre(Reason::kLengthMismatch));
}

// The first line of a swallowed record may straddle the end of the block.
TEST(WarcReader, FindsARecordCutByAWrongLength) {
  for (int cut = 0; cut < 12; ++cut) {
    SCOPED_TRACE(cut);
    const std::string length = std::to_string(7 + cut);
    const Result result =
        Read("WARC/1.0\r\nContent-Length: " + length + "\r\n\r\nbad\r\n\r\n" +
             MakeRecord("u:1", "one"));
    std::vector<std::string> expected = {"u:1"};
    if (cut == 0) expected.insert(expected.begin(), "");  // a right length
    EXPECT_EQ(result.Uris(), expected);
  }
}

TEST(WarcReader, SkipsAnOversizeBlockWithoutHoldingIt) {
  // A block of 100 MB, compressed so that the test does not hold it either.
  std::string text = "WARC/1.0\r\nContent-Length: 100000000\r\n\r\n";
  text.append(100'000'000, 'x');
  text += "\r\n\r\n" + MakeRecord("u:1", "one");
  const std::string file = Gzip(text, 1);
  text = std::string();
  const Result result = Read(file, {.max_block_bytes = 1 << 20});
  EXPECT_THAT(result.Uris(), ElementsAre("u:1"));
  EXPECT_THAT(result.Reasons(), ElementsAre(Reason::kOversizeBlock));
}

TEST(WarcReader, ClaimedLengthsAllocateNothing) {
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  const Result result =
      Read("WARC/1.0\r\nContent-Length: 2000000000\r\n\r\nbad\r\n\r\n" +
               MakeRecord("u:1", "one"),
           {.max_block_bytes = size_t{4} << 30});
  getrusage(RUSAGE_SELF, &after);
  EXPECT_THAT(result.Uris(), ElementsAre("u:1"));
  EXPECT_THAT(result.Reasons(), ElementsAre(Reason::kTruncated));
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 16 << 10);  // KiB
}

TEST(WarcReader, ErrorsOfTheFilePassAndStay) {
  const std::string one = MakeRecord("u:1", "one");
  for (const std::string& file :
       {one + one.substr(0, 50), Gzip(one) + "\x1F"}) {
    const Result result = ReadFrom(std::make_unique<ChunkedSource>(
        file, 0, absl::UnavailableError("disk")));
    EXPECT_EQ(result.status.code(), absl::StatusCode::kUnavailable);
  }
  // DataLoss of the file itself is not taken for a damaged frame.
  const Result result = ReadFrom(std::make_unique<ChunkedSource>(
      Gzip(one).substr(0, 20), 0, absl::DataLossError("bad block")));
  EXPECT_EQ(result.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(result.rejections, IsEmpty());
}

// How many decoded bytes of a truncated file there are.
size_t DecodedSize(const std::string& file) {
  compress::DecompressingSource source(std::make_unique<ChunkedSource>(file));
  char buffer[4096];
  size_t size = 0;
  while (true) {
    const auto count = source.Read(buffer, sizeof(buffer));
    if (!count.ok() || *count == 0) return size;
    size += *count;
  }
}

// A file cut anywhere keeps every record that is complete, and reports at most
// one that is not.
TEST(WarcReader, TruncationAtEveryOffset) {
  const std::vector<std::string> records = SampleRecords();
  for (const Framing framing : kFramings) {
    const Archive archive = Build(framing, records);
    const Result whole = Read(archive.file);
    ASSERT_EQ(whole.records.size(), records.size());
    for (size_t cut = 0; cut < archive.file.size(); ++cut) {
      SCOPED_TRACE(std::string(Name(framing)) + " cut at " +
                   std::to_string(cut));
      const std::string file = archive.file.substr(0, cut);
      // In a whole-file frame a record counts as complete once a byte of the
      // next has been decoded.
      const bool framed = IsFramedByRecord(framing);
      const size_t available = framed || framing == Framing::kPlain
                                   ? cut
                                   : std::max<size_t>(DecodedSize(file), 1) - 1;
      const size_t complete =
          static_cast<size_t>(std::upper_bound(archive.ends.begin(),
                                               archive.ends.end(), available) -
                              archive.ends.begin());
      const Result result = Read(file);
      ASSERT_TRUE(result.status.ok());
      // Plain text is complete without the blank line at its end.
      EXPECT_GE(result.records.size(), complete);
      EXPECT_LE(result.records.size(), complete + 1);
      if (framed) {
        EXPECT_EQ(result.records.size(), complete);
      }
      for (size_t i = 0; i < result.records.size(); ++i) {
        EXPECT_EQ(result.records[i].target_uri, whole.records[i].target_uri);
        EXPECT_TRUE(result.records[i].block == whole.records[i].block);
      }
      EXPECT_LE(result.rejections.size(), 1u);
      const bool clean =
          cut == 0 || std::count(archive.ends.begin(), archive.ends.end(), cut);
      if (framed && framing != Framing::kZstdDictionary) {
        EXPECT_EQ(result.rejections.size(), clean ? 0u : 1u);
      }
      for (const auto& rejection : result.rejections) {
        // One byte of a magic number is not enough to know the format.
        if (cut > 3) {
          EXPECT_EQ(rejection.reason, Reason::kTruncated);
        }
      }
    }
  }
}

// Flipped bits in a file with a frame per record cost the records of the frames
// they are in, rarely one between them, and what is returned is what was
// written.
TEST(WarcReader, RandomDamageCostsOnlyWhatItHits) {
  const uint64_t seed = TestSeed(20240917);
  SCOPED_TRACE("TROMMEL_SEED=" + std::to_string(seed));
  Random random(seed);
  std::vector<std::string> records;
  std::vector<std::string> blocks;
  for (int i = 0; i < 12; ++i) {
    std::string block;
    for (uint64_t j = random.Below(60); j > 0; --j) {
      block += "word" + std::to_string(random.Below(100)) + " in common;\r\n";
    }
    if (i % 3 == 1) block += Gzip(block) + RandomBytes(&random, 2000);
    if (i % 3 == 2) block += Zstd(block);
    blocks.push_back(block);
    records.push_back(MakeRecord("u:" + std::to_string(i), block));
  }
  for (const Framing framing : {Framing::kGzipRecords, Framing::kZstdRecords}) {
    int num_lost_good = 0;  // files
    const Archive archive = Build(framing, records);
    for (int trial = 0; trial < 1500; ++trial) {
      SCOPED_TRACE(std::string(Name(framing)) + ", trial " +
                   std::to_string(trial));
      std::string file = archive.file;
      std::set<size_t> hit;
      for (uint64_t flips = 1 + random.Below(3); flips > 0; --flips) {
        const size_t at = random.Below(file.size());
        file[at] ^= static_cast<char>(1 << random.Below(8));
        hit.insert(static_cast<size_t>(
            std::upper_bound(archive.ends.begin(), archive.ends.end(), at) -
            archive.ends.begin()));
      }
      const Result result = Read(file);
      ASSERT_TRUE(result.status.ok());
      std::set<size_t> returned;
      for (const WarcRecord& record : result.records) {
        const size_t index = std::stoul(record.target_uri.substr(2));
        EXPECT_TRUE(returned.insert(index).second);
        EXPECT_TRUE(record.block == blocks[index]);
      }
      size_t lost = 0;
      size_t lost_good = 0;
      for (size_t i = 0; i < records.size(); ++i) {
        if (returned.contains(i)) continue;
        ++lost;
        if (!hit.contains(i)) ++lost_good;
      }
      if (lost > 0) {
        EXPECT_GE(result.rejections.size(), 1u);
      }
      EXPECT_LE(result.rejections.size(), hit.size() + lost_good);
      if (lost_good == 0) continue;
      // Between two damages, the first of them to the length of a block.
      EXPECT_EQ(framing, Framing::kZstdRecords);
      EXPECT_GE(result.rejections.size(), lost_good);
      ++num_lost_good;
    }
    EXPECT_LE(num_lost_good, 15);
  }
}

// In every framing, damage of any kind leaves the counters consistent (checked
// by Read) and the result independent of the sizes of reads.
TEST(WarcReader, RandomDamageNeverBreaksIt) {
  const uint64_t seed = TestSeed(7);
  SCOPED_TRACE("TROMMEL_SEED=" + std::to_string(seed));
  Random random(seed);
  const std::vector<std::string> records = SampleRecords();
  const WarcReader::Options options = {.max_block_bytes = 200,
                                       .max_header_bytes = 200};
  for (const Framing framing : kFramings) {
    const std::string good = Build(framing, records).file;
    for (int trial = 0; trial < 200; ++trial) {
      SCOPED_TRACE(std::string(Name(framing)) + ", trial " +
                   std::to_string(trial));
      std::string file = good;
      for (uint64_t edits = 1 + random.Below(4); edits > 0; --edits) {
        const size_t at = random.Below(file.size());
        switch (random.Below(4)) {
          case 0:
            file[at] ^= static_cast<char>(1 << random.Below(8));
            break;
          case 1:
            file.erase(at, 1 + random.Below(20));
            break;
          case 2:
            file.insert(at, file.substr(random.Below(file.size()), 30));
            break;
          default:
            file.insert(at, RandomBytes(&random, 5));
        }
        if (file.empty()) file = "x";
      }
      ExpectSame(Read(file, options), Read(file, options, 1));
    }
  }
}

// The seeds of the fuzz target; damaged_frame.warc.zst is one that it found.
TEST(WarcReader, FuzzSeedsDoNotDependOnReadSizes) {
  const WarcReader::Options options = {.max_block_bytes = 512,
                                       .max_header_bytes = 256};
  int num_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           TROMMEL_SOURCE_DIR "/tests/fuzz/corpus/warc")) {
    SCOPED_TRACE(entry.path().string());
    const std::string file =
        testing_support::ReadWholeFile(entry.path().string());
    for (const size_t step : {1, 7, 100}) {
      ExpectSame(Read(file, options), Read(file, options, step));
    }
    ++num_files;
  }
  EXPECT_GE(num_files, 10);
}

// Every line claims a block that reaches to the end: quadratic if the blocks
// were searched without limit.
TEST(WarcReader, SearchIsNotQuadratic) {
  std::string file;
  while (file.size() < (2 << 20)) {
    file += "WARC/1.0\nContent-Length: 60000000\n\n";
  }
  const Result result = Read(file);
  EXPECT_THAT(result.records, IsEmpty());
  EXPECT_GE(result.rejections.size(), 1u);

  std::string lines;
  while (lines.size() < (2 << 20)) lines += "WARC/1\n";
  EXPECT_GE(Read(lines).rejections.size(), 100'000u);
}

TEST(RejectReason, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kNumRejectReasons; ++i) {
    names.insert(ToString(static_cast<RejectReason>(i)));
  }
  EXPECT_EQ(names.size(), kNumRejectReasons);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace trommel::warc
