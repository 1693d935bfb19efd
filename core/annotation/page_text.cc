#include "core/annotation/page_text.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/base/text.h"
#include "core/html/text.h"

namespace trommel::annotation {
namespace {

using html::Document;
using html::Node;
using html::NodeId;
using html::NodeKind;
namespace names = html::names;

// U+00A0 in UTF-8: white space here, as in NormalizeSpace().
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

// Calls use(c, after_space) for every byte that is not white space.
template <typename Use>
void ForEachVisible(std::string_view text, Use use) {
  bool after_space = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsHtmlSpace(text[i])) {
      after_space = true;
    } else if (text.substr(i, 2) == kNoBreakSpace) {
      after_space = true;
      ++i;
    } else {
      use(text[i], after_space);
      after_space = false;
    }
  }
}

bool IsWordByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c));
}

// Letters beyond ASCII of scripts that are written with spaces: the characters
// of two bytes in UTF-8 from U+00C0 on.
bool IsTwoByteLetter(char lead) {
  const unsigned char c = static_cast<unsigned char>(lead);
  return c >= 0xC3 && c <= 0xDF;
}
bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}
bool EndsInWord(std::string_view text) {
  if (text.empty()) return false;
  return IsWordByte(text.back()) ||
         (text.size() >= 2 && IsContinuation(text.back()) &&
          IsTwoByteLetter(text[text.size() - 2]));
}
bool BeginsWithWord(std::string_view text) {
  return !text.empty() && (IsWordByte(text[0]) || IsTwoByteLetter(text[0]));
}
// Whether a word goes on from the bytes before `offset` to those behind.
bool IsInsideWord(std::string_view text, size_t offset) {
  return offset < text.size() && (IsContinuation(text[offset]) ||
                                  (EndsInWord(text.substr(0, offset)) &&
                                   BeginsWithWord(text.substr(offset))));
}

// Nobody annotates more, and searching for much in much takes long.
constexpr size_t kMaxValueBytes = 20000;

// Whether the text of the element is for readers; the title is, although it is
// in the head.
bool IsPassedOver(html::NameId name) {
  return name != names::k_head && html::IsHiddenElement(name);
}

constexpr size_t kMaxShownBytes = 100;

std::set<std::string> WordsOf(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (IsWordByte(c) || static_cast<unsigned char>(c) >= 0x80) {
      word += AsciiLower(c);
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.insert(word);
  return words;
}

std::string Shortened(std::string text) {
  if (text.size() <= kMaxShownBytes) return text;
  text.resize(kMaxShownBytes);
  text.resize(ValidUtf8Prefix(text));
  return text + "...";
}

}  // namespace

std::string WithoutSpace(std::string_view text) {
  std::string out;
  ForEachVisible(text, [&](char c, bool) { out += c; });
  return out;
}

PageText::PageText(const Document& document) : document_(document) {
  const NodeId end = static_cast<NodeId>(document.num_nodes());
  for (NodeId id = 1; id < end;) {
    const Node& node = document.node(id);
    if (node.kind == NodeKind::kElement && IsPassedOver(node.name)) {
      id = node.subtree_end;
      continue;
    }
    if (node.kind == NodeKind::kText) {
      const size_t begin = text_.size();
      ForEachVisible(document.Text(id), [&](char c, bool after_space) {
        starts_word_.push_back(after_space || text_.size() == begin);
        text_ += c;
      });
      if (text_.size() > begin) {
        segments_.push_back({id, static_cast<uint32_t>(begin)});
      }
    }
    ++id;
  }
}

size_t PageText::SegmentAt(size_t offset) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), offset,
                       [](size_t value, const Segment& segment) {
                         return value < segment.begin;
                       });
  return static_cast<size_t>(after - segments_.begin()) - 1;
}

size_t PageText::EndOf(size_t segment) const {
  return segment + 1 < segments_.size() ? segments_[segment + 1].begin
                                        : text_.size();
}

bool PageText::IsBoundary(size_t offset) const {
  return offset == 0 || offset >= text_.size() || starts_word_[offset] ||
         !IsInsideWord(text_, offset);
}

