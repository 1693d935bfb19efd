#ifndef TROMMEL_SYNTH_CHANGES_H_
#define TROMMEL_SYNTH_CHANGES_H_

#include <string_view>

#include "proto/web_spec.pb.h"

namespace trommel::synth {

// How far a template has come from its first design: how many changes of each
// kind have happened. Changes compose because they are counted: two renamings
// are another set of names than one, and a redesign keeps the other counts.
struct TemplateState {
  int redesigns = 0;
  int renames = 0;
  int wrappers = 0;
  int moves = 0;
  int label_changes = 0;
  bool ids_removed = false;
};

// The state of the template of this name on `day`.
TemplateState StateOn(const proto::Site& site, std::string_view template_name,
                      int day);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_CHANGES_H_
