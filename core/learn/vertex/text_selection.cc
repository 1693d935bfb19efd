#include "core/learn/vertex/text_selection.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/rule/fields/text_range.h"
#include "core/schema/schema.h"

// Text selection using range pruner and regexes (III-C 4 of the Vertex paper).
//
// "Our Price: $25.99" is one text of which the price is a part. What cuts it
// out on all annotated pages is taken to do so on the others:
//
//  - the pattern of the attribute's type, if its first match in each text is
//    the annotated value. It goes by what the value looks like, so it holds
//    however long the rest is;
//
//  - else the words from one number to another, counted from the beginning or
//    the end, whichever is the same in all texts. A value that ends where its
//    text ends stays there, however long it is, so the end is preferred for the
//    last word where it is nearer.
//
// Where both fail, the XPath is not used: it would give texts that are no
// values. As everywhere, patterns select and check only where they reproduce
// the annotated values; a type in the schema is the editor's hint, not a law.
//
// Cost: a match and a scan of each annotated text.

namespace trommel::learn::vertex {
namespace {

bool Reproduces(const RE2& regex, const PartOfText& part) {
  re2::StringPiece found;
  return regex.Match(part.text, 0, part.text.size(), RE2::UNANCHORED, &found,
                     1) &&
         std::string_view(found.data(), found.size()) == part.value;
}

// Which words of the text the value is, counted from 1 from both ends.
struct WordPlaces {
  int first = 0;
  int last = 0;
  int first_from_end = 0;
  int last_from_end = 0;
};

std::optional<WordPlaces> FindWords(const PartOfText& part) {
  const std::vector<std::string_view> words = rule::fields::WordsOf(part.text);
  const std::vector<std::string_view> wanted =
      rule::fields::WordsOf(part.value);
  const auto found =
      std::search(words.begin(), words.end(), wanted.begin(), wanted.end());
  if (wanted.empty() || found == words.end()) return std::nullopt;
  const int i = static_cast<int>(found - words.begin());
  const int n = static_cast<int>(words.size());
  const int k = static_cast<int>(wanted.size());
  return WordPlaces{i + 1, i + k, n - i, n - i - k + 1};
}

std::optional<proto::TextRange> LearnRange(
    const std::vector<PartOfText>& parts) {
  std::optional<WordPlaces> same;
  bool first = true, last = true, first_from_end = true, last_from_end = true;
  for (const PartOfText& part : parts) {
    const std::optional<WordPlaces> places = FindWords(part);
    if (!places.has_value()) return std::nullopt;
    if (!same.has_value()) same = places;
    first &= places->first == same->first;
    last &= places->last == same->last;
    first_from_end &= places->first_from_end == same->first_from_end;
    last_from_end &= places->last_from_end == same->last_from_end;
  }
  if (!same.has_value() || !(first || first_from_end) ||
      !(last || last_from_end)) {
    return std::nullopt;
  }
  // A value at one of the ends stays there, however long it and the rest are.
  const bool last_by_end =
      last_from_end && (!last || same->last_from_end <= same->last);
  const bool first_by_end = !first;
  proto::TextRange range;
  range.set_first(first_by_end ? same->first_from_end : same->first);
  range.set_first_from_end(first_by_end);
  range.set_last(last_by_end ? same->last_from_end : same->last);
  range.set_last_from_end(last_by_end);
  return range;
}

}  // namespace

void LearnCheck(const proto::Attribute& attribute,
                const std::vector<std::string>& values,
                proto::Extractor* extractor) {
  const std::string pattern = schema::CheckPattern(attribute);
  if (pattern.empty()) return;
  const RE2 regex(pattern, RE2::Quiet);
  for (const std::string& value : values) {
    if (!regex.ok() || !RE2::PartialMatch(value, regex)) return;
  }
  extractor->set_check(pattern);
}

bool LearnTextSelection(const proto::Attribute& attribute,
                        const std::vector<PartOfText>& parts,
                        proto::Extractor* extractor) {
  const std::string pattern = schema::ValuePattern(attribute);
  if (!pattern.empty()) {
    const RE2 regex(pattern, RE2::Quiet);
    if (regex.ok() &&
        std::all_of(parts.begin(), parts.end(), [&](const PartOfText& part) {
          return Reproduces(regex, part);
        })) {
      extractor->set_regex(pattern);
      return true;
    }
  }
  const std::optional<proto::TextRange> range = LearnRange(parts);
  if (range.has_value()) *extractor->mutable_range() = *range;
  return range.has_value();
}

}  // namespace trommel::learn::vertex