ValuePlace PageText::PlaceOf(size_t begin, size_t end) const {
  const size_t first = SegmentAt(begin);
  const size_t last = SegmentAt(end - 1);
  ValuePlace place;
  if (first == last) {
    place.node = segments_[first].node;
    const bool is_whole =
        segments_[first].begin == begin && EndOf(first) == end;
    place.fit =
        is_whole ? ValuePlace::Fit::kWholeText : ValuePlace::Fit::kPartOfText;
    return place;
  }
  // The smallest element around both.
  NodeId element = document_.node(segments_[first].node).parent;
  while (!document_.IsAncestor(element, segments_[last].node)) {
    element = document_.node(element).parent;
  }
  place.node = element;
  const auto is_inside = [&](size_t segment) {
    return document_.IsAncestor(element, segments_[segment].node);
  };
  const bool is_whole = segments_[first].begin == begin && EndOf(last) == end &&
                        (first == 0 || !is_inside(first - 1)) &&
                        (last + 1 == segments_.size() || !is_inside(last + 1));
  place.fit = is_whole ? ValuePlace::Fit::kWholeElement
                       : ValuePlace::Fit::kPartOfElement;
  return place;
}

std::vector<ValuePlace> PageText::Find(std::string_view value,
                                       size_t max_parts) const {
  std::vector<ValuePlace> places;
  const std::string wanted = WithoutSpace(value);
  if (wanted.empty() || wanted.size() > kMaxValueBytes) return places;
  size_t num_parts = 0;
  for (size_t begin = text_.find(wanted); begin != std::string::npos;
       begin = text_.find(wanted, begin + 1)) {
    const size_t end = begin + wanted.size();
    if (!IsBoundary(begin) || !IsBoundary(end)) continue;
    const ValuePlace place = PlaceOf(begin, end);
    // Said twice within one node is said there.
    if (!places.empty() && places.back() == place) continue;
    const bool is_part = place.fit > ValuePlace::Fit::kWholeElement;
    if (!is_part || ++num_parts <= max_parts) places.push_back(place);
  }
  return places;
}

bool PageText::FindAt(NodeId node, std::string_view value,
                      ValuePlace* place) const {
  const std::string wanted = NormalizeSpace(value);
  const std::string text = html::VisibleText(document_, node);
  if (wanted.empty()) return false;
  const bool is_text = document_.IsText(node);
  place->node = node;
  place->attribute = names::kNone;
  if (WithoutSpace(text) == WithoutSpace(wanted)) {
    place->fit =
        is_text ? ValuePlace::Fit::kWholeText : ValuePlace::Fit::kWholeElement;
    return true;
  }
  for (size_t begin = text.find(wanted); begin != std::string::npos;
       begin = text.find(wanted, begin + 1)) {
    if (IsInsideWord(text, begin) ||
        IsInsideWord(text, begin + wanted.size())) {
      continue;
    }
    place->fit = is_text ? ValuePlace::Fit::kPartOfText
                         : ValuePlace::Fit::kPartOfElement;
    return true;
  }
  return false;
}

std::vector<std::string> PageText::Nearest(std::string_view value,
                                           size_t count) const {
  const std::set<std::string> wanted = WordsOf(value);
  // Share of words in common, and which text; the best first.
  std::vector<std::pair<double, NodeId>> nearest;
  for (const Segment& segment : segments_) {
    const std::set<std::string> words = WordsOf(document_.Text(segment.node));
    size_t common = 0;
    for (const std::string& word : words) common += wanted.count(word);
    if (common == 0) continue;
    const double all =
        static_cast<double>(words.size() + wanted.size() - common);
    nearest.emplace_back(-static_cast<double>(common) / all, segment.node);
  }
  std::sort(nearest.begin(), nearest.end());
  std::vector<std::string> texts;
  for (const auto& [share, node] : nearest) {
    if (texts.size() == count) break;
    std::string text = Shortened(html::NormalizedText(document_, node));
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

}  // namespace trommel::annotation
