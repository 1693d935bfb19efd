#include "synth/trap_writer.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/base/strings.h"
#include "core/base/text.h"
#include "synth/blocks.h"
#include "synth/prose.h"
#include "synth/record.h"
#include "synth/trap_shapes.h"
#include "synth/words.h"

// What a trap looks like is chosen by the zone, as everything else is, so it is
// the same on all pages of a template; where it snaps is drawn for the page
// (traps.h). In every variant an editor who sees the page can tell what is the
// value; whether the language of rules can is another matter.

namespace trommel::synth {
namespace {

using proto::Template;

enum Salt {
  // 7000 to 7059 are those of trap_lists.cc.
  kTwiceSalt = 7060,
  kAnchorSalt = 7080,
  kWordSalt = 7100,
  kAddressSalt = 7120,
  kMissingSalt = 7140,
  kPlaceSalt = 7160,  // plus the attribute
};

// Where the second, not quite equal text of TEXT_AND_ADDRESS is.
enum class Second { kTrail, kAttribute, kCutText };

std::string CutShort(const std::string& text) {
  const size_t size = std::max<size_t>(3, text.size() * 6 / 10);
  if (size + 3 > text.size()) return text;
  std::string cut = text.substr(0, ValidUtf8Prefix(text.substr(0, size)));
  while (cut.back() == ' ') cut.pop_back();
  return cut + "...";
}

std::string InCase(std::string text, char first, char last) {
  for (char& c : text) {
    if (c >= first && c <= last) c = static_cast<char>(c ^ 32);
  }
  return text;
}

}  // namespace

std::string TrapWriter::UrlOf(std::string_view value) {
  std::string url = "/browse/";
  AppendSlug(value, '-', &url);
  return url;
}

int TrapWriter::Pick(int salt, int count) const {
  return Choose(page_.markup.zone(), Role::kFacts, salt, count);
}

bool TrapWriter::PickChance(int salt, double probability) const {
  return ChooseChance(page_.markup.zone(), Role::kFacts, salt, probability);
}

std::string TrapWriter::LabelOf(size_t attribute) const {
  return StrCat(Label(page_, attribute), ":");
}

void TrapWriter::AddTruth(size_t attribute, std::string_view value) {
  truth_.attributes[attribute].values.emplace_back(value);
}

bool TrapWriter::HasBlock(size_t attribute) const {
  return Has(Template::PAGE_ANCHORS, attribute) ||
         Has(Template::WORD_RANGE, attribute) ||
         (Has(Template::LINES_WITHOUT_LABELS, attribute) && !IsInAddressRow());
}

bool TrapWriter::IsAmongFacts(size_t attribute) const {
  return PickChance(kPlaceSalt + static_cast<int>(attribute), 0.5);
}

bool TrapWriter::IsInHeadline(size_t attribute) const {
  const std::string start = entity_.values[attribute][0] + " ";
  return Has(Template::WORD_RANGE, attribute) &&
         entity_.headline().rfind(start, 0) == 0 && PickChance(kWordSalt, 0.5);
}

void TrapWriter::WriteBlock(size_t attribute) {
  if (Has(Template::PAGE_ANCHORS, attribute)) WriteAmongOthers(attribute);
  if (Has(Template::WORD_RANGE, attribute)) WriteWords(attribute);
  if (Has(Template::LINES_WITHOUT_LABELS, attribute)) {
    WriteAddress(attribute, /*in_row=*/false);
  }
}

bool TrapWriter::HasValues(size_t attribute) const {
  return page_.traps.HasList(attribute) ||
         Has(Template::TEXT_AND_ADDRESS, attribute) ||
         Has(Template::LINES_WITHOUT_LABELS, attribute);
}

void TrapWriter::WriteValues(size_t attribute, bool in_paragraph) {
  if (Has(Template::TEXT_AND_ADDRESS, attribute)) {
    WriteTwice(attribute);
    return;
  }
  if (Has(Template::LINES_WITHOUT_LABELS, attribute)) {
    WriteAddress(attribute, /*in_row=*/true);
    return;
  }
  WriteAllValues(attribute, in_paragraph);
}

// TEXT_AND_ADDRESS.

std::string TrapWriter::AlmostTheSame(const std::string& value) const {
  if (!page_.traps.Snaps(Template::TEXT_AND_ADDRESS, 0.1, 0.35, entity_.id)) {
    return value;
  }
  std::string almost = value;
  switch (Pick(kTwiceSalt, 5)) {
    case 0:
      almost = CutShort(value);
      break;
    case 1:
      almost = InCase(value, 'a', 'z');
      break;
    case 2:
      almost = InCase(value, 'A', 'Z');
      break;
    case 3:
      almost = value.substr(0, value.rfind(' '));
      break;
    default:
      break;
  }
  return almost == value ? value + "/" : almost;
}

void TrapWriter::WriteTrail() {
  if (!Has(Template::TEXT_AND_ADDRESS, 0) ||
      static_cast<Second>(Pick(kTwiceSalt + 1, 3)) != Second::kTrail) {
    return;
  }
  page_.markup.Expand(
      ChooseShape(page_, Role::kBreadcrumb, kTwiceSalt + 2, TrailShapes()),
      Role::kBreadcrumb, {AlmostTheSame(entity_.headline())});
}

void TrapWriter::WriteTwice(size_t attribute) {
  Markup& markup = page_.markup;
  const std::string& value = entity_.values[attribute][0];
  AddTruth(attribute, value);
  const auto second = static_cast<Second>(
      attribute == 0 ? Pick(kTwiceSalt + 1, 3) : 1 + Pick(kTwiceSalt + 1, 2));
  if (second == Second::kTrail) {
    markup.Text(value);
    return;
  }
  const bool is_cut = second == Second::kCutText;
  const std::string_view shape =
      ChooseShape(page_, Role::kFacts, kTwiceSalt + 3,
                  is_cut ? CutTextShapes() : NearbyAddressShapes());
  const std::string address = is_cut ? value : AlmostTheSame(value);
  const std::string url = UrlOf(address);
  const std::string_view rest =
      markup.Expand(shape, Role::kFacts, {address, url});
  const bool snaps = is_cut && page_.traps.Snaps(Template::TEXT_AND_ADDRESS,
                                                 0.1, 0.35, entity_.id);
  markup.Text(snaps ? CutShort(value) : value);
  markup.Expand(rest, Role::kFacts, {address, url});
}

// PAGE_ANCHORS, LINES_WITHOUT_LABELS.

void TrapWriter::WriteLines(std::string_view shape,
                            absl::Span<const std::string> lines) {
  ItemList list(&page_, Role::kFacts, shape);
  list.Begin();
  for (const std::string& line : lines) {
    list.BeginItem();
    page_.markup.Text(line);
    list.EndItem();
  }
  list.End();
}

// The other values are the site's few: two pages may have the same.
std::string TrapWriter::Neighbour(int place, Random* random) const {
  const uint64_t number =
      random->Below(8 + static_cast<uint64_t>(Pick(kAnchorSalt, 24)));
  Random site(page_.traits.seed + number * 1000003 +
              static_cast<uint64_t>(place));
  std::string name;
  if (PickChance(kAnchorSalt + 1 + place, 0.5)) {
    AppendCompany(&site, &name);
  } else {
    const std::string& owner = synth::Pick(Words().last_name(), &site);
    StrAppend(&name, owner, " ", synth::Pick(Words().building(), &site));
  }
  return name;
}

void TrapWriter::WriteAmongOthers(size_t attribute) {
  const std::string& value = entity_.values[attribute][0];
  Random random = page_.traps.PageRandom(Template::PAGE_ANCHORS, entity_.id);
  const int num_before = 1 + Pick(kAnchorSalt + 6, 2);
  const int num_after = Pick(kAnchorSalt + 7, 3);
  // A line that some pages have: before or after, so that counting the lines
  // from the other end is right.
  const int optional = Pick(kAnchorSalt + 8, 3);
  const bool has_optional =
      page_.traps.Snaps(Template::PAGE_ANCHORS, 0.1, 0.35, entity_.id);
  std::vector<std::string> lines;
  const auto add = [&](int place) {
    std::string line = Neighbour(place, &random);
    while (line == value) line = Neighbour(place, &random);
    lines.push_back(std::move(line));
  };
  for (int i = 0; i < num_before; ++i) add(i);
  if (has_optional && optional == 1) add(2);
  lines.push_back(value);
  AddTruth(attribute, value);
  if (has_optional && optional == 2) add(2);
  for (int i = 0; i < num_after; ++i) add(3 + i);
  page_.markup.set_attribute("", false);
  WriteLines(
      ChooseShape(page_, Role::kFacts, kAnchorSalt + 9, BareLineShapes()),
      lines);
}

bool TrapWriter::IsInAddressRow() const {
  return PickChance(kAddressSalt, 0.25);
}

void TrapWriter::WriteAddress(size_t attribute, bool in_row) {
  Markup& markup = page_.markup;
  const std::string& address = entity_.values[attribute][0];
  const size_t comma = address.find(", ");
  std::vector<std::string> lines = {address.substr(0, comma)};
  Random random =
      page_.traps.PageRandom(Template::LINES_WITHOUT_LABELS, entity_.id);
  if (page_.traps.Snaps(Template::LINES_WITHOUT_LABELS, 0.1, 0.4, entity_.id)) {
    const std::string& street = synth::Pick(Words().street(), &random);
    lines.push_back(PickChance(kAddressSalt + 1, 0.5)
                        ? StrCat("at ", street)
                        : StrCat("(near ", street, ")"));
  }
  lines.push_back(address.substr(comma + 2));
  const std::string label = LabelOf(attribute);
  const int label_style = in_row ? 0 : Pick(kAddressSalt + 2, 4);
  if (label_style == 1) {
    markup.Expand(
        ChooseShape(page_, Role::kFacts, kAddressSalt + 3, LineLabelShapes()),
        Role::kFacts, {label});
  }
  const bool label_in_text = label_style == 2;
  if (PickChance(kAddressSalt + 4, 0.35)) {  // One value.
    const std::string_view rest =
        in_row ? std::string_view()
               : markup.Expand(ChooseShape(page_, Role::kFacts,
                                           kAddressSalt + 5, AddressShapes()),
                               Role::kFacts);
    if (label_in_text) markup.Text(label + " ");
    const std::string_view comma_or_not =
        PickChance(kAddressSalt + 6, 0.5) ? "," : "";
    std::string value;
    for (const std::string& line : lines) {
      if (!value.empty()) {
        StrAppend(&value, comma_or_not, " ");
        markup.Text(comma_or_not);
        markup.Expand("<br>", Role::kFacts);
        markup.Raw("\n");
      }
      value.append(line);
      markup.Text(line);
    }
    markup.Expand(rest, Role::kFacts);
    AddTruth(attribute, value);
    return;
  }
  for (const std::string& line : lines) AddTruth(attribute, line);
  if (label_in_text) lines[0] = StrCat(label, " ", lines[0]);
  WriteLines(ChooseShape(page_, Role::kFacts, kAddressSalt + 7,
                         in_row ? AddressCellShapes() : AddressLineShapes()),
             lines);
}

// WORD_RANGE.

// "A", "A and B", "A, B and C".
std::string TrapWriter::Joined(absl::Span<const std::string> values) const {
  const bool has_comma = std::any_of(
      values.begin(), values.end(),
      [](const std::string& value) { return value.find(',') != value.npos; });
  std::string joined;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_last = i + 1 == values.size();
    if (i > 0) joined.append(is_last ? " and " : has_comma ? "; " : ", ");
    joined.append(values[i]);
  }
  return joined;
}

