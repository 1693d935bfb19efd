#ifndef TROMMEL_SYNTH_CHROME_H_
#define TROMMEL_SYNTH_CHROME_H_

#include <string_view>

#include "synth/context.h"

namespace trommel::synth {

// What all templates of a site share: about half of every page's markup. All
// of it is a function of the design, apart from the page's title in the head
// and a few texts that change daily. The context's zone must be the chrome's.

// Doctype, head, the opening of the body, header and navigation.
void WriteTop(PageContext* page);
void WriteSidebar(PageContext* page);
// Footer, trackers and the end of the document.
void WriteBottom(PageContext* page);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_CHROME_H_
