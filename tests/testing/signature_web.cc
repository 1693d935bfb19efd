#include "tests/testing/signature_web.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/hash.h"
#include "core/base/random.h"

namespace trommel::testing_support {
namespace {

// As in core/signature/page_signature.cc.
constexpr int kSketchBits = 7;
constexpr uint64_t kNoMinimum = std::numeric_limits<uint64_t>::max();

constexpr std::array<uint64_t, signature::kVectorBytes> MakeOrders() {
  std::array<uint64_t, signature::kVectorBytes> orders = {};
  uint64_t state = 0x74726F6D6D656C31u;
  for (uint64_t& order : orders) {
    order = Mix64(state += 0x9E3779B97F4A7C15u) | 1;
  }
  return orders;
}
constexpr std::array<uint64_t, signature::kVectorBytes> kOrders = MakeOrders();

// Adds `num_shingles` shingles that no other section has. Shingles of four tags
// are about as many as those of ten: each begins at a tag.
void AddShingles(int64_t num_shingles, Random* random, ShingleMinima* minima) {
  for (; num_shingles > 0; --num_shingles) {
    minima->AddToVector(random->Next());
    minima->AddToSketch(random->Next());
  }
}

}  // namespace

ShingleMinima::ShingleMinima() {
  minima_.fill(kNoMinimum);
  bins_.fill(kNoMinimum);
}

void ShingleMinima::AddToVector(uint64_t shingle) {
  for (size_t i = 0; i < kOrders.size(); ++i) {
    minima_[i] = std::min(minima_[i], shingle * kOrders[i]);
  }
}

void ShingleMinima::AddToSketch(uint64_t shingle) {
  uint64_t& bin = bins_[shingle >> (64 - kSketchBits)];
  bin = std::min(bin, shingle);
}

void ShingleMinima::Add(const ShingleMinima& other) {
  for (size_t i = 0; i < minima_.size(); ++i) {
    minima_[i] = std::min(minima_[i], other.minima_[i]);
  }
  for (size_t i = 0; i < bins_.size(); ++i) {
    bins_[i] = std::min(bins_[i], other.bins_[i]);
  }
}

signature::PageSignature ShingleMinima::Signature() const {
  signature::PageSignature signature;
  for (const uint64_t minimum : minima_) {
    signature.vector = signature.vector << 8 | (Mix64(minimum) & 0xFF);
  }
  for (size_t i = 0; i < bins_.size(); ++i) {
    const int order = static_cast<int>(
        std::min<uint64_t>(bins_[i] << kSketchBits >> 48, 0xFFFE));
    signature.sketch.slots[i] = bins_[i] == kNoMinimum
                                    ? signature::Sketch::kEmpty
                                    : static_cast<int16_t>(order - 0x8000);
  }
  return signature;
}

SignatureSite::SignatureSite(uint64_t seed, const Shape& shape)
    : seed_(Mix64(seed + 1)), shape_(shape) {
  Random random(seed_);
  ShingleMinima frame;
  AddShingles(random.Between(50, 200), &random, &frame);
  double sum = 0;
  for (int i = 0; i < shape.num_templates; ++i) {
    sum += 1 / std::pow(i + 1, shape.zipf_exponent);
    cumulative_weights_.push_back(sum);
    PageTemplate& page_template = templates_.emplace_back();
    page_template.body = frame;
    AddShingles(random.Between(300, 700), &random, &page_template.body);
    for (int64_t sections = random.Between(0, shape.max_optional_sections);
         sections > 0; --sections) {
      Section& section = page_template.optional.emplace_back();
      // Some sections are nearly always there, some hardly ever.
      section.probability = 0.02 + 0.96 * random.Unit();
      AddShingles(random.Between(5, 60), &random, &section.minima);
    }
    page_template.max_private_shingles =
        static_cast<int>(random.Between(0, shape.max_private_shingles));
  }
  for (double& weight : cumulative_weights_) weight /= sum;
}

int SignatureSite::TemplateOf(int64_t i) const {
  Random random(Mix64(seed_ ^ Mix64(static_cast<uint64_t>(i))));
  const auto found = std::upper_bound(cumulative_weights_.begin(),
                                      cumulative_weights_.end(), random.Unit());
  const auto last = cumulative_weights_.end() - 1;
  return static_cast<int>(std::min(found, last) - cumulative_weights_.begin());
}

signature::PageSignature SignatureSite::Page(int64_t i) const {
  const PageTemplate& page_template =
      templates_[static_cast<size_t>(TemplateOf(i))];
  Random random(Mix64(seed_ + Mix64(static_cast<uint64_t>(i))));
  ShingleMinima minima = page_template.body;
  for (const Section& section : page_template.optional) {
    if (random.Chance(section.probability)) minima.Add(section.minima);
  }
  AddShingles(random.Between(0, page_template.max_private_shingles), &random,
              &minima);
  return minima.Signature();
}

}  // namespace trommel::testing_support
