#ifndef TROMMEL_SYNTH_DESIGN_H_
#define TROMMEL_SYNTH_DESIGN_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "synth/roles.h"

namespace trommel::synth {

// How a site is built: the agency's habits, drawn from a seed. A design holds
// choices only, no markup and no names, so it is made anew for every page in
// well under a microsecond and nothing needs to be kept between pages.
enum class PageLayout {
  kTables,           // nested tables, font tags, spacer images
  kUtilityDivs,      // divs with utility or hashed classes
  kSemantic,         // section, article, header, figure
  kClassicDivs,      // divs with ids, lists, clearing elements
  kDefinitionLists,  // dl, fieldset, lists inside lists
};
inline constexpr int kNumLayouts = 5;

enum class Naming {
  kHyphens,       // review-item
  kUnderscores,   // review_item
  kCamelCase,     // reviewItem
  kBlockElement,  // review__item
  kPrefixed,      // abcReviewItem
  kHashed,        // css-1q8zk3
  kUtility,       // flex p-4 text-sm
};

enum class Indent { kNone, kNewlines, kTabs, kTwoSpaces, kFourSpaces };
enum class Quotes { kDouble, kSingle, kWhereNeeded };
enum class NonAscii { kBytes, kNamed, kDecimal, kHex };

struct Design {
  uint64_t seed;
  PageLayout layout;
  Naming naming;
  Indent indent;
  Quotes quotes;
  NonAscii non_ascii;
  bool uppercase_tags;
  bool closes_void_tags;  // <br /> in place of <br>
  bool drops_end_tags;    // leaves </li>, </p>, </dd> out
  bool raw_ampersands;    // "Bags & Cases", href="?a=1&b=2"
  bool quote_entities;    // &#39; and &quot;
  bool malformed;         // stray end tags, misnested inline tags
  bool zebra;             // list items are "odd" and "even"
  bool sidebar_first;
  double id_share;  // of boxes that have an id
  char prefix[4];   // for Naming::kPrefixed and hashed names
  int richness;     // 0 to 2: how long its lists are
};

// The design of the site with this seed after `redesigns` redesigns. Two
// successive designs never have the same layout.
Design MakeDesign(uint64_t site_seed, int redesigns);

// One of the two areas of a page. The chrome (header, navigation, sidebar,
// footer) is the same on all templates of a site; the content area belongs to
// one template. Shapes and names come from separate seeds, so that names can
// change under unchanged markup.
struct Zone {
  uint64_t shape_seed;
  uint64_t name_seed;
  int renames;  // of classes
  bool ids;
};

Zone ChromeZone(const Design& design);
Zone ContentZone(const Design& design, std::string_view template_name,
                 int renames, bool ids);

// The zone's choice among `count` alternatives for a role. `salt` tells apart
// the choices to be made for one role.
int Choose(const Zone& zone, Role role, int salt, int count);
// The zone's choice between yes, with this probability, and no.
bool ChooseChance(const Zone& zone, Role role, int salt, double probability);

// Appends the value of the class attribute of a part; appends nothing when the
// design gives it none. `attribute` is the record attribute that the element
// carries, or empty.
void AppendClass(const Design& design, const Zone& zone, Role role, Part part,
                 std::string_view attribute, std::string* out);

// Appends the id of a role's box or of an attribute's element; nothing when
// there is none.
void AppendId(const Design& design, const Zone& zone, Role role,
              std::string_view attribute, std::string* out);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_DESIGN_H_
