#include "core/learn/vertex/search.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

// Apriori search for the most general precise XPath (Gulhane et al., "Web-Scale
// Information Extraction with Vertex", ICDE 2011, III-C, Algorithm 3).
//
// An XPath is a set of features, its nodes are the intersection of theirs. Sets
// grow one feature at a time. A set that is precise is a solution, and adding
// to it only takes away; a set that is not may become precise with one feature
// more. So the sets of size k + 1 are made of imprecise sets of size k, all of
// whose subsets are imprecise too (Agrawal and Srikant, VLDB 1994). Distance
// never falls and support never rises as sets grow; hence a set that is already
// no better than the best solution in both is dropped with all that could grow
// from it.
//
// The printed algorithm keeps one min_dist and max_sup for both the best
// precise and the best imprecise set, so that an imprecise set close by hides
// precise ones further away, against the four properties that it is to have.
// Here there are two bests. Precision in the properties is that on annotated
// pages; a set that selects too much on unannotated pages is imprecise as in
// the printed algorithm, and comes behind all that are not.
//
// Beyond the paper the search can return several solutions: what comes second
// and selects other nodes is a rival of the best (core/learn/rival.h). A set is
// then hopeless if it is no better than the last of those that are kept.
//
// Cost: a set is one AND of bit sets over all candidates, some kilobytes, and a
// walk over the selected nodes; pages are not looked at again.

namespace trommel::learn::vertex {
namespace {

// A set of features on the way.
struct FeatureSet {
  std::vector<size_t> features;
  Bits selected;
  double support = 0;
  int distance = 0;
};

class Search {
 public:
  Search(const Candidates& candidates,
         const std::vector<SearchFeature>& features,
         const SearchOptions& options)
      : candidates_(candidates), features_(features), options_(options) {}

  std::vector<SearchResult> Run() {
    std::vector<FeatureSet> level;
    for (size_t f = 0; f < features_.size(); ++f) {
      Consider({f}, features_[f].bits, &level);
    }
    for (size_t size = 1; size < options_.max_features && level.size() > 1 &&
                          !options_.is_out_of_time();
         ++size) {
      Prune(&level);
      level = Grow(level);
    }
    if (precise_.empty()) precise_.push_back(std::move(best_imprecise_));
    return std::move(precise_);
  }

 private:
  // Judges a set: a solution, or one to grow.
  void Consider(std::vector<size_t> set, Bits selected,
                std::vector<FeatureSet>* to_grow) {
    int distance = 0;
    for (const size_t f : set) {
      distance = std::max(distance, features_[f].distance);
    }
    SearchResult result = Judge(candidates_, std::move(selected));
    if (result.support < options_.min_support) return;
    result.features = std::move(set);
    result.distance = distance;
    if (result.is_precise) {
      Keep(std::move(result));
      return;
    }
    if (best_imprecise_.features.empty() ||
        std::pair(-result.precision, KeyOf(result)) <
            std::pair(-best_imprecise_.precision, KeyOf(best_imprecise_))) {
      best_imprecise_ = result;
    }
    to_grow->push_back({std::move(result.features), std::move(result.selected),
                        result.support, distance});
  }

  // Keeps a precise solution, if it is one of the best.
  void Keep(SearchResult result) {
    const auto same = std::find_if(precise_.begin(), precise_.end(),
                                   [&](const SearchResult& known) {
                                     return known.selected == result.selected;
                                   });
    if (same != precise_.end()) {
      if (!(KeyOf(result) < KeyOf(*same))) return;
      precise_.erase(same);
    }
    const auto place = std::find_if(precise_.begin(), precise_.end(),
                                    [&](const SearchResult& known) {
                                      return KeyOf(result) < KeyOf(known);
                                    });
    precise_.insert(place, std::move(result));
    if (precise_.size() > options_.max_results) precise_.pop_back();
  }

  // Smaller is better, among sets of the same precision.
  std::tuple<int, double, int, size_t, std::vector<size_t>> KeyOf(
      const SearchResult& r) const {
    int fragility = 0;
    for (const size_t f : r.features) fragility += features_[f].fragility;
    return {r.distance, -r.support, fragility, r.features.size(), r.features};
  }

