#ifndef TROMMEL_TESTS_TESTING_SIGNATURE_WEB_H_
#define TROMMEL_TESTS_TESTING_SIGNATURE_WEB_H_

// The signatures of large sites, without their pages.
//
//   const SignatureSite site(seed, {.num_pages = 200000, .num_templates = 12});
//   for (int64_t i = 0; i < site.num_pages(); ++i) {
//     Use(site.Page(i), site.TemplateOf(i));
//   }
//
// A page is made of sections: the site's frame (navigation, footer) and the
// body of its template are on every page, optional sections on some, and a few
// shingles are the page's own. A section is a set of shingles, and all that a
// signature takes of a set are minima; the minima of a page are the smallest
// of its sections', which are computed once. A page takes about a microsecond.

#include <array>
#include <cstdint>
#include <vector>

#include "core/signature/page_signature.h"

namespace trommel::testing_support {

// The minima of a set of shingles, before a few bits of each are kept.
class ShingleMinima {
 public:
  ShingleMinima();
  // A shingle of the vector and a shingle of the sketch, as mixed hashes.
  void AddToVector(uint64_t shingle);
  void AddToSketch(uint64_t shingle);
  void Add(const ShingleMinima& other);
  signature::PageSignature Signature() const;

 private:
  std::array<uint64_t, signature::kVectorBytes> minima_;
  std::array<uint64_t, signature::Sketch::kSlots> bins_;
};

class SignatureSite {
 public:
  struct Shape {
    int64_t num_pages = 10000;
    int num_templates = 8;
    // Weights of templates fall as 1 / rank to this power.
    double zipf_exponent = 1;
    // Optional sections of a template, at most.
    int max_optional_sections = 6;
    // Shingles of a page's own, at most.
    int max_private_shingles = 30;
  };

  SignatureSite(uint64_t seed, const Shape& shape);

  int64_t num_pages() const { return shape_.num_pages; }
  int num_templates() const { return shape_.num_templates; }

  // Both are functions of the seed, the shape and `i`.
  int TemplateOf(int64_t i) const;
  signature::PageSignature Page(int64_t i) const;

 private:
  struct Section {
    double probability;
    ShingleMinima minima;
  };
  struct PageTemplate {
    ShingleMinima body;  // and the frame of the site
    std::vector<Section> optional;
    int max_private_shingles;
  };

  uint64_t seed_;
  Shape shape_;
  std::vector<double> cumulative_weights_;
  std::vector<PageTemplate> templates_;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_SIGNATURE_WEB_H_
