#ifndef TROMMEL_CORE_HTML_DIRECT_TREE_BUILDER_H_
#define TROMMEL_CORE_HTML_DIRECT_TREE_BUILDER_H_

// Tree construction (13.2.6 of the HTML standard) as far as it only appends.
//
// One method per token of the tokenizer. What would put a node anywhere but at
// the end of the document so far sets reason(), after which nothing the builder
// does matters. The insertion modes are spread over files:
//
//   tree_builder.cc             which mode a token goes to; the stack
//   tree_builder_head.cc        from "initial" to "after head"; after the body
//   tree_builder_body.cc        "in body"
//   tree_builder_formatting.cc  the list of active formatting elements and the
//                               adoption agency
//   tree_builder_table.cc       tables
//   tree_builder_foreign.cc     SVG

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/html/direct/document_writer.h"
#include "core/html/direct/elements.h"
#include "core/html/direct/give_up.h"
#include "core/html/direct/tag_reader.h"
#include "core/html/parser.h"

namespace trommel::html::direct {

// A text token: a range of what the writer has written.
struct TextToken {
  uint32_t begin;
  uint32_t end;
};

class TreeBuilder {
 public:
  TreeBuilder(const ParseLimits& limits, DocumentWriter* writer,
              TagReader* tags);

  void StartPage();

  // The tag's attributes have been read or passed over afterwards.
  void StartTag(TagToken* tag);
  void EndTag(TagToken* tag);
  void Text(TextToken text);
  // The text of a comment as it stands in the page.
  void Comment(std::string_view text);
  void Doctype(bool quirks);
  // What stands between a start tag of script, style, title or the like and
  // its end tag, with which it comes together.
  void RawContent(TextToken text);
  void EndOfPage();

  // Whether a doctype here decides on quirks mode.
  bool expects_doctype() const { return mode_ == Mode::kInitial; }
  // Whether a CDATA section could stand here.
  bool in_foreign_content() const { return (current().properties & kSvg) != 0; }

  // Whether lexbor's adapter would certainly not meet the limits on nodes and
  // memory with what has been read so far.
  bool WithinLimits(size_t page_bytes) const;

  GiveUp reason() const { return reason_; }
  void Stop(GiveUp reason) {
    if (reason_ == GiveUp::kNone) reason_ = reason;
  }

 private:
  enum class Mode : uint8_t {
    kInitial,
    kBeforeHtml,
    kBeforeHead,
    kInHead,
    kInHeadNoscript,
    kAfterHead,
    kInBody,
    kInTable,
    kInTableBody,
    kInRow,
    kInCell,
    kInCaption,
    kInColumnGroup,
    kAfterBody,
    kAfterAfterBody,
  };

  // An entry of the list of active formatting elements, or a marker.
  struct Formatting {
    NodeId id;    // kNoNode for a marker
    NameId name;  // names::kNone for a marker
    bool open;    // on the stack of open elements
  };

  // Comments behind </body> stand behind all that still goes into <body>, so
  // they are kept for the end of the page.
  struct LateComment {
    std::string_view text;
    bool in_html;  // or in the document
  };

  // The stack of open elements.
  const OpenElement& current() const { return writer_->open().back(); }
  bool CurrentIs(NameId name) const {
    return current().name == name && (current().properties & kSvg) == 0;
  }
  static bool Is(const OpenElement& element, NameId name) {
    return element.name == name && (element.properties & kSvg) == 0;
  }
  bool InScope(NameId name, uint32_t scope) const;
  bool AnyInScope(uint32_t property, uint32_t scope) const;
  void Push(NameId name, uint32_t properties);
  void PopOne();
  void Pop();
  void PopDownTo(size_t size);
  void PopThrough(NameId name);
  void PopThroughAny(uint32_t property);
  void CloseImplied(NameId except);
  void RemoveFromStack(size_t index);

  // Insertion. `foster_` is true while "in table" lets "in body" do its work.
  bool MayInsert();
  void Insert(TagToken* tag);
  void InsertSvg(TagToken* tag);
  void InsertVoid(TagToken* tag);
  void InsertRaw(TagToken* tag, Content content);
  void InsertImplied(NameId name);
  void InsertText(TextToken text);
  bool SkipBlank(TextToken* text) const;
  bool InsertBlank(TextToken* text);

  // Tokens by insertion mode. Tags are processed until they are `done`.
  void StartTagByMode(TagToken* tag);
  void EndTagByMode(TagToken* tag);
  void TextByMode(TextToken text);

