#include "core/words/own_words.h"

#include <algorithm>
#include <cmath>
#include <limits>

// How many of a page's words are its own.
//
// The smallest hashes of a page are a random sample of its words, and one in
// which pages can be compared: what one page shows of a word, every page shows
// that has the word and whose sample reaches as far. So for each sampled word
// it is known on which pages it would be seen, and on how many of them it is.
// It is common if that is a tenth of the others, and two at least. The share of
// a page's sample that is not common, times the number of its words, is the
// estimate.
//
// A tenth, and not half, because a wall comes in variants (languages, causes,
// experiments), each of which a page of a template would call its own; up to
// some ten are recognised. Words of real pages that a tenth of the template
// shares, such as genres, are lost to the figure; it is large enough without.
//
// The group's figure is the mean of the middle half of its pages (the
// interquartile mean), so that a few real pages among copies, or a few copies
// among real pages, do not change it. The median would not do: of a page with
// 400 words, 10 of them its own, a sample of 32 most often shows one or none.
//
// What the threshold is made of: the real sites that the test of clusters
// measures, which were used while choosing it, have 8 words and more, most of
// them over 40; copies have none, but for ids that look like
// words. On fewer long pages the figure scatters down to that of copies, so
// they are judged from 32 on.
//
// Cost: sorting the hashes of all samples, a thousand.

namespace trommel::words {
namespace {

constexpr double kCommonShare = 0.1;
constexpr size_t kMinCommonPages = 2;

// A word of a page's own is seldom in the sample of a long page, so it takes
// many such pages to find that they have some.
bool AreTooFewLongPages(const std::vector<PageWords>& pages) {
  const auto num_long =
      std::count_if(pages.begin(), pages.end(), [](const PageWords& page) {
        return page.count > static_cast<int64_t>(page.sample.size());
      });
  return pages.size() < kMinGroupOfLongPages &&
         2 * static_cast<size_t>(num_long) > pages.size();
}

// Words with larger hashes may be on the page without being in the sample.
uint32_t Reach(const PageWords& page) {
  return page.count > static_cast<int64_t>(page.sample.size()) &&
                 !page.sample.empty()
             ? page.sample.back()
             : std::numeric_limits<uint32_t>::max();
}

// Of ascending values those from `least` on.
size_t NumFrom(const std::vector<uint32_t>& values, uint32_t least) {
  return static_cast<size_t>(
      values.end() - std::lower_bound(values.begin(), values.end(), least));
}

size_t NumEqual(const std::vector<uint32_t>& values, uint32_t value) {
  const auto range = std::equal_range(values.begin(), values.end(), value);
  return static_cast<size_t>(range.second - range.first);
}

// Of a page in a group with these samples, together, and reaches, both
// ascending. The page's own is among them.
double OwnWordsOfPage(const PageWords& page,
                      const std::vector<uint32_t>& samples,
                      const std::vector<uint32_t>& reaches) {
  int known = 0, own = 0;
  for (const uint32_t word : page.sample) {
    const size_t others = NumFrom(reaches, word) - 1;
    if (others == 0) continue;
    const size_t others_with_it = NumEqual(samples, word) - 1;
    ++known;
    const bool is_common = others_with_it >= kMinCommonPages &&
                           static_cast<double>(others_with_it) >=
                               kCommonShare * static_cast<double>(others);
    own += is_common ? 0 : 1;
  }
  const auto count = static_cast<double>(page.count);
  return known == 0 ? count : count * own / known;
}

}  // namespace

std::vector<double> OwnWordsOfPages(const std::vector<PageWords>& pages) {
  std::vector<uint32_t> samples, reaches;
  for (const PageWords& page : pages) {
    samples.insert(samples.end(), page.sample.begin(), page.sample.end());
    reaches.push_back(Reach(page));
  }
  std::sort(samples.begin(), samples.end());
  std::sort(reaches.begin(), reaches.end());
  std::vector<double> own_words;
  own_words.reserve(pages.size());
  for (const PageWords& page : pages) {
    own_words.push_back(OwnWordsOfPage(page, samples, reaches));
  }
  return own_words;
}

std::optional<int64_t> TypicalOwnWords(const std::vector<PageWords>& pages,
                                       std::vector<double> own_words) {
  if (pages.size() < kMinGroupPages || AreTooFewLongPages(pages)) {
    return std::nullopt;
  }
  std::sort(own_words.begin(), own_words.end());
  // Page i has the ranks from i to i + 1; those between the quartiles count.
  const auto n = static_cast<double>(own_words.size());
  double sum = 0;
  for (size_t i = 0; i < own_words.size(); ++i) {
    const auto rank = static_cast<double>(i);
    const double weight =
        std::min(rank + 1, 0.75 * n) - std::max(rank, 0.25 * n);
    if (weight > 0) sum += weight * own_words[i];
  }
  return std::llround(sum / (0.5 * n));
}

}  // namespace trommel::words
