#include "synth/markup.h"

#include <algorithm>
#include <array>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "synth/prose.h"

namespace trommel::synth {
namespace {

// The first eight letters of a tag's name as a number, to switch on.
constexpr uint64_t Packed(std::string_view tag) {
  uint64_t packed = 0;
  for (size_t i = 0; i < tag.size() && i < 8; ++i) {
    packed = packed << 8 | static_cast<unsigned char>(tag[i]);
  }
  return packed;
}

bool IsVoid(std::string_view tag) {
  switch (Packed(tag)) {
    case Packed("img"):
    case Packed("br"):
    case Packed("input"):
    case Packed("hr"):
    case Packed("meta"):
    case Packed("link"):
      return true;
    default:
      return false;
  }
}

bool IsInline(std::string_view tag) {
  switch (Packed(tag)) {
    case Packed("a"):
    case Packed("b"):
    case Packed("i"):
    case Packed("u"):
    case Packed("em"):
    case Packed("strong"):
    case Packed("span"):
    case Packed("font"):
    case Packed("small"):
    case Packed("img"):
    case Packed("br"):
    case Packed("input"):
    case Packed("del"):
    case Packed("label"):
    case Packed("button"):
    case Packed("time"):
    case Packed("sup"):
    case Packed("cite"):
    case Packed("option"):
    case Packed("nobr"):
      return true;
    default:
      return false;
  }
}

// Elements whose end tag starts a line in indented designs.
bool IsContainer(std::string_view tag) {
  switch (Packed(tag)) {
    case Packed("div"):
    case Packed("table"):
    case Packed("tr"):
    case Packed("ul"):
    case Packed("ol"):
    case Packed("dl"):
    case Packed("section"):
    case Packed("article"):
    case Packed("form"):
      return true;
    default:
      return false;
  }
}

// The part of a shape's letter; see the list in the header.
Part PartOf(char letter) {
  const size_t found = kPartLetters.find(letter);
  return found == kPartLetters.npos ? Part::kBox : static_cast<Part>(found);
}

// Characters that text may contain as they are, whatever the design.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0; c < 128; ++c) {
    plain[static_cast<size_t>(c)] =
        c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
  }
  return plain;
}();

struct Named {
  uint32_t code;
  std::string_view name;
};
constexpr Named kNamed[] = {
    {0xA3, "pound"},   {0xE9, "eacute"},  {0xEB, "euml"},    {0xF1, "ntilde"},
    {0xF6, "ouml"},    {0xFC, "uuml"},    {0xE7, "ccedil"},  {0xC9, "Eacute"},
    {0x20AC, "euro"},  {0x2013, "ndash"}, {0x2019, "rsquo"}, {0x201C, "ldquo"},
    {0x201D, "rdquo"},
};

// The windows-1252 byte of a character outside ASCII, or 0.
uint8_t Windows1252(uint32_t code) {
  if (code >= 0xA0 && code <= 0xFF) return static_cast<uint8_t>(code);
  switch (code) {
    case 0x20AC:
      return 0x80;
    case 0x2013:
      return 0x96;
    case 0x2019:
      return 0x92;
    case 0x201C:
      return 0x93;
    case 0x201D:
      return 0x94;
    default:
      return 0;
  }
}

// Decodes the character at `*at`, which the generator's own words guarantee to
// be well formed, and moves past it.
uint32_t DecodeUtf8(std::string_view text, size_t* at) {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const uint32_t first = byte(*at);
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  length = std::min(length, text.size() - *at);
  uint32_t code = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) code = code << 6 | (byte(*at + i) & 0x3F);
  *at += length;
  return code;
}

void AppendReference(uint32_t code, NonAscii style, std::string* out) {
  if (style == NonAscii::kNamed) {
    for (const Named& named : kNamed) {
      if (named.code != code) continue;
      out->push_back('&');
      out->append(named.name);
      out->push_back(';');
      return;
    }
  }
  if (style == NonAscii::kHex) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    out->append("&#x");
    for (int shift = code > 0xFF ? 12 : 4; shift >= 0; shift -= 4) {
      out->push_back(kDigits[code >> shift & 15]);
    }
  } else {
    out->append("&#");
    AppendNumber(code, out);
  }
  out->push_back(';');
}

bool NeedsQuotes(std::string_view value) {
  if (value.empty()) return true;
  return std::any_of(value.begin(), value.end(), [](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                       c == '.' || c == '/' || c == '%' || c == '#' || c == ':';
    return !plain;
  });
}

}  // namespace

