// 13.2.6.4.1 to 13.2.6.4.6, "initial" to "after head", and 13.2.6.4.19 and
// 13.2.6.4.22, behind the body.

#include "core/html/direct/tree_builder.h"

namespace trommel::html::direct {

using namespace names;  // NOLINT: the whole file is about names

void TreeBuilder::Doctype(bool quirks) {
  skip_newline_ = false;
  ++num_tokens_;
  if (!expects_doctype()) return;
  quirks_ = quirks;
  mode_ = Mode::kBeforeHtml;
}

void TreeBuilder::Comment(std::string_view text) {
  skip_newline_ = false;
  ++num_tokens_;
  if (!in_foreign_content() &&
      (mode_ == Mode::kAfterBody || mode_ == Mode::kAfterAfterBody)) {
    late_comments_.push_back({text, mode_ == Mode::kAfterBody});
    return;
  }
  if (mode_ == Mode::kAfterHead) {
    comment_after_head_ = true;
    if (space_after_head_) writer_->set_space_pending(true);
    space_after_head_ = false;
  }
  writer_->AddComment(text);
}

void TreeBuilder::EndOfPage() {
  ++num_tokens_;
  while (mode_ < Mode::kInBody && reason_ == GiveUp::kNone) LeaveMode();
  PopDownTo(2);
  for (const bool in_html : {true, false}) {
    if (!in_html) PopDownTo(1);
    for (const LateComment& comment : late_comments_) {
      if (comment.in_html != in_html) continue;
      mode_ = Mode::kInBody;
      Comment(comment.text);
    }
  }
}

// "Anything else" of each mode: the tag that is missing is implied.
void TreeBuilder::LeaveMode() {
  switch (mode_) {
    case Mode::kInitial:
      quirks_ = true;
      mode_ = Mode::kBeforeHtml;
      return;
    case Mode::kBeforeHtml:
      InsertImplied(k_html);
      mode_ = Mode::kBeforeHead;
      return;
    case Mode::kBeforeHead:
      InsertImplied(k_head);
      mode_ = Mode::kInHead;
      return;
    case Mode::kInHead:
      writer_->FlushText();
      head_ = current();
      Pop();
      mode_ = Mode::kAfterHead;
      return;
    case Mode::kInHeadNoscript:
      Pop();
      mode_ = Mode::kInHead;
      return;
    default:  // "after head"
      if (space_after_head_) writer_->set_space_pending(true);
      space_after_head_ = false;
      InsertImplied(k_body);
      mode_ = Mode::kInBody;
      return;
  }
}

void TreeBuilder::TextBeforeBody(TextToken text) {
  while (mode_ < Mode::kInBody && reason_ == GiveUp::kNone) {
    bool blank;
    if (mode_ < Mode::kInHead) {
      blank = SkipBlank(&text);
    } else if (mode_ == Mode::kAfterHead) {
      // White space here comes behind what may still go into <head>.
      const uint32_t begin = text.begin;
      blank = SkipBlank(&text);
      space_after_head_ |= text.begin != begin;
    } else {
      blank = InsertBlank(&text);
    }
    if (blank) return;
    LeaveMode();
  }
  if (reason_ == GiveUp::kNone) BodyText(text);
}

// A further <html> or <body> tag only adds attributes to the one element.
void TreeBuilder::SecondRoot(TagToken* tag) {
  if (TagReader::HasAttributes(*tag)) Stop(GiveUp::kRootAttributes);
}

bool TreeBuilder::StartTagBeforeBody(TagToken* tag) {
  switch (mode_) {
    case Mode::kBeforeHtml:
      if (tag->name != k_html) break;
      Insert(tag);
      mode_ = Mode::kBeforeHead;
      return true;
    case Mode::kBeforeHead:
      if (tag->name == k_html) {
        SecondRoot(tag);
        return true;
      }
      if (tag->name != k_head) break;
      Insert(tag);
      mode_ = Mode::kInHead;
      return true;
    case Mode::kInHead:
      if (InHeadStart(tag)) return true;
      break;
    case Mode::kInHeadNoscript:
      switch (tag->name) {
        case k_html:
        case k_basefont:
        case k_bgsound:
        case k_link:
        case k_meta:
        case k_noframes:
        case k_style:
          return InHeadStart(tag);
        case k_head:
        case k_noscript:
          return true;
        default:
          break;
      }
      break;
    case Mode::kAfterHead:
      if (AfterHeadStart(tag)) return true;
      break;
    default:
      break;
  }
  LeaveMode();
  return false;
}

// False if the tag does not belong into <head>.
bool TreeBuilder::InHeadStart(TagToken* tag) {
  if (tag->name == k_html) {
    SecondRoot(tag);
    return true;
  }
  if (tag->name == k_head) return true;
  if (tag->name == k_noscript) {
    // Scripts do not run here, so its content is markup.
    Insert(tag);
    mode_ = Mode::kInHeadNoscript;
    return true;
  }
  const StartRule rule = RulesOf(elements_, tag->name).start;
  if (rule == StartRule::kTemplate) {
    Stop(GiveUp::kTemplate);
    return true;
  }
  if (rule != StartRule::kHeadContent) return false;
  HeadContent(tag);
  return true;
}

// The elements that "in head" handles for all modes.
void TreeBuilder::HeadContent(TagToken* tag) {
  switch (tag->name) {
    case k_script:
      return InsertRaw(tag, Content::kScript);
    case k_title:
      return InsertRaw(tag, Content::kEscapableText);
    case k_style:
    case k_noframes:
      return InsertRaw(tag, Content::kRawText);
    default:
      return InsertVoid(tag);
  }
}

bool TreeBuilder::AfterHeadStart(TagToken* tag) {
  switch (RulesOf(elements_, tag->name).start) {
    case StartRule::kHtml:
      SecondRoot(tag);
      return true;
    case StartRule::kBody:
      if (space_after_head_) writer_->set_space_pending(true);
      space_after_head_ = false;
      Insert(tag);
      mode_ = Mode::kInBody;
      return true;
    case StartRule::kFrameset:
      Stop(GiveUp::kFrameset);
      return true;
    case StartRule::kTemplate:
      Stop(GiveUp::kTemplate);
      return true;
    case StartRule::kHeadContent:
      LateHeadContent(tag);
      return true;
    default:
      return tag->name == k_head;
  }
}

// Goes into <head> although that is closed: the head is opened once more for
// this element and closes with it.
void TreeBuilder::LateHeadContent(TagToken* tag) {
  if (comment_after_head_) return Stop(GiveUp::kLateHeadContent);
  writer_->Reopen(
      {head_.id, head_.last_child, names::kNone, uint32_t{kRemoved}});
  ++num_open_[names::kNone];
  head_.last_child = static_cast<NodeId>(writer_->num_nodes());
  HeadContent(tag);
  if (tag->content == Content::kMarkup) PopDownTo(2);
}

bool TreeBuilder::EndTagBeforeBody(TagToken* tag) {
  const Mode mode = mode_;
  if (mode == Mode::kInHeadNoscript) {
    if (tag->name != k_noscript && tag->name != k_br) return true;
    LeaveMode();
    return tag->name == k_noscript;
  }
  const bool counts = mode == Mode::kInitial || tag->name == k_body ||
                      tag->name == k_html || tag->name == k_br ||
                      (tag->name == k_head && mode <= Mode::kInHead);
  if (!counts) return true;
  LeaveMode();
  return mode == Mode::kInHead && tag->name == k_head;
}

}  // namespace trommel::html::direct
