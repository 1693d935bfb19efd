#include "synth/blocks.h"

#include <algorithm>
#include <string>

#include "core/base/hash.h"
#include "synth/prose.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

// Salts of Choose(): one per decision, so that decisions are independent.
enum Salt {
  kBoxSalt = 1,
  kListSalt,
  kLinkSalt,
  kCardSalt,
  kReviewSalt,
  kProseSalt,
  kRowSalt,
  kAdSalt
};

constexpr std::string_view kSubheads[] = {"<h3.h>$0</h3>", "<p.h><b>$0</b></p>",
                                          "<h4><span.h>$0</span></h4>",
                                          "<div.h><strong>$0</strong></div>"};
constexpr std::string_view kParagraphs[] = {"<p.t>|</p?>", "<div.t>|</div>",
                                            "|<br><br>", "<p>|</p>",
                                            "<p.t><span>|</span></p>"};
constexpr std::string_view kFigures[] = {
    "<div.g><img[src=$0][alt=$1]><p.m>$1</p></div>",
    "<img.g[src=$0][align=right][alt=$1]>",
    "<table.g[align=right]><tr><td><img[src=$0]></td></tr><tr><td.m>$1</td>"
    "</tr></table>",
    "<a.a[href=$0]><img[src=$0][width=240]></a><br><small>$1</small>"};
constexpr std::string_view kAds[] = {
    "<div.b><script>adSlot($0);</script><noscript><a[href=$1]><img[src=$2]"
    "[width=300][height=250]></a></noscript></div>",
    "<center.b><small>Advertisement</small><br><a[href=$1]><img[src=$2]"
    "[border=0]></a></center>",
    "<div.b><iframe[src=$1][width=300][height=250][frameborder=0]></iframe>"
    "<div.m>Advertisement</div></div>",
    "<table.b[align=center]><tr><td><a[href=$1][target=_blank]><img[src=$2]>"
    "</a></td></tr><tr><td.m><a[href=/advertise]>Advertise here</a></td></tr>"
    "</table>"};

void AppendImage(Random* random, std::string* out) {
  out->append("/images/t/");
  AppendNumber(random->Below(90) + 10, out);
  out->push_back('/');
  AppendNumber(random->Below(9000000) + 1000000, out);
  out->append("_s.jpg");
}

void AppendDateSince(int first_year, const SiteTraits& traits, Random* random,
                     std::string* out) {
  const int day = static_cast<int>(random->Between(1, 28));
  const int month = static_cast<int>(random->Between(1, 12));
  const int year = static_cast<int>(random->Between(first_year, 2025));
  AppendDate(traits, year, month, day, out);
}

}  // namespace

std::string_view ChooseShape(const PageContext& page, Role role, int salt,
                             Shapes shapes) {
  return shapes[static_cast<size_t>(
      Choose(page.markup.zone(), role, salt, static_cast<int>(shapes.size())))];
}

Box::Box(PageContext* page, Role role) : page_(*page), role_(role) {
  const std::string_view shape =
      ChooseShape(page_, role, kBoxSalt, BoxShapes(page_.design.layout));
  rest_ = page_.markup.Expand(shape, role, {RoleTitle(role)});
}

Box::~Box() { page_.markup.Expand(rest_, role_); }

ItemList::ItemList(PageContext* page, Role role)
    : ItemList(page, role,
               ChooseShape(*page, role, kListSalt,
                           ListShapes(page->design.layout))) {}

ItemList::ItemList(PageContext* page, Role role, std::string_view shape)
    : page_(*page), role_(role) {
  for (std::string_view& piece : pieces_) {
    const size_t hole = std::min(shape.find('|'), shape.size());
    piece = shape.substr(0, hole);
    shape.remove_prefix(std::min(hole + 1, shape.size()));
  }
}

void ItemList::Begin() { page_.markup.Expand(pieces_[0], role_); }

void ItemList::BeginItem(absl::Span<const std::string_view> slots) {
  page_.markup.set_item(item_++);
  page_.markup.Expand(pieces_[1], role_, slots);
}

void ItemList::EndItem() { page_.markup.Expand(pieces_[2], role_); }

void ItemList::End() { page_.markup.Expand(pieces_[3], role_); }

void AppendLink(const PageContext& page, TemplateKind kind,
                std::string_view title, Random* random, std::string* out) {
  AppendPath(page.vertical, page.traits,
             {kind, "", 10000 + random->Below(800000), title}, out);
}

void WriteCards(PageContext* page, Role role, int count, Random* random) {
  const std::string_view shape =
      ChooseShape(*page, role, kCardSalt, CardShapes());
  ItemList list(page, role);
  list.Begin();
  for (int i = 0; i < count; ++i) {
    const std::string title =
        MakeHeadline(page->vertical, page->traits, random->Next());
    page->s1.clear();
    AppendLink(*page, TemplateKind::kDetail, title, random, &page->s1);
    page->s2.clear();
    AppendImage(random, &page->s2);
    page->s3.clear();
    AppendSentence(page->vertical.topic, random, &page->s3);
    page->s4.clear();
    AppendDecoyValue(*page, page->vertical.decoys[0], random, &page->s4);
    list.BeginItem();
    page->markup.Expand(shape, role,
                        {title, page->s1, page->s2, page->s3, page->s4});
    list.EndItem();
  }
  list.End();
}

