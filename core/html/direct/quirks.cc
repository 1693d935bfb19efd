#include "core/html/direct/quirks.h"

#include <lexbor/html/html.h>

namespace trommel::html::direct {
namespace {

// A crawl of absurd doctypes does not fill the memory.
constexpr size_t kMaxKnown = 256;

bool AskLexbor(std::string_view doctype) {
  lxb_html_document_t* const document = lxb_html_document_create();
  if (document == nullptr) return false;
  lxb_html_document_parse(document,
                          reinterpret_cast<const lxb_char_t*>(doctype.data()),
                          doctype.size());
  const bool quirks = lxb_dom_interface_document(document)->compat_mode ==
                      LXB_DOM_DOCUMENT_CMODE_QUIRKS;
  lxb_html_document_destroy(document);
  return quirks;
}

}  // namespace

bool QuirksIndex::IsQuirky(std::string_view doctype) {
  if (const auto found = known_.find(doctype); found != known_.end()) {
    return found->second;
  }
  if (known_.size() == kMaxKnown) known_.clear();
  const bool quirks = AskLexbor(doctype);
  known_.emplace(doctype, quirks);
  return quirks;
}

}  // namespace trommel::html::direct
