#include "core/cluster/linkage.h"

#include <algorithm>
#include <array>
#include <numeric>

// Single linkage with a threshold of the pages' own.
//
// Pages of one template form chains: a page with five optional sections and one
// with none may share little, but between them stand pages with two and three.
// So groups are connected by links between similar pages, and the question is
// what "similar" means. A fixed threshold cannot answer it. Pages made of fixed
// markup resemble their neighbours by 0.95 and two templates of their site,
// sharing header, navigation and footer, by 0.55; encyclopaedia articles
// resemble their best neighbours by 0.6.
//
// The pages know. The density of a page is its resemblance to its fourth
// nearest neighbour, and two pages are linked when they resemble each other at
// least kLink times as much as the denser of the two resembles its neighbours
// (local scaling, Zelnik-Manor and Perona, NIPS 2004, applied to linkage). A
// stray page between two dense groups is far below both densities and bridges
// nothing.

namespace trommel {
namespace {

constexpr double kLink = 0.66;
// Pages that share less than this are never linked.
constexpr double kLeastResemblance = 0.25;
constexpr size_t kNeighbours = 4;

// The highest resemblances seen, descending.
class NearestNeighbours {
 public:
  void Add(double resemblance, size_t times) {
    for (; times > 0 && resemblance > nearest_.back(); --times) {
      size_t i = kNeighbours - 1;
      for (; i > 0 && nearest_[i - 1] < resemblance; --i) {
        nearest_[i] = nearest_[i - 1];
      }
      nearest_[i] = resemblance;
    }
  }
  // Of the last, or of the last there is.
  double Density() const {
    for (size_t i = kNeighbours; i-- > 0;) {
      if (nearest_[i] > 0) return nearest_[i];
    }
    return 0;
  }

 private:
  std::array<double, kNeighbours> nearest_ = {};
};

class UnionFind {
 public:
  explicit UnionFind(size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  uint32_t Find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(uint32_t a, uint32_t b) { parent_[Find(a)] = Find(b); }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace

std::vector<int32_t> GroupByStructure(const std::vector<const Sketch*>& pages) {
  // Distinct sketches, and which of them each page has.
  std::vector<uint32_t> order(pages.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return *pages[a] < *pages[b]; });
  std::vector<Sketch> sketches;
  std::vector<size_t> counts;
  std::vector<uint32_t> sketch_of(pages.size());
  for (const uint32_t page : order) {
    if (sketches.empty() || sketches.back() != *pages[page]) {
      sketches.push_back(*pages[page]);
      counts.push_back(0);
    }
    ++counts.back();
    sketch_of[page] = static_cast<uint32_t>(sketches.size() - 1);
  }

  const uint32_t n = static_cast<uint32_t>(sketches.size());
  std::vector<NearestNeighbours> nearest(n);
  for (uint32_t i = 0; i < n; ++i) {
    nearest[i].Add(1, std::min(counts[i] - 1, kNeighbours));
    for (uint32_t j = i + 1; j < n; ++j) {
      const double resemblance = Resemblance(sketches[i], sketches[j]);
      nearest[i].Add(resemblance, std::min(counts[j], kNeighbours));
      nearest[j].Add(resemblance, std::min(counts[i], kNeighbours));
    }
  }

  std::vector<double> thresholds(n);
  for (uint32_t i = 0; i < n; ++i) {
    thresholds[i] = std::max(kLeastResemblance, kLink * nearest[i].Density());
  }
  UnionFind groups(n);
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t j = i + 1; j < n; ++j) {
      if (groups.Find(i) == groups.Find(j)) continue;
      if (Resemblance(sketches[i], sketches[j]) >=
          std::max(thresholds[i], thresholds[j])) {
        groups.Join(i, j);
      }
    }
  }

  std::vector<int32_t> number(n, -1);
  int32_t num_groups = 0;
  std::vector<int32_t> result;
  result.reserve(pages.size());
  for (const uint32_t sketch : sketch_of) {
    int32_t& group = number[groups.Find(sketch)];
    if (group < 0) group = num_groups++;
    result.push_back(group);
  }
  return result;
}

}  // namespace trommel
