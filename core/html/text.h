#ifndef TROMMEL_CORE_HTML_TEXT_H_
#define TROMMEL_CORE_HTML_TEXT_H_

#include <string>

#include "core/html/document.h"

namespace trommel::html {

// All text of a subtree in document order, white space collapsed and trimmed.
// This is XPath's normalize-space() of the node, with the no-break space taken
// as white space and the page's own word boundaries kept. For a text node, its
// own text.
std::string NormalizedText(const Document& document, NodeId root);

// The text of a subtree as a reader sees it: without what lies inside script,
// style, template, noscript, head and the other elements that are not shown
// (`root` itself may be one of them), and with a space where a block, cell or
// line break separates words that the source writes without white space.
std::string VisibleText(const Document& document, NodeId root);

// Whether VisibleText() passes over elements of this name.
bool IsHiddenElement(NameId name);

// Whether elements of this name stand in a line of text without interrupting
// it; VisibleText() separates words at the others.
bool IsInlineElement(NameId name);

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_TEXT_H_
