#ifndef TROMMEL_CORE_EXPORT_STYLESHEET_TEMPLATES_INTERNAL_H_
#define TROMMEL_CORE_EXPORT_STYLESHEET_TEMPLATES_INTERNAL_H_

#include <string>

namespace trommel {

// The templates that every stylesheet has: the named template `values`, which
// writes the different values of some nodes, and what it needs. They are
// html::VisibleText(), NormalizeSpace() and ApplyRange() in XSLT.
std::string SharedTemplates();

// An <xsl:sort> that puts nodes into document order; attributes come after
// their element and before its children. Processors should do that unasked, but
// libxml2 (2.9.14) puts a text before the descendants of its preceding sibling
// where elements and texts are mixed.
std::string DocumentOrder();

}  // namespace trommel

#endif  // TROMMEL_CORE_EXPORT_STYLESHEET_TEMPLATES_INTERNAL_H_
