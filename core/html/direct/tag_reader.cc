#include "core/html/direct/tag_reader.h"

#include <algorithm>

#include "core/html/direct/character_references.h"

namespace trommel::html::direct {
namespace {

using tag_scanner_internal::ClassOf;
using tag_scanner_internal::FindTagEnd;
using tag_scanner_internal::kEquals;
using tag_scanner_internal::kSlash;
using tag_scanner_internal::kSpace;
using tag_scanner_internal::kTagEnd;

// Attributes of one tag are compared with each other.
constexpr uint32_t kMaxComparedAttributes = 128;

// ReadName() where fewer than kScanWidth bytes are left. A name that the end
// of the page cuts off looks too long.
template <bool kEqualsEnds>
ScannedName ReadNameAtEnd(const char* p, const char* end) {
  char bytes[kScanWidth];
  std::fill(std::begin(bytes), std::end(bytes), 'x');
  std::copy(p, end, bytes);
  return ReadName<kEqualsEnds>(bytes);
}

template <bool kEqualsEnds>
ScannedName ReadNameBefore(const char* p, const char* end) {
  return static_cast<size_t>(end - p) >= kScanWidth
             ? ReadName<kEqualsEnds>(p)
             : ReadNameAtEnd<kEqualsEnds>(p, end);
}

// The end of a name of any length.
const char* EndOfName(const char* p, uint8_t ends) {
  do {
    ++p;
  } while ((ClassOf(*p) & ends) == 0);
  return p;
}

}  // namespace

TagReader::TagReader(DocumentWriter* writer, uint32_t max_attributes)
    : writer_(writer),
      max_attributes_(std::min(max_attributes, kMaxComparedAttributes)) {}

void TagReader::StartPage(const char* last_tag_end, const char* end) {
  last_tag_end_ = last_tag_end;
  end_ = end;
  reason_ = GiveUp::kNone;
  names_.StartDocument();
}

NameId TagReader::InternLong(std::string_view name) {
  lower_.assign(name);
  for (char& c : lower_) c = AsciiLower(c);
  return writer_->InternName(lower_);
}

TagToken TagReader::ReadStartTag(const char* p) {
  TagToken tag;
  const auto [length, key] = ReadNameBefore<false>(p, end_);
  if (length == 0) {
    tag.rest = EndOfName(p, kSpace | kSlash | kTagEnd);
    tag.name = InternLong({p, static_cast<size_t>(tag.rest - p)});
    return tag;
  }
  tag.rest = p + length;
  tag.name = names_.Find(key);
  if (tag.name == names::kNone) {
    tag.name = InternLong({p, length});
    names_.Add(key, tag.name);
  }
  return tag;
}

TagToken TagReader::ReadEndTag(const char* p) {
  TagToken tag;
  const auto [length, key] = ReadNameBefore<false>(p, end_);
  tag.rest = length == 0 ? EndOfName(p, kSpace | kSlash | kTagEnd) : p + length;
  if (length != 0) tag.name = names_.Find(key);
  if (tag.name == names::kNone) {
    lower_.assign(p, tag.rest);
    for (char& c : lower_) c = AsciiLower(c);
    tag.name = writer_->FindName(lower_);
    if (tag.name == names::kNone) tag.name = kUnknown;
  }
  return tag;
}

// White space and slashes between attributes.
const char* TagReader::SkipSpace(const char* p) {
  while ((ClassOf(*p) & (kSpace | kSlash)) != 0) ++p;
  return p;
}

bool TagReader::HasAttributes(const TagToken& tag) {
  return *SkipSpace(tag.rest) != '>';
}

bool TagReader::IsHiddenInput(const TagToken& tag) const {
  bool hidden = false;
  bool self_closing;
  const auto equals = [](std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return AsciiLower(a) == b; });
  };
  FindTagEnd(tag.rest, end_, &self_closing,
             [&](std::string_view name, std::string_view value) {
               hidden |= equals(name, "type") && equals(value, "hidden");
             });
  return hidden;
}

bool TagReader::SkipAttributes(TagToken* tag) {
  uint32_t count = 0;
  const char* const tag_end =
      FindTagEnd(tag->rest, end_, &tag->self_closing,
                 [&](std::string_view, std::string_view) { ++count; });
  if (tag_end == end_) return Fail(GiveUp::kCutOff);
  // Also attributes that nobody wants are noted as dropped.
  if (count > max_attributes_) return Fail(GiveUp::kAttributes);
  tag->rest = tag_end + 1;
  tag->read = true;
  return true;
}

NameId TagReader::AttributeName(const char** position) {
  const char* const p = *position;
  const auto [length, key] = ReadNameBefore<true>(p, end_);
  if (length == 0) {  // long, or it begins with '='
    *position = EndOfName(p, kSpace | kSlash | kTagEnd | kEquals);
    return InternLong({p, static_cast<size_t>(*position - p)});
  }
  *position = p + length;
  NameId name = names_.Find(key);
  if (name == names::kNone) {
    name = InternLong({p, length});
    names_.Add(key, name);
  }
  return name;
}

template <char kQuote>
const char* TagReader::ReadQuoted(const char* p) {
  char* out = writer_->out();
  while (true) {
    p = CopyUntil<kQuote, '&'>(p, end_, &out);
    if (p == end_) return nullptr;
    if (*p == kQuote) break;
    p = DecodeReference(p, end_, ReferencePlace::kAttribute, &out);
    if (p == nullptr) return nullptr;
  }
  writer_->set_out(out);
  return p < last_tag_end_ ? p + 1 : nullptr;
}

const char* TagReader::ReadUnquoted(const char* p) {
  char* out = writer_->out();
  while ((ClassOf(*p) & (kSpace | kTagEnd)) == 0) {
    if (*p != '&') {
      *out++ = *p++;
      continue;
    }
    p = DecodeReference(p, end_, ReferencePlace::kAttribute, &out);
    if (p == nullptr) return nullptr;
  }
  writer_->set_out(out);
  return p;
}

// `p` stands behind '='. Returns the position behind the value, nullptr if it
// does not end.
const char* TagReader::ReadValue(const char* p) {
  while ((ClassOf(*p) & kSpace) != 0) ++p;
  if (*p == '"') return ReadQuoted<'"'>(p + 1);
  if (*p == '\'') return ReadQuoted<'\''>(p + 1);
  return ReadUnquoted(p);
}

bool TagReader::ReadAttributes(TagToken* tag) {
  const char* p = tag->rest;
  uint32_t count = 0;
  while (true) {
    const char* const gap = p;
    p = SkipSpace(p);
    if (*p == '>') {
      tag->self_closing = p != gap && p[-1] == '/';
      break;
    }
    if (++count > max_attributes_) return Fail(GiveUp::kAttributes);
    const NameId name = AttributeName(&p);
    while ((ClassOf(*p) & kSpace) != 0) ++p;
    const uint32_t begin = writer_->offset();
    if (*p == '=') {
      p = ReadValue(p + 1);
      if (p == nullptr) return Fail(GiveUp::kCutOff);
    }
    if (writer_->HasAttribute(name)) {
      if ((writer_->open().back().properties & kSvg) != 0) {
        return Fail(GiveUp::kForeignMarkup);
      }
      writer_->set_out(writer_->out() - (writer_->offset() - begin));
    } else {
      writer_->AddAttribute(name, begin);
    }
  }
  writer_->EndAttributes();
  tag->rest = p + 1;
  tag->read = true;
  return true;
}

}  // namespace trommel::html::direct
