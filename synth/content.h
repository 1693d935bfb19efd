#ifndef TROMMEL_SYNTH_CONTENT_H_
#define TROMMEL_SYNTH_CONTENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "synth/context.h"
#include "synth/entity.h"

namespace trommel::synth {

// A record of a page and the path of its own page.
struct PageEntity {
  Entity entity;
  std::string path;
};

// The content area: the blocks of the template's kind in the template's order,
// with `sections_moved` moves applied. Prints `entities` and appends what it
// printed to `records`. The context's zone must be the template's.
void WriteContent(PageContext* page, int sections_moved,
                  const std::vector<PageEntity>& entities,
                  std::vector<record::Record>* records);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_CONTENT_H_
