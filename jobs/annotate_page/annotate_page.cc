#include "jobs/annotate_page/annotate_page.h"

#include <cstddef>
#include <initializer_list>
#include <utility>

#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/annotate_page/assets_internal.h"
#include "jobs/annotate_page/json_text_internal.h"

namespace trommel::jobs::annotate_page {
namespace {

constexpr size_t kMaxFileNameBytes = 200;

// Any bytes as HTML text or attribute value.
std::string Escaped(std::string_view bytes) {
  std::string valid;
  AppendUtf8Lossy(bytes, &valid);
  std::string out;
  AppendXmlAttribute(valid, &out);
  return out;
}

using Fills =
    std::initializer_list<std::pair<std::string_view, std::string_view>>;

// The template with every {{name}} replaced; what is filled in is not looked
// at again. A name without a fill stays as it is.
std::string Fill(std::string_view page, Fills fills) {
  size_t size = page.size();
  for (const auto& [name, text] : fills) size += text.size();
  std::string out;
  out.reserve(size);
  while (!page.empty()) {
    const size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) break;
    page.remove_prefix(open);
    const size_t close = page.find("}}");
    std::string_view taken = page.substr(0, 2);
    std::string_view with = taken;
    if (close != std::string_view::npos) {
      for (const auto& [name, text] : fills) {
        if (page.substr(2, close - 2) != name) continue;
        taken = page.substr(0, close + 2);
        with = text;
      }
    }
    out += with;
    page.remove_prefix(taken.size());
  }
  return out;
}

void AppendSchema(const proto::Schema& schema, std::string* out) {
  *out += "{\"name\":";
  AppendJsonString(schema.name(), out);
  *out += ",\"attributes\":[";
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const proto::Attribute& attribute = schema.attribute(i);
    *out += i == 0 ? "{\"name\":" : ",{\"name\":";
    AppendJsonString(attribute.name(), out);
    *out += ",\"type\":";
    AppendJsonString(attribute.regex().empty()
                         ? proto::Attribute::Type_Name(attribute.type())
                         : StrCat("/", attribute.regex(), "/"),
                     out);
    if (attribute.repeated()) *out += ",\"repeated\":true";
    if (attribute.mandatory()) *out += ",\"mandatory\":true";
    *out += '}';
  }
  *out += "]}";
}

// Everything but the trees, which are decoded one by one when they are shown.
std::string Data(const AnnotateSite& site, const proto::Schema* schema,
                 std::string_view digest) {
  std::string out = "{\"site\":";
  AppendJsonString(site.site, &out);
  StrAppend(&out, ",\"digest\":\"", digest, "\",\"file\":");
  // The export has the name of the page with another ending.
  std::string file = AnnotateFileName(site.site);
  file.resize(file.size() - std::string_view("html").size());
  AppendJsonString(file + "jsonl", &out);
  out += ",\"schema\":";
  if (schema == nullptr) {
    out += "null";
  } else {
    AppendSchema(*schema, &out);
  }
  out += ",\"clusters\":[";
  for (size_t i = 0; i < site.clusters.size(); ++i) {
    const AnnotateCluster& cluster = site.clusters[i];
    out += i == 0 ? "{\"id\":" : ",\n{\"id\":";
    AppendJsonString(cluster.cluster_id, &out);
    StrAppend(&out, ",\"size\":", cluster.size, ",\"pattern\":");
    AppendJsonString(cluster.url_regex, &out);
    out += ",\"pages\":[";
    for (size_t j = 0; j < cluster.pages.size(); ++j) {
      StrAppend(&out, j == 0 ? "" : ",", "\n{\"rank\":", cluster.pages[j].rank,
                ",\"url\":");
      AppendJsonString(cluster.pages[j].url, &out);
      out += '}';
    }
    out += "]}";
  }
  out += "]}";
  return out;
}

// Names of devices on Windows, with whatever ending.
bool IsDeviceName(std::string_view name) {
  name = name.substr(0, name.find('.'));
  for (const std::string_view device : {"con", "prn", "aux", "nul"}) {
    if (name == device) return true;
  }
  return name.size() == 4 && name[3] >= '0' && name[3] <= '9' &&
         (name.substr(0, 3) == "com" || name.substr(0, 3) == "lpt");
}

void AppendHex(char c, std::string* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  *out += kDigits[static_cast<unsigned char>(c) >> 4];
  *out += kDigits[static_cast<unsigned char>(c) & 0xF];
}

