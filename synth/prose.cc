#include "synth/prose.h"

#include <cstddef>

#include "core/base/strings.h"
#include "core/base/text.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

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
        AppendCapitalised(Pick(Words().adjective(), random), capital, out);
        break;
      case 'n':
        AppendCapitalised(Pick(Words().noun(), random), capital, out);
        break;
      case 'v':
        AppendCapitalised(Pick(Words().verb(), random), capital, out);
        break;
      case 'd':
        AppendCapitalised(Pick(Words().adverb(), random), capital, out);
        break;
      case 'f':
        out->append(Pick(Words().first_name(), random));
        break;
      case 'l':
        out->append(Pick(Words().last_name(), random));
        break;
      case 'm':
        out->append(Pick(Words().month(), random));
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
  AppendPattern(Pick(Words().sentence(), random), topic, random, out);
}

void AppendParagraph(std::string_view topic, int sentences, Random* random,
                     std::string* out) {
  for (int i = 0; i < sentences; ++i) {
    if (i > 0) out->push_back(' ');
    AppendSentence(topic, random, out);
  }
}

void AppendTitle(Random* random, std::string* out) {
  AppendPattern(Pick(Words().title(), random), "", random, out);
}

void AppendPerson(Random* random, std::string* out) {
  out->append(Pick(Words().first_name(), random));
  out->push_back(' ');
  out->append(Pick(Words().last_name(), random));
}

void AppendCompany(Random* random, std::string* out) {
  const std::string& kind = Pick(Words().company_kind(), random);
  const std::string& name = Pick(Words().last_name(), random);
  StrAppend(out, name, " ", kind);
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
