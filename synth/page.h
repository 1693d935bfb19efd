#ifndef TROMMEL_SYNTH_PAGE_H_
#define TROMMEL_SYNTH_PAGE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "synth/changes.h"
#include "synth/content.h"
#include "synth/kinds.h"
#include "synth/traits.h"
#include "synth/traps.h"
#include "synth/truth.h"
#include "synth/vertical.h"

namespace trommel::synth {

// Everything that decides the bytes of a page.
struct PagePlan {
  const Vertical* vertical;
  SiteTraits traits;
  std::string_view host;
  TemplateKind kind;
  std::string_view template_name;
  TemplateState state;
  uint64_t page_seed;
  uint64_t day_seed;
  std::string title;
  std::vector<PageEntity> entities;  // records, for detail and list pages
  Traps traps;
};

// Writes the page's bytes and records into `page`, whose other fields are left
// alone. What was in them is dropped; their memory is reused.
void RenderPage(const PagePlan& plan, GeneratedPage* page);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_PAGE_H_
