#ifndef TROMMEL_SYNTH_TRAP_SHAPES_H_
#define TROMMEL_SYNTH_TRAP_SHAPES_H_

// The markup of traps as data, in the notation of markup.h.

#include <string_view>

#include "synth/shapes.h"

namespace trommel::synth {

// The values of a repeated attribute, with $0 a URL. Pieces as in ListShapes().
// Those in phrases may stand in a paragraph; they need a joiner.
Shapes ValueListShapes();
Shapes ValuePhraseShapes();

// What stands between values in phrases, and before the last one. Where each
// value is a text node of its own without an element around it, there is an
// element between.
struct Joiner {
  std::string_view between;
  std::string_view before_last;
};
absl::Span<const Joiner> PhraseJoiners();
absl::Span<const Joiner> TextJoiners();

// A link that is no value, where it does not look like one: $0 URL, $1 text.
Shapes TailShapes();

// The list of few values at the top: hole for the list, $0 a label.
Shapes ShortListShapes();

// The value as a text in the hole and, not quite the same, as an attribute of
// the element: $0, and $1 a URL.
Shapes NearbyAddressShapes();
// The value is $0, an attribute; the text in the hole may be cut short. $1 a
// URL.
Shapes CutTextShapes();
// A trail of links that ends in $0.
Shapes TrailShapes();

// Lines that nothing labels or names. Pieces as in ListShapes().
Shapes BareLineShapes();
// The lines of an address, likewise, of which some are named. Those in cells
// stand in the cell of a row.
Shapes AddressLineShapes();
Shapes AddressCellShapes();
// An address of which all lines are one value, in the hole.
Shapes AddressShapes();
// A label above lines: $0.
Shapes LineLabelShapes();

// A text of which words are values: hole for the text.
Shapes WordTextShapes();

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_TRAP_SHAPES_H_
