// Bodies behind every coding that a header may name. The first byte chooses it,
// the rest is the body.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/warc/http_response.h"
#include "core/warc/sniff.h"
#include "tests/fuzz/require.h"

namespace {

constexpr size_t kMaxBodyBytes = 4096;
constexpr std::string_view kCodings[] = {
    "Content-Encoding: gzip",    "Content-Encoding: deflate",
    "Content-Encoding: br",      "Content-Encoding: zstd",
    "Content-Encoding: unheard", "Transfer-Encoding: chunked",
    "Content-Encoding: gzip, br"};
constexpr std::string_view kChunked = kCodings[5];

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view coding = kCodings[data[0] % std::size(kCodings)];
  const std::string_view body(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  std::string block = "HTTP/1.1 200 OK\n";
  block.append(coding).append("\n\n").append(body);
  const auto response = trommel::warc::ParseHttpResponse(block, kMaxBodyBytes);
  if (!response.ok()) return 0;
  trommel::fuzz::Require(response->body.size() <= kMaxBodyBytes,
                         "the limit of the body");
  // Text comes out as it went in.
  if (coding != kChunked && trommel::warc::IsPlainText(body)) {
    trommel::fuzz::Require(response->body == body && !response->truncated,
                           "text is left alone");
  }
  return 0;
}
