#include "synth/record.h"

#include <algorithm>
#include <array>

#include "core/base/hash.h"
#include "synth/prose.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

enum Salt {
  kLabelSalt = 50,  // plus the attribute
  kSeparatorSalt = 70,
  kPlacementSalt = 80,  // plus the attribute
  kOrderSalt = 100,     // plus the attribute or decoy
  kStyleSalt = 150,
  kShapeSalt,
  kAttributeClassSalt,
  kMissingSalt,
  kPaddingSalt,
  kUnbreakableSalt = 160,  // plus the attribute
  kWrapSalt = 180,         // plus the attribute
  kJoinedSalt = 200,       // plus the attribute
  kJoinerSalt = 220,
  kDecoySalt = 240,  // plus the decoy
};

constexpr size_t kMaxRows = 24;

constexpr std::string_view kBylines[] = {
    "<p.m>$0 |</p?>", "<div.m><span.n>$0</span> <span.v#>|</span></div>",
    "<span.v#>|</span><br>", "<p.m><b>$0</b> |</p?>",
    "<h3.m><span.v>|</span></h3>"};
// Whether label and value of the byline of this index share a text node.
constexpr bool kBylineInText[] = {true, false, false, false, false};

// A number of the site in [0, 1) for an attribute on this kind of page.
double SiteShare(const PageContext& page, size_t attribute, uint64_t salt) {
  return Random(page.traits.seed + attribute * 1000003 + salt * 7919 +
                static_cast<uint64_t>(page.kind) * 104729)
      .Unit();
}

void AppendLabel(const PageContext& page, std::string_view label,
                 std::string* out) {
  static constexpr std::string_view kSeparators[] = {":",  ":",  ":",
                                                     " -", " =", ""};
  out->append(label);
  out->append(
      kSeparators[Choose(page.markup.zone(), Role::kFacts, kSeparatorSalt, 6)]);
}

// A label that shares a text node with its value needs a separator.
void AppendTextLabel(const PageContext& page, std::string_view label,
                     std::string* out) {
  out->append(label);
  out->append(Choose(page.markup.zone(), Role::kFacts, kSeparatorSalt, 6) == 3
                  ? " -"
                  : ":");
}

}  // namespace

std::string_view Label(const PageContext& page, size_t attribute) {
  const WordList& labels = page.vertical.attributes[attribute].labels;
  const int first =
      Choose(page.markup.zone(), Role::kFacts,
             kLabelSalt + static_cast<int>(attribute), labels.size());
  return labels[(first + page.label_changes) % labels.size()];
}

RecordWriter::RecordWriter(PageContext* page, const Entity& entity,
                           record::Record* truth)
    : page_(*page),
      entity_(entity),
      truth_(*truth),
      attribute_classes_(ChooseChance(page->markup.zone(), Role::kFacts,
                                      kAttributeClassSalt, 0.45)),
      traps_(page, entity, truth) {
  truth_ = record::Record(page_.vertical.schema);
}

bool RecordWriter::Shown(const PageContext& page, size_t attribute) {
  const std::vector<AttributeInfo>& attributes = page.vertical.attributes;
  if (attribute == 0 || page.traps.HasAny(attribute)) return true;
  if (page.kind == TemplateKind::kDetail) {
    size_t first_fact = 1;
    while (attributes[first_fact].placement != AttributePlacement::kFacts)
      ++first_fact;
    return attribute == first_fact || SiteShare(page, attribute, 1) < 0.9;
  }
  return SiteShare(page, attribute, 2) < 0.7;
}

FactStyle RecordWriter::StyleOfFacts(const PageContext& page, Role role) {
  const int draw = Choose(page.markup.zone(), role, kStyleSalt, 20);
  if (role == Role::kResults && draw >= 14) return FactStyle::kNoLabel;
  if (draw < 11) return FactStyle::kLabelCell;
  return draw < 17 ? FactStyle::kLabelBefore : FactStyle::kLabelInText;
}

