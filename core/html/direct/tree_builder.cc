#include "core/html/direct/tree_builder.h"

#include <algorithm>

namespace trommel::html::direct {
namespace {

// Every new element is compared with those of the list.
constexpr size_t kMaxFormatting = 64;

}  // namespace

TreeBuilder::TreeBuilder(const ParseLimits& limits, DocumentWriter* writer,
                         TagReader* tags)
    : max_depth_(std::min<size_t>(limits.max_depth, 60000)),
      max_nodes_(limits.max_nodes),
      max_bytes_(limits.max_bytes),
      max_formatting_(std::min(max_depth_, kMaxFormatting)),
      writer_(writer),
      tags_(tags) {}

void TreeBuilder::StartPage() {
  reason_ = GiveUp::kNone;
  mode_ = Mode::kInitial;
  quirks_ = foster_ = skip_newline_ = false;
  space_after_head_ = comment_after_head_ = false;
  num_tokens_ = 0;
  form_ = kNoNode;
  formatting_.clear();
  late_comments_.clear();
  num_open_.fill(0);
}

// lexbor counts tokens besides nodes, and watches its arenas; these are upper
// bounds for what it counts.
bool TreeBuilder::WithinLimits(size_t page_bytes) const {
  constexpr size_t kBytesPerNode = 512;
  constexpr size_t kBytesPerAttribute = 256;
  return num_tokens_ + writer_->num_nodes() <= max_nodes_ &&
         4 * page_bytes + kBytesPerNode * writer_->num_nodes() +
                 kBytesPerAttribute * writer_->num_attributes() <=
             8 * max_bytes_ + kBytesPerNode * max_nodes_;
}

// ---------------------------------------------------------------------------
// The stack of open elements (13.2.4.2).

bool TreeBuilder::InScope(NameId name, uint32_t scope) const {
  if (num_open_[name] == 0) return false;
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size(); --i > 0;) {
    if (Is(open[i], name)) return true;
    if ((open[i].properties & scope) != 0) return false;
  }
  return false;
}

bool TreeBuilder::AnyInScope(uint32_t property, uint32_t scope) const {
  const std::vector<OpenElement>& open = writer_->open();
  for (size_t i = open.size(); --i > 0;) {
    if ((open[i].properties & property) != 0) return true;
    if ((open[i].properties & scope) != 0) return false;
  }
  return false;
}

void TreeBuilder::PopDownTo(size_t size) {
  while (writer_->open().size() > size) PopOne();
  while ((current().properties & kRemoved) != 0) PopOne();
}

// Including the last element of that name, which is open.
void TreeBuilder::PopThrough(NameId name) {
  while (!CurrentIs(name)) PopOne();
  Pop();
}

void TreeBuilder::PopThroughAny(uint32_t property) {
  while ((current().properties & property) == 0) PopOne();
  Pop();
}

// "Generate implied end tags", except for elements of one name.
void TreeBuilder::CloseImplied(NameId except) {
  while ((current().properties & kImpliedEnd) != 0 && !CurrentIs(except)) {
    Pop();
  }
}

// The element stays in the document as the parent of those that are open
// inside, but no rule finds it any more.
void TreeBuilder::RemoveFromStack(size_t index) {
  OpenElement& element = writer_->open()[index];
  --num_open_[element.name];
  ++num_open_[names::kNone];
  if ((element.properties & kFormattingElement) != 0) MarkClosed(element.id);
  element.name = names::kNone;
  element.properties = kRemoved;
  if (index + 1 == writer_->open().size()) Pop();
}

// ---------------------------------------------------------------------------
// Insertion (13.2.6.1). A node always goes behind the last child of the current
// one; where the standard has another place for it, the page is given up.

void TreeBuilder::Insert(TagToken* tag) {
  if (!MayInsert()) return;
  Push(tag->name, RulesOf(elements_, tag->name).properties);
  if (!tags_->ReadAttributes(tag)) Stop(tags_->reason());
}

void TreeBuilder::InsertVoid(TagToken* tag) {
  if (!MayInsert()) return;
  writer_->Open(tag->name, 0);
  if (!tags_->ReadAttributes(tag)) return Stop(tags_->reason());
  writer_->Close();
}

void TreeBuilder::InsertRaw(TagToken* tag, Content content) {
  Insert(tag);
  tag->content = content;
}

void TreeBuilder::InsertImplied(NameId name) {
  if (MayInsert()) Push(name, RulesOf(elements_, name).properties);
}

// Moves the beginning of the text behind its leading white space. True if that
// is all there is.
bool TreeBuilder::SkipBlank(TextToken* text) const {
  while (text->begin != text->end && IsHtmlSpace(*writer_->at(text->begin))) {
    ++text->begin;
  }
  return text->begin == text->end;
}

