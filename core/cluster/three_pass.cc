#include "core/cluster/three_pass.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "core/base/hash.h"

// The three passes, over distinct vectors.
//
// Pages with the same vector have the same 37 candidates, so what the paper
// does page by page is done once per distinct vector with its count. Pass one
// gives every candidate the sum of the counts of the vectors it covers. Pass
// two takes the vectors in increasing order of counts; each keeps the covering
// candidate with the largest count and takes its own count off all others
// (the paper's text says "the size of the 8/8 cluster"; its listing says the
// count of v', which is a misprint). What is left below the threshold goes.
//
// Most candidates cover a single vector. Such a candidate starts with the count
// of its vector and is looked at only when that vector's turn comes; then it
// loses to the vector's own 8/8 candidate, which has the same count and no wild
// card, or is that itself. So single candidates need no place in any table: a
// vector either finds a shared candidate with a larger count than its own, or
// stays alone. (A tie of a shared candidate goes to the 8/8 candidate too, by
// the same rule.) With groups, a vector that another group has too loses all of
// its candidates, since they all cover it there as well.
//
// The table of pass one is built one wild card pattern at a time: the masked
// words are scattered by their hash into parts that fit the cache, and each
// part finds its equal words in a small table. The time is 37 times the number
// of vectors and the memory accesses are local; a single hash table of all
// candidates would miss the cache on each of its 37 steps per vector. Pass two
// cannot avoid that, but its 37 reads do not wait for each other.
//
// Memory: 37 numbers of four bytes per vector, 16 bytes per shared candidate.

namespace trommel::cluster {
namespace {

constexpr uint32_t kSingle = std::numeric_limits<uint32_t>::max();

// A masked vector that covers several vectors of one group.
struct Candidate {
  int64_t count = 0;
  uint32_t vector = 0;      // one that it covers
  uint32_t wild_cards = 0;  // place in kCandidateWildCards
};

// Groups equal words of one wild card pattern.
class WordGrouper {
 public:
  explicit WordGrouper(const std::vector<VectorCount>& vectors)
      : vectors_(vectors), scattered_(vectors.size()) {
    while ((vectors.size() >> part_bits_) > kPartSize) ++part_bits_;
    starts_.resize((size_t{1} << part_bits_) + 1);
    table_.resize(kTableSize);
  }

  // Writes for each vector the number of its candidate into
  // ids[vector * kNumCandidates + pattern], and adds the shared candidates.
  void Group(int pattern, std::vector<uint32_t>* ids,
             std::vector<Candidate>* candidates) {
    const uint64_t fixed =
        signature::FixedBits(signature::kCandidateWildCards[pattern]);
    Scatter(fixed);
    for (size_t part = 0; part + 1 < starts_.size(); ++part) {
      GroupPart(starts_[part], starts_[part + 1], pattern, ids, candidates);
    }
  }

 private:
  // Parts have at most this many words on average.
  static constexpr size_t kPartSize = 1024;
  static constexpr size_t kTableSize = 8192;

  struct Word {
    uint64_t hash;  // of the masked word; a bijection, so equal means equal
    uint32_t vector;
  };
  struct Slot {
    uint64_t hash;
    uint32_t first;      // place of the first of these words
    uint32_t candidate;  // once there is a second one
    uint32_t stamp;      // which part the slot belongs to
  };

  size_t PartOf(uint64_t hash) const {
    return part_bits_ == 0 ? 0 : hash >> (64 - part_bits_);
  }

  void Scatter(uint64_t fixed) {
    std::fill(starts_.begin(), starts_.end(), 0);
    for (const VectorCount& v : vectors_) {
      ++starts_[PartOf(Mix64(v.vector & fixed)) + 1];
    }
    for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    next_.assign(starts_.begin(), starts_.end() - 1);
    for (size_t i = 0; i < vectors_.size(); ++i) {
      const uint64_t hash = Mix64(vectors_[i].vector & fixed);
      scattered_[next_[PartOf(hash)]++] = {hash, static_cast<uint32_t>(i)};
    }
  }

