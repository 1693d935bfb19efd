#include "synth/design.h"

#include "core/base/hash.h"
#include "core/base/random.h"
#include "synth/prose.h"
#include "synth/words.h"

// The model of the synthetic web.
//
// Real template sites have three things that matter to whoever extracts from
// them: regularity within a template, sharing between the templates of a site,
// and no agreement at all between sites. The generator gets them from three
// seeds.
//
//   site seed = hash(spec seed, host)       values, URLs, encoding (traits.h)
//   design seed = hash(site seed, redesigns)         the habits in this file
//   zone seed = design seed for the chrome,
//               hash(design seed, template) for the content area
//
// A page is a sequence of blocks. A block knows only its role (kReviews) and
// its data (titles, dates, texts); which elements print them is looked up in
// the tables of shapes.cc by Choose(zone, role, ...), a hash of zone seed and
// role. So one role looks the same on every page of a zone, two roles of one
// zone look different, and the same role on another site or template differs
// again. Nothing is remembered: a class name, too, is a hash of zone, role and
// part, spelled in the design's naming convention when it is written.
//
// What varies from page to page is drawn from a fourth seed, that of the page
// (texts, list lengths, optional blocks), and what varies from day to day from
// a fifth (advertisements, counters, tokens). Every block has its own random
// stream, hash(page seed, role), so moving or restyling one block leaves the
// texts of the others alone.
//
// Changes of a site over time are then small edits of these inputs: a renamed
// class is another name seed for the content zone, a redesign another design
// seed, a moved section another order of the same blocks (changes.h).

