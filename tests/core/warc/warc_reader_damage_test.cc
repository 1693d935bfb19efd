// Damaged archives of which the truth is known: every good record is returned
// or reported missing, and no page can pass for a record.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "core/warc/warc_reader.h"
#include "tests/testing/chunked_source.h"
#include "tests/testing/compression.h"
#include "tests/testing/damaged_warc.h"
#include "tests/testing/seed.h"

namespace trommel::warc {
namespace {

using ::trommel::testing_support::ChunkedSource;
using ::trommel::testing_support::DamagedWarc;
using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::HasFramePerRecord;
using ::trommel::testing_support::kForgedUrlPrefix;
using ::trommel::testing_support::MakeDamagedWarc;
using ::trommel::testing_support::MakeWarcRecord;
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::TestSeed;
using ::trommel::testing_support::WarcFraming;
using ::trommel::testing_support::Zstd;

struct Result {
  std::vector<std::pair<std::string, std::string>> records;  // URL, block
  WarcReader::Counters counters;

  std::vector<std::string> Urls() const {
    std::vector<std::string> urls;
    for (const auto& [url, block] : records) urls.push_back(url);
    return urls;
  }
};

Result Read(std::string file, WarcReader::Options options = {}) {
  WarcReader reader(std::make_unique<ChunkedSource>(std::move(file)), options);
  Result result;
  WarcRecord record;
  while (true) {
    const auto outcome = reader.Next(&record);
    EXPECT_TRUE(outcome.ok());
    if (!outcome.ok() || *outcome == WarcReader::Outcome::kEnd) break;
    if (*outcome == WarcReader::Outcome::kRecord) {
      result.records.emplace_back(record.target_uri, record.block);
    }
  }
  result.counters = reader.counters();
  return result;
}

// What became of the records of a damaged file.
struct Tally {
  int64_t good = 0;
  int64_t missing = 0;
  int64_t missing_bytes = 0;
};

void CheckReturned(const DamagedWarc& warc, const Result& result,
                   std::map<std::string, int>* returned) {
  std::map<std::string, const DamagedWarc::Record*> by_url;
  for (const auto& record : warc.records) by_url[record.url] = &record;
  for (const auto& [url, block] : result.records) {
    EXPECT_FALSE(url.starts_with(kForgedUrlPrefix)) << url;
    const auto found = by_url.find(url);
    // Without checksums, a damaged record can be returned, its URL damaged too.
    const bool framed = HasFramePerRecord(warc.framing);
    if (found == by_url.end()) {
      EXPECT_FALSE(framed) << url;
      continue;
    }
    const DamagedWarc::Record& record = *found->second;
    const int count = ++(*returned)[url];
    if (framed) {
      EXPECT_TRUE(block == record.block) << url;
      EXPECT_LE(count, record.num_copies) << url;
    } else if (record.is_good && count == 1) {
      // Later ones are what a decoder makes of damage that it does not notice.
      EXPECT_TRUE(block == record.block) << url;
    }
  }
}

Tally Check(const DamagedWarc& warc) {
  const Result result = Read(warc.file);
  std::map<std::string, int> returned;
  CheckReturned(warc, result, &returned);
  Tally tally;
  for (const DamagedWarc::Record& record : warc.records) {
    if (!record.is_good) continue;
    ++tally.good;
    if (returned.contains(record.url)) continue;
    ++tally.missing;
    tally.missing_bytes += static_cast<int64_t>(record.file_bytes);
  }
  EXPECT_LE(tally.missing, result.counters.records_rejected);
  EXPECT_LE(tally.missing_bytes, result.counters.bytes_skipped);
  if (result.records.size() < warc.records.size()) {
    EXPECT_GT(result.counters.records_rejected, 0);
    EXPECT_GT(result.counters.bytes_skipped, 0);
  }
  return tally;
}

TEST(WarcReaderDamage, EveryGoodRecordIsReturnedOrReported) {
  constexpr int kFiles = 200;
  const uint64_t first_seed = TestSeed(18'000);
  std::map<std::string_view, Tally> tallies;
  for (uint64_t seed = first_seed; seed < first_seed + kFiles; ++seed) {
    const DamagedWarc warc = MakeDamagedWarc(seed);
    SCOPED_TRACE("TROMMEL_SEED=" + std::to_string(seed) + ", " +
                 std::string(ToString(warc.framing)) + ":" + warc.damage);
    const Tally tally = Check(warc);
    if (tally.missing > 0) {
      std::cout << "seed " << seed << ", " << ToString(warc.framing) << ":"
                << warc.damage << ": " << tally.missing << " of " << tally.good
                << " good records reported missing\n";
    }
    Tally& sum = tallies[ToString(warc.framing)];
    sum.good += tally.good;
    sum.missing += tally.missing;
  }
  for (const auto& [framing, sum] : tallies) {
    std::cout << framing << ": " << sum.good << " good records, " << sum.missing
              << " of them reported missing\n";
    // Few, and where another damage is close behind.
    EXPECT_LE(sum.missing * 10, sum.good) << framing;
  }
}

std::string Url(int number) {
  return "https://example.org/" + std::to_string(number);
}

// A stored block that claims 64 KiB, to which the members behind contribute.
std::string OverrunMember(const std::string& record) {
  return Gzip(record, 0).replace(10, 5, std::string("\0\xFF\xFF\0\0", 5));
}
std::string FlippedMember(const std::string& record) {
  std::string member = Gzip(record);
  member[member.size() / 2] ^= 0x10;
  return member;
}
std::string CutMember(const std::string& record) {
  const std::string member = Gzip(record);
  return member.substr(0, member.size() / 2);
}

TEST(WarcReaderDamage, LongRunsOfDamagedMembersCostOnlyThemselves) {
  struct Case {
    const char* label;
    std::string (*damage)(const std::string& record);
  };
  for (const Case& c :
       {Case{"overrun", OverrunMember}, Case{"flipped", FlippedMember},
        Case{"cut", CutMember}}) {
    SCOPED_TRACE(c.label);
    Random random(3);
    std::string file;
    std::vector<std::string> expected;
    for (int i = 0; i < 13'000; ++i) {
      const std::string record =
          MakeWarcRecord(Url(i), RandomBytes(&random, 9));
      if (i >= 2000 && i < 3000) {
        file += c.damage(record);
      } else {
        file += Gzip(record);
        expected.push_back(Url(i));
      }
    }
    const Result result = Read(file);
    EXPECT_EQ(result.records.size(), 12'000u);
    EXPECT_TRUE(result.Urls() == expected);
    EXPECT_GE(result.counters.records_rejected, 1000);
    EXPECT_GT(result.counters.bytes_skipped, 0);
    EXPECT_LT(result.counters.bytes_skipped,
              static_cast<int64_t>(file.size() / 5));
  }
}

// Pages that are archives: as text, as gzip members, as Zstandard frames.
std::vector<std::string> HostileBlocks() {
  Random random(5);
  std::string text = "HTTP/1.1 200 OK\r\n\r\n<html>\r\n\r\n";
  std::string gzip = text;
  std::string zstd = text;
  for (int i = 0; i < 12; ++i) {
    const std::string record =
        MakeWarcRecord(std::string(kForgedUrlPrefix) + std::to_string(i),
                       RandomBytes(&random, 700));
    text += record;
    gzip += Gzip(record);
    zstd += Zstd(record);
  }
  text.resize(text.size() - 4);  // the page's record ends as the last one does
  return {text, gzip, zstd};
}

std::string WithLength(const std::string& record, size_t length) {
  const size_t digits = record.find("Length: ") + 8;
  std::string changed = record;
  changed.replace(digits, record.find('\r', digits) - digits,
                  std::to_string(length));
  return changed;
}

// A length that leads to a record inside the block, as if the page's ended
// there.
std::string WithLengthToForgedRecord(const std::string& record) {
  const size_t block = record.find("\r\n\r\n") + 4;
  const size_t forged = record.find("WARC/1.0", block);
  if (forged == std::string::npos) return WithLength(record, 10);
  return WithLength(record, forged - 4 - block);
}

// A frame that lacks the end of its checksum.
std::string WithoutEnd(const std::string& frame) {
  return frame.substr(0, frame.size() - 3);
}

struct Forgery {
  std::string label;
  std::string frame;
  bool is_well_formed = false;  // as a frame of several records
};

// The hostile record in its frame, damaged in every way.
std::vector<Forgery> Forgeries(const std::string& record, bool zstd,
                               int level) {
  const auto compress = [&](const std::string& text) {
    return zstd ? Zstd(text) : Gzip(text, level);
  };
  const std::string good = compress(record);
  const auto changed = [&](size_t at, size_t length) {
    std::string frame = good;
    for (size_t i = at; i < at + length; ++i) frame[i] ^= 0x15;
    return frame;
  };
  const size_t size = good.size();
  const size_t block_size = std::stoul(record.substr(record.find("th: ") + 4));
  const std::string to_forged = compress(WithLengthToForgedRecord(record));
  std::string bad_line = record;
  bad_line.insert(10, "rubbish\r\n");
  std::string no_length = record;
  no_length.replace(record.find("Content-Length"), 14, "Xontent-Length");
  return {
      {"magic number", changed(0, 1)},
      {"header of the frame", changed(3, 2)},
      {"first bytes", changed(12, 8)},
      {"middle", changed(size / 2, 1)},
      {"range in the middle", changed(size / 2, 200)},
      {"checksum", changed(size - 7, 1)},
      {"last byte", changed(size - 1, 1)},
      {"cut", good.substr(0, size / 2)},
      {"hole", good.substr(0, size / 3) + good.substr(size / 3 + 50)},
      {"inserted",
       good.substr(0, size / 3) + "inserted" + good.substr(size / 3)},
      {"longer", compress(WithLength(record, block_size + 20))},
      {"much longer", compress(WithLength(record, block_size + 5000))},
      {"shorter", compress(WithLength(record, block_size - 20))},
      {"to a forged record, and cut", WithoutEnd(to_forged), true},
      {"no length", compress(no_length)},
      {"bad header line", compress(bad_line)},
  };
}

TEST(WarcReaderDamage, PagesCannotForgeRecords) {
  int num_files = 0;
  for (const std::string& block : HostileBlocks()) {
    const std::string record = MakeWarcRecord("https://evil.example/", block);
    for (const int format : {0, 6, -1}) {  // levels of gzip, or Zstandard
      const bool zstd = format < 0;
      std::vector<std::string> good;
      std::vector<std::string> expected;
      for (int i = 0; i < 6; ++i) {
        const std::string text = MakeWarcRecord(Url(i), "a page");
        good.push_back(zstd ? Zstd(text) : Gzip(text, format));
        expected.push_back(Url(i));
      }
      for (const Forgery& forgery : Forgeries(record, zstd, format)) {
        for (const size_t before : {0, 3, 6}) {
          // Nothing is known of the file yet that makes this wrong.
          if (forgery.is_well_formed && before == 0) continue;
          SCOPED_TRACE("format " + std::to_string(format) + ", " +
                       forgery.label + ", after " + std::to_string(before));
          std::string file;
          for (size_t i = 0; i < good.size(); ++i) {
            if (i == before) file += forgery.frame;
            file += good[i];
          }
          if (before == good.size()) file += forgery.frame;
          const Result result = Read(file);
          EXPECT_EQ(result.Urls(), expected);
          EXPECT_GE(result.counters.records_rejected, 1);
          EXPECT_GE(result.counters.bytes_skipped,
                    static_cast<int64_t>(forgery.frame.size() / 2));
          ++num_files;
        }
      }
    }
  }
  EXPECT_EQ(num_files, 3 * 3 * (15 * 3 + 2));
}

// Where only lengths mark records, WARC text in a page is no record unless it
// is well formed to its end.
TEST(WarcReaderDamage, WarcTextInPlainFilesIsNoRecord) {
  const std::string one = MakeWarcRecord(Url(1), "one");
  const std::string two = MakeWarcRecord(Url(2), "two");
  const std::string text =
      "<pre>An example:\n\nWARC/1.0\nWARC-Type: response\nWARC-Target-URI: " +
      std::string(kForgedUrlPrefix) +
      "\nContent-Length: 12\n\nis all there is to it.</pre>";
  const std::string page = MakeWarcRecord("https://example.org/doc", text);
  for (const std::string& bad :
       {WithLength(page, text.size() - 9), WithLength(page, text.size() + 9),
        WithLength(page, text.size() + two.size() - 9)}) {
    for (const std::string& file :
         {one + bad + two, Gzip(one + bad + two), Zstd(one + bad + two)}) {
      const Result result = Read(file);
      EXPECT_EQ(result.Urls(), (std::vector<std::string>{Url(1), Url(2)}));
      EXPECT_GE(result.counters.bytes_skipped,
                static_cast<int64_t>(bad.size()));
    }
  }
}

// A file compressed as a whole is searched by line even if nothing was read of
// it before, and in one of members the first bad record shows nothing.
TEST(WarcReaderDamage, TheFirstRecordIsBad) {
  const std::string one = MakeWarcRecord(Url(1), "one");
  const std::string two = MakeWarcRecord(Url(2), "two");
  const std::string bad = WithLength(one, 20);
  EXPECT_EQ(Read(Gzip(bad + two + one)).Urls(),
            (std::vector<std::string>{Url(2), Url(1)}));
  EXPECT_EQ(Read(Gzip(bad + two) + Gzip(one)).Urls(),
            (std::vector<std::string>{Url(1)}));
}

std::string Records(int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += MakeWarcRecord(Url(i), "a page");
  return text;
}

std::vector<std::string> Urls(int begin, int end) {
  std::vector<std::string> urls;
  for (int i = begin; i < end; ++i) urls.push_back(Url(i));
  return urls;
}

// Frames that are whole may hold as many records as they like, whatever those
// before them held.
TEST(WarcReaderDamage, ArchivesOfSeveralLayoutsAreReadWhole) {
  std::string members;
  for (int i = 0; i < 12; ++i) members += Gzip(Records(i, i + 1));
  EXPECT_EQ(Read(members + Gzip(Records(12, 100))).Urls(), Urls(0, 100));
  std::string pairs = Gzip(Records(0, 1)) + Gzip(Records(1, 2));
  for (int i = 2; i < 20; i += 2) pairs += Gzip(Records(i, i + 2));
  const Result result = Read(pairs);
  EXPECT_EQ(result.Urls(), Urls(0, 20));
  EXPECT_EQ(result.counters.bytes_skipped, 0);
}

// A description in a frame of its own says nothing of the frame behind it.
TEST(WarcReaderDamage, OneFrameOfOneRecordProvesLittle) {
  const std::string bad = WithLength(MakeWarcRecord(Url(50), "a page"), 1);
  EXPECT_EQ(Read(Gzip(Records(0, 1)) + Gzip(bad + Records(1, 40))).Urls(),
            Urls(0, 40));
}

// A length that is damaged, and so large that no block would be accepted, is no
// excuse for what it leads over.
TEST(WarcReaderDamage, ADamagedLengthIsNoOversizeBlock) {
  WarcReader::Options options;
  options.max_block_bytes = 2000;
  for (const size_t length : {size_t{5003}, size_t{9'000'000'000}}) {
    SCOPED_TRACE(length);
    const std::string bad = WithLength(Records(10, 11), length);
    const Result result =
        Read(Records(0, 10) + bad + Records(11, 200), options);
    EXPECT_EQ(result.counters.rejected_by_reason[static_cast<size_t>(
                  RejectReason::kOversizeBlock)],
              0);
    EXPECT_EQ(result.counters.records_rejected, 1);
    EXPECT_GE(result.counters.bytes_skipped, 5000);
  }
  const std::string film = MakeWarcRecord(Url(10), std::string(5000, 'x'));
  const Result result = Read(Records(0, 10) + film + Records(11, 200), options);
  EXPECT_EQ(result.Urls().size(), 199u);
  EXPECT_EQ(result.counters.rejected_by_reason[static_cast<size_t>(
                RejectReason::kOversizeBlock)],
            1);
  EXPECT_EQ(result.counters.bytes_skipped, 0);
}

// A few stray bytes between frames cost nothing but themselves.
TEST(WarcReaderDamage, StrayBytesBetweenFrames) {
  for (size_t stray = 1; stray <= 6; ++stray) {
    for (const bool zstd : {false, true}) {
      SCOPED_TRACE(StrCat(stray, zstd ? " zstd" : " gzip"));
      std::string file;
      for (int i = 0; i < 12; ++i) {
        if (i == 5) file += std::string(stray, '?');
        file += zstd ? Zstd(Records(i, i + 1)) : Gzip(Records(i, i + 1));
      }
      EXPECT_EQ(Read(file).Urls(), Urls(0, 12));
    }
  }
}

// The bytes skipped are those between good records.
TEST(WarcReaderDamage, CountsBytesSkipped) {
  const std::string one = MakeWarcRecord(Url(1), "one");
  const std::string two = MakeWarcRecord(Url(2), "two");
  const std::string bad = WithLength(two, 1);
  std::string bad_checksum = Gzip(two);
  bad_checksum[bad_checksum.size() - 8] ^= 1;
  std::string bad_length = Gzip(two);
  bad_length[bad_length.size() - 4] ^= 1;
  struct Case {
    std::string label;
    std::string file;
    size_t skipped;
  };
  const std::vector<Case> cases = {
      {"nothing", one + two, 0},
      {"plain", one + bad + two, bad.size()},
      {"plain, last", one + two.substr(0, 90), 90},
      {"rubbish", one + "rubbish\r\n\r\n" + two, 11},
      {"gzip", Gzip(one) + Gzip(bad) + Gzip(two), Gzip(bad).size()},
      {"gzip rubbish", Gzip(one) + "rubbish" + Gzip(two), 7},
      {"gzip checksum", Gzip(one) + bad_checksum + Gzip(one),
       bad_checksum.size()},
      {"gzip length", Gzip(one) + bad_length + Gzip(one), bad_length.size()},
      {"gzip, cut", Gzip(one) + Gzip(two).substr(0, 40) + Gzip(two), 40},
      {"gzip, last", Gzip(one) + Gzip(two).substr(0, 40), 40},
      {"zstd", Zstd(one) + Zstd(bad) + Zstd(two), Zstd(bad).size()},
      {"gzip whole", Gzip(one + bad + two), bad.size()},
      {"zstd whole", Zstd(one + bad + two), bad.size()},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    EXPECT_EQ(Read(c.file).counters.bytes_skipped,
              static_cast<int64_t>(c.skipped));
  }
}

}  // namespace
}  // namespace trommel::warc
