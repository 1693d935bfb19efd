#include "core/html/tag_scanner.h"

#include <algorithm>

namespace trommel::html::tag_scanner_internal {
namespace {

const char* Find(const char* position, const char* end, char c) {
  const auto* const found = static_cast<const char*>(
      std::memchr(position, c, static_cast<size_t>(end - position)));
  return found == nullptr ? end : found;
}

bool StartsWith(const char* position, const char* end, std::string_view text) {
  return static_cast<size_t>(end - position) >= text.size() &&
         std::memcmp(position, text.data(), text.size()) == 0;
}

// Whether `name` stands here in any case, followed by a character that ends a
// tag name.
bool IsTagName(const char* position, const char* end, std::string_view name) {
  if (static_cast<size_t>(end - position) <= name.size()) return false;
  for (const char c : name) {
    if (Lower(*position++) != Lower(c)) return false;
  }
  return (ClassOf(*position) & (kSpace | kSlash | kTagEnd)) != 0;
}

}  // namespace

// A comment ends at "-->" or "--!>"; "<!-->" and "<!--->" are whole comments.
const char* SkipComment(const char* position, const char* end) {
  if (position < end && *position == '>') return position + 1;
  if (StartsWith(position, end, "->")) return position + 2;
  while (position < end) {
    position = Find(position, end, '-');
    if (StartsWith(position, end, "-->")) return position + 3;
    if (StartsWith(position, end, "--!>")) return position + 4;
    if (position < end) ++position;
  }
  return end;
}

const char* SkipCdata(const char* position, const char* end) {
  while (position < end) {
    position = Find(position, end, ']');
    if (StartsWith(position, end, "]]>")) return position + 3;
    if (position < end) ++position;
  }
  return end;
}

const char* SkipRawText(const char* position, const char* end,
                        std::string_view name) {
  while (true) {
    position = Find(position, end, '<');
    if (end - position < 2) return end;
    if (position[1] == '/' && IsTagName(position + 2, end, name)) {
      return position;
    }
    ++position;
  }
}

// Script content ends at "</script", except that after "<!--" a "<script"
// hides one "</script" until "-->" (the standard's escaped and double escaped
// script data states, for pages written to hide scripts from old browsers).
const char* SkipScript(const char* position, const char* end) {
  static constexpr std::string_view kScript = "script";
  bool escaped = false;
  bool doubly_escaped = false;
  while (position < end) {
    if (!escaped) {
      position = Find(position, end, '<');
    } else {
      position = std::find_if(position, end,
                              [](char c) { return c == '<' || c == '-'; });
    }
    if (position == end) return end;
    if (*position == '-') {
      if (StartsWith(position, end, "-->")) {
        escaped = doubly_escaped = false;
        position += 3;
      } else {
        ++position;
      }
    } else if (!escaped && StartsWith(position, end, "<!--")) {
      escaped = true;
      position += 2;  // its dashes may be those of "-->"
    } else if (StartsWith(position, end, "</") &&
               IsTagName(position + 2, end, kScript)) {
      if (!doubly_escaped) return position;
      doubly_escaped = false;
      position += 2;
    } else if (escaped && !doubly_escaped &&
               IsTagName(position + 1, end, kScript)) {
      doubly_escaped = true;
      ++position;
    } else {
      ++position;
    }
  }
  return end;
}

// The list of the standard (13.2.6.5), less <font>, which only counts with
// certain attributes.
bool IsBreakoutTag(uint64_t key) {
  static constexpr auto kKeys = [] {
    std::array<uint64_t, 44> keys = {
        TagKey("b"),       TagKey("big"),  TagKey("blockquote"),
        TagKey("body"),    TagKey("br"),   TagKey("center"),
        TagKey("code"),    TagKey("dd"),   TagKey("div"),
        TagKey("dl"),      TagKey("dt"),   TagKey("em"),
        TagKey("embed"),   TagKey("h1"),   TagKey("h2"),
        TagKey("h3"),      TagKey("h4"),   TagKey("h5"),
        TagKey("h6"),      TagKey("head"), TagKey("hr"),
        TagKey("i"),       TagKey("img"),  TagKey("li"),
        TagKey("listing"), TagKey("menu"), TagKey("meta"),
        TagKey("nobr"),    TagKey("ol"),   TagKey("p"),
        TagKey("pre"),     TagKey("ruby"), TagKey("s"),
        TagKey("small"),   TagKey("span"), TagKey("strong"),
        TagKey("strike"),  TagKey("sub"),  TagKey("sup"),
        TagKey("table"),   TagKey("tt"),   TagKey("u"),
        TagKey("ul"),      TagKey("var")};
    std::sort(keys.begin(), keys.end());
    return keys;
  }();
  return std::binary_search(kKeys.begin(), kKeys.end(), key);
}

}  // namespace trommel::html::tag_scanner_internal
