#include "core/learn/value_profile.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trommel::learn {
namespace {

TEST(ValueProfileTest, Likeness) {
  struct Case {
    const char* name;
    std::vector<std::string> known;
    std::string value;
    double least;
    double most;
  };
  const std::string paragraph(400, 'w');
  const std::vector<Case> kCases = {
      {"nothing to be like", {}, "4WD", 1, 1},
      {"one of them", {"Dune", "Solaris"}, "Dune", 1, 1},
      {"another name", {"Dune", "Solaris"}, "Ran", 0.8, 1},
      {"a price is no name", {"Dune", "Solaris"}, "$12.99", 0, 0.2},
      {"a paragraph is no name", {"Dune", "Solaris"}, paragraph + ".", 0, 0.2},
      {"the same unit", {"18 MPG City", "22 MPG City"}, "15 MPG City", 0.8, 1},
      {"no unit", {"18 MPG City", "22 MPG City"}, "4WD", 0, 0.2},
      {"half of the words",
       {"18 MPG City", "22 MPG City"},
       "15 MPG Road",
       0.2,
       0.6},
      {"one word of two values is no unit",
       {"3 February 1998", "14 February 2001"},
       "24 August 2002",
       0.7,
       1},
      {"one word of three values", {"3 mm", "14 mm", "8 mm"}, "24 kg", 0, 0.3},
      {"a word of one value is no unit", {"18 MPG"}, "18 KML", 0.8, 1},
      {"other marks", {"(555) 1234"}, "555 1234", 0.2, 0.8},
  };
  for (const Case& c : kCases) {
    const double likeness = ValueProfile(c.known).Likeness(c.value);
    EXPECT_GE(likeness, c.least) << c.name;
    EXPECT_LE(likeness, c.most) << c.name;
  }
}

TEST(StandsForNothingTest, Texts) {
  for (const char* const text : {"", "-", "--", "n/a", "N/A", "None",
                                 "not available", "?", "(unknown)"}) {
    EXPECT_TRUE(StandsForNothing(text)) << text;
  }
  for (const char* const text :
       {"0", "NA-7", "Nan", "PG", "Unknown Pleasures"}) {
    EXPECT_FALSE(StandsForNothing(text)) << text;
  }
}

TEST(ValueProfileTest, TheLongerTheLessAlike) {
  const ValueProfile profile({"abcd", "abcdefgh"});
  double last = 1;
  for (size_t length = 8; length < 4096; length *= 2) {
    const double likeness = profile.Likeness(std::string(length, 'x'));
    EXPECT_LE(likeness, last) << length;
    last = likeness;
  }
  EXPECT_LT(last, 0.2);
}

TEST(ValueProfileTest, OrderAndRepetitionDoNotMatter) {
  const ValueProfile a({"18 MPG", "22 MPG", "4WD"});
  const ValueProfile b({"4WD", "22 MPG", "18 MPG", "4WD", "4WD", "4WD"});
  for (const char* const value : {"15 MPG", "4WD", "AWD", "", "$5"}) {
    EXPECT_EQ(a.Likeness(value), b.Likeness(value)) << value;
  }
}

}  // namespace
}  // namespace trommel::learn
