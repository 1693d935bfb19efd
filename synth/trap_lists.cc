// The traps of lists: REPEATED_SELDOM, LIST_TAIL, SHORT_AND_LONG_LIST.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "synth/blocks.h"
#include "synth/trap_shapes.h"
#include "synth/trap_writer.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

using proto::Template;

enum Salt { kListSalt = 7000, kShortSalt = 7020, kTailSalt = 7040 };

}  // namespace

struct TrapWriter::List {
  struct Item {
    std::string text;
    std::string remark = {};  // text behind its element
  };
  std::vector<Item> items;
  // A link that does not look like the items, before or after them.
  std::string before, after;
  int salt = kListSalt;
  bool in_paragraph = true;
};

void TrapWriter::WriteList(const List& list) {
  Markup& markup = page_.markup;
  const auto tail = [&](const std::string& text) {
    if (text.empty()) return;
    markup.Expand(ChooseShape(page_, Role::kFacts, list.salt + 1, TailShapes()),
                  Role::kFacts, {UrlOf(text), text});
  };
  const bool is_phrase = list.in_paragraph || PickChance(list.salt + 2, 0.6);
  const std::string_view shape =
      ChooseShape(page_, Role::kFacts, list.salt + 3,
                  is_phrase ? ValuePhraseShapes() : ValueListShapes());
  const bool is_text = shape.find("|||") != shape.npos;
  const absl::Span<const Joiner> joiners =
      is_text ? TextJoiners() : PhraseJoiners();
  const Joiner joiner =
      is_phrase ? joiners[static_cast<size_t>(
                      Pick(list.salt + 4, static_cast<int>(joiners.size())))]
                : Joiner{};
  tail(list.before);
  if (!list.before.empty()) markup.Expand(" ", Role::kFacts);
  ItemList items(&page_, Role::kFacts, shape);
  items.Begin();
  for (size_t i = 0; i < list.items.size(); ++i) {
    const List::Item& item = list.items[i];
    if (i > 0) {
      markup.Expand(
          i + 1 == list.items.size() ? joiner.before_last : joiner.between,
          Role::kFacts);
    }
    items.BeginItem({UrlOf(item.text)});
    markup.Text(item.text);
    if (is_phrase) items.EndItem();
    if (!item.remark.empty()) markup.Text(" " + item.remark);
    if (!is_phrase) items.EndItem();
  }
  items.End();
  if (!list.after.empty()) markup.Expand(is_text ? "<br>" : " ", Role::kFacts);
  tail(list.after);
}

std::string TrapWriter::OtherPerson(size_t attribute, Random* random) const {
  const std::vector<std::string>& values = entity_.values[attribute];
  while (true) {
    const Entity other =
        MakeEntity(page_.vertical, page_.traits, random->Next());
    const std::string& person = other.values[attribute][0];
    if (std::find(values.begin(), values.end(), person) == values.end()) {
      return person;
    }
  }
}

void TrapWriter::AddTail(size_t attribute, List* list) const {
  const bool on_all = PickChance(kTailSalt, 0.4);
  if (!on_all &&
      !page_.traps.Snaps(Template::LIST_TAIL, 0.3, 0.7, entity_.id)) {
    return;
  }
  const bool is_person =
      page_.vertical.attributes[attribute].form == AttributeForm::kPerson;
  const bool is_before = PickChance(kTailSalt + 1, 0.3);
  Random random = page_.traps.PageRandom(Template::LIST_TAIL, entity_.id);
  List::Item item;
  if (is_person && PickChance(kTailSalt + 2, 0.6)) {
    item.text = OtherPerson(attribute, &random);
    item.remark = StrCat("(", synth::Pick(Words().credit(), &random), ")");
  } else {
    const WordList& texts = Words().more_link();
    item.text = texts[Pick(kTailSalt + 3, texts.size())];
    if (PickChance(kTailSalt + 4, 0.3)) {
      (is_before ? list->before : list->after) = item.text;
      return;
    }
  }
  list->items.insert(is_before ? list->items.begin() : list->items.end(),
                     std::move(item));
}

void TrapWriter::WriteShortList(size_t attribute) {
  if (!Has(Template::SHORT_AND_LONG_LIST, attribute)) return;
  constexpr size_t kMost = 3;
  const std::vector<std::string>& values = entity_.values[attribute];
  List list;
  list.salt = kShortSalt;
  for (size_t i = 0; i < std::min(kMost, values.size()); ++i) {
    list.items.push_back({values[i]});
  }
  if (values.size() > kMost && PickChance(kShortSalt + 10, 0.5)) {
    list.after = "and others";
  }
  const std::string_view shape =
      ChooseShape(page_, Role::kByline, kShortSalt + 11, ShortListShapes());
  const std::string label = LabelOf(attribute);
  const std::string_view rest =
      page_.markup.Expand(shape, Role::kByline, {label});
  WriteList(list);
  page_.markup.Expand(rest, Role::kByline);
}

void TrapWriter::WriteAllValues(size_t attribute, bool in_paragraph) {
  List list;
  list.in_paragraph = in_paragraph;
  for (const std::string& value : entity_.values[attribute]) {
    list.items.push_back({value});
    AddTruth(attribute, value);
  }
  if (Has(Template::LIST_TAIL, attribute)) AddTail(attribute, &list);
  WriteList(list);
}

}  // namespace trommel::synth