void WriteLinks(PageContext* page, Role role, const WordList& texts, int first,
                int count, Random* random) {
  const std::string_view shape =
      ChooseShape(*page, role, kLinkSalt, LinkShapes());
  ItemList list(page, role);
  list.Begin();
  for (int i = first; i < first + count; ++i) {
    const std::string& text = texts[i];
    page->s1 = "/";
    AppendSlug(text, '-', &page->s1);
    if (random->Chance(0.3)) page->s1.append("?ref=nav&from=home");
    page->s2.clear();
    AppendNumber(random->Below(4000), &page->s2);
    list.BeginItem();
    page->markup.Expand(shape, role, {text, page->s1, page->s2});
    list.EndItem();
  }
  list.End();
}

void WriteReviews(PageContext* page, Role role, int count, Random* random) {
  const std::string_view shape =
      ChooseShape(*page, role, kReviewSalt, ReviewShapes());
  ItemList list(page, role);
  list.Begin();
  for (int i = 0; i < count; ++i) {
    page->s0.clear();
    AppendTitle(random, &page->s0);
    page->s1.clear();
    AppendParagraph(page->vertical.topic,
                    static_cast<int>(random->Between(2, 9)), random, &page->s1);
    page->s2.clear();
    AppendPerson(random, &page->s2);
    page->s3.clear();
    AppendDateSince(2019, page->traits, random, &page->s3);
    page->s4.clear();
    AppendNumber(random->Below(5) + 1, &page->s4);
    page->s5 = "/member/";
    AppendSlug(page->s2, '_', &page->s5);
    list.BeginItem();
    page->markup.Expand(
        shape, role,
        {page->s0, page->s1, page->s2, page->s3, page->s4, page->s5});
    list.EndItem();
  }
  list.End();
}

void WriteProse(PageContext* page, Role role, int paragraphs, Random* random) {
  Markup& markup = page->markup;
  const std::string_view paragraph =
      ChooseShape(*page, role, kProseSalt, kParagraphs);
  const std::string_view subhead =
      ChooseShape(*page, role, kProseSalt + 100, kSubheads);
  const std::string_view figure =
      ChooseShape(*page, role, kProseSalt + 200, kFigures);
  const bool has_subheads =
      ChooseChance(markup.zone(), role, kProseSalt + 300, 0.5);
  const bool has_figure =
      ChooseChance(markup.zone(), role, kProseSalt + 400, 0.5);
  for (int i = 0; i < paragraphs; ++i) {
    if (has_subheads && i % 3 == 1) {
      markup.Expand(subhead, role, {Pick(Words().headline(), random)});
    }
    if (has_figure && i == 1) {
      page->s0.clear();
      AppendImage(random, &page->s0);
      page->s1.clear();
      AppendTitle(random, &page->s1);
      markup.Expand(figure, role, {page->s0, page->s1});
    }
    const std::string_view rest = markup.Expand(paragraph, role);
    page->s0.clear();
    AppendParagraph(page->vertical.topic,
                    static_cast<int>(random->Between(2, 6)), random, &page->s0);
    markup.Text(page->s0);
    // A link in the running text now and then; at a fixed place, so that the
    // tags of a template's pages stay alike.
    if (i == 0) {
      markup.Raw(" ");
      markup.Expand("<a.a[href=$1]>$0</a>.", role,
                    {Pick(Words().headline(), random), "/features/index.html"});
    }
    markup.Expand(rest, role);
  }
}

void AppendDecoyValue(const PageContext& page, std::string_view label,
                      Random* random, std::string* out) {
  switch (Hash64(label) % 5) {
    case 0:
      AppendNumber(random->Below(900) + 1, out);
      out->append(random->Chance(0.5) ? " units" : " mm");
      return;
    case 1:
      out->append(Pick(Words().adjective(), random));
      out->push_back(' ');
      out->append(Pick(Words().noun(), random));
      return;
    case 2:
      AppendDateSince(1980, page.traits, random, out);
      return;
    case 3:
      AppendPerson(random, out);
      return;
    default:
      AppendPrice(page.traits, random->Between(5, 990) * 100 + 49, out);
      return;
  }
}

void WriteDecoyRows(PageContext* page, Role role, int count, Random* random) {
  const FactStyle style = static_cast<FactStyle>(
      Choose(page->markup.zone(), role, kRowSalt, kNumFactStyles - 1));
  ItemList list(page, role,
                ChooseShape(*page, role, kRowSalt + 100,
                            FactShapes(page->design.layout, style)));
  list.Begin();
  for (int i = 0; i < count; ++i) {
    const std::string& label =
        page->vertical.decoys[i % page->vertical.decoys.size()];
    page->s0.assign(label);
    page->s0.push_back(':');
    page->s2.clear();
    AppendSlug(label, '_', &page->s2);
    page->markup.set_attribute(page->s2, false);
    list.BeginItem({page->s0});
    page->s1.clear();
    AppendDecoyValue(*page, label, random, &page->s1);
    page->markup.Text(page->s1);
    list.EndItem();
  }
  page->markup.set_attribute("", false);
  list.End();
}

void WriteAd(PageContext* page, Role role) {
  Random random = page->DayRandom(role);
  page->s0.clear();
  AppendNumber(random.Below(90000) + 10000, &page->s0);
  page->s1 = "http://ads.example.net/click?c=" + page->s0 + "&z=";
  AppendNumber(random.Below(1000000000), &page->s1);
  page->s2 = "http://ads.example.net/b/" + page->s0 + ".gif";
  page->markup.Raw("<!-- ad ");
  page->markup.Raw(page->s0);
  page->markup.Raw(" -->");
  page->markup.Expand(ChooseShape(*page, role, kAdSalt, kAds), role,
                      {page->s0, page->s1, page->s2});
}

}  // namespace trommel::synth
