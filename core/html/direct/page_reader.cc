#include "core/html/direct/page_reader.h"

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "core/html/direct/character_references.h"

namespace trommel::html::direct {
namespace {

using Clock = std::chrono::steady_clock;
using tag_scanner_internal::ClassOf;
using tag_scanner_internal::kLetter;
using tag_scanner_internal::kSpace;
using tag_scanner_internal::SkipComment;
using tag_scanner_internal::SkipRawText;
using tag_scanner_internal::SkipScript;

// How often the limits are looked at, in markup tokens.
constexpr uint32_t kLimitsInterval = 4096;

// The longest in the standard's list has some 150 bytes.
constexpr size_t kMaxDoctype = 1024;

bool IsLetter(char c) { return (ClassOf(c) & kLetter) != 0; }

const char* Find(const char* p, const char* end, char c) {
  const auto* const found =
      static_cast<const char*>(std::memchr(p, c, static_cast<size_t>(end - p)));
  return found == nullptr ? end : found;
}

bool StartsWithLower(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char a, char b) { return a == AsciiLower(b); });
}

}  // namespace

PageReader::PageReader(const ParseLimits& limits)
    : limits_(limits),
      tags_(&writer_, limits.max_attributes),
      builder_(limits, &writer_, &tags_) {}

// "Preprocessing the input stream" (13.2.3.5): CR and CRLF become LF.
std::string_view PageReader::NormalizeNewlines(std::string_view utf8) {
  const char* p = utf8.data();
  const char* const end = p + utf8.size();
  const char* line_end = Find(p, end, '\r');
  if (line_end == end) return utf8;
  normalized_.clear();
  normalized_.reserve(utf8.size());
  while (line_end != end) {
    normalized_.append(p, line_end);
    normalized_.push_back('\n');
    p = line_end + 1;
    if (p != end && *p == '\n') ++p;
    line_end = Find(p, end, '\r');
  }
  normalized_.append(p, end);
  return normalized_;
}

GiveUp PageReader::Read(std::string_view utf8, Document* document) {
  deadline_ = Clock::now() + absl::ToChronoNanoseconds(limits_.timeout);
  if (utf8.find('\0') != std::string_view::npos) return GiveUp::kNul;
  utf8 = NormalizeNewlines(utf8);
  begin_ = utf8.data();
  end_ = begin_ + utf8.size();
  const size_t last = utf8.rfind('>');
  tags_.StartPage(last == std::string_view::npos ? begin_ : begin_ + last,
                  end_);
  writer_.Start(document, utf8.size() + utf8.size() / 5 + 4 * kScanWidth);
  builder_.StartPage();
  ReadTokens();
  if (builder_.reason() == GiveUp::kNone) {
    builder_.EndOfPage();
    writer_.Finish();
    CheckLimits();
  }
  return builder_.reason();
}

bool PageReader::CheckLimits() {
  if (!builder_.WithinLimits(static_cast<size_t>(end_ - begin_))) {
    builder_.Stop(GiveUp::kSize);
  } else if (Clock::now() > deadline_) {
    builder_.Stop(GiveUp::kTime);
  }
  return builder_.reason() == GiveUp::kNone;
}

void PageReader::ReadTokens() {
  const char* p = begin_;
  uint32_t until_check = kLimitsInterval;
  while (p != end_) {
    // Where it does not begin markup, '<' begins text.
    p = ReadText(p);
    if (p == end_) return;
    p = ReadMarkup(p);
    if (builder_.reason() != GiveUp::kNone) return;
    if (--until_check > 0) continue;
    until_check = kLimitsInterval;
    if (!CheckLimits()) return;
  }
}

// "Data state": the text up to the next markup, whose '<' is returned.
const char* PageReader::ReadText(const char* p) {
  const uint32_t begin = writer_.offset();
  char* out = writer_.out();
  while (true) {
    p = CopyUntil<'<', '&'>(p, end_, &out);
    if (p == end_) break;
    if (*p == '&') {
      p = DecodeReference(p, end_, ReferencePlace::kText, &out);
      if (p == nullptr) return Stop(GiveUp::kCutOff);
      continue;
    }
    if (p + 1 == end_) return Stop(GiveUp::kCutOff);
    if (IsLetter(p[1]) || p[1] == '!' || p[1] == '?') break;
    if (p[1] == '/') {
      if (p + 2 == end_) return Stop(GiveUp::kCutOff);
      if (p[2] != '>') break;
      p += 3;  // "</>" is nothing
      continue;
    }
    *out++ = *p++;
  }
  writer_.set_out(out);
  const uint32_t text_end = writer_.offset();
  if (begin != text_end) builder_.Text({begin, text_end});
  return builder_.reason() == GiveUp::kNone ? p : end_;
}

// "Tag open state". `p` stands at a '<' that begins markup.
const char* PageReader::ReadMarkup(const char* p) {
  if (p >= tags_.last_tag_end()) return Stop(GiveUp::kCutOff);
  if (IsLetter(p[1])) return ReadStartTag(p + 1);
  if (p[1] == '/') {
    return IsLetter(p[2]) ? ReadEndTag(p + 2) : ReadBogusComment(p + 2, p + 2);
  }
  return p[1] == '!' ? ReadDeclaration(p + 2) : ReadInstruction(p + 2);
}

const char* PageReader::ReadStartTag(const char* p) {
  TagToken tag = tags_.ReadStartTag(p);
  builder_.StartTag(&tag);
  if (builder_.reason() != GiveUp::kNone) return end_;
  return tag.content == Content::kMarkup ? tag.rest : ReadContent(tag);
}