AttributePlacement RecordWriter::PlacementOf(size_t attribute) const {
  if (page_.traps.Has(proto::Template::MISSING_LABELLED, attribute) ||
      page_.traps.Has(proto::Template::SHORT_AND_LONG_LIST, attribute)) {
    return AttributePlacement::kFacts;
  }
  const AttributePlacement usual =
      page_.vertical.attributes[attribute].placement;
  if (usual != AttributePlacement::kByline &&
      usual != AttributePlacement::kOffer)
    return usual;
  const double chance = usual == AttributePlacement::kOffer ? 0.75 : 0.6;
  return ChooseChance(page_.markup.zone(), Role::kFacts,
                      kPlacementSalt + static_cast<int>(attribute), chance)
             ? usual
             : AttributePlacement::kFacts;
}

bool RecordWriter::Missing(size_t attribute) const {
  if (attribute == 0) return false;
  if (!Shown(page_, attribute)) return true;
  if (traps_.IsInHeadline(attribute)) return false;
  if (page_.traps.Has(proto::Template::MISSING_LABELLED, attribute)) {
    return page_.traps.Snaps(proto::Template::MISSING_LABELLED, 0.1, 0.4,
                             entity_.id);
  }
  const double share = 0.2 * SiteShare(page_, attribute, 3);
  return Random(entity_.id + attribute * 15485863).Unit() < share;
}

void RecordWriter::WriteValues(size_t attribute, bool plain) {
  if (traps_.HasValues(attribute)) {
    traps_.WriteValues(attribute, in_paragraph_);
    return;
  }
  Markup& markup = page_.markup;
  const AttributeInfo& info = page_.vertical.attributes[attribute];
  const int salt = static_cast<int>(attribute);
  if (info.repeated) {
    WriteRepeated(attribute);
    return;
  }
  const std::string& value = entity_.values[attribute][0];
  const Zone& zone = markup.zone();
  std::string_view rest;
  if (!plain && ChooseChance(zone, Role::kFacts, kWrapSalt + salt, 0.25)) {
    static constexpr std::string_view kWraps[] = {
        "<span>|</span>", "<a.a[href=/index]>|</a>", "<b>|</b>",
        "<font[size=2]>|</font>"};
    rest = markup.Expand(
        kWraps[Choose(zone, Role::kFacts, kWrapSalt + 10 + salt, 4)],
        Role::kFacts);
  }
  const bool padded =
      !plain && ChooseChance(zone, Role::kFacts, kPaddingSalt, 0.2);
  if (padded) markup.Raw("\n      ");
  if (ChooseChance(zone, Role::kFacts, kUnbreakableSalt + salt, 0.08)) {
    markup.UnbreakableText(value);
  } else {
    markup.Text(value);
  }
  if (padded) markup.Raw("\n    ");
  markup.Expand(rest, Role::kFacts);
  truth_.attributes[attribute].values.push_back(value);
}

void RecordWriter::WriteRepeated(size_t attribute) {
  Markup& markup = page_.markup;
  const Zone& zone = markup.zone();
  const int salt = static_cast<int>(attribute);
  const std::vector<std::string>& values = entity_.values[attribute];
  if (ChooseChance(zone, Role::kFacts, kJoinedSalt + salt, 0.12)) {
    std::string joined;
    for (const std::string& value : values) {
      if (!joined.empty()) joined.append(", ");
      joined.append(value);
    }
    markup.Text(joined);
    truth_.attributes[attribute].values.push_back(std::move(joined));
    return;
  }
  static constexpr std::string_view kJoiners[] = {
      ", ", ", ", " | ", " / ", " &amp; ", "<br>", ",&nbsp;"};
  const std::string_view joiner =
      kJoiners[Choose(zone, Role::kFacts, kJoinerSalt + salt, 7)];
  const std::string_view shape = ChooseShape(
      page_, Role::kFacts, kJoinerSalt + 10 + salt, RepeatedShapes());
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) markup.Expand(joiner, Role::kFacts);
    page_.s5 = "/browse/";
    AppendSlug(values[i], '-', &page_.s5);
    const std::string_view rest =
        markup.Expand(shape, Role::kFacts, {page_.s5});
    markup.Text(values[i]);
    markup.Expand(rest, Role::kFacts);
    truth_.attributes[attribute].values.push_back(values[i]);
  }
}

