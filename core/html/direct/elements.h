#ifndef TROMMEL_CORE_HTML_DIRECT_ELEMENTS_H_
#define TROMMEL_CORE_HTML_DIRECT_ELEMENTS_H_

// What tree construction knows about each element, by NameId.

#include <array>
#include <cstdint>

#include "core/html/names.h"

namespace trommel::html::direct {

// Properties of an open element.
enum : uint32_t {
  kSpecial = 1 << 0,        // "special" category
  kScope = 1 << 1,          // ends "in scope"
  kButtonScope = 1 << 2,    // ends "in button scope"
  kListItemScope = 1 << 3,  // ends "in list item scope"
  kTableScope = 1 << 4,     // ends "in table scope"
  kImpliedEnd = 1 << 5,     // has an implied end tag
  kFormattingElement = 1 << 6,
  kHeading = 1 << 7,
  kNearSpecial = 1 << 8,        // address, div and p: <li> looks past them
  kTablePart = 1 << 9,          // <td> and the like, which end a cell
  kFosters = 1 << 10,           // content that does not belong there moves out
  kBreakout = 1 << 11,          // ends foreign content
  kSvg = 1 << 12,               // in the namespace of SVG
  kIntegrationPoint = 1 << 13,  // SVG whose content is HTML
  kRemoved = 1 << 14,           // no longer on the stack of open elements
};

// What "in body" does with a start tag.
enum class StartRule : uint8_t {
  kOrdinary,
  kHtml,
  kHeadContent,  // base, link, meta, title, script, style, ...
  kBody,
  kBlock,
  kHeading,
  kPre,
  kForm,
  kListItem,
  kDescription,  // dd, dt
  kButton,
  kAnchor,
  kFormatting,
  kNobr,
  kMarked,  // applet, marquee, object
  kTable,
  kVoid,
  kPlainVoid,  // param, source, track
  kInput,
  kHr,
  kImage,
  kTextarea,
  kXmp,
  kRawText,  // iframe, noembed
  kSelect,
  kOption,
  kOptgroup,
  kRubyBase,  // rb, rtc
  kRubyText,  // rp, rt
  kSvg,
  kIgnored,  // parts of tables, head, frame
  kFrameset,
  kTemplate,
  kMath,
  kPlaintext,
  kSelectedContent,
};

// What "in body" does with an end tag.
enum class EndRule : uint8_t {
  kOther,
  kBody,
  kHtml,
  kBlock,
  kForm,
  kParagraph,
  kListItem,
  kDescription,
  kHeading,
  kFormatting,
  kMarked,
  kBreak,
  kTemplate,
};

struct ElementRules {
  uint32_t properties = 0;
  uint32_t svg_properties = kSvg;
  StartRule start = StartRule::kOrdinary;
  EndRule end = EndRule::kOther;
};

// Scopes and the special category are asked from lexbor, so that the two
// parsers cannot differ in them. The last entry stands for all rare names,
// which are ordinary.
using ElementTable = std::array<ElementRules, names::kFirstDynamic + 1>;
const ElementTable& Elements();

inline const ElementRules& RulesOf(const ElementTable& table, NameId name) {
  return table[name < names::kFirstDynamic ? name
                                           : NameId{names::kFirstDynamic}];
}

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_ELEMENTS_H_
