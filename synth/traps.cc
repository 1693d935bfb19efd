#include "synth/traps.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "proto/schema.pb.h"
#include "synth/prose.h"
#include "synth/words.h"

// Which attribute a trap is laid for. The traps are gone through from the most
// to the least particular, and each draws among the attributes that suit it and
// have no trap yet. Those about lists share the first one's attribute. A
// missing row goes with any list, and a headline is for TEXT_AND_ADDRESS alone,
// so both can fall back on these. All other choices take one from the same set
// whatever was drawn, so the draws do not decide whether there is an attribute
// for all.

namespace trommel::synth {
namespace {

constexpr Trap kOrder[] = {
    proto::Template::REPEATED_SELDOM,     proto::Template::LIST_TAIL,
    proto::Template::SHORT_AND_LONG_LIST, proto::Template::LINES_WITHOUT_LABELS,
    proto::Template::PAGE_ANCHORS,        proto::Template::WORD_RANGE,
    proto::Template::MISSING_LABELLED,    proto::Template::TEXT_AND_ADDRESS,
};

constexpr uint32_t kLists = 1u << proto::Template::REPEATED_SELDOM |
                            1u << proto::Template::LIST_TAIL |
                            1u << proto::Template::SHORT_AND_LONG_LIST;

// More values than one in a list of them all; the short list has three.
constexpr uint64_t kMostOfSeldom = 4;
constexpr uint64_t kMostOfLong = 6;
constexpr uint64_t kMostOfShort = 3;

// Whether the trap may be laid for the attribute, `mask` being its traps.
bool Suits(Trap trap, const Vertical& vertical, size_t attribute,
           uint32_t mask) {
  const AttributeInfo& info = vertical.attributes[attribute];
  const bool is_free = mask == 0;
  switch (trap) {
    case proto::Template::LINES_WITHOUT_LABELS:
      return is_free && info.form == AttributeForm::kAddress;
    case proto::Template::PAGE_ANCHORS:
      return is_free && attribute > 0 && !info.repeated;
    case proto::Template::WORD_RANGE:
    case proto::Template::MISSING_LABELLED:
      return is_free && attribute > 0;
    case proto::Template::TEXT_AND_ADDRESS:
      return is_free && !info.repeated &&
             vertical.schema.attribute(static_cast<int>(attribute)).type() ==
                 proto::Attribute::TEXT;
    default:
      return is_free && info.repeated;
  }
}

}  // namespace

absl::StatusOr<Traps> Traps::Lay(const Vertical& vertical,
                                 absl::Span<const Trap> traps, uint64_t seed) {
  Traps laid;
  if (traps.empty()) return laid;
  laid.seed_ = Mix64(seed ^ 0x7472617073u);
  std::vector<uint32_t>& masks = laid.masks_;
  masks.resize(vertical.attributes.size());
  for (const Trap trap : kOrder) {
    if (std::find(traps.begin(), traps.end(), trap) == traps.end()) continue;
    const auto those = [&](const std::function<bool(size_t)>& suits) {
      std::vector<size_t> found;
      for (size_t i = 0; i < masks.size(); ++i) {
        if (suits(i)) found.push_back(i);
      }
      return found;
    };
    const auto with_list = [&](size_t i) { return laid.HasList(i); };
    std::vector<size_t> suited;
    if ((kLists >> trap & 1) != 0) suited = those(with_list);
    if (suited.empty()) {
      suited =
          those([&](size_t i) { return Suits(trap, vertical, i, masks[i]); });
    }
    if (suited.empty() && trap == proto::Template::MISSING_LABELLED) {
      suited = those(with_list);
    }
    if (suited.empty()) {
      return absl::InvalidArgumentError(
          StrCat(proto::Template::Trap_Name(trap), ": no attribute of ",
                 vertical.name, " is left for it"));
    }
    masks[EntryAt(suited, Mix64(laid.seed_ + static_cast<uint64_t>(trap)))] |=
        1u << trap;
  }
  return laid;
}

bool Traps::HasList(size_t attribute) const {
  return (MaskOf(attribute) & kLists) != 0;
}

Random Traps::PageRandom(Trap trap, uint64_t id) const {
  return Random(Mix64(seed_ ^ id) + static_cast<uint64_t>(trap) * 1000003);
}

bool Traps::Snaps(Trap trap, double least, double most, uint64_t id) const {
  const uint64_t salt = static_cast<uint64_t>(trap) * 7919;
  const double share =
      least + (most - least) * Random(Mix64(seed_ + salt)).Unit();
  return Random(Mix64(Mix64(seed_ + id) ^ salt)).Chance(share);
}

void Traps::ChangeCount(const Vertical& vertical, const SiteTraits& traits,
                        size_t attribute, Entity* entity) const {
  const bool seldom = Has(proto::Template::REPEATED_SELDOM, attribute);
  const bool is_long = Has(proto::Template::SHORT_AND_LONG_LIST, attribute);
  if (!seldom && !is_long) return;
  std::vector<std::string>& values = entity->values[attribute];
  const Trap trap = seldom ? proto::Template::REPEATED_SELDOM
                           : proto::Template::SHORT_AND_LONG_LIST;
  Random random = PageRandom(trap, entity->id);
  size_t count = seldom ? 1 : std::min<size_t>(values.size(), kMostOfShort);
  if (Snaps(trap, 0.15, seldom ? 0.3 : 0.35, entity->id)) {
    const uint64_t least = seldom ? 2 : kMostOfShort + 1;
    const uint64_t most = is_long ? kMostOfLong : kMostOfSeldom;
    count = least + random.Below(most - least + 1);
  }
  values.resize(std::min(values.size(), count));
  while (values.size() < count) {
    const Entity other = MakeEntity(vertical, traits, random.Next());
    const std::string& value = other.values[attribute][0];
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(value);
    }
  }
}

void Traps::ChangeValues(const Vertical& vertical, const SiteTraits& traits,
                         Entity* entity) const {
  for (size_t i = 0; i < masks_.size(); ++i) {
    ChangeCount(vertical, traits, i, entity);
    if (Has(proto::Template::WORD_RANGE, i) &&
        vertical.attributes[i].form == AttributeForm::kName) {
      // Most firms have a name of one word.
      Random random = PageRandom(proto::Template::WORD_RANGE, entity->id);
      std::string& name = entity->values[i][0];
      name.clear();
      if (Snaps(proto::Template::WORD_RANGE, 0.15, 0.3, entity->id)) {
        AppendCompany(&random, &name);
      } else {
        name = Pick(Words().last_name(), &random);
      }
    }
  }
}

}  // namespace trommel::synth
