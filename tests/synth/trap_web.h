#ifndef TROMMEL_TESTS_SYNTH_TRAP_WEB_H_
#define TROMMEL_TESTS_SYNTH_TRAP_WEB_H_

// Sites with traps, for tests.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "synth/generator.h"
#include "synth/traps.h"
#include "tests/synth/page_text.h"

namespace trommel::synth {

inline constexpr int kSites = 24;
inline constexpr int kPages = 30;

// A template of detail pages with these traps, as text of a spec.
inline std::string TemplateOf(const std::vector<Trap>& traps) {
  std::string text = "template { kind: 'detail' ";
  for (const Trap trap : traps) {
    StrAppend(&text, "trap: ", proto::Template::Trap_Name(trap), " ");
  }
  return text + "} ";
}

// kSites sites of kPages pages with such a template.
inline WebGenerator MakeWeb(uint64_t seed, std::string_view vertical,
                            const std::vector<Trap>& traps) {
  return *WebGenerator::Create(ParseSpec(
      StrCat("seed: ", seed, " site { host: 's{n}.example' count: ", kSites,
             " vertical: '", vertical, "' pages: ", kPages, " ",
             TemplateOf(traps), "}")));
}

// Calls `visit` for each page of a site.
inline void VisitPages(const WebGenerator& web, int site,
                       const std::function<void(const GeneratedPage&)>& visit) {
  GeneratedPage page;
  for (int64_t i = 0; i < kPages; ++i) {
    web.Generate(0, site * kPages + i, &page);
    visit(page);
  }
}

}  // namespace trommel::synth

#endif  // TROMMEL_TESTS_SYNTH_TRAP_WEB_H_
