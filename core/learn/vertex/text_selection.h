#ifndef TROMMEL_CORE_LEARN_VERTEX_TEXT_SELECTION_H_
#define TROMMEL_CORE_LEARN_VERTEX_TEXT_SELECTION_H_

#include <string>
#include <vector>

#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel::learn::vertex {

// A value that is part of the text of its node; both normalised.
struct PartOfText {
  std::string text;
  std::string value;
};

// Sets the regex or the range of an extractor so that it cuts the values out of
// their texts: the pattern of the attribute's type if its first match is the
// value in all of them, else a range of words, counted from the beginning or
// from the end, whichever is the same in all. False where neither is.
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
