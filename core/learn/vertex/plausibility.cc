#include "core/learn/vertex/plausibility.h"

#include <cmath>

namespace trommel::learn::vertex {
namespace {

struct WeightedClue {
  std::string_view name;
  double weight;
};

// In the order of Clue.
constexpr WeightedClue kWeights[kNumClues] = {
    {"one", 0.50},
    {"label", 0.20},
    {"class", 0.58},
    {"id", 0.75},
    {"inside", 0.50},
    {"weak", -0.93},
    {"disjunction", -0.10},
    {"digits", -0.50},
    {"distance", -0.17},
    {"rare_text", -0.80},
    {"position", -0.50},
    {"classifier", -0.50},
    {"range", -1.20},
    {"lucky_range", -0.50},
    {"other_place", -0.70},
    {"attribute", -1.20},
    {"element", 0.00},
    {"inexact", -1.00},
    {"tells_neighbours", -1.10},
    {"pages", 0.44},
    {"weak_of_pages", 0.00},
    {"silent", -4.00},
    {"silent_absent", -1.00},
    {"misses", -9.30},
    {"invents", -1.70},
    {"useless", -1.00},
    {"useless_part", -2.00},
    {"several", -2.00},
    {"same", -2.00},
    {"recurring", 0.00},
    {"unlike", -0.93},
    {"very_unlike", -0.30},
    {"more", -3.50},
    {"single", -1.00},
    {"consensus", 2.50},
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
