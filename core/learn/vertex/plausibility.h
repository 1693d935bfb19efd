#ifndef TROMMEL_CORE_LEARN_VERTEX_PLAUSIBILITY_H_
#define TROMMEL_CORE_LEARN_VERTEX_PLAUSIBILITY_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace trommel::learn::vertex {

// What speaks for or against a way to find an attribute's values. Each is a
// number; most are between 0 and 1.
enum class Clue : size_t {
  kOne,  // of every hypothesis
  // What the XPath goes by.
  kLabel,        // it has a label: a text of words in front or at the beginning
  kClass,        // a class, or an id with a number left out
  kId,           // an id
  kInside,       // what stands inside the text
  kWeak,         // number of features that are neither these nor tags
  kDisjunction,  // number of further values of its features
  kDigits,       // number of features with digits
  kDistance,     // levels up to its farthest feature
  kRareText,    // share of pages that do not have one of its texts in its place
  kPosition,    // the place among several nodes decides
  kClassifier,  // a classifier does
  kRange,       // a part of the text is cut out
  kLuckyRange,  // how much that may be luck: 1 to 3
  kOtherPlace,  // the values are where the page says them, too
  kAttribute,   // they are in attributes of elements, of text
  kElement,     // they go over several nodes
  kInexact,     // share of annotated links that it gives in another spelling
  kTellsNeighbours,  // of a repeated attribute, the first or the last only
  // What it was learnt from.
  kPages,        // logarithm of the annotated pages with a value
  kWeakOfPages,  // weak features and disjunctions for each annotated page
  // What it says of pages that nobody annotated, as shares of them.
  kSilent,        // nothing
  kSilentAbsent,  // the same where an annotated page does not have it, either
  kMisses,        // nothing, where most kinds of evidence find a value
  kInvents,       // a value, where most find none
  kUseless,       // 1 if nothing on all of them
  kUselessPart,   // 1 if a part of a union says nothing on all of them
  kSeveral,       // different values, of an attribute that has one
  kSame,          // the most frequent value of several
  kRecurring,     // values that another page has, too, of all values
  kUnlike,        // how unlike the annotated values its values are
  kVeryUnlike,    // values that are nothing like them
  kMore,          // more values than any annotated page has, of a repeated one
  kSingle,        // never several values of a repeated one: 1
  kConsensus,     // agreement of hypotheses that go by something else
  kNumClues,
};
inline constexpr size_t kNumClues = static_cast<size_t>(Clue::kNumClues);

class Clues {
 public:
  Clues() {
    values_.fill(0);
    (*this)[Clue::kOne] = 1;
  }
  double& operator[](Clue clue) { return values_[static_cast<size_t>(clue)]; }
  double operator[](Clue clue) const {
    return values_[static_cast<size_t>(clue)];
  }

 private:
  std::array<double, kNumClues> values_;
};

// The name of a clue, for those who fit the weights.
std::string_view ClueName(Clue clue);

// The estimated probability that a hypothesis is right on the pages that nobody
// annotated.
double Plausibility(const Clues& clues);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_PLAUSIBILITY_H_
