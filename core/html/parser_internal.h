#ifndef TROMMEL_CORE_HTML_PARSER_INTERNAL_H_
#define TROMMEL_CORE_HTML_PARSER_INTERNAL_H_

#include <memory>

#include "core/html/parser.h"

namespace trommel::html {

// One per adapter file, so that each library's headers stay in its adapter.
std::unique_ptr<Parser> MakeLexborParser(const ParseLimits& limits);
std::unique_ptr<Parser> MakeGumboParser(const ParseLimits& limits);

// core/html/direct/; falls back to the lexbor adapter.
namespace direct {
std::unique_ptr<Parser> MakeDirectParser(const ParseLimits& limits);
}  // namespace direct

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_PARSER_INTERNAL_H_