std::string_view Markup::Expand(std::string_view shape, Role role,
                                absl::Span<const std::string_view> slots) {
  size_t at = 0;
  while (at < shape.size()) {
    switch (shape[at]) {
      case '<':
        at = shape[at + 1] == '/' ? EndTag(shape, at)
                                  : StartTag(shape, at, role, slots);
        break;
      case '$':
        Text(slots[static_cast<size_t>(shape[at + 1] - '0')]);
        at += 2;
        break;
      case '|':
        return shape.substr(at + 1);
      default: {
        size_t end = at + 1;
        while (end < shape.size() && shape[end] != '<' && shape[end] != '$' &&
               shape[end] != '|') {
          ++end;
        }
        out_.append(shape.substr(at, end - at));
        at = end;
      }
    }
  }
  return {};
}

void Markup::Newline() {
  if (design_.indent == Indent::kNone) return;
  out_.push_back('\n');
  const size_t depth = static_cast<size_t>(std::clamp(depth_, 0, 12));
  if (design_.indent == Indent::kTabs) out_.append(depth, '\t');
  if (design_.indent == Indent::kTwoSpaces) out_.append(2 * depth, ' ');
  if (design_.indent == Indent::kFourSpaces) out_.append(4 * depth, ' ');
}

void Markup::TagName(std::string_view name) {
  if (!design_.uppercase_tags) {
    out_.append(name);
    return;
  }
  for (const char c : name) {
    out_.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
  }
}

size_t Markup::StartTag(std::string_view shape, size_t at, Role role,
                        absl::Span<const std::string_view> slots) {
  const auto ends_name = [](char c) {
    return c == '.' || c == '#' || c == '[' || c == '>';
  };
  size_t end = at + 1;
  while (!ends_name(shape[end])) ++end;
  const std::string_view tag = shape.substr(at + 1, end - at - 1);
  const bool is_void = IsVoid(tag);
  if (!IsInline(tag)) {
    Newline();
    if (!is_void) ++depth_;
  }
  out_.push_back('<');
  TagName(tag);
  while (shape[end] != '>') {
    if (shape[end] == '.') {
      const Part part = PartOf(shape[end + 1]);
      const size_t rollback = out_.size();
      out_.append(design_.uppercase_tags ? " CLASS=" : " class=");
      const size_t value = out_.size();
      const bool carries = attribute_in_class_ && part == Part::kValue;
      AppendClass(design_, *zone_, role, part,
                  carries ? attribute_ : std::string_view(), &out_);
      if (out_.size() == value) {
        out_.resize(rollback);
      } else {
        if (design_.zebra && part == Part::kItem) {
          out_.append(item_ % 2 == 0 ? " odd" : " even");
        }
        QuoteValue(value);
      }
      Decorations(tag, role, part);
      end += 2;
    } else if (shape[end] == '#') {
      const size_t rollback = out_.size();
      out_.append(design_.uppercase_tags ? " ID=" : " id=");
      const size_t value = out_.size();
      AppendId(design_, *zone_, role, attribute_, &out_);
      if (out_.size() == value) {
        out_.resize(rollback);
      } else {
        QuoteValue(value);
      }
      ++end;
    } else {
      const size_t close = shape.find(']', end);
      const std::string_view pair = shape.substr(end + 1, close - end - 1);
      const size_t equals = pair.find('=');
      if (equals == std::string_view::npos) {
        out_.push_back(' ');
        TagName(pair);
      } else {
        Attribute(pair.substr(0, equals), pair.substr(equals + 1), slots);
      }
      end = close + 1;
    }
  }
  if (is_void && design_.closes_void_tags) out_.append(" /");
  out_.push_back('>');
  return end + 1;
}

size_t Markup::EndTag(std::string_view shape, size_t at) {
  const size_t end = shape.find('>', at);
  std::string_view tag = shape.substr(at + 2, end - at - 2);
  const bool optional = tag.back() == '?';
  if (optional) tag.remove_suffix(1);
  if (!IsInline(tag)) --depth_;
  if (optional && design_.drops_end_tags) return end + 1;
  if (IsContainer(tag)) Newline();
  out_.append("</");
  TagName(tag);
  out_.push_back('>');
  return end + 1;
}

