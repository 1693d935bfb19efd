#ifndef TROMMEL_SYNTH_SECTIONS_H_
#define TROMMEL_SYNTH_SECTIONS_H_

#include "synth/context.h"

namespace trommel::synth {

// The blocks of the content area that carry no record.

// Writes the block of this role: a box with a title, or a bare element.
void WriteSection(PageContext* page, Role role);

// The path from the front page; names the page's subject on some sites.
void WriteBreadcrumb(PageContext* page);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_SECTIONS_H_
