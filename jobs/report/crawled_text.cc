#include "jobs/report/crawled_text.h"

#include <cstdint>

#include "absl/strings/str_format.h"
#include "core/base/characters.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::jobs::report {
namespace {

// In the tip of text that is shown cut. A URL that is longer than the last of
// them is no link, for half an address leads somewhere else.
constexpr size_t kTipBytes = 1000;
constexpr size_t kLinkBytes = 1000;

// Characters that show nothing, or move what stands around them: controls,
// spaces other than the one of ASCII, line ends, default ignorables (Unicode
// 15, DerivedCoreProperties.txt; bidirectional controls, joiners, variation
// selectors, tags), interlinear annotation, noncharacters.
bool IsUnseen(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kRanges[] = {
      {0x0, 0x1F},        {0x7F, 0xA0},       {0xAD, 0xAD},
      {0x34F, 0x34F},     {0x61C, 0x61C},     {0x115F, 0x1160},
      {0x1680, 0x1680},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
      {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},
      {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
      {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
      {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3},
      {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
  };
  if ((c & 0xFFFE) == 0xFFFE) return true;
  for (const Range& range : kRanges) {
    if (c <= range.last) return c >= range.first;
  }
  return false;
}

// True when AppendVisible() shows the bytes as they are.
bool IsSeen(std::string_view bytes) {
  if (ValidUtf8Prefix(bytes) != bytes.size()) return false;
  while (!bytes.empty()) {
    if (IsUnseen(TakeCharacter(&bytes))) return false;
  }
  return true;
}

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Only what is shown as it is, and whole somewhere, can be followed.
bool IsLink(std::string_view url) {
  return (url.starts_with("http://") || url.starts_with("https://")) &&
         url.size() <= kLinkBytes && IsSeen(url);
}

bool IsKept(char32_t c, Place place) {
  return !IsUnseen(c) || (place == Place::kSource && (c == '\n' || c == '\t'));
}

}  // namespace

void AppendVisible(std::string_view bytes, Place place, std::string* out) {
  std::string valid;
  AppendUtf8Lossy(bytes, &valid);
  std::string_view rest = valid;
  const char* copied = rest.data();
  while (!rest.empty()) {
    const char* const begin = rest.data();
    const char32_t c = TakeCharacter(&rest);
    if (IsKept(c, place)) continue;
    AppendXmlText({copied, static_cast<size_t>(begin - copied)}, out);
    copied = rest.data();
    // Half of a line end.
    if (place == Place::kSource && c == '\r' && rest.starts_with('\n'))
      continue;
    const std::string number =
        absl::StrFormat("U+%04X", static_cast<uint32_t>(c));
    if (place == Place::kAttribute) {
      StrAppend(out, "\u27E8", number, "\u27E9");
    } else {
      StrAppend(out, "<mark>", number, "</mark>");
    }
  }
  AppendXmlText({copied, static_cast<size_t>(rest.data() - copied)}, out);
}

void AppendCut(std::string_view bytes, size_t max_bytes, Place place,
               std::string* out) {
  if (bytes.size() <= max_bytes) {
    AppendVisible(bytes, place, out);
    return;
  }
  size_t head_end = max_bytes * 3 / 4;
  size_t tail_begin = bytes.size() - max_bytes / 4;
  // Where a character begins is at most three bytes away.
  for (int i = 0; i < 3 && IsContinuation(bytes[head_end]); ++i) --head_end;
  for (int i = 0; i < 3 && IsContinuation(bytes[tail_begin]); ++i) ++tail_begin;
  AppendVisible(bytes.substr(0, head_end), place, out);
  out->append("\u2026");
  AppendVisible(bytes.substr(tail_begin), place, out);
}

void AppendShown(std::string_view bytes, std::string* out) {
  AppendCut(bytes, kShownBytes, Place::kText, out);
}

void AppendTip(std::string_view bytes, std::string* out) {
  if (bytes.size() <= kShownBytes) return;
  out->append(" title=\"");
  AppendCut(bytes, kTipBytes, Place::kAttribute, out);
  out->append("\"");
}

void AppendUrl(std::string_view url, std::string* out) {
  if (!IsLink(url)) {
    AppendShown(url, out);
    return;
  }
  out->append("<a href=\"");
  AppendXmlAttribute(url, out);
  out->append("\" rel=\"noopener noreferrer nofollow\">");
  AppendShown(url, out);
  out->append("</a>");
}

}  // namespace trommel::jobs::report
