#include "core/html/names.h"

#include <array>

#include "absl/container/flat_hash_map.h"

namespace trommel::html {
namespace {

constexpr std::array<std::string_view, names::kFirstDynamic> kFrequent = {
    "",
#define TROMMEL_HTML_NAME_TEXT(name) #name,
    TROMMEL_HTML_NAMES(TROMMEL_HTML_NAME_TEXT)
#undef TROMMEL_HTML_NAME_TEXT
};

const absl::flat_hash_map<std::string_view, NameId>& Index() {
  static const auto* const index = [] {
    auto* map = new absl::flat_hash_map<std::string_view, NameId>();
    for (NameId id = 1; id < names::kFirstDynamic; ++id) {
      map->emplace(kFrequent[id], id);
    }
    return map;
  }();
  return *index;
}

}  // namespace

NameId FrequentName(std::string_view name) {
  const auto found = Index().find(name);
  return found == Index().end() ? NameId{names::kNone} : found->second;
}

std::string_view FrequentNameOf(NameId id) { return kFrequent[id]; }

}  // namespace trommel::html
