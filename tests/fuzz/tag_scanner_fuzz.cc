// The tag scanner stays within its input and finds the tags that lexbor's
// tokenizer finds. Pages with elements in which the tokenizer depends on the
// tree (tests/core/html/tag_scanner_test.cc names them) are scanned only.

#include <algorithm>
#include <string>

#include "core/base/text.h"
#include "core/html/tag_scanner.h"
#include "tests/fuzz/require.h"
#include "tests/testing/lexbor_tokens.h"

namespace trommel::fuzz {
namespace {

bool DependsOnTree(std::string_view page) {
  std::string lower(page);
  std::transform(lower.begin(), lower.end(), lower.begin(), AsciiLower);
  for (const std::string_view name :
       {"svg", "math", "select", "template", "noscript", "frameset"}) {
    if (lower.find(name) != std::string::npos) return true;
  }
  return false;
}

void ScanPage(std::string_view page) {
  html::ScanTags(page, [&](const html::Tag& tag) {
    Require(tag.name.data() > page.data() &&
                tag.name.data() + tag.name.size() < page.data() + page.size(),
            "a tag outside the page");
  });
  if (page.size() > 16384 || DependsOnTree(page) ||
      ValidUtf8Prefix(page) != page.size()) {
    return;
  }
  Require(
      testing_support::ScannedTags(page) == testing_support::LexborTags(page),
      "the scanner disagrees with lexbor");
}

}  // namespace
}  // namespace trommel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trommel::fuzz::ScanPage(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