namespace trommel::synth {
namespace {

constexpr uint64_t kDesignSalt = 0x64657369676e0001u;
constexpr uint64_t kShapeSalt = 0x73686170650001u;
constexpr uint64_t kNameSalt = 0x6e616d65730001u;

uint64_t PartHash(const Zone& zone, Role role, Part part) {
  return Mix64(zone.name_seed + static_cast<uint64_t>(role) * 0x10001u +
               static_cast<uint64_t>(part) * 0x3000003u);
}

void AppendCapital(std::string_view word, std::string* out) {
  const size_t begin = out->size();
  out->append(word);
  char& first = (*out)[begin];
  if (first >= 'a' && first <= 'z') first = static_cast<char>(first - 32);
}

// base36 digits of a hash, as build tools name classes.
void AppendHashed(uint64_t hash, int digits, std::string* out) {
  static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (int i = 0; i < digits; ++i) {
    out->push_back(kDigits[hash % 36]);
    hash /= 36;
  }
}

void AppendUtilities(uint64_t hash, std::string* out) {
  const WordList& words = Blocks().utility_class();
  const int count = 2 + static_cast<int>(hash % 4);
  for (int i = 0; i < count; ++i) {
    hash = Mix64(hash + 1);
    if (i > 0) out->push_back(' ');
    out->append(EntryAt(words, hash));
  }
}

// The words of a name joined in the design's convention. `second` may be
// empty.
void AppendJoined(const Design& design, int renames, std::string_view first,
                  std::string_view second, std::string* out) {
  std::string_view joint;
  switch (design.naming) {
    case Naming::kUnderscores:
      joint = "_";
      break;
    case Naming::kCamelCase:
    case Naming::kPrefixed:
      joint = "";
      break;
    case Naming::kBlockElement:
      joint = "__";
      break;
    default:
      joint = "-";
      break;
  }
  bool capital = design.naming == Naming::kPrefixed;
  if (capital) out->append(design.prefix);
  if (renames > 0) {
    const WordList& prefixes = Blocks().rename_prefix();
    out->append(prefixes[(renames - 1) % prefixes.size()]);
    if (renames > prefixes.size()) {
      AppendNumber(static_cast<uint64_t>(renames), out);
    }
    if (joint.empty()) {
      capital = true;
    } else {
      out->append(joint == "__" ? "-" : joint);
    }
  }
  if (capital) {
    AppendCapital(first, out);
  } else {
    out->append(first);
  }
  if (second.empty()) return;
  if (joint.empty()) {
    AppendCapital(second, out);
  } else {
    out->append(joint);
    out->append(second);
  }
}

}  // namespace

Design MakeDesign(uint64_t site_seed, int redesigns) {
  Design design;
  design.seed =
      Mix64(site_seed ^ (kDesignSalt + static_cast<uint64_t>(redesigns)));
  Random random(design.seed);
  const uint64_t first_layout = Mix64(site_seed ^ kDesignSalt) % kNumLayouts;
  design.layout = static_cast<PageLayout>(
      (first_layout + static_cast<uint64_t>(redesigns)) % kNumLayouts);
  const bool old_style = design.layout == PageLayout::kTables ||
                         design.layout == PageLayout::kDefinitionLists;
  if (design.layout == PageLayout::kUtilityDivs) {
    design.naming = random.Chance(0.5) ? Naming::kUtility : Naming::kHashed;
  } else {
    const uint64_t naming = random.Below(11);
    design.naming =
        naming == 10 ? Naming::kHashed : static_cast<Naming>(naming % 5);
  }
  design.indent = static_cast<Indent>(random.Below(5));
  design.quotes = random.Chance(old_style ? 0.45 : 0.1) ? Quotes::kWhereNeeded
                  : random.Chance(0.15)                 ? Quotes::kSingle
                                                        : Quotes::kDouble;
  design.non_ascii = random.Chance(0.6)
                         ? NonAscii::kBytes
                         : static_cast<NonAscii>(1 + random.Below(3));
  design.uppercase_tags = old_style && random.Chance(0.35);
  design.closes_void_tags = !old_style && random.Chance(0.5);
  design.drops_end_tags = random.Chance(old_style ? 0.6 : 0.15);
  design.raw_ampersands = random.Chance(0.35);
  design.quote_entities = random.Chance(0.35);
  design.malformed = random.Chance(old_style ? 0.6 : 0.2);
  design.zebra = random.Chance(0.3);
  design.sidebar_first = random.Chance(0.5);
  design.id_share = random.Chance(0.2) ? 0.1 : 0.3 + 0.5 * random.Unit();
  for (int i = 0; i < 3; ++i) {
    design.prefix[i] = static_cast<char>('a' + random.Below(26));
  }
  design.prefix[3] = '\0';
  design.richness = static_cast<int>(random.Below(3));
  return design;
}

Zone ChromeZone(const Design& design) {
  return Zone{design.seed ^ kShapeSalt, design.seed ^ kNameSalt, 0, true};
}

Zone ContentZone(const Design& design, std::string_view template_name,
                 int renames, bool ids) {
  const uint64_t seed = Hash64(template_name, design.seed);
  // Names of the content area are the site's, not the template's: sites share
  // style sheets. Shapes are the template's.
  const uint64_t name_seed =
      Mix64(design.seed ^ (kNameSalt + static_cast<uint64_t>(renames) * 977));
  return Zone{seed ^ kShapeSalt, name_seed, renames, ids};
}

int Choose(const Zone& zone, Role role, int salt, int count) {
  const uint64_t hash = Mix64(
      zone.shape_seed + static_cast<uint64_t>(role) * 0x9E3779B97F4A7C15u +
      static_cast<uint64_t>(salt) * 0xD1B54A32D192ED03u);
  return static_cast<int>(hash % static_cast<uint64_t>(count));
}

bool ChooseChance(const Zone& zone, Role role, int salt, double probability) {
  return Choose(zone, role, salt, 1 << 20) < probability * (1 << 20);
}

void AppendClass(const Design& design, const Zone& zone, Role role, Part part,
                 std::string_view attribute, std::string* out) {
  uint64_t hash = PartHash(zone, role, part);
  // Whether there is a class at all is part of the markup, not of the names:
  // a renaming must not make classes appear or vanish.
  const int bare = part == Part::kBox ? 1 : part == Part::kValue ? 2 : 5;
  if (Choose(zone, role, 1000 + static_cast<int>(part), 16) < bare) return;
  if (!attribute.empty()) hash = Hash64(attribute, hash);
  switch (design.naming) {
    case Naming::kHashed:
      if (hash % 8 == 0) {
        out->append(design.prefix);
        out->append("-Root ");
      }
      out->append((design.seed & 1) != 0 ? "css-" : "_");
      AppendHashed(hash, 6, out);
      return;
    case Naming::kUtility:
      AppendUtilities(hash, out);
      if (zone.renames > 0) {
        out->append(" u");
        AppendHashed(hash, 3, out);
      }
      return;
    default:
      break;
  }
  const std::string_view role_word = RoleWord(role, hash);
  const std::string_view part_word = PartWord(part, hash >> 8);
  if (!attribute.empty()) {
    AppendJoined(design, zone.renames, attribute, "", out);
    return;
  }
  if (part == Part::kBox && (hash >> 16) % 2 == 0) {
    AppendJoined(design, zone.renames, role_word, "", out);
  } else if (part != Part::kBox && (hash >> 20) % 8 == 0) {
    AppendJoined(design, zone.renames, part_word, "", out);
  } else {
    AppendJoined(design, zone.renames, role_word, part_word, out);
  }
  if (part == Part::kBox && (hash >> 24) % 4 == 0) {
    out->push_back(' ');
    AppendJoined(design, zone.renames, "module", "", out);
  }
}

void AppendId(const Design& design, const Zone& zone, Role role,
              std::string_view attribute, std::string* out) {
  if (!zone.ids) return;
  if (!ChooseChance(zone, role, 2000, design.id_share)) return;
  // Few sites that give ids to boxes give them to single values, too.
  if (!attribute.empty() && !ChooseChance(zone, role, 2001, 0.4)) return;
  // Ids do not follow a renaming of classes.
  const uint64_t hash = Mix64(zone.shape_seed + static_cast<uint64_t>(role));
  const std::string_view role_word = RoleWord(role, hash);
  if (design.naming == Naming::kHashed) {
    out->append("r");
    AppendHashed(attribute.empty() ? hash : Hash64(attribute, hash), 4, out);
    return;
  }
  AppendJoined(design, 0, role_word, attribute, out);
}

}  // namespace trommel::synth
