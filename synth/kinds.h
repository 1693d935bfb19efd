#ifndef TROMMEL_SYNTH_KINDS_H_
#define TROMMEL_SYNTH_KINDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "synth/traits.h"
#include "synth/vertical.h"

namespace trommel::synth {

// The kinds of page a site can have. Only detail and list pages carry records.
enum class TemplateKind {
  kDetail,
  kList,
  kReview,
  kSeller,
  kHelp,
  kSearch,
  kCart,
  kArticle,
};
inline constexpr std::string_view kTemplateKindNames[] = {
    "detail", "list", "review", "seller", "help", "search", "cart", "article"};
inline constexpr int kNumTemplateKinds = 8;

// What a URL is made of.
struct PageAddress {
  TemplateKind kind;
  // The template's name, when it is not its kind: puts the template's pages
  // under a path of their own.
  std::string_view path_prefix;
  // Tells apart the pages of one template of one site on one day.
  uint64_t number;
  // What the page is about, for sites whose URLs say so.
  std::string_view title;
};

// Appends the path and query of a page in the site's style:
// "/movies/the-silent-harbour-12345.html", "/list.php?cat=4&page=2".
void AppendPath(const Vertical& vertical, const SiteTraits& traits,
                const PageAddress& address, std::string* out);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_KINDS_H_
