#ifndef TROMMEL_SYNTH_GENERATOR_H_
#define TROMMEL_SYNTH_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/schema.pb.h"
#include "proto/web_spec.pb.h"
#include "synth/truth.h"

namespace trommel::synth {

struct WebPlan;

// Makes the pages of a synthetic web, with truth.
//
//   TROMMEL_ASSIGN_OR_RETURN(WebGenerator web, WebGenerator::Create(spec));
//   GeneratedPage page;
//   for (int64_t i = 0; i < web.NumPages(day); ++i) {
//     web.Generate(day, i, &page);
//     Store(page.url, page.html, TruthJsonLines(page));
//   }
//
// Page `index` of `day` is a function of the spec, the day and the index: any
// split of the range, in any order, on any machine, gives the same pages. The
// pages of a site are neighbours. Memory does not grow with the number of
// pages.
//
// From one day to the next a page keeps its URL, its values and its tags,
// except for the spec's changes and turnover; advertisements, counters and
// tokens change daily.
//
// Immutable; any number of threads may call it, each with its own page.
class WebGenerator {
 public:
  // InvalidArgument names the field of the spec that is wrong.
  static absl::StatusOr<WebGenerator> Create(const proto::WebSpec& spec);

  int num_days() const;
  // "2026-01-01"; `day` is in [0, num_days()).
  std::string DayName(int day) const;
  // Every day has the same number of pages.
  int64_t NumPages(int day) const;

  // Overwrites `page`; reuse one for many calls, its memory is kept. `index`
  // is in [0, NumPages(day)).
  void Generate(int day, int64_t index, GeneratedPage* page) const;

  // The schemas of the verticals that the spec uses, each once.
  const std::vector<proto::Schema>& schemas() const { return schemas_; }

 private:
  explicit WebGenerator(WebPlan plan);

  std::shared_ptr<const WebPlan> plan_;
  std::vector<proto::Schema> schemas_;
};

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_GENERATOR_H_