  // Before the body, and behind it.
  bool StartTagBeforeBody(TagToken* tag);
  bool EndTagBeforeBody(TagToken* tag);
  bool InHeadStart(TagToken* tag);
  bool AfterHeadStart(TagToken* tag);
  void HeadContent(TagToken* tag);
  void LateHeadContent(TagToken* tag);
  void TextBeforeBody(TextToken text);
  void LeaveMode();
  void SecondRoot(TagToken* tag);

  // "In body".
  void BodyStart(TagToken* tag);
  void BodyEnd(TagToken* tag);
  void BodyText(TextToken text);
  void CloseParagraph();
  void StartListItem(TagToken* tag);
  void StartDescription(TagToken* tag);
  void StartButton(TagToken* tag);
  void StartHr(TagToken* tag);
  void StartInput(TagToken* tag);
  void StartOption(TagToken* tag);
  void StartOptgroup(TagToken* tag);
  void StartSelect(TagToken* tag);
  void StartForm(TagToken* tag);
  void EndForm();
  void EndBlock(NameId name);
  void EndOther(NameId name);
  bool EndCurrent(NameId name);

  // Formatting.
  void Reconstruct() {
    if (!formatting_.empty() && !formatting_.back().open) ReconstructAll();
  }
  void ReconstructAll();
  void PushFormatting();
  void PushMarker();
  void ClearToMarker();
  void MarkClosed(NodeId id);
  bool SameFormatting(NodeId a, NodeId b, bool* uncertain) const;
  void StartAnchor(TagToken* tag);
  void StartNobr(TagToken* tag);
  void EndFormatting(NameId name);
  bool AdoptionAgency(NameId name);

  // Tables.
  void StartTable(TagToken* tag);
  bool TableStart(TagToken* tag);
  bool StartTablePart(TagToken* tag);
  bool TableBodyStart(TagToken* tag);
  bool RowStart(TagToken* tag);
  bool ColumnGroupStart(TagToken* tag);
  bool TableEnd(TagToken* tag);
  bool TableBodyEnd(TagToken* tag);
  bool RowEnd(TagToken* tag);
  bool CellEnd(TagToken* tag);
  bool CaptionEnd(TagToken* tag);
  bool ColumnGroupEnd(TagToken* tag);
  bool CloseCell();
  bool CloseCaption();
  bool CloseRow();
  bool CloseTableBody();
  bool CloseTable();
  bool LeaveColumnGroup();
  void FosterStart(TagToken* tag);
  void TableText(TextToken text);
  void ClearBackTo(std::initializer_list<NameId> names);
  void ResetMode();

  // SVG.
  bool IsForeign() const {
    return (current().properties & (kSvg | kIntegrationPoint)) == kSvg;
  }
  void ForeignStart(TagToken* tag);
  void ForeignEnd(TagToken* tag);
  void LeaveForeign();

  const ElementTable& elements_ = Elements();
  const size_t max_depth_;
  const size_t max_nodes_;
  const size_t max_bytes_;
  const size_t max_formatting_;
  DocumentWriter* const writer_;
  TagReader* const tags_;

  // State of the page.
  GiveUp reason_ = GiveUp::kNone;
  Mode mode_ = Mode::kInitial;
  bool quirks_ = false;
  bool foster_ = false;
  bool skip_newline_ = false;  // <pre> came last
  bool space_after_head_ = false;
  bool comment_after_head_ = false;
  size_t num_tokens_ = 0;
  NodeId form_ = kNoNode;
  OpenElement head_ = {};
  std::vector<Formatting> formatting_;
  std::vector<LateComment> late_comments_;
  // Open HTML elements by name, for "in scope" to answer no at once.
  std::array<uint16_t, names::kFirstDynamic> num_open_ = {};
};

// ---------------------------------------------------------------------------
// What every tag and text goes through.

inline void TreeBuilder::Push(NameId name, uint32_t properties) {
  writer_->Open(name, properties);
  if (name < names::kFirstDynamic && (properties & kSvg) == 0) {
    ++num_open_[name];
  }
  if (writer_->open().size() >= max_depth_) Stop(GiveUp::kDepth);
}

inline void TreeBuilder::PopOne() {
  const OpenElement& element = current();
  if (element.name < names::kFirstDynamic && (element.properties & kSvg) == 0) {
    --num_open_[element.name];
  }
  if ((element.properties & kFormattingElement) != 0) MarkClosed(element.id);
  writer_->Close();
}

inline void TreeBuilder::Pop() {
  PopOne();
  while ((current().properties & kRemoved) != 0) PopOne();
}

inline bool TreeBuilder::MayInsert() {
  if (!foster_ || (current().properties & kFosters) == 0) return true;
  Stop(GiveUp::kFosterParenting);
  return false;
}

inline void TreeBuilder::InsertText(TextToken text) {
  if (MayInsert()) writer_->AddText(text.begin, text.end);
}

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_TREE_BUILDER_H_
