#include "core/cluster/templates.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/cluster/linkage.h"
#include "core/cluster/site_sample.h"

namespace trommel {
namespace {

void SortByImportance(std::vector<Template>* templates) {
  std::sort(templates->begin(), templates->end(),
            [](const Template& a, const Template& b) {
              if (a.Importance() != b.Importance()) {
                return a.Importance() > b.Importance();
              }
              return a.signatures < b.signatures;
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
    const std::vector<PageSignature>& sample) {
  std::vector<ShingleVector> vectors;
  vectors.reserve(sample.size());
  for (const PageSignature& page : sample) vectors.push_back(page.vector);
  std::vector<Template> templates;
  for (const Signature& signature :
       FindSignatures(CountVectors(std::move(vectors)),
                      PruningThreshold(static_cast<int64_t>(sample.size())))) {
    templates.push_back({{signature}, std::nullopt});
  }
  return templates;
}

std::vector<Template> MergedTemplates(
    const std::vector<PageSignature>& sample) {
  const int64_t sample_size = static_cast<int64_t>(sample.size());
  const int64_t pruning = PruningThreshold(sample_size);
  const size_t min_pages = static_cast<size_t>(MinTemplatePages(sample_size));

  std::vector<const Sketch*> sketches;
  sketches.reserve(sample.size());
  for (const PageSignature& page : sample) sketches.push_back(&page.sketch);
  const std::vector<int32_t> group_of = GroupByStructure(sketches);
  std::vector<std::vector<const Sketch*>> members;
  for (size_t i = 0; i < sample.size(); ++i) {
    const size_t group = static_cast<size_t>(group_of[i]);
    if (group >= members.size()) members.resize(group + 1);
    members[group].push_back(sketches[i]);
  }

  // The passes, within groups. Too small to be heard: one page or two that
  // resemble no other may well be odd pages of a template here.
  const size_t min_group = static_cast<size_t>(std::min<int64_t>(3, pruning));
  std::map<std::pair<int32_t, ShingleVector>, int64_t> counts;
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
  for (const Signature& signature : FindSignatures(vectors, /*threshold=*/1)) {
    // Below the threshold only the strongest, so that each template has one.
    auto& of_group = signatures[static_cast<size_t>(signature.group)];
    if (signature.importance >= pruning || of_group.empty()) {
      of_group.push_back(signature);
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

}  // namespace trommel