void RecordWriter::TrapBlocks(bool among_facts) {
  for (size_t i = 1; i < page_.vertical.attributes.size(); ++i) {
    if (!traps_.HasBlock(i) || traps_.IsAmongFacts(i) != among_facts ||
        Missing(i)) {
      continue;
    }
    page_.markup.set_attribute(page_.vertical.attributes[i].name,
                               attribute_classes_);
    traps_.WriteBlock(i);
  }
  page_.markup.set_attribute("", false);
}

void RecordWriter::Headline() {
  traps_.WriteTrail();
  Random random = page_.PageRandom(Role::kHeadline);
  page_.s0 = "Viewed by ";
  AppendNumber(random.Below(900) + 20, &page_.s0);
  page_.s0.append(" members");
  const std::string_view shape = ChooseShape(
      page_, Role::kHeadline, kShapeSalt, HeadlineShapes(page_.design.layout));
  page_.markup.set_attribute(page_.vertical.attributes[0].name,
                             attribute_classes_);
  const std::string_view rest =
      page_.markup.Expand(shape, Role::kHeadline, {page_.s0});
  WriteValues(0, /*plain=*/true);
  page_.markup.Expand(rest, Role::kHeadline, {page_.s0});
  page_.markup.set_attribute("", false);
}

void RecordWriter::Byline() {
  TrapBlocks(/*among_facts=*/false);
  for (size_t i = 1; i < page_.vertical.attributes.size(); ++i) {
    if (!Missing(i)) traps_.WriteShortList(i);
    if (traps_.HasBlock(i)) continue;
    if (PlacementOf(i) != AttributePlacement::kByline || Missing(i)) continue;
    const int which = Choose(page_.markup.zone(), Role::kByline,
                             kShapeSalt + static_cast<int>(i),
                             static_cast<int>(std::size(kBylines)));
    page_.s0.clear();
    AppendTextLabel(page_, Label(page_, i), &page_.s0);
    page_.markup.set_attribute(page_.vertical.attributes[i].name,
                               attribute_classes_);
    const std::string_view rest =
        page_.markup.Expand(kBylines[which], Role::kByline, {page_.s0});
    WriteValues(i, kBylineInText[which]);
    page_.markup.Expand(rest, Role::kByline);
  }
  page_.markup.set_attribute("", false);
}

void RecordWriter::Offer() {
  for (size_t i = 1; i < page_.vertical.attributes.size(); ++i) {
    if (traps_.HasBlock(i)) continue;
    if (PlacementOf(i) != AttributePlacement::kOffer || Missing(i)) continue;
    Random random = page_.PageRandom(Role::kOffer);
    page_.s0.clear();
    AppendTextLabel(page_, Label(page_, i), &page_.s0);
    page_.s1.clear();
    AppendPrice(page_.traits, random.Between(80, 9000) * 100 + 49, &page_.s1);
    page_.s2.clear();
    AppendNumber(random.Below(60) + 2, &page_.s2);
    page_.s2.append(" in stock");
    const std::string_view shape =
        ChooseShape(page_, Role::kOffer, kShapeSalt, OfferShapes());
    const bool in_text = shape.find("$0 |") != std::string_view::npos;
    page_.markup.set_attribute(page_.vertical.attributes[i].name,
                               attribute_classes_);
    const std::string_view rest = page_.markup.Expand(
        shape, Role::kOffer, {page_.s0, page_.s1, page_.s2});
    WriteValues(i, in_text);
    page_.markup.Expand(rest, Role::kOffer, {page_.s0, page_.s1, page_.s2});
  }
  page_.markup.set_attribute("", false);
}

