#ifndef TROMMEL_CORE_CLUSTER_TEMPLATES_H_
#define TROMMEL_CORE_CLUSTER_TEMPLATES_H_

// From the sample of a site to its templates.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/three_pass.h"
#include "core/cluster/typical_sketch.h"
#include "core/signature/page_signature.h"

namespace trommel::cluster {

// A cluster of pages that share structure.
struct Template {
  // Most important first. Exactly one where clusters are not merged; none only
  // where another template has pages with the very same vectors.
  std::vector<Signature> signatures;
  // Where clusters are merged.
  std::optional<TypicalSketch> sketch;

  // The sum over the signatures.
  int64_t Importance() const;
};

// 16 hex digits: a hash of the site and of the strongest signature (of the
// sketch where there is none).
std::string ClusterId(std::string_view site, const Template& tmpl);

// The clusters of the three passes, each a template of its own.
std::vector<Template> ThreePassTemplates(
    const std::vector<signature::PageSignature>& sample);

// Those, merged and completed by structure. Both are a function of the sample
// as a set, most important template first.
std::vector<Template> MergedTemplates(
    const std::vector<signature::PageSignature>& sample);

}  // namespace trommel::cluster

#endif  // TROMMEL_CORE_CLUSTER_TEMPLATES_H_
