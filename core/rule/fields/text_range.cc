#include "core/rule/fields/text_range.h"

namespace trommel::rule::fields {

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

std::string_view ApplyRange(const proto::TextRange& range,
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

}  // namespace trommel::rule::fields
