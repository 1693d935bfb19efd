#ifndef TROMMEL_CORE_HTML_TAG_SCANNER_H_
#define TROMMEL_CORE_HTML_TAG_SCANNER_H_

// The tag sequence of a page straight from its bytes, without building a tree.
//
//   ScanTags(bytes, [&](const Tag& tag) { shingler.Add(tag.key, tag.end); });
//
// A sink that also wants attributes has a method Attribute(name, value), called
// for those of each start or end tag before the tag itself: name and value as
// they stand in the source, the value without quotes, entities not decoded,
// empty when there is none. A tag that the end of the page cuts off may have
// had attributes reported.
//
// A sink that also wants the page's text has the methods Text(text), called for
// what stands between tags, comments and the like, and Title(text), called for
// the content of each <title> behind its tag. Both get the text as it stands in
// the source, references not decoded; a '<' that begins no tag parts a text in
// two and is in neither.
//
// Start and end tags come in source order. Comments, doctypes, CDATA sections
// and the content of script, style, textarea, title and the other raw-text
// elements are passed over, by the tokenizer rules of the HTML standard; a tag
// cut off by the end of the page does not count. The bytes need no decoding as
// long as their encoding is ASCII-compatible (Encoding::IsAsciiCompatible).
//
// This is the hot loop of signatures, clustering and coverage: it allocates
// nothing and spends its time in memchr and two table look-ups per byte of
// markup.
//
// The tokenizer's rules depend on the tree in one place only: inside <svg> and
// <math>, CDATA sections exist and no element is raw text. The scanner follows
// that with a depth counter which HTML elements that cannot stand in foreign
// content reset, as they do in the standard ("breakout" tags).

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/hash.h"

namespace trommel::html {

struct Tag {
  // Identifies the lower-case name: names of up to eight bytes by their bytes,
  // longer ones by a hash. Equal keys, equal names.
  uint64_t key;
  std::string_view name;  // as it stands in the source
  bool end;               // </name>
};

// The key of a lower-case name.
constexpr uint64_t TagKey(std::string_view lower_case_name);

template <typename Sink>
void ScanTags(std::string_view html, Sink&& sink);

// ---------------------------------------------------------------------------
// Implementation.

namespace tag_scanner_internal {

enum : uint8_t {
  kSpace = 1,    // white space
  kTagEnd = 2,   // '>'
  kSlash = 4,    // '/'
  kEquals = 8,   // '='
  kLetter = 16,  // begins a tag name
};

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes = {};
  for (const char c : {' ', '\t', '\n', '\f', '\r'}) {
    classes[static_cast<uint8_t>(c)] = kSpace;
  }
  classes['>'] = kTagEnd;
  classes['/'] = kSlash;
  classes['='] = kEquals;
  for (char c = 'a'; c <= 'z'; ++c) classes[static_cast<uint8_t>(c)] = kLetter;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<uint8_t>(c)] = kLetter;
  return classes;
}
inline constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

inline uint8_t ClassOf(char c) { return kClasses[static_cast<uint8_t>(c)]; }

constexpr uint8_t Lower(char c) {
  return static_cast<uint8_t>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

inline std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

// Accumulates a key byte by byte.
class KeyBuilder {
 public:
  constexpr void Add(uint8_t byte) {
    // From the ninth byte on a hash; also from a U+0000 on, which would not
    // show in the word.
    if (!long_ && (length_ == 8 || byte == 0)) {
      word_ = Mix64(word_ + 0x9E3779B97F4A7C15u);
      long_ = true;
    }
    if (long_) {
      word_ = Mix64(word_ ^ byte);
    } else {
      word_ |= static_cast<uint64_t>(byte) << (8 * length_);
      ++length_;
    }
  }
  constexpr uint64_t key() const { return word_; }

 private:
  uint64_t word_ = 0;
  uint32_t length_ = 0;
  bool long_ = false;
};

// The '>' of a tag, `end` if it has none. `p` stands behind the tag's name, or
// at any attribute. `self_closing` says whether a '/' precedes the '>'.
// `attribute(name, value)` is called for each attribute.
template <typename AttributeSink>
inline const char* FindTagEnd(const char* p, const char* end,
                              bool* self_closing, AttributeSink&& attribute) {
  *self_closing = false;
  uint8_t c = ClassOf(*p);
  while ((c & kTagEnd) == 0) {
    if ((c & (kSpace | kSlash)) != 0) {
      *self_closing = (c & kSlash) != 0;
      if (++p == end) return end;
      c = ClassOf(*p);
      continue;
    }
    // A name; its first character may be '='.
    *self_closing = false;
    const char* const name_begin = p;
    do {
      if (++p == end) return end;
      c = ClassOf(*p);
    } while ((c & (kSpace | kSlash | kTagEnd | kEquals)) == 0);
    const std::string_view name(name_begin,
                                static_cast<size_t>(p - name_begin));
    while ((c & kSpace) != 0) {
      if (++p == end) return end;
      c = ClassOf(*p);
    }
    if ((c & kEquals) == 0) {
      attribute(name, std::string_view());
      continue;
    }
    do {
      if (++p == end) return end;
      c = ClassOf(*p);
    } while ((c & kSpace) != 0);
    const char* value_begin = p;
    if (*p == '"' || *p == '\'') {
      const char quote = *p;
      value_begin = ++p;
      p = static_cast<const char*>(
          std::memchr(p, quote, static_cast<size_t>(end - p)));
      if (p == nullptr) return end;
      attribute(name, std::string_view(value_begin,
                                       static_cast<size_t>(p - value_begin)));
      if (++p == end) return end;
      c = ClassOf(*p);
    } else {
      while ((c & (kSpace | kTagEnd)) == 0) {
        if (++p == end) return end;
        c = ClassOf(*p);
      }
      attribute(name, std::string_view(value_begin,
                                       static_cast<size_t>(p - value_begin)));
    }
  }
  return p;
}

inline const char* FindTagEnd(const char* p, const char* end,
                              bool* self_closing) {
  return FindTagEnd(p, end, self_closing,
                    [](std::string_view, std::string_view) {});
}

// Rare constructs, out of line. Each takes the position where its content
// begins and returns the position behind it (`end` when it is not closed).
const char* SkipComment(const char* position, const char* end);
const char* SkipCdata(const char* position, const char* end);
const char* SkipScript(const char* position, const char* end);
// Content of <name> up to its end tag, which is not consumed.
const char* SkipRawText(const char* position, const char* end,
                        std::string_view name);
bool IsBreakoutTag(uint64_t key);

}  // namespace tag_scanner_internal

