#ifndef TROMMEL_SYNTH_TRAP_WRITER_H_
#define TROMMEL_SYNTH_TRAP_WRITER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "synth/context.h"
#include "synth/entity.h"
#include "synth/truth.h"

namespace trommel::synth {

// Prints the attributes of a detail page that traps are laid for, and notes
// their values as an editor would give them who sees the page.
class TrapWriter {
 public:
  // `truth` has an entry for each attribute. All must outlive the writer.
  TrapWriter(PageContext* page, const Entity& entity, record::Record* truth)
      : page_(*page), entity_(entity), truth_(*truth) {}

  // Whether the attribute is printed by WriteBlock(), in a place of its own,
  // and not in a row or line that others have too; and whether that place is
  // among the facts rather than below the headline.
  bool HasBlock(size_t attribute) const;
  bool IsAmongFacts(size_t attribute) const;
  void WriteBlock(size_t attribute);

  // Whether the attribute is nowhere but in the headline, which no page lacks:
  // WriteBlock() notes its value only.
  bool IsInHeadline(size_t attribute) const;

  // What a trap adds to the top of the page; nothing without such a trap.
  void WriteTrail();
  void WriteShortList(size_t attribute);

  // Whether WriteValues() prints the attribute's values where others have
  // theirs. In a paragraph it must keep to phrases.
  bool HasValues(size_t attribute) const;
  void WriteValues(size_t attribute, bool in_paragraph);

  // What the row of the attribute, which is missing on this page, says instead
  // of a value; nothing where there is no row.
  std::optional<std::string_view> MissingText(size_t attribute) const;

 private:
  struct List;

  bool Has(Trap trap, size_t attribute) const {
    return page_.traps.Has(trap, attribute);
  }
  int Pick(int salt, int count) const;
  bool PickChance(int salt, double probability) const;
  std::string LabelOf(size_t attribute) const;
  void AddTruth(size_t attribute, std::string_view value);

  static std::string UrlOf(std::string_view value);
  void WriteAllValues(size_t attribute, bool in_paragraph);
  void WriteList(const List& list);
  void AddTail(size_t attribute, List* list) const;
  std::string OtherPerson(size_t attribute, Random* random) const;

  void WriteTwice(size_t attribute);
  std::string AlmostTheSame(const std::string& value) const;

  void WriteLines(std::string_view shape, absl::Span<const std::string> lines);
  void WriteAmongOthers(size_t attribute);
  std::string Neighbour(int place, Random* random) const;
  void WriteWords(size_t attribute);
  std::string Joined(absl::Span<const std::string> values) const;
  std::string WordsAfter(size_t attribute) const;
  bool IsInAddressRow() const;
  void WriteAddress(size_t attribute, bool in_row);

  PageContext& page_;
  const Entity& entity_;
  record::Record& truth_;
};

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_TRAP_WRITER_H_
