// Whatever the bytes and the limits, the direct parser gives the outcome, the
// notes and the Document that lexbor gives.

#include <map>
#include <memory>
#include <string_view>

#include "core/html/parser.h"
#include "tests/fuzz/parse_page.h"
#include "tests/fuzz/require.h"
#include "tests/testing/html_checks.h"

namespace trommel::fuzz {
namespace {

using html::Document;
using html::ParserKind;

struct Parsers {
  explicit Parsers(const html::ParseLimits& limits)
      : direct(html::MakeParser(ParserKind::kDirect, limits)),
        lexbor(html::MakeParser(ParserKind::kLexbor, limits)) {}

  std::unique_ptr<html::Parser> direct;
  std::unique_ptr<html::Parser> lexbor;
};

void CompareParsers(const uint8_t* data, size_t size) {
  if (size == 0) return;
  const html::ParseLimits limits = FuzzLimits(data[0]);
  const std::string_view page(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  // Kept, so that every page meets what others left behind.
  static auto* const parsers = new std::map<uint8_t, Parsers>();
  const auto& [direct, lexbor] =
      parsers->try_emplace(data[0] & 0x3F, limits).first->second;
  Document expected;
  Document actual;
  const html::ParseOutcome outcome =
      lexbor->ParsePage(page, "utf-8", &expected);
  Require(direct->ParsePage(page, "utf-8", &actual) == outcome,
          "another outcome");
  Require(direct->notes().depth_flattened == lexbor->notes().depth_flattened,
          "another note on depth");
  Require(
      direct->notes().attributes_dropped == lexbor->notes().attributes_dropped,
      "another note on attributes");
  RequireNone(
      testing_support::DocumentProblem(actual, std::max(limits.max_depth, 2u)));
  Require(testing_support::Dump(actual) == testing_support::Dump(expected),
          "another document");
}

}  // namespace
}  // namespace trommel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trommel::fuzz::CompareParsers(data, size);
  return 0;
}
