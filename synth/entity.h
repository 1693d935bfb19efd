#ifndef TROMMEL_SYNTH_ENTITY_H_
#define TROMMEL_SYNTH_ENTITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "synth/traits.h"
#include "synth/vertical.h"

namespace trommel::synth {

// One thing that the web has pages about: a movie, a job.
struct Entity {
  uint64_t id = 0;
  // Values per attribute of the vertical, in its order; never empty. Printed
  // in the site's formats: UTF-8, single spaces, none at the ends.
  std::vector<std::vector<std::string>> values;

  const std::string& headline() const { return values[0][0]; }
};

// The entity of this id: a function of its arguments.
Entity MakeEntity(const Vertical& vertical, const SiteTraits& traits,
                  uint64_t id);

// The headline of that entity without the rest, for links.
std::string MakeHeadline(const Vertical& vertical, const SiteTraits& traits,
                         uint64_t id);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_ENTITY_H_
