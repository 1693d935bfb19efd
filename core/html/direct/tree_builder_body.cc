// 13.2.6.4.7, "in body", but for formatting elements.

#include "core/html/direct/tree_builder.h"

namespace trommel::html::direct {

using namespace names;  // NOLINT: the whole file is about names

void TreeBuilder::BodyText(TextToken text) {
  Reconstruct();
  InsertText(text);
}

void TreeBuilder::BodyStart(TagToken* tag) {
  switch (RulesOf(elements_, tag->name).start) {
    case StartRule::kOrdinary:
      Reconstruct();
      return Insert(tag);
    case StartRule::kHtml:
    case StartRule::kBody:
      return SecondRoot(tag);
    case StartRule::kHeadContent:
      return HeadContent(tag);
    case StartRule::kBlock:
      CloseParagraph();
      return Insert(tag);
    case StartRule::kHeading:
      CloseParagraph();
      if ((current().properties & kHeading) != 0) Pop();
      return Insert(tag);
    case StartRule::kPre:
      CloseParagraph();
      Insert(tag);
      skip_newline_ = true;
      return;
    case StartRule::kForm:
      return StartForm(tag);
    case StartRule::kListItem:
      return StartListItem(tag);
    case StartRule::kDescription:
      return StartDescription(tag);
    case StartRule::kButton:
      return StartButton(tag);
    case StartRule::kAnchor:
      return StartAnchor(tag);
    case StartRule::kFormatting:
      Reconstruct();
      Insert(tag);
      return PushFormatting();
    case StartRule::kNobr:
      return StartNobr(tag);
    case StartRule::kMarked:
      Reconstruct();
      Insert(tag);
      return PushMarker();
    case StartRule::kTable:
      return StartTable(tag);
    case StartRule::kImage:
      tag->name = k_img;
      [[fallthrough]];
    case StartRule::kVoid:
      Reconstruct();
      return InsertVoid(tag);
    case StartRule::kPlainVoid:
      return InsertVoid(tag);
    case StartRule::kInput:
      return StartInput(tag);
    case StartRule::kHr:
      return StartHr(tag);
    case StartRule::kTextarea:
      return InsertRaw(tag, Content::kEscapableText);
    case StartRule::kXmp:
      CloseParagraph();
      Reconstruct();
      return InsertRaw(tag, Content::kRawText);
    case StartRule::kRawText:
      return InsertRaw(tag, Content::kRawText);
    case StartRule::kSelect:
      return StartSelect(tag);
    case StartRule::kOption:
      return StartOption(tag);
    case StartRule::kOptgroup:
      return StartOptgroup(tag);
    case StartRule::kRubyBase:
      if (InScope(k_ruby, kScope)) CloseImplied(kNone);
      return Insert(tag);
    case StartRule::kRubyText:
      if (InScope(k_ruby, kScope)) CloseImplied(k_rtc);
      return Insert(tag);
    case StartRule::kSvg:
      Reconstruct();
      return InsertSvg(tag);
    case StartRule::kIgnored:
      return;
    case StartRule::kFrameset:
      return Stop(GiveUp::kFrameset);
    case StartRule::kTemplate:
      return Stop(GiveUp::kTemplate);
    case StartRule::kMath:
      return Stop(GiveUp::kMath);
    case StartRule::kPlaintext:
      return Stop(GiveUp::kPlaintext);
    case StartRule::kSelectedContent:
      return Stop(GiveUp::kSelectedContent);
  }
}

// "Close a p element", if there is one in button scope.
void TreeBuilder::CloseParagraph() {
  if (!InScope(k_p, kButtonScope)) return;
  CloseImplied(k_p);
  PopThrough(k_p);
}

void TreeBuilder::StartListItem(TagToken* tag) {
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size(); --i > 0;) {
    if (Is(open[i], k_li)) {
      CloseImplied(k_li);
      PopThrough(k_li);
      break;
    }
    if ((open[i].properties & (kSpecial | kNearSpecial)) == kSpecial) break;
  }
  CloseParagraph();
  Insert(tag);
}

void TreeBuilder::StartDescription(TagToken* tag) {
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size(); --i > 0;) {
    const NameId name = open[i].name;
    if (Is(open[i], k_dd) || Is(open[i], k_dt)) {
      CloseImplied(name);
      PopThrough(name);
      break;
    }
    if ((open[i].properties & (kSpecial | kNearSpecial)) == kSpecial) break;
  }
  CloseParagraph();
  Insert(tag);
}

