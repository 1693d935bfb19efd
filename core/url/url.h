#ifndef TROMMEL_CORE_URL_URL_H_
#define TROMMEL_CORE_URL_URL_H_

#include <string>
#include <string_view>

namespace trommel::url {

// The host of a URL as the WHATWG URL standard parses it: lower case, without
// port or credentials, international names in punycode. Empty when the text is
// no URL or has no host (mailto:, file:///). The URL itself is never changed.
std::string HostOf(std::string_view url);

// The registered domain of a URL's host: the public suffix (com, co.uk,
// github.io) and one label more, by libpsl's built-in list. It names the owner
// of a site that spreads over several hosts. The host itself, without a final
// dot, where there is no such domain: IP addresses, single labels, suffixes
// that the list does not know, and public suffixes. Empty when there is no
// host.
std::string RegisteredDomainOf(std::string_view url);

// A reference (of a link, of an image) as an absolute URL, by the standard's
// rules; the reference itself, without white space around it, where there is
// none.
std::string AbsoluteUrl(std::string_view base, std::string_view reference);

// What counts as one site.
enum class SiteKey { kHost, kRegisteredDomain };

// The site of a page, "-" when the URL has no host.
std::string SiteOf(std::string_view url, SiteKey key = SiteKey::kHost);

}  // namespace trommel::url

#endif  // TROMMEL_CORE_URL_URL_H_
