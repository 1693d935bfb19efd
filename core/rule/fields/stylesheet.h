#ifndef TROMMEL_CORE_RULE_FIELDS_STYLESHEET_H_
#define TROMMEL_CORE_RULE_FIELDS_STYLESHEET_H_

// A rule as an XSLT 1.0 stylesheet, for those who run rules elsewhere.
//
// On a page as html::AppendXml() writes it, the stylesheet gives
//
//   <record site="a.example" cluster_id="0123456789abcdef" rule_id="...">
//   <attribute name="title"><value>Table &amp; Kingdom</value></attribute>
//   </record>
//
// with the values that PageExtractor::Extract() finds, attributes without a
// value left out. The parameter `url`, if it is given, is an attribute of the
// record. What XSLT 1.0 cannot do is left out and listed:
//
//  - patterns (RE2): the value is the text that the pattern would be tried on;
//  - lists, whose values are separated by something: the whole list is a value;
//  - classifiers: the values are those of all candidates;
//  - links: the value is the attribute as it stands in the page, not the
//    absolute URL;
//  - characters that XML forbids, form feed among them, are U+FFFD.
//
// A page that is no record for lack of a mandatory attribute is still written
// with what it has.

#include "absl/status/statusor.h"
#include "core/rule/program.h"
#include "proto/rule.pb.h"

namespace trommel::rule::fields {

// Of a rule that compiles.
absl::StatusOr<Stylesheet> MakeStylesheet(const proto::Rule& rule);

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_STYLESHEET_H_
