#ifndef TROMMEL_CORE_RULE_FIELDS_SHARED_TEMPLATES_INTERNAL_H_
#define TROMMEL_CORE_RULE_FIELDS_SHARED_TEMPLATES_INTERNAL_H_

#include <pugixml.hpp>

namespace trommel::rule::fields {

// The templates that every stylesheet has: the named template `values`, which
// writes the different values of some nodes, and what it needs.
class SharedTemplates {
 public:
  SharedTemplates();

  // Appends all of them to an <xsl:stylesheet>.
  void AppendTo(pugi::xml_node stylesheet) const;
  // Appends the <xsl:sort> of `values`, which puts nodes into document order,
  // to an <xsl:for-each>.
  void AppendDocumentOrderTo(pugi::xml_node for_each) const;

 private:
  pugi::xml_document document_;
};

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_SHARED_TEMPLATES_INTERNAL_H_
