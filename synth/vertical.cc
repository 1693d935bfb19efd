#include "synth/vertical.h"

#include <algorithm>
#include <utility>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "synth/assets_internal.h"
#include "synth/data.h"

namespace trommel::synth {
namespace {

absl::StatusOr<AttributeInfo> MakeAttribute(
    const proto::Attribute& schema, const proto::SynthVertical::Attribute& data,
    bool is_first) {
  const auto invalid = [&](std::string_view what) {
    return absl::InvalidArgumentError(StrCat(schema.name(), ": ", what));
  };
  if (data.name() != schema.name()) {
    return invalid(StrCat("\"", data.name(), "\" in its place"));
  }
  if (data.placement() == proto::SynthVertical::PLACEMENT_UNSPECIFIED) {
    return invalid("no placement");
  }
  const bool is_headline = data.placement() == proto::SynthVertical::HEADLINE;
  if (is_headline != is_first || schema.mandatory() != is_first) {
    return invalid("the headline is the first and the only mandatory one");
  }
  if (is_headline && schema.repeated()) return invalid("a repeated headline");
  if (data.label_size() < 2) return invalid("no other label to change to");
  return AttributeInfo{
      .name = schema.name(),
      .repeated = schema.repeated(),
      .placement = static_cast<AttributePlacement>(data.placement()),
      .form = static_cast<AttributeForm>(data.form()),
      .labels = data.label()};
}

// A vertical of the binary.
Vertical Load(std::string_view schema_text, std::string_view data_text) {
  return ParseVertical(schema_text, data_text).value();
}

}  // namespace

absl::StatusOr<Vertical> ParseVertical(std::string_view schema_text,
                                       std::string_view data_text) {
  Vertical vertical;
  proto::SynthVertical data;
  TROMMEL_RETURN_IF_ERROR(ParseData(schema_text, &vertical.schema));
  TROMMEL_RETURN_IF_ERROR(ParseData(data_text, &data));
  vertical.name = vertical.schema.name();
  vertical.topic = data.topic();
  vertical.plural = data.plural();
  vertical.categories = data.category();
  vertical.decoys = data.decoy();
  const auto invalid = [&](std::string_view what) {
    return absl::InvalidArgumentError(StrCat(vertical.name, ": ", what));
  };
  if (vertical.topic.empty() || vertical.plural.empty()) {
    return invalid("no topic or plural");
  }
  if (vertical.categories.size() <= kMaxGroupLinks) {
    return invalid("fewer categories than navigation needs");
  }
  if (data.attribute_size() != vertical.schema.attribute_size()) {
    return invalid("not the attributes of the schema");
  }
  for (int i = 0; i < data.attribute_size(); ++i) {
    absl::StatusOr<AttributeInfo> info =
        MakeAttribute(vertical.schema.attribute(i), data.attribute(i), i == 0);
    if (!info.ok()) return Annotate(info.status(), vertical.name);
    vertical.attributes.push_back(*std::move(info));
  }
  const bool has_facts =
      std::any_of(vertical.attributes.begin(), vertical.attributes.end(),
                  [](const AttributeInfo& a) {
                    return a.placement == AttributePlacement::kFacts;
                  });
  if (!has_facts) return invalid("no facts among the attributes");
  return vertical;
}

absl::Span<const Vertical> Verticals() {
  static const auto* const verticals = new std::vector<Vertical>{
      Load(assets::kMovieSchema, assets::kMovie),
      Load(assets::kBookSchema, assets::kBook),
      Load(assets::kCameraSchema, assets::kCamera),
      Load(assets::kAutoSchema, assets::kAuto),
      Load(assets::kJobSchema, assets::kJob),
      Load(assets::kRestaurantSchema, assets::kRestaurant),
      Load(assets::kUniversitySchema, assets::kUniversity),
      Load(assets::kNbaPlayerSchema, assets::kNbaPlayer),
  };
  return *verticals;
}

const Vertical* FindVertical(std::string_view name) {
  for (const Vertical& vertical : Verticals()) {
    if (vertical.name == name) return &vertical;
  }
  return nullptr;
}

}  // namespace trommel::synth
