// Splits bytes into lines and parses each as a page: any input gives a page or
// an error, and what comes out is within what the format promises.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "core/base/text.h"
#include "core/jsonl/line_reader.h"
#include "core/jsonl/page_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using trommel::jsonl::LineReader;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  LineReader reader(std::make_unique<trommel::StringSource>(bytes), 4096);
  std::string_view line;
  while (true) {
    const auto outcome = reader.Next(&line);
    if (!outcome.ok()) std::abort();
    if (*outcome == LineReader::Outcome::kEnd) return 0;
    if (*outcome == LineReader::Outcome::kTooLong) continue;
    const auto page = trommel::jsonl::ParsePageLine(line);
    if (!page.ok()) continue;
    if (page->url.empty()) std::abort();
    if (trommel::ValidUtf8Prefix(page->url) != page->url.size()) std::abort();
    if (page->fetch_status.has_value() && *page->fetch_status > 999) {
      std::abort();
    }
  }
}