void TreeBuilder::StartButton(TagToken* tag) {
  if (InScope(k_button, kScope)) {
    CloseImplied(kNone);
    PopThrough(k_button);
  }
  Reconstruct();
  Insert(tag);
}

void TreeBuilder::StartHr(TagToken* tag) {
  CloseParagraph();
  if (InScope(k_select, kScope)) CloseImplied(kNone);
  InsertVoid(tag);
}

void TreeBuilder::StartInput(TagToken* tag) {
  if (InScope(k_select, kScope)) PopThrough(k_select);
  Reconstruct();
  InsertVoid(tag);
}

void TreeBuilder::StartSelect(TagToken* tag) {
  if (InScope(k_select, kScope)) return PopThrough(k_select);
  Reconstruct();
  Insert(tag);
}

void TreeBuilder::StartOption(TagToken* tag) {
  if (InScope(k_select, kScope)) {
    CloseImplied(k_optgroup);
  } else if (CurrentIs(k_option)) {
    Pop();
  }
  Reconstruct();
  Insert(tag);
}

void TreeBuilder::StartOptgroup(TagToken* tag) {
  if (InScope(k_select, kScope)) {
    CloseImplied(kNone);
  } else if (CurrentIs(k_option)) {
    Pop();
  }
  Reconstruct();
  Insert(tag);
}

void TreeBuilder::StartForm(TagToken* tag) {
  if (form_ != kNoNode) return;
  CloseParagraph();
  Insert(tag);
  form_ = current().id;
}

// The form goes off the stack, what is open inside stays.
void TreeBuilder::EndForm() {
  const NodeId form = form_;
  form_ = kNoNode;
  if (form == kNoNode) return;
  const std::vector<OpenElement>& open = writer_->open();
  size_t at = open.size();
  while (open[--at].id != form) {
    if (at <= 1 || (open[at].properties & kScope) != 0) return;
  }
  CloseImplied(kNone);
  RemoveFromStack(at);
}

// An element whose end tag stands right behind its content needs no search.
// False if this is not that case.
bool TreeBuilder::EndCurrent(NameId name) {
  if (!CurrentIs(name)) return false;
  Pop();
  return true;
}

void TreeBuilder::EndBlock(NameId name) {
  if (!InScope(name, kScope)) return;
  CloseImplied(kNone);
  PopThrough(name);
}

void TreeBuilder::EndOther(NameId name) {
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size(); --i > 0;) {
    if (Is(open[i], name)) {
      CloseImplied(name);
      return PopDownTo(i);
    }
    if ((open[i].properties & kSpecial) != 0) return;
  }
}

void TreeBuilder::BodyEnd(TagToken* tag) {
  const NameId name = tag->name;
  switch (RulesOf(elements_, name).end) {
    case EndRule::kOther:
      if (!EndCurrent(name)) EndOther(name);
      return;
    case EndRule::kBlock:
      if (!EndCurrent(name)) EndBlock(name);
      return;
    case EndRule::kBody:
    case EndRule::kHtml:
      if (InScope(k_body, kScope)) mode_ = Mode::kAfterBody;
      return;
    case EndRule::kForm:
      return EndForm();
    case EndRule::kParagraph:
      if (EndCurrent(k_p)) return;
      if (!InScope(k_p, kButtonScope)) InsertImplied(k_p);
      if (reason_ == GiveUp::kNone) CloseParagraph();
      return;
    case EndRule::kListItem:
      if (EndCurrent(k_li) || !InScope(k_li, kListItemScope)) return;
      CloseImplied(k_li);
      return PopThrough(k_li);
    case EndRule::kDescription:
      if (EndCurrent(name) || !InScope(name, kScope)) return;
      CloseImplied(name);
      return PopThrough(name);
    case EndRule::kHeading:
      if (EndCurrent(name) || !AnyInScope(kHeading, kScope)) return;
      CloseImplied(kNone);
      return PopThroughAny(kHeading);
    case EndRule::kFormatting:
      return EndFormatting(name);
    case EndRule::kMarked:
      if (!InScope(name, kScope)) return;
      CloseImplied(kNone);
      PopThrough(name);
      return ClearToMarker();
    case EndRule::kBreak: {
      // "</br>" is "<br>", without its attributes.
      Reconstruct();
      if (!MayInsert()) return;
      writer_->Open(k_br, 0);
      return writer_->Close();
    }
    case EndRule::kTemplate:  // none is open
      return;
  }
}

}  // namespace trommel::html::direct
