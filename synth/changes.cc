#include "synth/changes.h"

#include <algorithm>

namespace trommel::synth {

TemplateState StateOn(const proto::Site& site, std::string_view template_name,
                      int day) {
  TemplateState state;
  for (const proto::Change& change : site.change()) {
    const auto& names = change.template_();
    if (change.day() > day) continue;
    if (!names.empty() &&
        std::find(names.begin(), names.end(), template_name) == names.end()) {
      continue;
    }
    switch (change.kind()) {
      case proto::Change::CLASS_RENAME:
        ++state.renames;
        break;
      case proto::Change::WRAPPER_ADDED:
        ++state.wrappers;
        break;
      case proto::Change::SECTION_MOVED:
        ++state.moves;
        break;
      case proto::Change::LABEL_CHANGED:
        ++state.label_changes;
        break;
      case proto::Change::ATTRIBUTE_REMOVED:
        state.ids_removed = true;
        break;
      case proto::Change::REDESIGN:
        ++state.redesigns;
        break;
      default:
        break;
    }
  }
  return state;
}

}  // namespace trommel::synth
