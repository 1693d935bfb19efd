#ifndef TROMMEL_CORE_HTML_LINKS_H_
#define TROMMEL_CORE_HTML_LINKS_H_

#include <string>
#include <string_view>

#include "core/html/document.h"

namespace trommel::html {

// What the links of a page are relative to: its first <base href>, or its own
// URL.
std::string BaseUrl(const Document& document, std::string_view page_url);

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_LINKS_H_
