// 13.2.6.5, "the rules for parsing tokens in foreign content", for SVG. Names
// of elements and attributes are lower case in the document, so that the
// standard's tables of mixed-case names do not matter.

#include "core/html/direct/tree_builder.h"

namespace trommel::html::direct {

using namespace names;  // NOLINT: the whole file is about names

void TreeBuilder::InsertSvg(TagToken* tag) {
  if (!MayInsert()) return;
  Push(tag->name, RulesOf(elements_, tag->name).svg_properties);
  if (!tags_->ReadAttributes(tag)) return Stop(tags_->reason());
  if (tag->self_closing) Pop();
}

// Up to an element whose content is HTML.
void TreeBuilder::LeaveForeign() {
  while (IsForeign()) Pop();
}

void TreeBuilder::ForeignStart(TagToken* tag) {
  if (tag->name == k_font || tag->name == k_sup) {
    return Stop(GiveUp::kForeignMarkup);
  }
  if ((RulesOf(elements_, tag->name).properties & kBreakout) != 0) {
    LeaveForeign();
    return StartTagByMode(tag);
  }
  InsertSvg(tag);
}

void TreeBuilder::ForeignEnd(TagToken* tag) {
  if (tag->name == k_p || tag->name == k_br) {
    LeaveForeign();
    return EndTagByMode(tag);
  }
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size() - 1; (open[i].properties & kSvg) != 0; --i) {
    if (open[i].name == tag->name) return PopDownTo(i);
  }
  EndTagByMode(tag);
}

}  // namespace trommel::html::direct