std::string TrapWriter::WordsAfter(size_t attribute) const {
  Random random = page_.traps.PageRandom(Template::WORD_RANGE, ~entity_.id);
  switch (page_.vertical.attributes[attribute].form) {
    case AttributeForm::kPerson:
      return StrCat(", ", synth::Pick(Words().credit(), &random));
    case AttributeForm::kName: {
      const char letter = static_cast<char>('A' + random.Below(26));
      return StrCat(" ", std::string(2, letter), "-", random.Between(10, 99));
    }
    default:
      return StrCat(" ", synth::Pick(Words().remark(), &random));
  }
}

void TrapWriter::WriteWords(size_t attribute) {
  const std::vector<std::string>& values = entity_.values[attribute];
  for (const std::string& value : values) AddTruth(attribute, value);
  if (IsInHeadline(attribute)) return;
  std::string text;
  const bool has_words_before = PickChance(kWordSalt + 1, 0.7);
  if (has_words_before) {
    const bool is_by =
        page_.vertical.attributes[attribute].form == AttributeForm::kPerson &&
        PickChance(kWordSalt + 2, 0.5);
    text = is_by ? "by " : LabelOf(attribute) + " ";
  }
  text.append(Joined(values));
  const bool has_words_after =
      !has_words_before || PickChance(kWordSalt + 3, 0.6);
  const bool on_all = PickChance(kWordSalt + 4, 0.5);
  if (has_words_after &&
      (on_all || page_.traps.PageRandom(Template::WORD_RANGE, entity_.id + 1)
                     .Chance(0.6))) {
    text.append(WordsAfter(attribute));
  }
  const std::string_view rest = page_.markup.Expand(
      ChooseShape(page_, Role::kFacts, kWordSalt + 5, WordTextShapes()),
      Role::kFacts);
  page_.markup.Text(text);
  page_.markup.Expand(rest, Role::kFacts);
}

// MISSING_LABELLED.

std::optional<std::string_view> TrapWriter::MissingText(
    size_t attribute) const {
  enum Way { kNoRow, kNoRowToo, kText, kEmpty, kWays };
  int way = Pick(kMissingSalt + static_cast<int>(attribute), kWays + 1);
  if (way == kWays) {  // It differs by page.
    way = static_cast<int>(
        page_.traps.PageRandom(Template::MISSING_LABELLED, entity_.id)
            .Below(kWays));
  }
  if (way == kEmpty) return "";
  if (way != kText) return std::nullopt;
  const WordList& texts = Words().no_value();
  return texts[Pick(kMissingSalt + 20, texts.size())];
}

}  // namespace trommel::synth
