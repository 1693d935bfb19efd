// A page of arbitrary bytes in an archive with a compressed frame for each
// record. Its record is damaged: the length, the header or the checksum is
// wrong. A failure is a good record that is missing, or one that no one has
// written: whatever the page contains, only frames of the file are records.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "core/base/byte_source.h"
#include "core/warc/warc_reader.h"
#include "tests/fuzz/require.h"
#include "tests/testing/compression.h"
#include "tests/testing/damaged_warc.h"

namespace {

using trommel::fuzz::Require;
using trommel::testing_support::Gzip;
using trommel::testing_support::MakeWarcRecord;
using trommel::testing_support::Zstd;

constexpr std::string_view kPageUrl = "u:page";

// The page's frame; `choice` says how it is compressed and damaged.
std::string DamagedFrame(std::string_view page, uint8_t choice) {
  std::string record = MakeWarcRecord(kPageUrl, page);
  const size_t length = record.find("Length: ") + 8;
  switch (choice / 3 % 4) {
    case 0:
      break;
    case 1:
      record.insert(length, "1");
      break;
    case 2:
      record.replace(length, 1, "0");
      break;
    default:
      record[length - 9] = ' ';
  }
  std::string frame =
      choice % 3 == 0 ? Zstd(record) : Gzip(record, choice % 3 == 1 ? 0 : 6);
  if (choice >= 128) frame[frame.size() - 4] ^= 1;
  return frame;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view page(reinterpret_cast<const char*>(data + 1),
                              size - 1);
  const bool zstd = data[0] % 3 == 0;
  std::set<std::string, std::less<>> missing;
  std::string file;
  for (int i = 0; i < 4; ++i) {
    const std::string url = "u:" + std::to_string(i);
    const std::string record = MakeWarcRecord(url, "a page");
    if (i == 2) file += DamagedFrame(page, data[0]);
    file += zstd ? Zstd(record) : Gzip(record);
    missing.insert(url);
  }
  trommel::warc::WarcReader reader(
      std::make_unique<trommel::StringSource>(file));
  trommel::warc::WarcRecord record;
  while (true) {
    const auto outcome = reader.Next(&record);
    Require(outcome.ok(), "memory cannot fail to be read");
    if (*outcome == trommel::warc::WarcReader::Outcome::kEnd) break;
    if (*outcome == trommel::warc::WarcReader::Outcome::kRejected) continue;
    if (record.target_uri == kPageUrl) continue;
    Require(missing.erase(record.target_uri) == 1, "a forged record");
  }
  Require(missing.empty(), "a good record is missing");
  return 0;
}
