#ifndef TROMMEL_CORE_EXPORT_STYLESHEET_TEMPLATES_INTERNAL_H_
#define TROMMEL_CORE_EXPORT_STYLESHEET_TEMPLATES_INTERNAL_H_

#include <string>

namespace trommel {

// The templates that every stylesheet has: the named template `values`, which
// writes the different values of some nodes, and what it needs. They are
// html::VisibleText(), NormalizeSpace() and ApplyRange() in XSLT.
std::string SharedTemplates();

}  // namespace trommel

#endif  // TROMMEL_CORE_EXPORT_STYLESHEET_TEMPLATES_INTERNAL_H_
