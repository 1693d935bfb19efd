#ifndef TROMMEL_SYNTH_BLOCKS_H_
#define TROMMEL_SYNTH_BLOCKS_H_

#include <string_view>

#include "synth/context.h"
#include "synth/shapes.h"
#include "synth/words.h"

namespace trommel::synth {

// The building blocks of pages. Each is written in the context's current zone,
// with the shapes that the zone chooses for the role, and draws its texts from
// the page's stream for that role (chrome blocks: from the site's).

// The titled box of a role around what is written between construction and
// destruction.
class Box {
 public:
  Box(PageContext* page, Role role);
  ~Box();
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

 private:
  PageContext& page_;
  Role role_;
  std::string_view rest_;
};

// A list in one of `shapes`, by default those of the layout.
class ItemList {
 public:
  ItemList(PageContext* page, Role role);
  ItemList(PageContext* page, Role role, std::string_view shape);

  void Begin();
  void BeginItem(absl::Span<const std::string_view> slots = {});
  void EndItem();
  void End();

 private:
  PageContext& page_;
  Role role_;
  std::string_view pieces_[4];
  int item_ = 0;
};

// The shape that the zone chooses for the role.
std::string_view ChooseShape(const PageContext& page, Role role, int salt,
                             Shapes shapes);

// A list of `count` cards about other things of the vertical.
void WriteCards(PageContext* page, Role role, int count, Random* random);

// A list of links with `count` of the texts, from number `first` on.
void WriteLinks(PageContext* page, Role role, const WordList& texts, int first,
                int count, Random* random);

// A list of `count` opinions.
void WriteReviews(PageContext* page, Role role, int count, Random* random);

// Paragraphs of prose; some roles have subheadings, pictures or pull quotes.
void WriteProse(PageContext* page, Role role, int paragraphs, Random* random);

// Rows of label and value that belong to no record.
void WriteDecoyRows(PageContext* page, Role role, int count, Random* random);

// A value for a label that belongs to no record; always of the same type for
// one label.
void AppendDecoyValue(const PageContext& page, std::string_view label,
                      Random* random, std::string* out);

// An advertisement: the same tags every day, another campaign.
void WriteAd(PageContext* page, Role role);

// A path on the site to some other page of this kind.
void AppendLink(const PageContext& page, TemplateKind kind,
                std::string_view title, Random* random, std::string* out);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_BLOCKS_H_
