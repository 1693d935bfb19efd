#ifndef TROMMEL_CORE_LEARN_RIVAL_H_
#define TROMMEL_CORE_LEARN_RIVAL_H_

#include <string>
#include <vector>

namespace trommel::learn {

// A way to find an attribute's values that the annotations do not exclude and
// that the program does not go by. It is no part of the rule, it is a doubt
// about it: where it says something else than the program on a page that nobody
// annotated, one of them is wrong, and that page is a question to an editor.
// Any learner may contribute rivals to the program of another.
struct Rival {
  std::string text;  // what it goes by, for people
  // The estimated probability that it is right, by itself.
  double plausibility = 0;
  // What it says of each page of the sample, in their order.
  std::vector<std::vector<std::string>> values;
};

// How much an attribute's part of a program is to be believed.
struct AttributeBelief {
  std::string attribute;
  double plausibility = 0;  // of what the program goes by
  std::vector<Rival> rivals;
};

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_RIVAL_H_