const char* PageReader::ReadEndTag(const char* p) {
  TagToken tag = tags_.ReadEndTag(p);
  if (*tag.rest == '>') {
    ++tag.rest;
  } else if (!tags_.SkipAttributes(&tag)) {
    return Stop(tags_.reason());
  }
  builder_.EndTag(&tag);
  return tag.rest;
}

// Script data, RAWTEXT and RCDATA states: everything up to the end tag of the
// same name is text.
const char* PageReader::ReadContent(const TagToken& tag) {
  const std::string_view name = FrequentNameOf(tag.name);
  const char* const text_end = tag.content == Content::kScript
                                   ? SkipScript(tag.rest, end_)
                                   : SkipRawText(tag.rest, end_, name);
  if (text_end == end_) return Stop(GiveUp::kCutOff);
  const uint32_t begin = writer_.offset();
  if (tag.content == Content::kEscapableText) {
    if (ReadEscapableText(tag.rest, text_end) == nullptr) {
      return Stop(GiveUp::kCutOff);
    }
  } else {
    const auto size = static_cast<size_t>(text_end - tag.rest);
    std::memcpy(writer_.out(), tag.rest, size);
    writer_.set_out(writer_.out() + size);
  }
  TagToken end_tag;
  end_tag.name = tag.name;
  end_tag.rest = text_end + 2 + name.size();
  if (!tags_.SkipAttributes(&end_tag)) return Stop(tags_.reason());
  TextToken text = {begin, writer_.offset()};
  if (tag.name != names::k_textarea) {
    builder_.RawContent(text);
    return end_tag.rest;
  }
  // lexbor puts the content of <textarea> through the current insertion mode.
  if (text.begin != text.end && *writer_.at(text.begin) == '\n') ++text.begin;
  if (text.begin != text.end) builder_.Text(text);
  builder_.EndTag(&end_tag);
  return end_tag.rest;
}

const char* PageReader::ReadEscapableText(const char* p, const char* text_end) {
  char* out = writer_.out();
  while (true) {
    p = CopyUntil<'&', '&'>(p, text_end, &out);
    if (p == text_end) break;
    p = DecodeReference(p, end_, ReferencePlace::kText, &out);
    if (p == nullptr) return nullptr;
  }
  writer_.set_out(out);
  return p;
}

// "Markup declaration open state". `p` stands behind "<!".
const char* PageReader::ReadDeclaration(const char* p) {
  const std::string_view rest(p, static_cast<size_t>(end_ - p));
  if (rest.substr(0, 2) == "--") return ReadComment(p + 2);
  if (StartsWithLower(rest, "doctype")) return ReadDoctype(p);
  if (rest.size() < 7) return Stop(GiveUp::kCutOff);
  if (rest.substr(0, 7) == "[CDATA[" && builder_.in_foreign_content()) {
    return Stop(GiveUp::kForeignMarkup);
  }
  return ReadBogusComment(p, p);
}

const char* PageReader::ReadComment(const char* p) {
  const char* const comment_end = SkipComment(p, end_);
  const std::string_view comment(p, static_cast<size_t>(comment_end - p));
  if (!comment.ends_with("-->") && !comment.ends_with("--!>") &&
      comment != ">" && comment != "->") {
    return Stop(GiveUp::kCutOff);
  }
  const char* text_end = comment_end - 1;
  if (text_end > p && *(text_end - 1) == '!') --text_end;
  text_end = std::max(p, text_end - 2);
  builder_.Comment({p, static_cast<size_t>(text_end - p)});
  return comment_end;
}

// Everything up to the next '>'.
const char* PageReader::ReadBogusComment(const char* p, const char* text) {
  const char* const text_end = Find(p, end_, '>');
  if (text_end == end_) return Stop(GiveUp::kCutOff);
  builder_.Comment({text, static_cast<size_t>(text_end - text)});
  return text_end + 1;
}

const char* PageReader::ReadDoctype(const char* p) {
  const char* const doctype_end = Find(p, end_, '>');
  if (doctype_end == end_) return Stop(GiveUp::kCutOff);
  const std::string_view doctype(p - 2,
                                 static_cast<size_t>(doctype_end + 3 - p));
  // Only the first one counts, and only those of a sensible length are kept.
  const bool counts = builder_.expects_doctype();
  if (counts && doctype.size() > kMaxDoctype) return Stop(GiveUp::kSize);
  builder_.Doctype(counts && quirks_.IsQuirky(doctype));
  return doctype_end + 1;
}

// "<?target data?>" is a comment in the document: its data, and for what is no
// processing instruction, as for XML declarations, the whole of it.
const char* PageReader::ReadInstruction(const char* p) {
  const auto is_target = [](char c) {
    return IsLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  const char* target_end = p;
  if (IsLetter(*p) || *p == '_') {
    while (target_end != end_ && is_target(*target_end)) ++target_end;
  }
  if (target_end == end_) return Stop(GiveUp::kCutOff);
  const std::string_view target(p, static_cast<size_t>(target_end - p));
  const bool ends = (ClassOf(*target_end) & kSpace) != 0 ||
                    *target_end == '?' || *target_end == '>';
  if (target.empty() || !ends ||
      (StartsWithLower(target, "xml") &&
       (target.size() == 3 ||
        (StartsWithLower(target, "xml-stylesheet") && target.size() == 14)))) {
    return ReadBogusComment(p, p - 1);
  }
  const char* data = target_end;
  while (data != end_ && (ClassOf(*data) & kSpace) != 0) ++data;
  const char* const token_end = Find(data, end_, '>');
  if (token_end == end_) return Stop(GiveUp::kCutOff);
  const char* data_end = token_end;
  if (data_end > data && data_end[-1] == '?') --data_end;
  builder_.Comment({data, static_cast<size_t>(data_end - data)});
  return token_end + 1;
}

}  // namespace trommel::html::direct
