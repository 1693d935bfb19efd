// rules.binpb: any bytes are rules or an error, and what compiles of them runs
// on a page without harm.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/record/record.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "core/rule/rule_index.h"
#include "core/schema/schema.h"
#include "tests/fuzz/require.h"

namespace trommel::fuzz {
namespace {

constexpr std::string_view kUrl = "http://shop.example/p/1";
constexpr std::string_view kPage =
    "<title>Shop</title><body><div class=product><h1>Product 1</h1><ul "
    "class=tags><li>a<li>b</ul><em class=price>$1.00</em><p>text</div>";

const html::Document& Page() {
  static const html::Document* const page = [] {
    auto* const document = new html::Document;  // never destroyed
    html::MakeParser(html::ParserKind::kLexbor, {})->ParseUtf8(kPage, document);
    return document;
  }();
  return *page;
}

void RunRules(std::string_view bytes) {
  const absl::StatusOr<proto::RuleSet> rules = rule::DecodeRules(bytes);
  if (!rules.ok()) return;
  const std::string encoded = rule::EncodeRules(*rules);
  const absl::StatusOr<proto::RuleSet> again = rule::DecodeRules(encoded);
  Require(again.ok(), "what is encoded cannot be decoded");
  Require(rule::EncodeRules(*again) == encoded, "encoding is not stable");
  for (const proto::Rule& rule : rules->rule()) {
    if (!schema::CheckSchema(rule.schema()).ok()) continue;
    const absl::StatusOr<std::unique_ptr<rule::PageExtractor>> extractor =
        rule::CompileRule(rule);
    if (!extractor.ok()) continue;
    for (const record::Record& record : (*extractor)->Extract(Page(), kUrl)) {
      Require(record.attributes.size() ==
                  static_cast<size_t>(rule.schema().attribute_size()),
              "a record has other attributes than its schema");
    }
  }
  absl::StatusOr<rule::RuleIndex> index = rule::RuleIndex::Create(*rules);
  if (index.ok()) (void)index->Check();
}

}  // namespace
}  // namespace trommel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trommel::fuzz::RunRules(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