// Inserts the leading white space. True if that is all there is.
bool TreeBuilder::InsertBlank(TextToken* text) {
  const uint32_t begin = text->begin;
  const bool blank = SkipBlank(text);
  if (text->begin != begin) InsertText({begin, text->begin});
  return blank;
}

// ---------------------------------------------------------------------------
// Tokens: "tree construction dispatcher" (13.2.6).

void TreeBuilder::StartTag(TagToken* tag) {
  ++num_tokens_;
  skip_newline_ = false;
  if (mode_ == Mode::kInBody && !in_foreign_content()) {
    BodyStart(tag);
  } else if (IsForeign()) {
    ForeignStart(tag);
  } else {
    StartTagByMode(tag);
  }
  if (!tag->read && reason_ == GiveUp::kNone && !tags_->SkipAttributes(tag)) {
    Stop(tags_->reason());
  }
}

void TreeBuilder::EndTag(TagToken* tag) {
  skip_newline_ = false;
  if (in_foreign_content()) {
    ForeignEnd(tag);
  } else {
    EndTagByMode(tag);
  }
}

void TreeBuilder::Text(TextToken text) {
  ++num_tokens_;
  if (skip_newline_) {
    skip_newline_ = false;
    if (*writer_->at(text.begin) == '\n' && ++text.begin == text.end) return;
  }
  if (IsForeign()) {
    InsertText(text);
  } else {
    TextByMode(text);
  }
}

void TreeBuilder::StartTagByMode(TagToken* tag) {
  const uint32_t properties = RulesOf(elements_, tag->name).properties;
  bool done = false;
  while (!done && reason_ == GiveUp::kNone) {
    switch (mode_) {
      case Mode::kInBody:
        return BodyStart(tag);
      case Mode::kInCell:
        if ((properties & kTablePart) == 0) return BodyStart(tag);
        done = !CloseCell();
        break;
      case Mode::kInCaption:
        if ((properties & kTablePart) == 0) return BodyStart(tag);
        done = !CloseCaption();
        break;
      case Mode::kInTable:
        done = TableStart(tag);
        break;
      case Mode::kInTableBody:
        done = TableBodyStart(tag);
        break;
      case Mode::kInRow:
        done = RowStart(tag);
        break;
      case Mode::kInColumnGroup:
        done = ColumnGroupStart(tag);
        break;
      case Mode::kAfterBody:
      case Mode::kAfterAfterBody:
        if (tag->name == names::k_html) return SecondRoot(tag);
        mode_ = Mode::kInBody;
        break;
      default:
        done = StartTagBeforeBody(tag);
        break;
    }
  }
}

void TreeBuilder::EndTagByMode(TagToken* tag) {
  bool done = false;
  while (!done && reason_ == GiveUp::kNone) {
    switch (mode_) {
      case Mode::kInBody:
        BodyEnd(tag);
        // "</html>" is processed once more behind the body.
        done = tag->name != names::k_html || mode_ == Mode::kInBody;
        break;
      case Mode::kInCell:
        done = CellEnd(tag);
        break;
      case Mode::kInCaption:
        done = CaptionEnd(tag);
        break;
      case Mode::kInTable:
        done = TableEnd(tag);
        break;
      case Mode::kInTableBody:
        done = TableBodyEnd(tag);
        break;
      case Mode::kInRow:
        done = RowEnd(tag);
        break;
      case Mode::kInColumnGroup:
        done = ColumnGroupEnd(tag);
        break;
      case Mode::kAfterBody:
        done = tag->name == names::k_html;
        mode_ = done ? Mode::kAfterAfterBody : Mode::kInBody;
        break;
      case Mode::kAfterAfterBody:
        mode_ = Mode::kInBody;
        break;
      default:
        done = EndTagBeforeBody(tag);
        break;
    }
  }
}

void TreeBuilder::TextByMode(TextToken text) {
  switch (mode_) {
    case Mode::kInBody:
    case Mode::kInCell:
    case Mode::kInCaption:
      return BodyText(text);
    case Mode::kInTable:
    case Mode::kInTableBody:
    case Mode::kInRow:
      return TableText(text);
    case Mode::kInColumnGroup:
      if (!InsertBlank(&text) && LeaveColumnGroup()) TableText(text);
      return;
    case Mode::kAfterBody:
    case Mode::kAfterAfterBody: {
      TextToken rest = text;
      if (!SkipBlank(&rest)) mode_ = Mode::kInBody;
      return BodyText(text);
    }
    default:
      return TextBeforeBody(text);
  }
}

void TreeBuilder::RawContent(TextToken text) {
  ++num_tokens_;
  if (text.begin != text.end) writer_->AddText(text.begin, text.end);
  Pop();
}

}  // namespace trommel::html::direct
