#ifndef TROMMEL_CORE_HTML_SERIALIZE_H_
#define TROMMEL_CORE_HTML_SERIALIZE_H_

// Documents written out: for people, and as XML for other tools.

#include <optional>
#include <string>
#include <string_view>

#include "core/html/document.h"

namespace trommel::html {

// Well-formed XML 1.0 in UTF-8 for any Document, with exactly its elements,
// attributes, text and comments: what an XPath selects here it selects there.
// Names that XML does not allow, or that need a namespace, go through
// XmlName(); what XML forbids becomes U+FFFD, other controls are references
// (&#155;).
//
// Text of white space only is left out, as the Document has none. Where that
// separates words, as in <b>a</b> <b>c</b>, the parent of the nodes says so by
// a declaration that no XPath of nodes and attributes sees:
//
//   <p xmlns:gaps="gaps:3:.2."><b>a</b><b>c</b></p>
//
// The parent's depth (<html> is 1) tells it from a declaration inherited from
// further up; then come the positions, among the parent's children, of the
// nodes that had white space before them. Blocks separate words by themselves
// and are not mentioned, nor what stands next to them.
void AppendXml(const Document& document, std::string* out);

// A name as an XML name without colon: other characters become _xHHHH_ (the
// convention of ISO 9075-14), so different names stay different. "data-x"
// stays, "xlink:href" becomes "xlink_x003A_href", "1st" "_x0031_st".
std::string XmlName(std::string_view name);

// The same for the name of an attribute, where "xmlns" is escaped too: it would
// put the element into a namespace, and plain names in XPaths would no longer
// find it.
std::string XmlAttributeName(std::string_view name);

// The name that XmlName() writes as `xml`, or nothing if there is none.
std::optional<std::string> FromXmlName(std::string_view xml);

// The content of a comment as AppendXml() writes it and readers of XML give it
// back: with entities, which mean nothing in a comment, and with a space
// between dashes.
void AppendXmlComment(std::string_view text, std::string* out);

// One line per node, indented by depth (from depth 80 on, the depth as a
// number):
//   html
//     body
//       p class="intro"
//         "Some text"
void AppendIndentedText(const Document& document, std::string* out);

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_SERIALIZE_H_
