#include "synth/kinds.h"

#include "core/base/strings.h"
#include "synth/prose.h"

namespace trommel::synth {
namespace {

void AppendDetail(const Vertical& vertical, int style,
                  const PageAddress& address, std::string* out) {
  switch (style) {
    case 0:
      StrAppend(out, "/", vertical.plural, "/");
      AppendSlug(address.title, '-', out);
      StrAppend(out, "-", address.number, ".html");
      return;
    case 1:
      StrAppend(out, "/", vertical.topic, "/", address.number, "/");
      AppendSlug(address.title, '-', out);
      out->push_back('/');
      return;
    case 2:
      StrAppend(out, "/", vertical.topic, ".php?id=", address.number);
      return;
    case 3:
      StrAppend(out, "/", vertical.plural, "/");
      AppendSlug(address.title, '_', out);
      StrAppend(out, "/", address.number);
      return;
    case 4:
      StrAppend(out, "/detail.aspx?", vertical.topic, "=", address.number,
                "&ref=browse");
      return;
    default:
      StrAppend(out, "/", vertical.topic.substr(0, 1), "/");
      AppendSlug(address.title, '-', out);
      StrAppend(out, "-", address.number);
      return;
  }
}

void AppendList(const Vertical& vertical, int style, uint64_t number,
                std::string* out) {
  const uint64_t categories = std::size(vertical.categories);
  const uint64_t category = number % categories;
  const uint64_t page = number / categories + 1;
  std::string slug;
  AppendSlug(EntryAt(vertical.categories, category), '-', &slug);
  switch (style) {
    case 0:
      StrAppend(out, "/browse/", slug, "/page-", page, ".html");
      return;
    case 1:
      StrAppend(out, "/browse/", slug, "/?page=", page);
      return;
    case 2:
      StrAppend(out, "/list.php?cat=", category, "&page=", page);
      return;
    case 3:
      StrAppend(out, "/c/", slug, "/", page);
      return;
    case 4:
      StrAppend(out, "/browse.aspx?cat=", category, "&page=", page);
      return;
    default:
      StrAppend(out, "/all/", slug, "/", page);
      return;
  }
}

void AppendOther(int style, const PageAddress& address, std::string* out) {
  static constexpr std::string_view kWords[kNumTemplateKinds][2] = {
      {"item", "detail"},    {"list", "browse-all"}, {"reviews", "review"},
      {"store", "merchant"}, {"help", "support"},    {"search", "find"},
      {"cart", "basket"},    {"news", "articles"},
  };
  const std::string_view word =
      kWords[static_cast<int>(address.kind)][style % 2];
  switch (style) {
    case 0:
    case 1:
      StrAppend(out, "/", word, "/");
      AppendSlug(address.title, '-', out);
      StrAppend(out, "-", address.number, style == 0 ? ".html" : "");
      return;
    case 2:
      StrAppend(out, "/", word, ".php?id=", address.number);
      return;
    case 3:
      StrAppend(out, "/", word, "/", address.number);
      return;
    case 4:
      StrAppend(out, "/", word, ".aspx?id=", address.number);
      return;
    default:
      StrAppend(out, "/", word, "/", address.number, "-");
      AppendSlug(address.title, '-', out);
      return;
  }
}

}  // namespace

void AppendPath(const Vertical& vertical, const SiteTraits& traits,
                const PageAddress& address, std::string* out) {
  if (!address.path_prefix.empty()) {
    StrAppend(out, "/", address.path_prefix);
  }
  const int style = traits.url_style;
  switch (address.kind) {
    case TemplateKind::kDetail:
      AppendDetail(vertical, style, address, out);
      return;
    case TemplateKind::kList:
      AppendList(vertical, style, address.number, out);
      return;
    case TemplateKind::kSearch:
      out->append(style % 2 == 0 ? "/search?q=" : "/find?q=");
      AppendSlug(address.title, '+', out);
      StrAppend(out, "&start=", address.number * 10);
      return;
    case TemplateKind::kCart:
      StrAppend(out, "/cart?session=",
                absl::Hex(address.number * 2654435761u, absl::kZeroPad8));
      return;
    default:
      AppendOther(style, address, out);
      return;
  }
}

}  // namespace trommel::synth
