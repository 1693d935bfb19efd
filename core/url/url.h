#ifndef TROMMEL_CORE_URL_URL_H_
#define TROMMEL_CORE_URL_URL_H_

#include <string>
#include <string_view>

namespace trommel {

// The host of a URL as the WHATWG URL standard parses it: lower case, without
// port or credentials, international names in punycode. Empty when the text is
// no URL or has no host (mailto:, file:///). This is the default site of a
// page; the URL itself is never changed.
std::string HostOf(std::string_view url);

// The site of a page: its host, or "-" when there is none.
std::string SiteOf(std::string_view url);

}  // namespace trommel

#endif  // TROMMEL_CORE_URL_URL_H_
