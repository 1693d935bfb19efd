#include "core/url/url.h"

#include <lexbor/url/url.h>
#include <libpsl.h>

#include <algorithm>

#include "core/base/text.h"

namespace trommel::url {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Most URLs of a crawl are plain: http(s)://name/... with an ASCII name. For
// those the host is a substring; anything that could need the standard's care
// (percent signs, brackets, credentials, numeric last labels, which are IPv4
// addresses in disguise) is left to the full parser.
bool PlainHost(std::string_view url, std::string* host) {
  size_t begin;
  if (url.substr(0, 7) == "http://") {
    begin = 7;
  } else if (url.substr(0, 8) == "https://") {
    begin = 8;
  } else {
    return false;
  }
  const std::string_view rest = url.substr(begin);
  size_t length = 0;
  size_t last_label = 0;
  for (; length < rest.size(); ++length) {
    const char c = rest[length];
    if (c == '/' || c == '?' || c == '#') break;
    if (c == '.') {
      last_label = length + 1;
      continue;
    }
    const bool plain = IsDigit(c) || (c >= 'a' && c <= 'z') ||
                       (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    if (!plain) return false;
  }
  if (length == 0 || last_label == length || IsDigit(rest[last_label])) {
    return false;
  }
  host->assign(rest.substr(0, length));
  for (char& c : *host) c = AsciiLower(c);
  // Punycode labels are validated by the full parser.
  return host->find("xn--") == std::string::npos;
}

// Longer than any host name; international names take time that grows faster
// than their length.
constexpr size_t kMaxAuthority = 2048;

// References longer than this are left as they are.
constexpr size_t kMaxUrl = 65536;

lxb_status_t AppendBytes(const lxb_char_t* data, size_t size, void* out) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data),
                                         size);
  return LXB_STATUS_OK;
}

// An empty view may point nowhere, which the parser does not allow.
const lxb_char_t* LexborBytes(std::string_view text) {
  return reinterpret_cast<const lxb_char_t*>(text.empty() ? "" : text.data());
}

std::string StandardHost(std::string_view url) {
  std::string host;
  // What stands behind the authority does not decide the host.
  const size_t slashes = url.find("//");
  const size_t begin = url.find_first_not_of("/\\", slashes);
  if (slashes != std::string_view::npos && begin != std::string_view::npos) {
    const size_t end = url.find_first_of("/\\?#", begin);
    if (end != std::string_view::npos) url = url.substr(0, end + 1);
  }
  if (url.size() > kMaxAuthority) return host;
  lxb_url_parser_t parser = {};
  if (lxb_url_parser_init(&parser, nullptr) == LXB_STATUS_OK) {
    lxb_url_t* const parsed =
        lxb_url_parse(&parser, nullptr, LexborBytes(url), url.size());
    if (parsed != nullptr) {
      lxb_url_serialize_host(lxb_url_host(parsed), AppendBytes, &host);
    }
  }
  lxb_url_parser_memory_destroy(&parser);
  lxb_url_parser_destroy(&parser, /*destroy_self=*/false);
  return host;
}

}  // namespace

std::string AbsoluteUrl(std::string_view base, std::string_view reference) {
  while (!reference.empty() && IsHtmlSpace(reference.front())) {
    reference.remove_prefix(1);
  }
  while (!reference.empty() && IsHtmlSpace(reference.back())) {
    reference.remove_suffix(1);
  }
  std::string absolute(reference);
  if (base.size() > kMaxUrl || reference.size() > kMaxUrl) return absolute;
  lxb_url_parser_t parser = {};
  if (lxb_url_parser_init(&parser, nullptr) == LXB_STATUS_OK) {
    const lxb_url_t* const parsed_base =
        lxb_url_parse(&parser, nullptr, LexborBytes(base), base.size());
    lxb_url_parser_clean(&parser);
    const lxb_url_t* const url = lxb_url_parse(
        &parser, parsed_base, LexborBytes(reference), reference.size());
    if (url != nullptr) {
      absolute.clear();
      lxb_url_serialize(url, AppendBytes, &absolute,
                        /*exclude_fragment=*/false);
    }
  }
  lxb_url_parser_memory_destroy(&parser);
  lxb_url_parser_destroy(&parser, /*destroy_self=*/false);
  return absolute;
}

std::string HostOf(std::string_view url) {
  std::string host;
  if (!PlainHost(url, &host)) host = StandardHost(url);
  return host;
}

std::string RegisteredDomainOf(std::string_view url) {
  std::string host = HostOf(url);
  // The root's dot does not make another domain.
  if (host.size() > 1 && host.back() == '.') host.pop_back();
  // No suffix begins with a digit; addresses do.
  const size_t dot = host.rfind('.');
  if (dot == std::string::npos || dot + 1 == host.size() ||
      IsDigit(host[dot + 1]) || host[0] == '[') {
    return host;
  }
  const psl_ctx_t* const list = psl_builtin();
  // Both point into the host.
  const char* const suffix = psl_unregistrable_domain(list, host.c_str());
  const char* const domain = psl_registrable_domain(list, host.c_str());
  if (suffix == nullptr || domain == nullptr) return host;
  // The list's last rule takes any last label for a suffix.
  if (psl_is_public_suffix2(list, suffix,
                            PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == 0) {
    return host;
  }
  return domain;
}

std::string SiteOf(std::string_view url, SiteKey key) {
  std::string site;
  switch (key) {
    case SiteKey::kHost:
      site = HostOf(url);
      break;
    case SiteKey::kRegisteredDomain:
      site = RegisteredDomainOf(url);
      break;
  }
  if (site.empty()) site = "-";
  return site;
}

}  // namespace trommel::url
