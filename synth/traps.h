#ifndef TROMMEL_SYNTH_TRAPS_H_
#define TROMMEL_SYNTH_TRAPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/random.h"
#include "proto/web_spec.pb.h"
#include "synth/entity.h"
#include "synth/traits.h"
#include "synth/vertical.h"

namespace trommel::synth {

using Trap = proto::Template::Trap;

// The traps of one template of one site (web_spec.proto says what they are):
// which attribute each is laid for, and on which pages it snaps. How pages
// print them is the design's (trap_writer.h).
class Traps {
 public:
  Traps() = default;  // none

  // `seed` is that of the template on the site: a trap stays where it is when
  // the site gets another design. InvalidArgument names the trap for which no
  // attribute is left; whether there is one does not depend on the seed.
  static absl::StatusOr<Traps> Lay(const Vertical& vertical,
                                   absl::Span<const Trap> traps, uint64_t seed);

  // Whether this trap, or any, is laid for the attribute.
  bool Has(Trap trap, size_t attribute) const {
    return (MaskOf(attribute) >> trap & 1) != 0;
  }
  bool HasAny(size_t attribute) const { return MaskOf(attribute) != 0; }
  // One of the traps of repeated attributes' lists.
  bool HasList(size_t attribute) const;

  // What the trap draws for a page, by the id of its entity.
  Random PageRandom(Trap trap, uint64_t id) const;
  // Whether the trap snaps on the page: it does on a share of the pages between
  // `least` and `most` that is the site's own. Does not depend on what
  // PageRandom() draws.
  bool Snaps(Trap trap, double least, double most, uint64_t id) const;

  // Gives the entity the values that the traps need: more of them, or fewer,
  // or of other lengths. The headline stays.
  void ChangeValues(const Vertical& vertical, const SiteTraits& traits,
                    Entity* entity) const;

 private:
  uint32_t MaskOf(size_t attribute) const {
    return attribute < masks_.size() ? masks_[attribute] : 0;
  }
  void ChangeCount(const Vertical& vertical, const SiteTraits& traits,
                   size_t attribute, Entity* entity) const;

  uint64_t seed_ = 0;
  // By attribute: a bit for each trap; empty when there is none.
  std::vector<uint32_t> masks_;
};

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_TRAPS_H_
