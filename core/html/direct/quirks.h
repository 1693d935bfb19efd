#ifndef TROMMEL_CORE_HTML_DIRECT_QUIRKS_H_
#define TROMMEL_CORE_HTML_DIRECT_QUIRKS_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace trommel::html::direct {

// Which doctypes mean quirks mode (13.2.6.4.1 of the HTML standard). lexbor is
// asked, once for every doctype: a crawl has a handful of them, and the
// standard a list of sixty.
class QuirksIndex {
 public:
  // `doctype` from '<' to '>'.
  bool IsQuirky(std::string_view doctype);

 private:
  std::map<std::string, bool, std::less<>> known_;
};

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_QUIRKS_H_
