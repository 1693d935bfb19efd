#include "synth/content.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "absl/types/span.h"
#include "synth/blocks.h"
#include "synth/prose.h"
#include "synth/record.h"
#include "synth/sections.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

enum Salt { kOrderSalt = 501, kPresenceSalt };

// A block of a template. `share` is the share of the template's pages that
// have it; a block below 1 is also left out altogether by some templates.
struct Section {
  Role role;
  double share = 1.0;
};

constexpr Section kDetail[] = {
    {Role::kHeadline},    {Role::kFacts},       {Role::kDescription},
    {Role::kMedia},       {Role::kReviews},     {Role::kRelated},
    {Role::kShare},       {Role::kTabs},        {Role::kInlineAd},
    {Role::kNotice, 0.5}, {Role::kVendors},     {Role::kAwards, 0.4},
    {Role::kVideo, 0.6},  {Role::kCommentForm}, {Role::kGallery, 0.8},
};
constexpr Section kList[] = {
    {Role::kHeadline},    {Role::kResults},     {Role::kFilter},
    {Role::kPager},       {Role::kInlineAd},    {Role::kTopics},
    {Role::kNotice, 0.5}, {Role::kDescription}, {Role::kRelated, 0.7},
};
constexpr Section kReview[] = {
    {Role::kHeadline},    {Role::kReviews},    {Role::kRatings},
    {Role::kCommentForm}, {Role::kRelated},    {Role::kPager},
    {Role::kShare},       {Role::kInlineAd},   {Role::kNotice, 0.4},
    {Role::kAuthor},      {Role::kVideo, 0.3},
};
constexpr Section kSeller[] = {
    {Role::kHeadline}, {Role::kProfile}, {Role::kRatings}, {Role::kPolicies},
    {Role::kVendors},  {Role::kReviews}, {Role::kContact}, {Role::kAwards, 0.5},
    {Role::kRelated},  {Role::kShare},
};
constexpr Section kHelp[] = {
    {Role::kHeadline}, {Role::kQuestions},   {Role::kTopics},
    {Role::kContact},  {Role::kPolicies},    {Role::kSearchForm},
    {Role::kTabs},     {Role::kNotice, 0.4}, {Role::kArticleBody},
};
constexpr Section kSearch[] = {
    {Role::kHeadline},     {Role::kGallery}, {Role::kSearchForm},
    {Role::kFilter},       {Role::kPager},   {Role::kTopics},
    {Role::kInlineAd},     {Role::kTabs},    {Role::kNotice, 0.5},
    {Role::kRelated, 0.6},
};
constexpr Section kCart[] = {
    {Role::kHeadline}, {Role::kCartItems},   {Role::kCartSummary},
    {Role::kCheckout}, {Role::kRelated},     {Role::kPolicies},
    {Role::kTabs},     {Role::kNotice, 0.5}, {Role::kContact},
};
constexpr Section kArticle[] = {
    {Role::kHeadline},    {Role::kArticleBody},  {Role::kAuthor},
    {Role::kRelated},     {Role::kShare},        {Role::kReviews},
    {Role::kCommentForm}, {Role::kTopics},       {Role::kVideo, 0.5},
    {Role::kInlineAd},    {Role::kGallery, 0.3},
};

absl::Span<const Section> SectionsOf(TemplateKind kind) {
  static constexpr absl::Span<const Section> kAll[kNumTemplateKinds] = {
      kDetail, kList, kReview, kSeller, kHelp, kSearch, kCart, kArticle};
  return kAll[static_cast<int>(kind)];
}

constexpr size_t kMaxSections = 16;

