// 13.2.6.4.9 to 13.2.6.4.15, tables.
//
// Content between the parts of a table is moved in front of it ("foster
// parenting"); the page is given up then. White space stays where it is, and
// most stray end tags do nothing.

#include "core/html/direct/tree_builder.h"

namespace trommel::html::direct {

using namespace names;  // NOLINT: the whole file is about names

void TreeBuilder::StartTable(TagToken* tag) {
  if (!quirks_) CloseParagraph();
  Insert(tag);
  mode_ = Mode::kInTable;
}

// "Clear the stack back to a table (body, row) context".
void TreeBuilder::ClearBackTo(std::initializer_list<NameId> names) {
  const auto is_context = [&] {
    if (CurrentIs(k_html)) return true;
    for (const NameId name : names) {
      if (CurrentIs(name)) return true;
    }
    return false;
  };
  while (!is_context()) Pop();
}

// "Reset the insertion mode appropriately".
void TreeBuilder::ResetMode() {
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size(); --i > 0;) {
    if ((open[i].properties & kSvg) != 0) continue;
    switch (open[i].name) {
      case k_td:
      case k_th:
        mode_ = Mode::kInCell;
        return;
      case k_tr:
        mode_ = Mode::kInRow;
        return;
      case k_tbody:
      case k_tfoot:
      case k_thead:
        mode_ = Mode::kInTableBody;
        return;
      case k_caption:
        mode_ = Mode::kInCaption;
        return;
      case k_colgroup:
        mode_ = Mode::kInColumnGroup;
        return;
      case k_table:
        mode_ = Mode::kInTable;
        return;
      default:
        break;
    }
  }
  mode_ = Mode::kInBody;
}

// ---------------------------------------------------------------------------
// Closing. Each returns whether the tag is to be processed again, in the new
// mode; otherwise it is ignored.

bool TreeBuilder::CloseTable() {
  if (!InScope(k_table, kTableScope)) return false;
  PopThrough(k_table);
  ResetMode();
  return true;
}

bool TreeBuilder::CloseTableBody() {
  if (!InScope(k_tbody, kTableScope) && !InScope(k_thead, kTableScope) &&
      !InScope(k_tfoot, kTableScope)) {
    return false;
  }
  ClearBackTo({k_tbody, k_tfoot, k_thead});
  Pop();
  mode_ = Mode::kInTable;
  return true;
}

bool TreeBuilder::CloseRow() {
  if (!InScope(k_tr, kTableScope)) return false;
  ClearBackTo({k_tr});
  Pop();
  mode_ = Mode::kInTableBody;
  return true;
}

bool TreeBuilder::CloseCell() {
  if (!InScope(k_td, kTableScope) && !InScope(k_th, kTableScope)) return false;
  CloseImplied(kNone);
  while (!CurrentIs(k_td) && !CurrentIs(k_th)) Pop();
  Pop();
  ClearToMarker();
  mode_ = Mode::kInRow;
  return true;
}

bool TreeBuilder::CloseCaption() {
  if (!InScope(k_caption, kTableScope)) return false;
  CloseImplied(kNone);
  PopThrough(k_caption);
  ClearToMarker();
  mode_ = Mode::kInTable;
  return true;
}

bool TreeBuilder::LeaveColumnGroup() {
  if (!CurrentIs(k_colgroup)) return false;
  Pop();
  mode_ = Mode::kInTable;
  return true;
}

// ---------------------------------------------------------------------------
// Start tags. True if the tag is done with; otherwise it is to be processed in
// the new mode.

bool TreeBuilder::StartTablePart(TagToken* tag) {
  ClearBackTo({k_table});
  switch (tag->name) {
    case k_caption:
      PushMarker();
      Insert(tag);
      mode_ = Mode::kInCaption;
      return true;
    case k_colgroup:
      Insert(tag);
      mode_ = Mode::kInColumnGroup;
      return true;
    case k_col:
      InsertImplied(k_colgroup);
      mode_ = Mode::kInColumnGroup;
      return false;
    case k_tbody:
    case k_tfoot:
    case k_thead:
      Insert(tag);
      mode_ = Mode::kInTableBody;
      return true;
    default:  // td, th, tr
      InsertImplied(k_tbody);
      mode_ = Mode::kInTableBody;
      return false;
  }
}

bool TreeBuilder::TableStart(TagToken* tag) {
  if ((RulesOf(elements_, tag->name).properties & kTablePart) != 0) {
    return StartTablePart(tag);
  }
  switch (tag->name) {
    case k_table:
      return !CloseTable();
    case k_style:
    case k_script:
      HeadContent(tag);
      return true;
    case k_input:
      if (!tags_->IsHiddenInput(*tag)) break;
      InsertVoid(tag);
      return true;
    case k_form:
      if (form_ != kNoNode) return true;
      Insert(tag);
      form_ = current().id;
      Pop();
      return true;
    default:
      break;
  }
  FosterStart(tag);
  return true;
}

