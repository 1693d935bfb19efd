#include "core/html/links.h"

#include "core/url/url.h"

namespace trommel::html {

std::string BaseUrl(const Document& document, std::string_view page_url) {
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.node(id).name != names::k_base) continue;
    const std::string_view href = document.Value(id, names::k_href);
    if (!href.empty()) return url::AbsoluteUrl(page_url, href);
  }
  return std::string(page_url);
}

}  // namespace trommel::html
