#ifndef TROMMEL_CORE_XPATH_PRINTER_H_
#define TROMMEL_CORE_XPATH_PRINTER_H_

#include <string>
#include <string_view>

#include "core/xpath/ast.h"

namespace trommel::xpath {

// The path as XPath 1.0, in one canonical spelling: abbreviated steps, double
// quotes where they can be, concat() for strings with both kinds of quotes.
// For a path that Validate() accepts, Parse() gives the same path back, except
// that literals are then what LiteralValue() makes of them.
std::string ToString(const LocationPath& path);

// A string as an XPath expression: "a", 'a"b', concat("a'", '"').
std::string QuoteLiteral(std::string_view text);

// "child", "preceding-sibling"; as it is written before "::".
std::string_view AxisName(Axis axis);

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_PRINTER_H_
