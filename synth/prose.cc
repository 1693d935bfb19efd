#include "synth/prose.h"

#include <cstddef>

#include "core/base/text.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

// Sentence patterns. %a adjective, %n noun, %v verb, %d adverb, %f first name,
// %l last name, %t the site's topic, %m month, %y year, %i small number.
constexpr std::string_view kPatterns[] = {
    "The %a %n %v the %n, and the rest follows %d.",
    "It %d %v what a %n of this kind should.",
    "We were looking for a %a %t and this one %v every %n on the list.",
    "My %n says it's the most %a %t since %y.",
    "After %i weeks the %n still %v a %a %n.",
    "In %m %y, %f %l called it “a %a %n with a %a heart”.",
    "Don't expect the %n to be %a; it %v the %n all the same.",
    "Most visitors mention the %n first, then the %a %n.",
    "Some of the %n is %a – %d so – but the %n %v it.",
    "There are %i reasons to choose it, and the %a %n is only one of them.",
    "A %a %n %v more than the price suggests.",
    "For a %t at this level the %n is %a & the %n is %a.",
    "%f and %f %l share a %n that neither of them %d %v.",
    "If the %n %v you, give the %a %n another try.",
    "The %n was %a, the %n was %a, and nobody %v the difference.",
    "It’s hard to say whether the %n or the %n %v it.",
    "Since %y the %n %v a %a %n in every %n.",
    "Please note that the %n %d %v the %a %n (see the %n below).",
    "Compared with last year's %t, the %n is %a and the %n more %a.",
    "“%f %l %v the %n,” wrote one reader, “and I agree.”",
    "Nothing about the %n is new, yet the %a %n %v.",
    "You may have to wait %i days, but the %n is worth it.",
    "Every %n has a %a side; here it %d %v the %n.",
    "Thanks to a %a %n the whole %n feels %a again.",
};

constexpr std::string_view kTitlePatterns[] = {
    "The %A %N",         "%A %N",          "The %N's %N",
    "%N & %N",           "A %A %N",        "The %N of %L",
    "%F's %A %N",        "No %N for %F",   "The Last %N",
    "%A %N, %A %N",      "Beyond the %N",  "%N in %M",
    "Return to %L %N",   "%I %A %N Tales", "The %N Who Kept the %N",
    "Café of the %A %N",
};

// "a" or "A" as a word of its own at the end of `out` becomes "an".
void FixArticle(std::string_view next, std::string* out) {
  const size_t size = out->size();
  if (std::string_view("aeiouAEIOU").find(next[0]) == std::string_view::npos ||
      size < 2 || (*out)[size - 1] != ' ' ||
      AsciiLower((*out)[size - 2]) != 'a') {
    return;
  }
  const char before = size > 2 ? AsciiLower((*out)[size - 3]) : ' ';
  if (before < 'a' || before > 'z') out->insert(size - 1, 1, 'n');
}

void AppendCapitalised(std::string_view word, bool capital, std::string* out) {
  FixArticle(word, out);
  const size_t begin = out->size();
  out->append(word);
  if (!capital || begin == out->size()) return;
  char& first = (*out)[begin];
  if (first >= 'a' && first <= 'z') first = static_cast<char>(first - 32);
}

void AppendPattern(std::string_view pattern, std::string_view topic,
                   Random* random, std::string* out) {
  size_t i = 0;
  while (i < pattern.size()) {
    const size_t slot = pattern.find('%', i);
    if (slot == std::string_view::npos) {
      out->append(pattern.substr(i));
      return;
    }
    out->append(pattern.substr(i, slot - i));
    const char code = pattern[slot + 1];
    // Capital codes are for titles; a slot that opens a sentence is a capital
    // too.
    const bool capital = (code >= 'A' && code <= 'Z') || slot == 0;
    i = slot + 2;
    switch (AsciiLower(code)) {
      case 'a':
        AppendCapitalised(Pick(kAdjectives, random), capital, out);
        break;
      case 'n':
        AppendCapitalised(Pick(kNouns, random), capital, out);
        break;
      case 'v':
        AppendCapitalised(Pick(kVerbs, random), capital, out);
        break;
      case 'd':
        AppendCapitalised(Pick(kAdverbs, random), capital, out);
        break;
      case 'f':
        out->append(Pick(kFirstNames, random));
        break;
      case 'l':
        out->append(Pick(kLastNames, random));
        break;
      case 'm':
        out->append(Pick(kMonths, random));
        break;
      case 't':
        AppendCapitalised(topic, capital, out);
        break;
      case 'y':
        AppendNumber(1978 + random->Below(47), out);
        break;
      default:
        AppendNumber(2 + random->Below(28), out);
        break;
    }
  }
}

}  // namespace

void AppendSentence(std::string_view topic, Random* random, std::string* out) {
  AppendPattern(Pick(kPatterns, random), topic, random, out);
}

void AppendParagraph(std::string_view topic, int sentences, Random* random,
                     std::string* out) {
  for (int i = 0; i < sentences; ++i) {
    if (i > 0) out->push_back(' ');
    AppendSentence(topic, random, out);
  }
}

void AppendTitle(Random* random, std::string* out) {
  AppendPattern(Pick(kTitlePatterns, random), "", random, out);
}

void AppendPerson(Random* random, std::string* out) {
  out->append(Pick(kFirstNames, random));
  out->push_back(' ');
  out->append(Pick(kLastNames, random));
}

void AppendSlug(std::string_view text, char separator, std::string* out) {
  bool pending = false;
  bool written = false;
  for (const char c : text) {
    const char lower = AsciiLower(c);
    if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) {
      if (pending && written) out->push_back(separator);
      out->push_back(lower);
      pending = false;
      written = true;
    } else if (c != '\'' && (c & 0x80) == 0) {
      pending = true;  // Apostrophes and accents vanish: "women's" is "womens".
    }
  }
}

void AppendNumber(uint64_t value, int width, std::string* out) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  for (int i = count; i < width; ++i) out->push_back('0');
  while (count > 0) out->push_back(digits[--count]);
}

void AppendGrouped(uint64_t value, std::string* out) {
  if (value >= 1000) {
    AppendGrouped(value / 1000, out);
    out->push_back(',');
    AppendNumber(value % 1000, 3, out);
  } else {
    AppendNumber(value, out);
  }
}

}  // namespace trommel::synth
