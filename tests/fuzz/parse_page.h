#ifndef TROMMEL_TESTS_FUZZ_PARSE_PAGE_H_
#define TROMMEL_TESTS_FUZZ_PARSE_PAGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/html/parser.h"
#include "core/html/text.h"
#include "tests/fuzz/require.h"
#include "tests/testing/html_checks.h"

namespace trommel::fuzz {

// Small limits, which a byte varies.
inline html::ParseLimits FuzzLimits(uint8_t byte) {
  html::ParseLimits limits;
  limits.max_bytes = 64 << 10;
  limits.max_nodes = 5000;
  limits.max_depth = 1u << (byte & 7);  // 1 to 128
  limits.max_attributes = 1u << (byte >> 3 & 7);
  limits.timeout = absl::Seconds(2);
  return limits;
}

// Parses one page under the limits of its first byte and checks all that must
// hold for the result.
inline void ParsePage(html::ParserKind kind, const uint8_t* data, size_t size) {
  if (size == 0) return;
  const html::ParseLimits limits = FuzzLimits(data[0]);
  const std::string_view charset = (data[0] & 0x80) != 0 ? "" : "utf-8";
  const std::string_view page(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  const std::unique_ptr<html::Parser> parser = html::MakeParser(kind, limits);
  html::Document document;
  // Twice: the second page meets what the first left behind.
  for (int round = 0; round < 2; ++round) {
    const html::ParseOutcome outcome =
        parser->ParsePage(page, charset, &document);
    RequireNone(testing_support::DocumentProblem(
        document, std::max(limits.max_depth, 2u)));
    if (outcome != html::ParseOutcome::kOk) {
      Require(document.num_nodes() == 1, "a rejected page left a document");
      return;
    }
    Require(document.num_nodes() <= limits.max_nodes, "too many nodes");
    RequireNone(testing_support::XmlProblem(document));
    html::VisibleText(document, 0);
    html::NormalizedText(document, 0);
  }
}

}  // namespace trommel::fuzz

#endif  // TROMMEL_TESTS_FUZZ_PARSE_PAGE_H_
