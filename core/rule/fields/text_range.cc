#include "core/rule/fields/text_range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/rule/fields/tokens.h"

// A value by what stands around begins behind the first (or last) `after`,
// white space passed over, and ends in front of the first (or last) `before`
// that stands behind this place. So "by A by B, C, D" has "A by B" after the
// first "by " and before the first ",".
//
// shared_templates.xsl says the same in XSLT.

namespace trommel::rule::fields {
namespace {

constexpr size_t kNone = std::string_view::npos;

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == kNone) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The words first to last; empty where the text has too few.
std::string_view CutWords(const proto::TextRange& range,
                          std::string_view text) {
  const std::vector<std::string_view> words = WordsOf(text);
  const int64_t n = static_cast<int64_t>(words.size());
  const auto place = [n](int64_t number, bool from_end) {
    return from_end ? n - number : number - 1;
  };
  const int64_t first = place(range.first(), range.first_from_end());
  const int64_t last = place(range.last(), range.last_from_end());
  if (first < 0 || last < first || last >= n) return {};
  const char* const begin = words[static_cast<size_t>(first)].data();
  const std::string_view end = words[static_cast<size_t>(last)];
  return {begin, static_cast<size_t>(end.data() + end.size() - begin)};
}

// What stands between the delimiters; empty where one is missing that must be
// there.
std::string_view CutBetween(const proto::TextRange& range,
                            std::string_view text) {
  size_t begin = 0;
  if (range.has_after()) {
    const proto::Delimiter& after = range.after();
    const size_t found =
        FindLiteral(text, after.literal(), 0, after.from_end());
    if (found != kNone) {
      begin = found + after.literal().size();
    } else if (!after.may_be_missing()) {
      return {};
    }
  }
  begin = std::min(text.find_first_not_of(' ', begin), text.size());
  size_t end = text.size();
  if (range.has_before()) {
    const proto::Delimiter& before = range.before();
    const size_t found =
        FindLiteral(text, before.literal(), begin, before.from_end());
    if (found != kNone) {
      end = found;
    } else if (!before.may_be_missing()) {
      return {};
    }
  }
  return Trimmed(text.substr(begin, end - begin));
}

// Finds one separator after the other, and looks for each of them once in every
// part of the text.
class SeparatorFinder {
 public:
  SeparatorFinder(const proto::TextRange& range, std::string_view text)
      : range_(range), text_(text) {
    for (const std::string& separator : range.separator()) {
      places_.push_back(FindLiteral(text, separator, 0, /*last=*/false));
    }
  }

  // The next one that begins at `from` or behind; empty, at the end of the
  // text, for none.
  std::string_view Next(size_t from) {
    size_t place = text_.size(), length = 0;
    for (size_t i = 0; i < places_.size(); ++i) {
      const std::string& separator = range_.separator(static_cast<int>(i));
      if (places_[i] != kNone && places_[i] < from) {
        places_[i] = FindLiteral(text_, separator, from, /*last=*/false);
      }
      if (places_[i] < place) {
        place = places_[i];
        length = separator.size();
      } else if (places_[i] == place) {
        length = std::max(length, separator.size());
      }
    }
    return text_.substr(place, length);
  }

 private:
  const proto::TextRange& range_;
  const std::string_view text_;
  std::vector<size_t> places_;  // by separator
};

}  // namespace

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

absl::Status CheckRange(const proto::TextRange& range) {
  const bool has_delimiter = range.has_after() || range.has_before();
  const bool has_words = range.first() != 0 || range.last() != 0;
  if (has_words && (has_delimiter || range.separator_size() > 0)) {
    return absl::InvalidArgumentError(
        "a range is of words or of what stands around, not of both");
  }
  if (has_words || (!has_delimiter && range.separator_size() == 0)) {
    return range.first() >= 1 && range.last() >= 1
               ? absl::OkStatus()
               : absl::InvalidArgumentError("a range counts words from 1");
  }
  const bool has_empty =
      (range.has_after() && range.after().literal().empty()) ||
      (range.has_before() && range.before().literal().empty()) ||
      std::any_of(range.separator().begin(), range.separator().end(),
                  [](const std::string& s) { return s.empty(); });
  return has_empty ? absl::InvalidArgumentError(
                         "a delimiter or separator of a range is empty")
                   : absl::OkStatus();
}

bool IsRangeOfWords(const proto::TextRange& range) { return range.first() > 0; }

std::vector<std::string_view> ApplyRange(const proto::TextRange& range,
                                         std::string_view text) {
  const std::string_view all =
      IsRangeOfWords(range) ? CutWords(range, text) : CutBetween(range, text);
  std::vector<std::string_view> values;
  SeparatorFinder separators(range, all);
  for (size_t begin = 0; begin < all.size();) {
    const std::string_view separator = separators.Next(begin);
    const size_t end = static_cast<size_t>(separator.data() - all.data());
    const std::string_view value = Trimmed(all.substr(begin, end - begin));
    if (!value.empty()) values.push_back(value);
    begin = end + separator.size();
    if (separator.empty()) break;
  }
  return values;
}

}  // namespace trommel::rule::fields
