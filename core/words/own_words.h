#ifndef TROMMEL_CORE_WORDS_OWN_WORDS_H_
#define TROMMEL_CORE_WORDS_OWN_WORDS_H_

// Whether the pages of a group, which is a template most of the time, say
// anything of their own.
//
//   const std::optional<int64_t> own_words =
//       TypicalOwnWords(pages, OwnWordsOfPages(pages));
//   if (SayTheSame(own_words)) ...  // they are copies of one page

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/words/page_words.h"

namespace trommel::words {

// Of fewer pages nothing can be said.
inline constexpr size_t kMinGroupPages = 3;
// Nor of fewer where most of them have more words than their samples.
inline constexpr size_t kMinGroupOfLongPages = 32;
// So many of a group's pages are enough, if they are chosen at random.
inline constexpr size_t kMaxGroupPages = 64;

// For each page of a group an estimate of its own words: those that hardly any
// other page of the group has. A page of whose words nothing can be said counts
// with all of them. The order of the pages makes no difference.
std::vector<double> OwnWordsOfPages(const std::vector<PageWords>& pages);

// The mean of the middle half of these, rounded; nullopt for too few pages.
std::optional<int64_t> TypicalOwnWords(const std::vector<PageWords>& pages,
                                       std::vector<double> own_words);

// With no more words of their own pages are taken for copies of one page.
// own_words.cc has the figures.
inline constexpr int64_t kFewOwnWords = 3;

// False where nothing is known.
inline bool SayTheSame(std::optional<int64_t> own_words) {
  return own_words.has_value() && *own_words <= kFewOwnWords;
}

}  // namespace trommel::words

#endif  // TROMMEL_CORE_WORDS_OWN_WORDS_H_
