#ifndef TROMMEL_CORE_LEARN_VALUE_PROFILE_H_
#define TROMMEL_CORE_LEARN_VALUE_PROFILE_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::learn {

// What values look like, learnt from a few: how long they are, of which
// characters, and which words most of them have.
//
//   const ValueProfile profile({"18 MPG City", "22 MPG City"});
//   profile.Likeness("15 MPG City")   // near 1
//   profile.Likeness("4WD")           // much less
class ValueProfile {
 public:
  explicit ValueProfile(const std::vector<std::string>& values);

  // From 0 (nothing like them) to 1 (like one of them); 1 where there are no
  // values to be like.
  double Likeness(std::string_view value) const;

 private:
  // What is compared of a value.
  struct Look {
    double length = 0;  // logarithm of the number of bytes
    double digits = 0;  // shares of bytes
    double letters = 0;
    std::set<char> marks;  // other characters than letters, digits and spaces
    std::set<std::string> words;
  };
  static Look LookAt(std::string_view value);

  std::vector<Look> looks_;  // of different values
  // Words that most of the values have, where there are several.
  std::set<std::string> usual_words_;
};

// Whether a text stands where a value is missing: "n/a", "unknown", marks
// alone.
bool StandsForNothing(std::string_view text);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_VALUE_PROFILE_H_
