#ifndef TROMMEL_SYNTH_CONTEXT_H_
#define TROMMEL_SYNTH_CONTEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "synth/design.h"
#include "synth/entity.h"
#include "synth/kinds.h"
#include "synth/markup.h"
#include "synth/traits.h"
#include "synth/traps.h"
#include "synth/truth.h"
#include "synth/vertical.h"

namespace trommel::synth {

// What the blocks of one page share while it is written. Lives as long as one
// call of RenderPage().
struct PageContext {
  const Vertical& vertical;
  const SiteTraits& traits;
  const Traps& traps;
  const Design& design;
  Markup& markup;
  std::string_view host;
  TemplateKind kind;
  // Seed of everything that belongs to the page for good.
  uint64_t page_seed;
  // Seed of what changes daily; only text and attribute values may depend on
  // it, never tags.
  uint64_t day_seed;
  int label_changes;
  // The page's subject; the headline of detail pages.
  std::string title;
  // Scratch, reused by the blocks so that they do not allocate.
  std::string s0, s1, s2, s3, s4, s5;

  // Random streams of a block: of this page, of the site (the same on all its
  // pages), of this day.
  Random PageRandom(Role role) const { return Stream(page_seed, role); }
  Random SiteRandom(Role role) const { return Stream(design.seed, role); }
  Random DayRandom(Role role) const { return Stream(day_seed, role); }

 private:
  static Random Stream(uint64_t seed, Role role) {
    return Random(
        Mix64(seed + static_cast<uint64_t>(role) * 0x632BE59BD9B4E019u));
  }
};

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_CONTEXT_H_