  void GroupPart(size_t begin, size_t end, int pattern,
                 std::vector<uint32_t>* ids,
                 std::vector<Candidate>* candidates) {
    // Equal words land in one part, so a part can be of any size.
    while (table_.size() < 2 * (end - begin)) table_.resize(2 * table_.size());
    const size_t mask = table_.size() - 1;
    ++stamp_;
    const auto id_of = [&](uint32_t vector) -> uint32_t& {
      return (*ids)[size_t{vector} * signature::kNumCandidates +
                    static_cast<size_t>(pattern)];
    };
    for (size_t i = begin; i < end; ++i) {
      const Word word = scattered_[i];
      // The high bits chose the part.
      size_t place = word.hash & mask;
      while (table_[place].stamp == stamp_ && table_[place].hash != word.hash) {
        place = (place + 1) & mask;
      }
      Slot& slot = table_[place];
      if (slot.stamp != stamp_) {
        slot = {word.hash, word.vector, kSingle, stamp_};
        id_of(word.vector) = kSingle;
        continue;
      }
      const VectorCount& vector = vectors_[word.vector];
      if (slot.candidate == kSingle) {
        const VectorCount& first = vectors_[slot.first];
        slot.candidate = static_cast<uint32_t>(candidates->size());
        candidates->push_back(
            {first.count, slot.first, static_cast<uint32_t>(pattern)});
        id_of(slot.first) = slot.candidate;
      }
      Candidate& candidate = (*candidates)[slot.candidate];
      id_of(word.vector) = slot.candidate;
      // A negative count marks one that covers several groups.
      if (candidate.count >= 0) {
        candidate.count = vectors_[slot.first].group == vector.group
                              ? candidate.count + vector.count
                              : -1;
      }
    }
  }

  const std::vector<VectorCount>& vectors_;
  int part_bits_ = 0;
  std::vector<size_t> starts_;
  std::vector<size_t> next_;
  std::vector<Word> scattered_;
  std::vector<Slot> table_;
  uint32_t stamp_ = 0;
};

}  // namespace

void SortForSecondPass(std::vector<VectorCount>* vectors) {
  std::sort(vectors->begin(), vectors->end(),
            [](const VectorCount& a, const VectorCount& b) {
              return std::tie(a.count, a.vector, a.group) <
                     std::tie(b.count, b.vector, b.group);
            });
}

std::vector<VectorCount> CountVectors(
    std::vector<signature::ShingleVector> vectors) {
  std::sort(vectors.begin(), vectors.end());
  std::vector<VectorCount> counts;
  for (const signature::ShingleVector vector : vectors) {
    if (counts.empty() || counts.back().vector != vector) {
      counts.push_back({vector, 0, 0});
    }
    ++counts.back().count;
  }
  SortForSecondPass(&counts);
  return counts;
}

std::vector<Signature> FindSignatures(const std::vector<VectorCount>& vectors,
                                      int64_t threshold) {
  // Pass one.
  std::vector<uint32_t> ids(vectors.size() * signature::kNumCandidates);
  std::vector<Candidate> candidates;
  WordGrouper grouper(vectors);
  for (int pattern = 0; pattern < signature::kNumCandidates; ++pattern) {
    grouper.Group(pattern, &ids, &candidates);
  }

  // Pass two.
  std::vector<Signature> found;
  for (size_t i = 0; i < vectors.size(); ++i) {
    const VectorCount& vector = vectors[i];
    const uint32_t* const own = &ids[i * signature::kNumCandidates];
    int best = -1;
    int64_t best_count = 0;
    for (int pattern = 0; pattern < signature::kNumCandidates; ++pattern) {
      const int64_t count = own[pattern] == kSingle
                                ? vector.count
                                : candidates[own[pattern]].count;
      if (count > best_count) {
        best = pattern;
        best_count = count;
      }
    }
    for (int pattern = 0; pattern < signature::kNumCandidates; ++pattern) {
      if (pattern == best || own[pattern] == kSingle) continue;
      candidates[own[pattern]].count -= vector.count;
    }
    if (best >= 0 && own[best] == kSingle && vector.count >= threshold) {
      found.push_back({signature::MaskedVector(
                           vector.vector, signature::kCandidateWildCards[best]),
                       vector.count, vector.group});
    }
  }

  for (const Candidate& candidate : candidates) {
    if (candidate.count < threshold) continue;
    const VectorCount& vector = vectors[candidate.vector];
    found.push_back({signature::MaskedVector(
                         vector.vector,
                         signature::kCandidateWildCards[candidate.wild_cards]),
                     candidate.count, vector.group});
  }
  std::sort(found.begin(), found.end());
  return found;
}

const Signature* FindCovering(const std::vector<Signature>& signatures,
                              signature::ShingleVector vector) {
  for (const Signature& signature : signatures) {
    if (signature.vector.Covers(vector)) return &signature;
  }
  return nullptr;
}

}  // namespace trommel::cluster
