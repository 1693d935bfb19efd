#ifndef TROMMEL_CORE_XPATH_PARSER_H_
#define TROMMEL_CORE_XPATH_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "core/xpath/ast.h"

namespace trommel::xpath {

// Reads a path of the supported part of XPath 1.0:
//
//   path        /html/body  //td[@class="x"]/img/@src  (//a)[2]  (//a)[last()]
//               td/a  .//a  (relative ones)
//   axes        child descendant descendant-or-self self parent ancestor
//               preceding-sibling following-sibling preceding following
//               attribute; and the short forms // . .. @
//   node tests  a name, *, node(), text()
//   predicates  [3]  [last()]  [position()=3]  [position()=last()]
//               a relative path  [../b[1]]
//               VALUE="x"  VALUE != "x"
//               contains(VALUE, "x")  starts-with(VALUE, "x")
//               substring(VALUE, string-length(VALUE) - string-length("x") + 1)
//                 = "x"                                 (VALUE ends with "x")
//               contains(concat(" ", normalize-space(VALUE), " "), " x ")
//                                                (one of the words is "x")
//               and, or, not(), parentheses
//   VALUE       a relative path, or normalize-space() of one
//   strings     "x"  'x'  concat("x", 'y')
//
// Anything else is an InvalidArgument error that says at which column, what
// was expected and what is there; any input ends in a path or in an error.
// Names are those of a page's XML, with html::XmlName()'s escapes; one that no
// page can have (a prefix, a letter outside ASCII) is an error too.
absl::StatusOr<LocationPath> Parse(std::string_view expression);

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_PARSER_H_
