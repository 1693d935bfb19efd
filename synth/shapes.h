#ifndef TROMMEL_SYNTH_SHAPES_H_
#define TROMMEL_SYNTH_SHAPES_H_

// The markup of the synthetic web as data: alternatives for every kind of
// block, in the notation of markup.h. A design's choice among them is a hash,
// so a row added here turns up on some sites.

#include <string_view>

#include "absl/types/span.h"
#include "synth/design.h"

namespace trommel::synth {

using Shapes = absl::Span<const std::string_view>;

// A titled box: $0 the title; one hole.
Shapes BoxShapes(PageLayout layout);
// A list, in four pieces between three holes:
// list start | item start | item end | list end.
Shapes ListShapes(PageLayout layout);

// Insides of list items. $0 text, $1 URL, $2 a small number.
Shapes LinkShapes();
// $0 title, $1 URL, $2 image URL, $3 a sentence, $4 a short remark.
Shapes CardShapes();
// $0 title, $1 text, $2 author, $3 date, $4 a rating from 1 to 5, $5 URL.
Shapes ReviewShapes();

// The headline of a page: hole for the text, $0 a remark.
Shapes HeadlineShapes(PageLayout layout);

// How facts (label and value pairs) are printed. Pieces as in ListShapes(),
// with $0 the label in "item start". In the shapes of `kLabelInText` label and
// value share a text node; those of `kLabelBefore` have the label in an
// element of its own and the value as text after it; `kLabelCell` has an
// element each; `kNoLabel` prints values only.
enum class FactStyle { kLabelCell, kLabelBefore, kLabelInText, kNoLabel };
inline constexpr int kNumFactStyles = 4;
Shapes FactShapes(PageLayout layout, FactStyle style);

// One value among several of an attribute: hole for the text, $0 a URL.
Shapes RepeatedShapes();

// The price box: hole for the price, $0 its label, $1 another price, $2 a
// remark. The hole of the first half of them is a whole text node.
Shapes OfferShapes();

// Chrome. $0 site name, $1 host for the header; one hole for the insides.
Shapes HeaderShapes(PageLayout layout);
// Search forms: $0 topic.
Shapes SearchBoxShapes();
// The page below the header: two holes, sidebar and content in this order or
// the other.
Shapes FrameShapes(PageLayout layout, bool sidebar_first);
// One hole; $0 the copyright line.
Shapes FooterShapes(PageLayout layout);

// Forms of various kinds: $0 a label, $1 a token that changes daily.
Shapes NewsletterShapes();
Shapes LoginShapes();
Shapes CommentFormShapes();

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_SHAPES_H_