// A relative path as a URL: no byte of it begins a scheme, query or fragment.
std::string PathAsUrl(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const char lower = AsciiLower(c);
    if ((lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
        c == '.' || c == '_' || c == '~' || c == '/') {
      out += c;
    } else {
      out += '%';
      AppendHex(c, &out);
    }
  }
  return out;
}

}  // namespace

std::string AnnotateDigest(const AnnotateSite& site) {
  DigestStream digest;
  const auto add = [&digest](std::string_view text) {
    digest.Update(StrCat(text.size(), ":"));
    digest.Update(text);
  };
  add(site.site);
  for (const AnnotateCluster& cluster : site.clusters) {
    add(cluster.cluster_id);
    for (const AnnotatePage& page : cluster.pages) {
      add(page.url);
      add(page.tree);
    }
  }
  return digest.Hex();
}

std::string AnnotatePageHtml(const AnnotateSite& site,
                             const proto::Schema* schema) {
  const std::string digest = AnnotateDigest(site);
  std::string trees;
  size_t size = 0;
  for (const AnnotateCluster& cluster : site.clusters) {
    for (const AnnotatePage& page : cluster.pages)
      size += page.tree.size() + 64;
  }
  trees.reserve(size);
  for (const AnnotateCluster& cluster : site.clusters) {
    for (const AnnotatePage& page : cluster.pages) {
      StrAppend(&trees, "<script type=\"text/plain\" class=\"tree\">",
                page.tree, "</script>\n");
    }
  }
  return Fill(assets::kAnnotateHtml,
              {{"title", Escaped(site.site)},
               // Depends on every page, so no page can know it.
               {"nonce", digest},
               {"css", assets::kAnnotateCss},
               {"js", assets::kAnnotateJs},
               {"frame_css", assets::kFrameCss},
               {"data", Data(site, schema, digest)},
               {"trees", trees}});
}

std::string AnnotateIndexHtml(const std::vector<AnnotateIndexRow>& rows,
                              std::string_view schema_name) {
  int64_t clusters = 0;
  int64_t pages = 0;
  std::string body;
  for (const AnnotateIndexRow& row : rows) {
    clusters += row.clusters;
    pages += row.pages;
    // The key under which the site's page keeps its state.
    StrAppend(&body, "<tr data-key=\"",
              Escaped(StrCat("trommel-annotate/", row.site, "/", row.digest)),
              "\"><th scope=\"row\"><a href=\"", Escaped(PathAsUrl(row.file)),
              "\">", row.site.empty() ? "(no name)" : Escaped(row.site),
              "</a></th><td>", Grouped(row.clusters), "</td><td>",
              Grouped(row.pages), "</td></tr>\n");
  }
  if (rows.empty()) {
    body = "<tr><td colspan=\"3\" class=\"none\">There is no site.</td></tr>\n";
  }
  const std::string summary = StrCat(
      GroupedCount(static_cast<int64_t>(rows.size()), "site"), ", ",
      GroupedCount(clusters, "cluster"), ", ", GroupedCount(pages, "page"));
  const std::string schema =
      schema_name.empty()
          ? std::string("Without a schema: attributes are named on the page.")
          : StrCat("Schema <b>", Escaped(schema_name), "</b>.");
  return Fill(assets::kIndexHtml, {{"nonce", ContentDigest(body)},
                                   {"css", assets::kIndexCss},
                                   {"js", assets::kIndexJs},
                                   {"summary", summary},
                                   {"schema", schema},
                                   {"rows", body}});
}

std::string AnnotateFileName(std::string_view site) {
  std::string name;
  for (size_t i = 0; i < site.size(); ++i) {
    const char c = site[i];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       c == '_' || (i > 0 && (c == '.' || c == '-'));
    if (plain && !(i == 0 && IsDeviceName(site))) {
      name += c;
    } else {
      name += '~';
      AppendHex(c, &name);
    }
  }
  // Escapes have two digits after the tilde, so these names are no others.
  if (name.empty()) name = "~";
  constexpr std::string_view kEnding = ".html";
  if (name.size() + kEnding.size() > kMaxFileNameBytes) {
    const std::string tail = StrCat("~~", ContentDigest(site));
    name.resize(kMaxFileNameBytes - kEnding.size() - tail.size());
    name += tail;
  }
  return StrCat(name, kEnding);
}

}  // namespace trommel::jobs::annotate_page
