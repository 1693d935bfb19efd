#include "tests/synth/page_text.h"

#include <cstdint>
#include <cstdlib>
#include <map>

#include "core/base/text.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace trommel::synth {
namespace {

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out->push_back(static_cast<char>(0xC0 | code >> 6));
    out->push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else {
    out->push_back(static_cast<char>(0xE0 | code >> 12));
    out->push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3F)));
  }
}

std::string FromWindows1252(std::string_view bytes) {
  static const std::map<unsigned char, uint32_t> kHigh = {{0x80, 0x20AC},
                                                          {0x92, 0x2019},
                                                          {0x93, 0x201C},
                                                          {0x94, 0x201D},
                                                          {0x96, 0x2013}};
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const auto found = kHigh.find(byte);
    AppendUtf8(found == kHigh.end() ? byte : found->second, &out);
  }
  return out;
}

std::string DecodeEntities(std::string_view text) {
  static const std::map<std::string, uint32_t, std::less<>> kNames = {
      {"amp", '&'},      {"lt", '<'},       {"gt", '>'},
      {"quot", '"'},     {"nbsp", 0xA0},    {"raquo", 0xBB},
      {"middot", 0xB7},  {"darr", 0x2193},  {"pound", 0xA3},
      {"eacute", 0xE9},  {"euml", 0xEB},    {"ntilde", 0xF1},
      {"ouml", 0xF6},    {"uuml", 0xFC},    {"ccedil", 0xE7},
      {"Eacute", 0xC9},  {"euro", 0x20AC},  {"ndash", 0x2013},
      {"rsquo", 0x2019}, {"ldquo", 0x201C}, {"rdquo", 0x201D},
  };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text.find(';', i);
    if (text[i] != '&' || end == std::string_view::npos || end - i > 9) {
      out.push_back(text[i]);
      continue;
    }
    const std::string name(text.substr(i + 1, end - i - 1));
    if (name.size() > 1 && name[0] == '#') {
      const bool hex = name[1] == 'x';
      AppendUtf8(static_cast<uint32_t>(std::strtoul(
                     name.c_str() + (hex ? 2 : 1), nullptr, hex ? 16 : 10)),
                 &out);
      i = end;
    } else if (const auto found = kNames.find(name); found != kNames.end()) {
      AppendUtf8(found->second, &out);
      i = end;
    } else {
      out.push_back('&');
    }
  }
  return out;
}

// Calls `visit(is_tag, piece)` for the tags and texts of a page.
template <typename Visit>
void Walk(std::string_view html, const Visit& visit) {
  size_t at = 0;
  while (at < html.size()) {
    const size_t open = std::min(html.find('<', at), html.size());
    if (open > at) visit(false, html.substr(at, open - at));
    if (open == html.size()) return;
    if (html.substr(open, 4) == "<!--") {
      const size_t end = html.find("-->", open);
      at = end == std::string_view::npos ? html.size() : end + 3;
      continue;
    }
    // A tag ends at '>' outside of quotes.
    size_t end = open + 1;
    char quote = 0;
    for (; end < html.size() && (quote != 0 || html[end] != '>'); ++end) {
      if (quote != 0) {
        if (html[end] == quote) quote = 0;
      } else if (html[end - 1] == '=' &&
                 (html[end] == '"' || html[end] == '\'')) {
        quote = html[end];
      }
    }
    const std::string_view tag = html.substr(open, end + 1 - open);
    visit(true, tag);
    at = end + 1;
    for (const std::string_view raw : {"script", "style"}) {
      if (tag.substr(1, raw.size()) != raw) continue;
      at = html.find("</" + std::string(raw), at);
    }
  }
}

}  // namespace

std::vector<std::string> TagSequence(std::string_view html) {
  std::vector<std::string> tags;
  Walk(html, [&](bool is_tag, std::string_view piece) {
    if (!is_tag || piece[1] == '!') return;
    std::string name;
    for (size_t i = 1; i < piece.size(); ++i) {
      const char c = AsciiLower(piece[i]);
      const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!letter && !(i == 1 && c == '/')) break;
      name.push_back(c);
    }
    tags.push_back(std::move(name));
  });
  return tags;
}

std::string PageText(const GeneratedPage& page, char tag_mark) {
  const std::string utf8 =
      page.charset == "utf-8" ? page.html : FromWindows1252(page.html);
  std::string text;
  Walk(utf8, [&](bool is_tag, std::string_view piece) {
    if (is_tag) {
      text.push_back(tag_mark);
    } else {
      text.append(DecodeEntities(piece));
    }
  });
  return NormalizeSpace(text);
}

std::set<std::string> TagShingles(std::string_view html) {
  constexpr size_t kLength = 10;
  const std::vector<std::string> tags = TagSequence(html);
  std::set<std::string> shingles;
  for (size_t i = 0; i + kLength <= tags.size(); ++i) {
    std::string shingle;
    for (size_t k = 0; k < kLength; ++k) shingle += tags[i + k] + " ";
    shingles.insert(std::move(shingle));
  }
  return shingles;
}

double Jaccard(const std::set<std::string>& a, const std::set<std::string>& b) {
  size_t both = 0;
  for (const std::string& shingle : a) both += b.count(shingle);
  const size_t either = a.size() + b.size() - both;
  return either == 0 ? 1
                     : static_cast<double>(both) / static_cast<double>(either);
}

std::vector<std::string> AttributeValues(std::string_view html,
                                         std::string_view name) {
  std::vector<std::string> values;
  Walk(html, [&](bool is_tag, std::string_view piece) {
    if (!is_tag) return;
    std::string lower;
    for (const char c : piece) lower.push_back(AsciiLower(c));
    const size_t at = lower.find(" " + std::string(name) + "=");
    if (at == std::string::npos) return;
    const size_t begin = at + name.size() + 2;
    const char quote = piece[begin];
    const bool quoted = quote == '"' || quote == '\'';
    const size_t end = quoted ? piece.find(quote, begin + 1)
                              : piece.find_first_of(" >", begin);
    const size_t first = quoted ? begin + 1 : begin;
    values.emplace_back(piece.substr(first, end - first));
  });
  return values;
}

std::string ContentArea(std::string_view html) {
  const size_t begin = html.find("<!-- content -->");
  const size_t end = html.find("<!-- /content -->");
  return std::string(html.substr(begin, end - begin));
}

std::string Chrome(std::string_view html) {
  const size_t begin = html.find("<!-- content -->");
  const size_t end = html.find("<!-- /content -->");
  return std::string(html.substr(0, begin)) + std::string(html.substr(end));
}

proto::WebSpec ParseSpec(std::string_view text) {
  proto::WebSpec spec;
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(std::string(text), &spec));
  return spec;
}

}  // namespace trommel::synth