std::optional<std::string_view> RecordWriter::TextOfMissing(size_t attribute,
                                                            Role role) const {
  if (page_.traps.Has(proto::Template::MISSING_LABELLED, attribute)) {
    return traps_.MissingText(attribute);
  }
  const bool says_so =
      Shown(page_, attribute) &&
      ChooseChance(page_.markup.zone(), role, kMissingSalt, 0.2);
  return says_so ? std::optional<std::string_view>("n/a") : std::nullopt;
}

void RecordWriter::Row(size_t attribute, Role role, bool plain,
                       ItemList* list) {
  std::optional<std::string_view> instead;
  if (Missing(attribute)) {
    instead = TextOfMissing(attribute, role);
    if (!instead.has_value()) return;
  }
  page_.s0.clear();
  if (plain) {
    AppendTextLabel(page_, Label(page_, attribute), &page_.s0);
  } else {
    AppendLabel(page_, Label(page_, attribute), &page_.s0);
  }
  page_.markup.set_attribute(page_.vertical.attributes[attribute].name,
                             attribute_classes_);
  list->BeginItem({page_.s0});
  if (instead.has_value()) {
    page_.markup.Text(*instead);
  } else {
    WriteValues(attribute, plain);
  }
  list->EndItem();
}

void RecordWriter::DecoyRow(size_t decoy, ItemList* list) {
  Random random(Mix64(entity_.id + decoy * 6700417));
  // Most pages have most of them.
  if (random.Chance(0.15)) return;
  page_.s0.clear();
  AppendTextLabel(page_, page_.vertical.decoys[decoy], &page_.s0);
  page_.s4.clear();
  AppendSlug(page_.vertical.decoys[decoy], '_', &page_.s4);
  page_.markup.set_attribute(page_.s4, attribute_classes_);
  list->BeginItem({page_.s0});
  page_.s1.clear();
  AppendDecoyValue(page_, page_.vertical.decoys[decoy], &random, &page_.s1);
  page_.markup.Text(page_.s1);
  list->EndItem();
}

void RecordWriter::Facts() {
  const Zone& zone = page_.markup.zone();
  const FactStyle style = StyleOfFacts(page_, Role::kFacts);
  const bool plain = style == FactStyle::kLabelInText;
  const std::string_view shape = ChooseShape(
      page_, Role::kFacts, kShapeSalt, FactShapes(page_.design.layout, style));
  in_paragraph_ = shape.find("<p") != shape.npos;
  ItemList list(&page_, Role::kFacts, shape);
  // Attributes and decoys in the template's order; decoys are numbered after
  // the attributes.
  const size_t num_attributes = page_.vertical.attributes.size();
  struct KeyedRow {
    int key;
    size_t row;
  };
  std::array<KeyedRow, kMaxRows> rows;
  size_t num_rows = 0;
  const size_t total = num_attributes + page_.vertical.decoys.size();
  for (size_t i = 1; i < total && num_rows < kMaxRows; ++i) {
    const int salt = static_cast<int>(i);
    if (i < num_attributes &&
        (traps_.HasBlock(i) || PlacementOf(i) != AttributePlacement::kFacts)) {
      continue;
    }
    if (i >= num_attributes &&
        !ChooseChance(zone, Role::kFacts, kDecoySalt + salt, 0.6)) {
      continue;
    }
    rows[num_rows++] = {Choose(zone, Role::kFacts, kOrderSalt + salt, 1 << 24),
                        i};
  }
  std::sort(rows.begin(), rows.begin() + num_rows,
            [](const KeyedRow& a, const KeyedRow& b) {
              return a.key != b.key ? a.key < b.key : a.row < b.row;
            });
  TrapBlocks(/*among_facts=*/true);
  list.Begin();
  for (size_t i = 0; i < num_rows; ++i) {
    if (rows[i].row < num_attributes) {
      Row(rows[i].row, Role::kFacts, plain, &list);
    } else {
      DecoyRow(rows[i].row - num_attributes, &list);
    }
  }
  page_.markup.set_attribute("", false);
  list.End();
}

}  // namespace trommel::synth
