#ifndef TROMMEL_SYNTH_MARKUP_H_
#define TROMMEL_SYNTH_MARKUP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "synth/design.h"
#include "synth/traits.h"

namespace trommel::synth {

// Writes HTML in the manner of one design, in the site's encoding, by
// expanding shapes: pieces of markup with names, slots and holes.
//
//   <div.b#><h3.h>$0</h3><div.y>|</div></div>
//
//   .b       a class named after the current role and the part with that letter
//            (b box, h head, y body, l list, i item, a link, g image, n label,
//            v value, t text, m meta, u button, w wrap, r inner, c icon,
//            f field); the design may give the part none
//   #        an id, likewise
//   [k=v]    an attribute; v may contain slots
//   $0..$9   a slot: text given by the caller, escaped here
//   </li?>   an end tag that sloppy designs leave out
//   |        a hole, where Expand() stops for the caller to write the inside
//
// Anything else is copied and must be ASCII. Shapes are compiled into the
// program, so a malformed one is a programmer's mistake.
class Markup {
 public:
  // Appends to `out`. All arguments must outlive the writer.
  Markup(const Design& design, const SiteTraits& traits, std::string* out)
      : design_(design), traits_(traits), out_(*out) {}

  const Design& design() const { return design_; }
  const Zone& zone() const { return *zone_; }
  // Names and choices are those of `zone` from here on; it must outlive the
  // writer's use of it.
  void set_zone(const Zone* zone) { zone_ = zone; }
  // The attribute that the next elements carry, for their ids and, when
  // `in_class`, for their classes; empty for none.
  void set_attribute(std::string_view name, bool in_class) {
    attribute_ = name;
    attribute_in_class_ = in_class;
  }
  // The running number of the list item being written, for odd and even.
  void set_item(int item) { item_ = item; }

  // Writes `shape` up to the next hole and returns what follows the hole,
  // empty at the end of the shape.
  std::string_view Expand(std::string_view shape, Role role,
                          absl::Span<const std::string_view> slots = {});

  // UTF-8 text, escaped and encoded.
  void Text(std::string_view text);
  // UTF-8 text with every space as "&nbsp;".
  void UnbreakableText(std::string_view text);
  // Bytes as they are; ASCII.
  void Raw(std::string_view ascii) { out_.append(ascii); }
  void Newline();

  std::string& out() { return out_; }

 private:
  size_t StartTag(std::string_view shape, size_t at, Role role,
                  absl::Span<const std::string_view> slots);
  size_t EndTag(std::string_view shape, size_t at);
  void TagName(std::string_view name);
  void Attribute(std::string_view name, std::string_view value,
                 absl::Span<const std::string_view> slots);
  void QuoteValue(size_t begin);
  void Decorations(std::string_view tag, Role role, Part part);
  void Character(std::string_view text, size_t* at);

  const Design& design_;
  const SiteTraits& traits_;
  std::string& out_;
  const Zone* zone_ = nullptr;
  std::string_view attribute_;
  bool attribute_in_class_ = false;
  int item_ = 0;
  int depth_ = 0;
};

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_MARKUP_H_
