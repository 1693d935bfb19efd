#include "core/learn/vertex/plausibility.h"

#include <cmath>

// How plausible a hypothesis is, from its clues.
//
// The Vertex paper ranks XPaths by precision on annotated pages, then distance,
// then support (III-C 3). With two annotated pages nearly everything is
// precise, and what is right on the others is a matter of experience: a class
// is rarely wrong, the text that happens to stand before a value often is, and
// a rule that finds nothing where others find something nearly always is. This
// experience is put into numbers: the clues of a hypothesis are weighted and
// added up to the logarithm of its odds, as in logistic regression.
//
// The weights are those that tests/eval/fit_plausibility.py finds for the 36
// real sites and some hundred generated ones that were at hand, rounded, and
// made smaller where few of these sites have anything to say (classifiers,
// attributes of elements, optional attributes).
//
// Cost: a multiplication for each clue.

namespace trommel::learn::vertex {
namespace {

struct WeightedClue {
  std::string_view name;
  double weight;
};

// In the order of Clue.
constexpr WeightedClue kWeights[kNumClues] = {
    {"one", 0.63},
    {"label", 0.16},
    {"class", 0.40},
    {"id", 0.91},
    {"inside", 0.05},
    {"weak", -0.94},
    {"disjunction", -0.10},
    {"digits", -0.40},
    {"distance", -0.22},
    {"rare_text", -1.47},
    {"position", -1.07},
    {"classifier", -0.50},
    {"range", -1.01},
    {"lucky_range", -0.51},
    {"other_place", -0.50},
    {"attribute", -0.30},
    {"element", -0.15},
    {"inexact", -1.00},
    {"tells_neighbours", -0.80},
    {"pages", 0.28},
    {"weak_of_pages", -0.05},
    {"silent", -3.10},
    {"silent_absent", -2.10},
    {"misses", -12.00},
    {"invents", -3.00},
    {"useless", -0.50},
    {"useless_part", -1.00},
    {"several", -1.50},
    {"same", -1.00},
    {"recurring", -0.20},
    {"unlike", -1.10},
    {"very_unlike", -0.20},
    {"more", -2.20},
    {"single", -1.30},
    {"consensus", 2.10},
};

}  // namespace

std::string_view ClueName(Clue clue) {
  return kWeights[static_cast<size_t>(clue)].name;
}

double Plausibility(const Clues& clues) {
  double sum = 0;
  for (size_t i = 0; i < kNumClues; ++i) {
    sum += kWeights[i].weight * clues[static_cast<Clue>(i)];
  }
  return 1 / (1 + std::exp(-sum));
}

}  // namespace trommel::learn::vertex
