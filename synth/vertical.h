#ifndef TROMMEL_SYNTH_VERTICAL_H_
#define TROMMEL_SYNTH_VERTICAL_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "proto/schema.pb.h"
#include "proto/synth_data.pb.h"
#include "synth/words.h"

namespace trommel::synth {

// Where an attribute of a record likes to stand on a detail page. A design may
// still put it among the facts.
enum class AttributePlacement {
  kHeadline = proto::SynthVertical::HEADLINE,
  kByline = proto::SynthVertical::BYLINE,
  kOffer = proto::SynthVertical::OFFER,
  kFacts = proto::SynthVertical::FACTS,
};

// What an attribute's values are, where traps need to know.
enum class AttributeForm {
  kOther = proto::SynthVertical::FORM_UNSPECIFIED,
  kName = proto::SynthVertical::NAME,
  kPerson = proto::SynthVertical::PERSON,
  kAddress = proto::SynthVertical::ADDRESS,
};

// Links in the longest group of the navigation, fewer than categories.
inline constexpr int kMaxGroupLinks = 6;

// One attribute of a vertical: what its schema says, and how sites print it.
struct AttributeInfo {
  std::string name;
  bool repeated;
  AttributePlacement placement;
  AttributeForm form;
  WordList labels;  // two wordings or more; a site uses one of them
};

// A vertical: a kind of thing that sites have one page each about. The first
// attribute is the headline and the only mandatory one; some are facts.
struct Vertical {
  std::string name;
  std::string topic;   // "movie", as prose says it
  std::string plural;  // "movies", as URLs and headings say it
  std::vector<AttributeInfo> attributes;
  WordList categories;  // for navigation and lists
  WordList decoys;      // labels of facts not in records
  proto::Schema schema;
};

// Made from schemas/NAME.textproto and data/NAME.textproto.
absl::Span<const Vertical> Verticals();

// Null when there is none of that name.
const Vertical* FindVertical(std::string_view name);

// The vertical of two such files, which must agree.
absl::StatusOr<Vertical> ParseVertical(std::string_view schema_text,
                                       std::string_view data_text);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_VERTICAL_H_
