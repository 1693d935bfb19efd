#include "core/cluster/templates.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/cluster/linkage.h"
#include "core/cluster/site_sample.h"

// The fourth step: from clusters to templates.
//
// The three passes cut a site by eight bytes. They fragment: where optional
// sections and free content change many shingles, most vectors of a template
// occur once and are pruned. And they join: six of eight bytes agree between
// two templates that share half of their structure once in seven times. So the
// step does not only merge clusters. It asks the wider sketches which pages of
// the sample are of one template (linkage.cc), and then gives each template
// signatures by running the passes again with one restriction: a masked vector
// that covers pages of two groups is no candidate. Where the passes had not
// joined anything, each template ends up with the signatures of its clusters;
// where they had, with narrower ones of its own. Pages that no signature covers
// are placed by their likeness to a template's typical sketch.
//
// A group is a template when it holds a cluster, which is a signature with a
// count at the pruning threshold or above, or when it has enough pages. The
// other groups stay leftovers; but they too forbid signatures that cover them,
// so that a small template is not drawn into a large one.

namespace trommel::cluster {
namespace {

void SortByImportance(std::vector<Template>* templates) {
  std::sort(templates->begin(), templates->end(),
            [](const Template& a, const Template& b) {
              if (a.Importance() != b.Importance()) {
                return a.Importance() > b.Importance();
              }
              if (a.signatures != b.signatures) {
                return a.signatures < b.signatures;
              }
              // Neither has any; both are merged and have a sketch.
              return a.sketch->Encode() < b.sketch->Encode();
            });
}

}  // namespace

int64_t Template::Importance() const {
  int64_t sum = 0;
  for (const Signature& signature : signatures) sum += signature.importance;
  return sum;
}

std::string ClusterId(std::string_view site, const Template& tmpl) {
  const std::string strongest = !tmpl.signatures.empty()
                                    ? tmpl.signatures.front().vector.Text()
                                    : tmpl.sketch->Encode();
  return Hex64(Hash64(StrCat(site, "\n", strongest)));
}

std::vector<Template> ThreePassTemplates(
    const std::vector<signature::PageSignature>& sample) {
  std::vector<signature::ShingleVector> vectors;
  vectors.reserve(sample.size());
  for (const signature::PageSignature& page : sample)
    vectors.push_back(page.vector);
  std::vector<Template> templates;
  for (const Signature& signature :
       FindSignatures(CountVectors(std::move(vectors)),
                      PruningThreshold(static_cast<int64_t>(sample.size())))) {
    templates.push_back({{signature}, std::nullopt});
  }
  return templates;
}

std::vector<Template> MergedTemplates(
    const std::vector<signature::PageSignature>& sample) {
  const int64_t sample_size = static_cast<int64_t>(sample.size());
  const int64_t pruning = PruningThreshold(sample_size);
  const size_t min_pages = static_cast<size_t>(MinTemplatePages(sample_size));

  std::vector<const signature::Sketch*> sketches;
  sketches.reserve(sample.size());
  for (const signature::PageSignature& page : sample)
    sketches.push_back(&page.sketch);
  const std::vector<int32_t> group_of = GroupByStructure(sketches, pruning);
  std::vector<std::vector<const signature::Sketch*>> members;
  for (size_t i = 0; i < sample.size(); ++i) {
    const size_t group = static_cast<size_t>(group_of[i]);
    if (group >= members.size()) members.resize(group + 1);
    members[group].push_back(sketches[i]);
  }

  // The passes, within groups. Too small to be heard: one page or two that
  // resemble no other may well be odd pages of a template here.
  const size_t min_group = static_cast<size_t>(std::min<int64_t>(3, pruning));
  std::map<std::pair<int32_t, signature::ShingleVector>, int64_t> counts;
  for (size_t i = 0; i < sample.size(); ++i) {
    if (members[static_cast<size_t>(group_of[i])].size() < min_group) continue;
    ++counts[{group_of[i], sample[i].vector}];
  }
  std::vector<VectorCount> vectors;
  vectors.reserve(counts.size());
  for (const auto& [key, count] : counts) {
    vectors.push_back({key.second, count, key.first});
  }
  SortForSecondPass(&vectors);
  std::vector<std::vector<Signature>> signatures(members.size());
  for (Signature signature : FindSignatures(vectors, /*threshold=*/1)) {
    // Below the threshold only the strongest, so that each template has one.
    auto& group_signatures = signatures[static_cast<size_t>(signature.group)];
    if (signature.importance >= pruning || group_signatures.empty()) {
      signature.group = 0;
      group_signatures.push_back(signature);
    }
  }

  std::vector<Template> templates;
  for (size_t group = 0; group < members.size(); ++group) {
    const bool is_cluster = !signatures[group].empty() &&
                            signatures[group].front().importance >= pruning;
    if (!is_cluster && members[group].size() < min_pages) continue;
    templates.push_back(
        {std::move(signatures[group]), TypicalSketch::Of(members[group])});
  }
  SortByImportance(&templates);
  return templates;
}

}  // namespace trommel::cluster
