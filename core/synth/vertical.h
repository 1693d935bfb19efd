#ifndef TROMMEL_CORE_SYNTH_VERTICAL_H_
#define TROMMEL_CORE_SYNTH_VERTICAL_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "proto/schema.pb.h"

namespace trommel::synth {

// Where an attribute of a record likes to stand on a detail page. A design may
// still put it among the facts.
enum class AttributePlacement { kHeadline, kByline, kOffer, kFacts };

// One attribute of a vertical: what its schema says, and how sites print it.
struct AttributeInfo {
  std::string_view name;
  proto::Attribute::Type type;
  bool repeated;
  bool constant;
  AttributePlacement placement;
  // Wordings of the label, all different; a site uses one of them.
  std::string_view labels[4];
};

// A vertical: a kind of thing that sites have one page each about. The first
// attribute is the headline and the only mandatory one.
struct Vertical {
  std::string_view name;
  std::string_view topic;   // "movie", as prose says it
  std::string_view plural;  // "movies", as URLs and headings say it
  absl::Span<const AttributeInfo> attributes;
  absl::Span<const std::string_view> categories;  // for navigation and lists
  absl::Span<const std::string_view> decoys;  // labels of facts not in records
};

absl::Span<const Vertical> Verticals();

// Null when there is none of that name.
const Vertical* FindVertical(std::string_view name);

// The vertical's schema; schemas/NAME.textproto holds the same.
proto::Schema MakeSchema(const Vertical& vertical);

}  // namespace trommel::synth

#endif  // TROMMEL_CORE_SYNTH_VERTICAL_H_
