// Records on list pages: items and rows of a grid.
#include "core/base/hash.h"
#include "synth/prose.h"
#include "synth/record.h"
#include "synth/shapes.h"

namespace trommel::synth {
namespace {

enum Salt { kGridSalt = 260, kListShapeSalt = 151 };

constexpr std::string_view kItemHeadlines[] = {
    "<h3.n><a.a[href=$0]>|</a></h3>", "<a.a[href=$0]><b>|</b></a><br>",
    "<div.n><a[href=$0]>|</a></div>", "<strong.n><a[href=$0]>|</a></strong>",
    "<h4><a.a[href=$0][title=Details]>|</a></h4>"};
constexpr std::string_view kItemImages[] = {
    "<div.g><a[href=$0]><img[src=$1][width=90]></a></div>",
    "<a.g[href=$0]><img[src=$1][border=0][align=left]></a>",
    "<img.g[src=$1][alt=]>", ""};

}  // namespace

void RecordWriter::ListItem(std::string_view url) {
  Markup& markup = page_.markup;
  Random random(Mix64(entity_.id));
  page_.s0 = "/images/t/";
  AppendNumber(random.Below(10000000), &page_.s0);
  page_.s0.append(".jpg");
  markup.Expand(ChooseShape(page_, Role::kResults, kGridSalt + 1, kItemImages),
                Role::kResults, {url, page_.s0});
  const std::string_view rest = markup.Expand(
      ChooseShape(page_, Role::kResults, kGridSalt + 2, kItemHeadlines),
      Role::kResults, {url});
  WriteValues(0, /*plain=*/true);
  markup.Expand(rest, Role::kResults, {url});
  const FactStyle style = StyleOfFacts(page_, Role::kResults);
  const bool plain = style == FactStyle::kLabelInText;
  ItemList facts(&page_, Role::kResults,
                 ChooseShape(page_, Role::kResults, kListShapeSalt,
                             FactShapes(page_.design.layout, style)));
  facts.Begin();
  for (size_t i = 1; i < page_.vertical.attributes.size(); ++i) {
    Row(i, Role::kResults, plain, &facts);
  }
  markup.set_attribute("", false);
  facts.End();
  if (ChooseChance(markup.zone(), Role::kResults, kGridSalt + 3, 0.6)) {
    page_.s1.clear();
    AppendSentence(page_.vertical.topic, &random, &page_.s1);
    markup.Expand("<p.t>$0</p>", Role::kResults, {page_.s1});
  }
}

bool RecordWriter::IsGrid(const PageContext& page) {
  return page.design.layout == PageLayout::kTables &&
         ChooseChance(page.markup.zone(), Role::kResults, kGridSalt, 0.5);
}

void RecordWriter::GridHeader(PageContext* page) {
  page->markup.Expand("<tr>|", Role::kResults);
  for (size_t i = 0; i < page->vertical.attributes.size(); ++i) {
    if (!Shown(*page, i)) continue;
    page->markup.Expand("<th.n>$0</th>", Role::kResults, {Label(*page, i)});
  }
  page->markup.Expand("</tr>", Role::kResults);
}

void RecordWriter::GridRow(std::string_view url) {
  Markup& markup = page_.markup;
  for (size_t i = 0; i < page_.vertical.attributes.size(); ++i) {
    if (!Shown(page_, i)) continue;
    markup.set_attribute(page_.vertical.attributes[i].name, attribute_classes_);
    markup.Expand("<td.v>", Role::kResults);
    if (i == 0) {
      const std::string_view rest =
          markup.Expand("<a[href=$0]>|</a>", Role::kResults, {url});
      WriteValues(i, /*plain=*/true);
      markup.Expand(rest, Role::kResults);
    } else if (Missing(i)) {
      markup.Raw("&nbsp;");
    } else {
      WriteValues(i, /*plain=*/false);
    }
    markup.Expand("</td>", Role::kResults);
  }
  markup.set_attribute("", false);
}

}  // namespace trommel::synth