constexpr uint64_t TagKey(std::string_view lower_case_name) {
  tag_scanner_internal::KeyBuilder builder;
  for (const char c : lower_case_name) {
    builder.Add(static_cast<uint8_t>(c));
  }
  return builder.key();
}

template <typename Sink>
void ScanTags(std::string_view html, Sink&& sink) {
  using namespace tag_scanner_internal;  // NOLINT: the body is internal too
  const char* p = html.data();
  const char* const end = p + html.size();
  int foreign_depth = 0;
  constexpr bool kWantsText = requires { sink.Text(html); };
  while (p < end) {
    const char* const text_begin = p;
    p = static_cast<const char*>(
        std::memchr(p, '<', static_cast<size_t>(end - p)));
    if constexpr (kWantsText) {
      const char* const text_end = p == nullptr ? end : p;
      if (text_end != text_begin) sink.Text(Between(text_begin, text_end));
    }
    if (p == nullptr || ++p == end) return;
    bool is_end_tag = false;
    if ((ClassOf(*p) & kLetter) == 0) {
      if (*p == '/') {
        if (++p == end) return;
        is_end_tag = true;
      }
      if (!is_end_tag || (ClassOf(*p) & kLetter) == 0) {
        if (!is_end_tag && *p == '!') {
          ++p;
          const std::string_view rest(p, static_cast<size_t>(end - p));
          if (rest.substr(0, 2) == "--") {
            p = SkipComment(p + 2, end);
            continue;
          }
          if (foreign_depth > 0 && rest.substr(0, 7) == "[CDATA[") {
            p = SkipCdata(p + 7, end);
            continue;
          }
        } else if (!is_end_tag && *p != '?') {
          continue;  // a '<' of the text
        }
        // Doctype or bogus comment.
        p = static_cast<const char*>(
            std::memchr(p, '>', static_cast<size_t>(end - p)));
        if (p == nullptr) return;
        ++p;
        continue;
      }
    }

    // The name.
    const char* const name_begin = p;
    KeyBuilder key;
    uint8_t c = ClassOf(*p);
    do {
      key.Add(Lower(*p));
      if (++p == end) return;
      c = ClassOf(*p);
    } while ((c & (kSpace | kSlash | kTagEnd)) == 0);
    const Tag tag = {
        key.key(),
        std::string_view(name_begin, static_cast<size_t>(p - name_begin)),
        is_end_tag};

    bool self_closing;
    if constexpr (requires { sink.Attribute(tag.name, tag.name); }) {
      p = FindTagEnd(p, end, &self_closing,
                     [&](std::string_view name, std::string_view value) {
                       sink.Attribute(name, value);
                     });
    } else {
      p = FindTagEnd(p, end, &self_closing);
    }
    if (p == end) return;
    ++p;
    sink(tag);

    // What the tag means for the bytes that follow.
    switch (tag.key) {
      case TagKey("script"):
        if (!is_end_tag && foreign_depth == 0) p = SkipScript(p, end);
        break;
      case TagKey("title"):
        if (!is_end_tag && foreign_depth == 0) {
          const char* const title_begin = p;
          p = SkipRawText(p, end, tag.name);
          if constexpr (kWantsText) sink.Title(Between(title_begin, p));
        }
        break;
      case TagKey("style"):
      case TagKey("textarea"):
      case TagKey("xmp"):
      case TagKey("iframe"):
      case TagKey("noembed"):
      case TagKey("noframes"):
        if (!is_end_tag && foreign_depth == 0) {
          p = SkipRawText(p, end, tag.name);
        }
        break;
      case TagKey("plaintext"):
        if (!is_end_tag && foreign_depth == 0) return;
        break;
      case TagKey("svg"):
      case TagKey("math"):
        if (is_end_tag) {
          if (foreign_depth > 0) --foreign_depth;
        } else if (!self_closing) {
          ++foreign_depth;
        }
        break;
      default:
        if (foreign_depth > 0 && IsBreakoutTag(tag.key)) foreign_depth = 0;
    }
  }
}

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_TAG_SCANNER_H_