void Markup::Attribute(std::string_view name, std::string_view value,
                       absl::Span<const std::string_view> slots) {
  out_.push_back(' ');
  TagName(name);
  out_.push_back('=');
  const size_t begin = out_.size();
  size_t at = 0;
  while (at < value.size()) {
    const size_t slot = std::min(value.find('$', at), value.size());
    out_.append(value.substr(at, slot - at));
    if (slot == value.size()) break;
    Text(slots[static_cast<size_t>(value[slot + 1] - '0')]);
    at = slot + 2;
  }
  QuoteValue(begin);
}

// Puts quotes around the value that stands at the end of the output from
// `begin` on. Text leaves quotation marks bare in some designs; here they must
// be references.
void Markup::QuoteValue(size_t begin) {
  const std::string_view value = std::string_view(out_).substr(begin);
  if (design_.quotes == Quotes::kWhereNeeded && !NeedsQuotes(value)) return;
  const char quote = design_.quotes == Quotes::kSingle ? '\'' : '"';
  if (value.find(quote) != std::string_view::npos) {
    std::string escaped;
    for (const char c : value) {
      if (c == quote) {
        escaped.append(quote == '"' ? "&quot;" : "&#39;");
      } else {
        escaped.push_back(c);
      }
    }
    out_.resize(begin);
    out_.append(escaped);
  }
  out_.insert(begin, 1, quote);
  out_.push_back(quote);
}

// Attributes that say nothing: inline styles, tracking hooks, event handlers.
// Which part of which role has them is the zone's choice, not the names'.
void Markup::Decorations(std::string_view tag, Role role, Part part) {
  const int draw = Choose(*zone_, role, 3000 + static_cast<int>(part), 24);
  if (draw > 3) return;
  static constexpr std::string_view kStyles[] = {"margin:0;padding:4px 0",
                                                 "float:left;width:48%",
                                                 "display:block",
                                                 "color:#336699;font-size:11px",
                                                 "clear:both",
                                                 "padding-top:6px"};
  out_.push_back(' ');
  if (draw == 0 || draw == 1) {
    TagName("style");
    out_.push_back('=');
    const size_t begin = out_.size();
    out_.append(
        kStyles[Choose(*zone_, role, 3100 + static_cast<int>(part), 6)]);
    QuoteValue(begin);
  } else if (draw == 2 && design_.layout != PageLayout::kTables) {
    out_.append("data-track=");
    const size_t begin = out_.size();
    out_.append(RoleWord(role, 0));
    out_.push_back('.');
    out_.append(tag);
    QuoteValue(begin);
  } else {
    TagName("onclick");
    out_.push_back('=');
    const size_t begin = out_.size();
    out_.append("return hit(this,");
    AppendNumber(static_cast<uint64_t>(role), &out_);
    out_.push_back(')');
    QuoteValue(begin);
  }
}

void Markup::Text(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && kPlain[static_cast<unsigned char>(text[end])]) {
      ++end;
    }
    out_.append(text.substr(at, end - at));
    at = end;
    if (at < text.size()) Character(text, &at);
  }
}

void Markup::UnbreakableText(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t space = std::min(text.find(' ', at), text.size());
    Text(text.substr(at, space - at));
    if (space < text.size()) out_.append("&nbsp;");
    at = space + 1;
  }
}

void Markup::Character(std::string_view text, size_t* at) {
  const char c = text[*at];
  if (static_cast<unsigned char>(c) < 0x80) {
    ++*at;
    // A bare ampersand is safe before a space or an attribute's next
    // parameter; none of the generator's parameters is an entity's name.
    const bool bare = design_.raw_ampersands && *at < text.size() &&
                      (text[*at] == ' ' || text.find('=', *at) != text.npos);
    if (c == '&') {
      out_.append(bare ? "&" : "&amp;");
    } else if (c == '<') {
      out_.append("&lt;");
    } else if (c == '>') {
      out_.append("&gt;");
    } else if (!design_.quote_entities) {
      out_.push_back(c);
    } else {
      out_.append(c == '"' ? "&quot;" : "&#39;");
    }
    return;
  }
  const size_t begin = *at;
  const uint32_t code = DecodeUtf8(text, at);
  if (design_.non_ascii != NonAscii::kBytes) {
    AppendReference(code, design_.non_ascii, &out_);
  } else if (traits_.encoding == SiteTraits::Encoding::kUtf8) {
    out_.append(text.substr(begin, *at - begin));
  } else if (const uint8_t byte = Windows1252(code); byte != 0) {
    out_.push_back(static_cast<char>(byte));
  } else {
    AppendReference(code, NonAscii::kDecimal, &out_);
  }
}

}  // namespace trommel::synth