  // Drops sets from which nothing better can grow than what is kept.
  void Prune(std::vector<FeatureSet>* level) const {
    if (precise_.size() < options_.max_results) return;
    const SearchResult& last = precise_.back();
    const auto is_hopeless = [&](const FeatureSet& set) {
      return set.distance > last.distance ||
             (set.distance == last.distance && set.support <= last.support);
    };
    std::erase_if(*level, is_hopeless);
  }

  // The sets with one feature more all of whose subsets are in the level.
  std::vector<FeatureSet> Grow(const std::vector<FeatureSet>& level) {
    std::set<std::vector<size_t>> known;
    for (const FeatureSet& set : level) known.insert(set.features);
    std::vector<FeatureSet> next;
    size_t looked_at = 0;
    // The level is sorted, so sets that differ in their last feature only stand
    // together.
    for (size_t i = 0; i < level.size(); ++i) {
      for (size_t j = i + 1; j < level.size(); ++j) {
        const std::vector<size_t>& a = level[i].features;
        const std::vector<size_t>& b = level[j].features;
        if (!std::equal(a.begin(), a.end() - 1, b.begin())) break;
        std::vector<size_t> joined = a;
        joined.push_back(b.back());
        if (!AllSubsetsKnown(joined, known)) continue;
        if (++looked_at > options_.max_sets ||
            (looked_at % 256 == 0 && options_.is_out_of_time())) {
          return next;
        }
        Bits selected = level[i].selected;
        selected.And(features_[b.back()].bits);
        // A feature that takes nothing away is of no use.
        if (selected == level[i].selected || selected == level[j].selected) {
          continue;
        }
        Consider(std::move(joined), std::move(selected), &next);
      }
    }
    return next;
  }

  static bool AllSubsetsKnown(const std::vector<size_t>& set,
                              const std::set<std::vector<size_t>>& known) {
    if (set.size() <= 2) return true;
    std::vector<size_t> subset(set.begin() + 1, set.end());
    // All but the two that leave out one of the last two: these are joined.
    for (size_t left_out = 0; left_out + 2 < set.size(); ++left_out) {
      if (known.count(subset) == 0) return false;
      subset[left_out] = set[left_out];
    }
    return true;
  }

  const Candidates& candidates_;
  const std::vector<SearchFeature>& features_;
  const SearchOptions& options_;
  std::vector<SearchResult> precise_;  // the best first
  SearchResult best_imprecise_;
};

}  // namespace

SearchResult Judge(const Candidates& candidates, Bits selected) {
  SearchResult result;
  const size_t right = selected.CountAnd(candidates.positive);
  const size_t wrong = selected.CountAnd(candidates.negative);
  result.precision =
      right + wrong == 0
          ? 0
          : static_cast<double>(right) / static_cast<double>(right + wrong);
  result.is_precise = right > 0 && wrong == 0;
  size_t unannotated = 0;
  size_t supporting = 0;
  for (const Candidates::Page& page : candidates.pages) {
    if (page.is_annotated) continue;
    ++unannotated;
    size_t count = 0;
    uint64_t first_text = 0;
    selected.ForEach(page.begin, page.end, [&](size_t i) {
      if (count == 0) first_text = candidates.text[i];
      const bool says_the_same =
          !candidates.is_repeated && candidates.text[i] == first_text;
      if (count == 0 || !says_the_same) ++count;
      return count <= candidates.max_per_page;
    });
    supporting += count > 0 ? 1 : 0;
    if (count > candidates.max_per_page) result.is_precise = false;
  }
  result.support = unannotated == 0 ? 1
                                    : static_cast<double>(supporting) /
                                          static_cast<double>(unannotated);
  result.selected = std::move(selected);
  return result;
}

SearchResult FindBestFeatures(const Candidates& candidates,
                              const std::vector<SearchFeature>& features,
                              const SearchOptions& options) {
  SearchOptions one = options;
  one.max_results = 1;
  return std::move(Search(candidates, features, one).Run()[0]);
}

std::vector<SearchResult> FindFeatureSets(
    const Candidates& candidates, const std::vector<SearchFeature>& features,
    const SearchOptions& options) {
  return Search(candidates, features, options).Run();
}

}  // namespace trommel::learn::vertex
