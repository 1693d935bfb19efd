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
