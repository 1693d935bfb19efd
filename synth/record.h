#ifndef TROMMEL_SYNTH_RECORD_H_
#define TROMMEL_SYNTH_RECORD_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/blocks.h"
#include "synth/context.h"
#include "synth/entity.h"
#include "synth/trap_writer.h"
#include "synth/truth.h"

namespace trommel::synth {

// Prints a record and notes what it printed. The site decides which attributes
// it ever shows, the page which of these it lacks, the template where the rest
// stand and in what order.
class RecordWriter {
 public:
  // `truth` gets an entry per attribute, filled as values are printed.
  RecordWriter(PageContext* page, const Entity& entity, record::Record* truth);

  // The parts of a detail page. Byline() and Offer() print nothing where the
  // template has all attributes among the facts.
  void Headline();
  void Byline();
  void Offer();
  void Facts();

  // The inside of an item of a list page; `url` is the record's own page.
  void ListItem(std::string_view url);

  // Some lists are tables with a column per attribute.
  static bool IsGrid(const PageContext& page);
  static void GridHeader(PageContext* page);
  void GridRow(std::string_view url);

 private:
  // Whether the site shows the attribute on pages of this kind at all. The
  // first of the facts is always there on detail pages.
  static bool Shown(const PageContext& page, size_t attribute);
  static FactStyle StyleOfFacts(const PageContext& page, Role role);
  AttributePlacement PlacementOf(size_t attribute) const;
  bool Missing(size_t attribute) const;
  void WriteValues(size_t attribute, bool plain);
  void WriteRepeated(size_t attribute);
  // What the row of an attribute that is missing says; nothing: there is none.
  std::optional<std::string_view> TextOfMissing(size_t attribute,
                                                Role role) const;
  // A row of facts for an attribute, unless it is missing without a word.
  void Row(size_t attribute, Role role, bool plain, ItemList* list);
  void DecoyRow(size_t decoy, ItemList* list);
  // Where an attribute that traps are laid for has a place of its own.
  void TrapBlocks(bool among_facts);

  PageContext& page_;
  const Entity& entity_;
  record::Record& truth_;
  // Names carry the attribute: class="director" rather than class="value".
  bool attribute_classes_;
  // Whether values are written into a paragraph, which ends where a list or box
  // begins.
  bool in_paragraph_ = true;
  TrapWriter traps_;
};

// The wording of an attribute's label on this site and day, without the
// separator.
std::string_view Label(const PageContext& page, size_t attribute);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_RECORD_H_
