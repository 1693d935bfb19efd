#ifndef TROMMEL_CORE_LEARN_VERTEX_TEXT_SELECTION_H_
#define TROMMEL_CORE_LEARN_VERTEX_TEXT_SELECTION_H_

#include <string>
#include <vector>

#include "core/rule/fields/text_refiner.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel::learn::vertex {

// A value that is part of the text of its node; both normalised. A text with
// several values of a repeated attribute comes once with each of them.
struct PartOfText {
  std::string text;
  std::string value;
};

// Why a selection is believed, the strongest reason first.
enum class SelectionEvidence {
  // Every value is its whole text, or every text is a list of values.
  kWholeText,
  // All values are the first match of the pattern of the attribute's type.
  kPattern,
  // All values stand between the same literals, which are punctuation or are
  // on several texts.
  kDelimiters,
  // All values are the words from one number to another, and they are of
  // several words.
  kWords,
  // Between literals that are words and known from one text only: they may be a
  // part of what changes from page to page.
  kUnprovenDelimiters,
  // Words by their number, or what ends where a word ends, learnt from values
  // of one word or from one text: longer values will be cut off.
  kLuck,
  // Between literals that hardly any of the other texts have.
  kRareDelimiters,
};

// One way to cut the annotated values out of their texts.
struct TextSelection {
  SelectionEvidence evidence = SelectionEvidence::kLuck;
  // The share of the other texts in which it finds something; 1 if there are
  // none.
  double support = 1;
  // Has a range, a regex, or, where it takes whole texts, neither.
  proto::Extractor cut;
  // What `cut` does: refiner.Values(text).
  rule::fields::TextRefiner refiner;
};

// All ways to cut exactly the annotated values out of their texts, the most
// plausible first; empty where there is none. `other_texts` stand in the same
// place of pages that are not annotated. They tell literals of the template
// from parts of values, and of ways that do the same to all of them, for the
// same reason, only one is given.
std::vector<TextSelection> TextSelections(
    const proto::Attribute& attribute, const std::vector<PartOfText>& parts,
    const std::vector<std::string>& other_texts);

// Sets the regex or the range of an extractor to the most plausible selection.
// False where there is none.
bool LearnTextSelection(const proto::Attribute& attribute,
                        const std::vector<PartOfText>& parts,
                        proto::Extractor* extractor);

// Sets the check of an extractor to what texts of the attribute's type must
// have, if all annotated values have it.
void LearnCheck(const proto::Attribute& attribute,
                const std::vector<std::string>& values,
                proto::Extractor* extractor);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_TEXT_SELECTION_H_
