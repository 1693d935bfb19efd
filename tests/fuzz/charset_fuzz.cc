// Any bytes in any encoding decode to valid UTF-8. Everything up to the first
// line feed is the declared charset, the rest the page.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/html/encoding.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using trommel::fuzz::Require;
  std::string_view page(reinterpret_cast<const char*>(data), size);
  const size_t line = page.find('\n');
  const std::string_view charset =
      page.substr(0, line == std::string_view::npos ? 0 : line);
  if (line != std::string_view::npos) page.remove_prefix(line + 1);
  const trommel::html::Encoding encoding =
      trommel::html::DetectEncoding(page, charset);
  Require(encoding.known(), "the detected encoding is unknown");
  std::string buffer;
  const std::string_view text =
      trommel::html::DecodeToUtf8(page, encoding, &buffer);
  Require(trommel::ValidUtf8Prefix(text) == text.size(), "not UTF-8");
  Require(text.size() <= 3 * page.size() + 3, "decoded to too much");
  // ISO-2022-JP has escape sequences that stand for nothing.
  Require(page.size() <= 3 || !text.empty() || !encoding.IsAsciiCompatible(),
          "a page decoded to nothing");
  return 0;
}
