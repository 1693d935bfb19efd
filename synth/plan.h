#ifndef TROMMEL_SYNTH_PLAN_H_
#define TROMMEL_SYNTH_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "proto/web_spec.pb.h"
#include "synth/kinds.h"
#include "synth/traps.h"
#include "synth/vertical.h"

namespace trommel::synth {

// A template of a site and its share of the site's pages.
struct TemplatePlan {
  TemplateKind kind;
  std::string name;
  int64_t first;  // its pages are [first, first + count) of the site's
  int64_t count;
  std::vector<Trap> traps = {};
};

// An entry of the spec: one site, or many of one description.
struct SitePlan {
  const Vertical* vertical = nullptr;
  std::vector<TemplatePlan> templates;
  int64_t num_sites = 1;
  int64_t pages_per_site = 0;
  int64_t first_page = 0;  // of the whole web's
};

// A spec that was found to make sense, and the layout of its pages.
struct WebPlan {
  proto::WebSpec spec;
  absl::CivilDay start;
  int num_days = 1;
  int64_t num_pages;            // per day
  std::vector<SitePlan> sites;  // parallel to spec.site()
};

// Checks the spec and lays out its pages. InvalidArgument names the field:
// `site[2].vertical "moviee": unknown; known: movie, book, …`.
absl::StatusOr<WebPlan> MakePlan(const proto::WebSpec& spec);

// The host of site `number` (from 1) of an entry.
std::string HostName(const proto::Site& site, int64_t number);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_PLAN_H_
