// Reads arbitrary bytes as a WARC file and each of its blocks as an HTTP
// response. The limits are small, so that inputs of a few hundred bytes reach
// them. Besides crashes, a failure is a counter that does not add up, a limit
// that does not hold, or a result that depends on how the file was read.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/byte_source.h"
#include "core/warc/http_response.h"
#include "core/warc/warc_reader.h"

namespace {

constexpr size_t kMaxBlockBytes = 512;
constexpr size_t kMaxHeaderBytes = 256;
constexpr size_t kMaxBodyBytes = 4096;

void Require(bool condition) {
  if (!condition) std::abort();
}

// At most `step` bytes per read.
class SteppedSource final : public trommel::ByteSource {
 public:
  SteppedSource(std::string_view bytes, size_t step)
      : source_(bytes), step_(step) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    return source_.Read(buffer, std::min(size, step_));
  }

 private:
  trommel::StringSource source_;
  const size_t step_;
};

// Reads the file and returns a summary of what was found in it.
std::string ReadArchive(std::string_view file, size_t step) {
  using trommel::warc::WarcReader;
  WarcReader reader(
      std::make_unique<SteppedSource>(file, step),
      {.max_block_bytes = kMaxBlockBytes, .max_header_bytes = kMaxHeaderBytes});
  trommel::warc::WarcRecord record;
  std::string summary;
  while (true) {
    const auto outcome = reader.Next(&record);
    Require(outcome.ok());  // memory cannot fail to be read
    const WarcReader::Counters& counters = reader.counters();
    Require(counters.records_begun ==
            counters.records_returned + counters.records_rejected);
    int64_t sum = 0;
    for (const int64_t count : counters.rejected_by_reason) sum += count;
    Require(sum == counters.records_rejected);
    if (*outcome == WarcReader::Outcome::kEnd) {
      Require(counters.records_rejected > 0 || counters.bytes_skipped == 0);
      return summary.append(std::to_string(counters.bytes_skipped));
    }
    if (*outcome == WarcReader::Outcome::kRejected) {
      summary.append(ToString(reader.rejection().reason)).append("\n");
      continue;
    }
    Require(record.block.size() <= kMaxBlockBytes);
    summary.append(record.target_uri).append(record.block).append("\n");
    const auto response =
        trommel::warc::ParseHttpResponse(record.block, kMaxBodyBytes);
    if (response.ok()) {
      Require(response->body.size() <= kMaxBodyBytes);
      Require(response->status_code >= 100 && response->status_code <= 999);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  Require(ReadArchive(file, SIZE_MAX) == ReadArchive(file, 7));
  // A page straight from the mutator reaches more of its parser.
  const auto response = trommel::warc::ParseHttpResponse(file, kMaxBodyBytes);
  Require(!response.ok() || response->body.size() <= kMaxBodyBytes);
  return 0;
}