// The order of a template's sections: the headline, then the others as the
// zone shuffles them.
size_t OrderSections(const PageContext& page, absl::Span<const Section> all,
                     std::array<Section, kMaxSections>* order) {
  const Zone& zone = page.markup.zone();
  std::array<int, kMaxSections> keys;
  size_t count = 0;
  for (const Section& section : all) {
    if (section.share < 1 &&
        !ChooseChance(zone, section.role, kPresenceSalt, 0.75)) {
      continue;
    }
    const int key =
        count == 0 ? -1 : Choose(zone, section.role, kOrderSalt, 1 << 24);
    size_t at = count++;
    for (; at > 0 && keys[at - 1] > key; --at) {
      keys[at] = keys[at - 1];
      (*order)[at] = (*order)[at - 1];
    }
    keys[at] = key;
    (*order)[at] = section;
  }
  return count;
}

// Moves the section that stands `move` + 1st in its kind's table (the heart of
// the page first) to the front, or to the end if there is nothing but optional
// sections before it. Only sections that all pages have are moved, so every
// page changes.
void MoveSection(absl::Span<const Section> all, int move, size_t count,
                 std::array<Section, kMaxSections>* order) {
  std::array<Role, kMaxSections> constant;
  size_t num_constant = 0;
  for (const Section& section : all) {
    if (section.share >= 1) constant[num_constant++] = section.role;
  }
  const Role role =
      constant[1 + static_cast<size_t>(move) % (num_constant - 1)];
  const auto begin = order->begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  const auto at = std::find_if(
      begin, end, [&](const Section& section) { return section.role == role; });
  if (at == end) return;
  const bool first = std::none_of(
      begin, at, [](const Section& section) { return section.share >= 1; });
  if (first) {
    std::rotate(at, at + 1, end);
  } else {
    std::rotate(begin, at, at + 1);
  }
}

void WriteResults(PageContext* page, const std::vector<PageEntity>& entities,
                  std::vector<record::Record>* records) {
  Markup& markup = page->markup;
  // Ids are unique on a page, so records in a list have none.
  const Zone* const outer = &markup.zone();
  Zone inner = *outer;
  inner.ids = false;
  const bool grid = RecordWriter::IsGrid(*page);
  ItemList list =
      grid ? ItemList(page, Role::kResults,
                      "<table.l[width=100%][border=1]>|<tr.i>|</tr>|</table>")
           : ItemList(page, Role::kResults);
  list.Begin();
  if (grid) RecordWriter::GridHeader(page);
  markup.set_zone(&inner);
  for (const PageEntity& item : entities) {
    RecordWriter writer(page, item.entity, &records->emplace_back());
    list.BeginItem();
    if (grid) {
      writer.GridRow(item.path);
    } else {
      writer.ListItem(item.path);
    }
    list.EndItem();
  }
  markup.set_zone(outer);
  list.End();
}

}  // namespace

void WriteContent(PageContext* page, int sections_moved,
                  const std::vector<PageEntity>& entities,
                  std::vector<record::Record>* records) {
  const absl::Span<const Section> all = SectionsOf(page->kind);
  std::array<Section, kMaxSections> order;
  const size_t count = OrderSections(*page, all, &order);
  for (int move = 0; move < sections_moved; ++move) {
    MoveSection(all, move, count, &order);
  }
  const bool detail = page->kind == TemplateKind::kDetail && !entities.empty();
  // The truth of a detail page is gathered over several blocks.
  record::Record unused;
  record::Record* record = detail ? &records->emplace_back() : &unused;
  const Entity none;
  const Entity& entity = detail ? entities[0].entity : none;
  RecordWriter writer(page, entity, record);
  for (size_t i = 0; i < count; ++i) {
    const Section& section = order[i];
    if (section.share < 1 &&
        !page->PageRandom(section.role).Chance(section.share)) {
      continue;
    }
    if (detail && section.role == Role::kHeadline) {
      WriteBreadcrumb(page);
      writer.Headline();
      writer.Byline();
      writer.Offer();
    } else if (detail && section.role == Role::kFacts) {
      const Box box(page, Role::kFacts);
      writer.Facts();
    } else if (section.role == Role::kResults) {
      const Box box(page, Role::kResults);
      WriteResults(page, entities, records);
    } else {
      WriteSection(page, section.role);
    }
  }
}

}  // namespace trommel::synth