void TreeBuilder::FosterStart(TagToken* tag) {
  foster_ = true;
  BodyStart(tag);
  foster_ = false;
}

bool TreeBuilder::TableBodyStart(TagToken* tag) {
  switch (tag->name) {
    case k_tr:
      ClearBackTo({k_tbody, k_tfoot, k_thead});
      Insert(tag);
      mode_ = Mode::kInRow;
      return true;
    case k_td:
    case k_th:
      ClearBackTo({k_tbody, k_tfoot, k_thead});
      InsertImplied(k_tr);
      mode_ = Mode::kInRow;
      return false;
    case k_caption:
    case k_col:
    case k_colgroup:
    case k_tbody:
    case k_tfoot:
    case k_thead:
      return !CloseTableBody();
    default:
      return TableStart(tag);
  }
}

bool TreeBuilder::RowStart(TagToken* tag) {
  switch (tag->name) {
    case k_td:
    case k_th:
      ClearBackTo({k_tr});
      Insert(tag);
      PushMarker();
      mode_ = Mode::kInCell;
      return true;
    case k_caption:
    case k_col:
    case k_colgroup:
    case k_tbody:
    case k_tfoot:
    case k_thead:
    case k_tr:
      return !CloseRow();
    default:
      return TableStart(tag);
  }
}

bool TreeBuilder::ColumnGroupStart(TagToken* tag) {
  switch (tag->name) {
    case k_html:
      SecondRoot(tag);
      return true;
    case k_col:
      InsertVoid(tag);
      return true;
    case k_template:
      Stop(GiveUp::kTemplate);
      return true;
    default:
      return !LeaveColumnGroup();
  }
}

// ---------------------------------------------------------------------------
// End tags.

bool TreeBuilder::TableEnd(TagToken* tag) {
  if (tag->name == k_table) {
    CloseTable();
    return true;
  }
  if (tag->name == k_body || tag->name == k_html ||
      (RulesOf(elements_, tag->name).properties & kTablePart) != 0) {
    return true;
  }
  foster_ = true;
  BodyEnd(tag);
  foster_ = false;
  return true;
}

bool TreeBuilder::TableBodyEnd(TagToken* tag) {
  switch (tag->name) {
    case k_tbody:
    case k_tfoot:
    case k_thead:
      if (InScope(tag->name, kTableScope)) CloseTableBody();
      return true;
    case k_table:
      return !CloseTableBody();
    default:
      return TableEnd(tag);
  }
}

bool TreeBuilder::RowEnd(TagToken* tag) {
  switch (tag->name) {
    case k_tr:
      CloseRow();
      return true;
    case k_table:
      return !CloseRow();
    case k_tbody:
    case k_tfoot:
    case k_thead:
      return !InScope(tag->name, kTableScope) || !CloseRow();
    default:
      return TableEnd(tag);
  }
}

bool TreeBuilder::CellEnd(TagToken* tag) {
  switch (tag->name) {
    case k_td:
    case k_th:
      if (!InScope(tag->name, kTableScope)) return true;
      CloseImplied(kNone);
      PopThrough(tag->name);
      ClearToMarker();
      mode_ = Mode::kInRow;
      return true;
    case k_body:
    case k_caption:
    case k_col:
    case k_colgroup:
    case k_html:
      return true;
    case k_table:
    case k_tbody:
    case k_tfoot:
    case k_thead:
    case k_tr:
      return !InScope(tag->name, kTableScope) || !CloseCell();
    default:
      BodyEnd(tag);
      return true;
  }
}

bool TreeBuilder::CaptionEnd(TagToken* tag) {
  if (tag->name == k_caption) {
    CloseCaption();
    return true;
  }
  if (tag->name == k_table) return !CloseCaption();
  if (tag->name == k_body || tag->name == k_html ||
      (RulesOf(elements_, tag->name).properties & kTablePart) != 0) {
    return true;
  }
  BodyEnd(tag);
  return true;
}

bool TreeBuilder::ColumnGroupEnd(TagToken* tag) {
  switch (tag->name) {
    case k_colgroup:
      LeaveColumnGroup();
      return true;
    case k_col:
    case k_template:
      return true;
    default:
      return !LeaveColumnGroup();
  }
}

// ---------------------------------------------------------------------------
// Text.

void TreeBuilder::TableText(TextToken text) {
  if ((current().properties & kFosters) == 0) {
    foster_ = true;
    BodyText(text);
    foster_ = false;
    return;
  }
  TextToken rest = text;
  if (!SkipBlank(&rest)) return Stop(GiveUp::kFosterParenting);
  writer_->AddText(text.begin, text.end);
}

}  // namespace trommel::html::direct
