#ifndef TROMMEL_CORE_LEARN_VERTEX_DELIMITERS_H_
#define TROMMEL_CORE_LEARN_VERTEX_DELIMITERS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proto/rule.pb.h"

namespace trommel::learn::vertex {

// A text with the values annotated in it, in the order in which they stand in
// it; all normalised.
struct AnnotatedText {
  std::string text;
  std::vector<std::string> values;
};

// Whether the text has these values, one behind the other in some order; then
// they are put into it.
bool OrderValues(AnnotatedText* annotated);

// Ranges that cut exactly the annotated values out of the texts, by what stands
// around them and, where a text has several values, by what separates them.
// `other_texts` stand in the same place of other pages: they say which literals
// are the template's. Of ranges that cut the same out of all of these texts
// only one is given, where there are other texts. In no order; a range without
// delimiters, which takes a whole text, is not among them unless it has
// separators.
std::vector<proto::TextRange> FindDelimiters(
    const std::vector<AnnotatedText>& annotated,
    const std::vector<std::string>& other_texts);

// What a range looks for: none, one or two literals.
std::vector<std::string> LiteralsOf(const proto::TextRange& range);

// How many of the texts have a literal.
size_t NumTextsWith(std::string_view literal,
                    const std::vector<std::string>& texts);

// Orders literals that stand in the same places; the smaller is better. Of
// those that several texts have, the longest: the template has written all of
// it. Of those that one text has, the shortest, since nobody knows how much of
// it is the template's.
int LengthRank(std::string_view literal, const std::vector<std::string>& texts);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_DELIMITERS_H_
