#ifndef TROMMEL_CORE_CLUSTER_PLACEMENT_H_
#define TROMMEL_CORE_CLUSTER_PLACEMENT_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cluster/templates.h"
#include "core/signature/page_signature.h"

namespace trommel::cluster {

enum class PlacedBy { kSignature, kSketch };
// "signature" or "sketch", as tables have it.
std::string_view PlacedByName(PlacedBy by);

struct Placement {
  size_t place;  // among the site's templates
  PlacedBy by;
};

// Places pages among the templates of their site. This is the one place where
// that is decided: clustering, extraction, coverage and monitoring all ask it.
//
// The most important signature that covers the page's vector decides, whichever
// template has it; where none does, the template whose sketch the page is most
// like, if it is like enough. The order of the templates decides nothing: of
// two that a page is equally like the more important one is taken, then the one
// with the smaller sketch.
class SiteTemplates {
 public:
  explicit SiteTemplates(std::vector<Template> templates);

  const std::vector<Template>& templates() const { return templates_; }
  std::optional<Placement> Place(const signature::PageSignature& page) const;

 private:
  std::vector<Template> templates_;
  // Of all templates, sorted; each knows its template by `group`.
  std::vector<Signature> signatures_;
  // The places of those that have a sketch, the one preferred at ties first.
  std::vector<size_t> by_preference_;
};

}  // namespace trommel::cluster

#endif  // TROMMEL_CORE_CLUSTER_PLACEMENT_H_
