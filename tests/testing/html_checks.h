#ifndef TROMMEL_TESTS_TESTING_HTML_CHECKS_H_
#define TROMMEL_TESTS_TESTING_HTML_CHECKS_H_

// What must hold for every Document whatever the page was. Each check returns
// a description of the first problem, empty when there is none.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/html/document.h"

namespace trommel::testing_support {

// Links, depths and subtree ends agree with each other, no depth is over
// `max_depth`, no element has an attribute twice, no text node is blank or
// stands beside another, and all text, values and names are valid UTF-8.
std::string DocumentProblem(const html::Document& document, uint32_t max_depth);

// pugixml accepts the document's XML and finds in it the same elements,
// attributes, texts and comments in the same order.
std::string XmlProblem(const html::Document& document);

// The tags of the tree as nested text, "html(head()body(p()))": two documents
// with the same string have the same elements in the same places.
std::string TagTree(const html::Document& document);

// Everything a Document says, for comparing two of them.
std::string Dump(const html::Document& document);

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_HTML_CHECKS_H_
