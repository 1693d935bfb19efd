#ifndef TROMMEL_SYNTH_PROSE_H_
#define TROMMEL_SYNTH_PROSE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/random.h"

namespace trommel::synth {

// Text that reads like a page's: sentences with the word and punctuation
// statistics of prose, no meaning. All functions append UTF-8 to `out` and
// draw from `random` only.

// One sentence; `topic` is what the site is about ("movie") and turns up in
// some of them.
void AppendSentence(std::string_view topic, Random* random, std::string* out);

// `sentences` of them, separated by spaces.
void AppendParagraph(std::string_view topic, int sentences, Random* random,
                     std::string* out);

// A headline of two to five words, capitalised: "The Silent Harbour".
void AppendTitle(Random* random, std::string* out);

// "Elena Marlowe".
void AppendPerson(Random* random, std::string* out);

// "Marlowe & Sons".
void AppendCompany(Random* random, std::string* out);

// Appends `text` as a part of a URL: ASCII letters and digits in lower case,
// everything else a single `separator`, none at the ends.
void AppendSlug(std::string_view text, char separator, std::string* out);

// Decimal digits, at least `width` of them.
void AppendNumber(uint64_t value, int width, std::string* out);
inline void AppendNumber(uint64_t value, std::string* out) {
  AppendNumber(value, 1, out);
}

// 1234567 as "1,234,567".
void AppendGrouped(uint64_t value, std::string* out);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_PROSE_H_
