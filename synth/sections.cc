#include "synth/sections.h"

#include <string>
#include <string_view>

#include "core/base/strings.h"
#include "synth/blocks.h"
#include "synth/prose.h"
#include "synth/record.h"
#include "synth/shapes.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

using S = std::string_view;

enum Salt { kShapeSalt = 701, kPartSalt, kExtraSalt };

int Length(const PageContext& page, Random* random, int least, int most) {
  return static_cast<int>(random->Between(least, most)) +
         2 * page.design.richness;
}

void WriteTitle(PageContext* page, Random*) {
  WriteBreadcrumb(page);
  const S shape = ChooseShape(*page, Role::kHeadline, kShapeSalt,
                              HeadlineShapes(page->design.layout));
  static constexpr S kRemark = "Last reviewed by our editors";
  const S rest = page->markup.Expand(shape, Role::kHeadline, {kRemark});
  page->markup.Text(page->title);
  page->markup.Expand(rest, Role::kHeadline, {kRemark});
}

void WriteMedia(PageContext* page, Random* random) {
  static constexpr S kMain[] = {
      "<div.b#><a[href=$0]><img.g[src=$0][alt=$1][width=300]></a><p.m>Click "
      "to enlarge</p></div>",
      "<table.b[align=left]><tr><td><img.g[src=$0][alt=$1]></td></tr><tr><td.m"
      "[align=center]><font[size=1]><a[href=$0]>Larger photo</a></font></td>"
      "</tr></table>",
      "<div.b#><div.w><div.r><img.g[src=$0][alt=$1]><span.c></span></div>"
      "</div><div.m><a.u[href=$0]>Zoom</a></div></div>",
      "<p.b><img[src=$0][alt=$1][hspace=6]><br><em.m>$1</em></p?>"};
  page->s0 = "/images/large/";
  AppendNumber(random->Below(9000000), &page->s0);
  page->s0.append(".jpg");
  page->markup.Expand(ChooseShape(*page, Role::kMedia, kShapeSalt, kMain),
                      Role::kMedia, {page->s0, page->title});
}

void WriteShare(PageContext* page, Random*) {
  static constexpr S kItems[] = {
      "<a.a[href=/share/$0]><img[src=/i/s_$0.gif][alt=$0]></a>",
      "<span.i><a[href=/share/$0]>$0</a></span>",
      "<a.u[href=/share/$0]><i.c></i> $0 <b.m>0</b></a>",
      "<button.u[type=button]><span>$0</span></button>"};
  static constexpr S kBars[] = {"<div.b#>|</div>", "<p.b>Share: |</p>",
                                "<div.w><ul.b><li>|</li></ul></div>",
                                "<table.b><tr><td>|</td></tr></table>"};
  const S rest = page->markup.Expand(
      ChooseShape(*page, Role::kShare, kShapeSalt, kBars), Role::kShare);
  const S item = ChooseShape(*page, Role::kShare, kPartSalt, kItems);
  for (const S network : Words().network()) {
    page->markup.Expand(item, Role::kShare, {network});
  }
  page->markup.Expand(rest, Role::kShare);
}

void WriteTabs(PageContext* page, Random* random) {
  static constexpr S kBars[] = {"<div.b#>|</div>",
                                "<div.w><div.b>|</div></div>",
                                "<table.b><tr><td>|</td></tr></table>"};
  const S rest = page->markup.Expand(
      ChooseShape(*page, Role::kTabs, kShapeSalt, kBars), Role::kTabs);
  WriteLinks(page, Role::kTabs, Words().tab(), 0, Words().tab_size(), random);
  page->markup.Expand(rest, Role::kTabs);
}

void WriteNotice(PageContext* page, Random* random) {
  static constexpr S kNotices[] = {
      "<div.b><p.t>$0</p></div>", "<p.b><strong>Note:</strong> $0</p?>",
      "<table.b[border=1]><tr><td.t>$0</td></tr></table>",
      "<div.b><span.c>!</span><span.t>$0</span></div>"};
  page->s0.clear();
  AppendSentence(page->vertical.topic, random, &page->s0);
  page->markup.Expand(ChooseShape(*page, Role::kNotice, kShapeSalt, kNotices),
                      Role::kNotice, {page->s0});
}

// A table of stores or offers with several columns.
void WriteTable(PageContext* page, Role role, int rows, Random* random) {
  static constexpr S kRows[] = {
      "<tr.i><td.g><img[src=/i/store$2.gif]></td><td.n><a[href=/go?id=$2]>$0"
      "</a></td><td.m>$1</td><td.f>$3</td><td><a.u[href=/go?id=$2]>Visit</a>"
      "</td></tr>",
      "<tr><td.n><b>$0</b><br><small>$1</small></td><td.m[align=right]>$3</td>"
      "<td><form[action=/go]><input[type=hidden][name=i][value=$2]><input.u"
      "[type=submit][value=Select]></form></td></tr>",
      "<tr.i><td><input[type=checkbox][name=c$2]></td><td.n>$0</td><td.m><span>"
      "$3</span></td><td.t>$1</td></tr>"};
  static constexpr S kHeads[] = {
      "<table.l[width=100%]><thead><tr><th></th><th>Name</th><th>Notes</th>"
      "<th>Total</th><th></th></tr></thead><tbody>|</tbody></table>",
      "<table.l#[border=0][cellpadding=4]>|</table>",
      "<div.w><table.l><caption.h>Compare</caption>|<tr><td[colspan=4]>"
      "<a.a[href=/all]>Show all</a></td></tr></table></div>"};
  const S row = ChooseShape(*page, role, kPartSalt, kRows);
  const S rest =
      page->markup.Expand(ChooseShape(*page, role, kShapeSalt, kHeads), role);
  for (int i = 0; i < rows; ++i) {
    page->markup.set_item(i);
    page->s0.clear();
    AppendCompany(random, &page->s0);
    page->s1.clear();
    AppendSentence(page->vertical.topic, random, &page->s1);
    page->s2.clear();
    AppendNumber(random->Below(900), &page->s2);
    page->s3.clear();
    AppendPrice(page->traits, random->Between(10, 900) * 100 + 49, &page->s3);
    page->markup.Expand(row, role, {page->s0, page->s1, page->s2, page->s3});
  }
  page->markup.Expand(rest, role);
}

void WriteVideo(PageContext* page, Random* random) {
  static constexpr S kVideos[] = {
      "<div.b><object[width=420][height=300]><param[name=movie][value=$0]>"
      "</param><embed[src=$0]></embed></object><p.m>$1</p></div>",
      "<div.b#><video.g[controls][poster=/i/v.jpg]><source[src=$0]></video>"
      "<div.t>$1</div></div>",
      "<div.w><a.a[href=$0]><img[src=/i/play.gif]></a><span.m>$1</span></div>"};
  page->s0 = "/media/clip";
  AppendNumber(random->Below(100000), &page->s0);
  page->s1.clear();
  AppendTitle(random, &page->s1);
  page->markup.Expand(ChooseShape(*page, Role::kVideo, kShapeSalt, kVideos),
                      Role::kVideo, {page->s0, page->s1});
}

void WriteFilter(PageContext* page, Random* random) {
  Markup& markup = page->markup;
  static constexpr S kSorts[] = {"<a.a[href=?sort=$1]>$0</a> | ",
                                 "<span.i><a[href=?sort=$1]>$0</a></span> ",
                                 "<b.n>$0</b> <a.a[href=?sort=$1]>&darr;</a>"};
  static constexpr S kBoxes[] = {
      "<label.f><input[type=checkbox][name=f]> $0</label>",
      "<div.f><input[type=checkbox][name=f]><span>$0</span></div>",
      "<a.f[href=?f=$0]><i.c></i>$0</a><br>"};
  const S sort = ChooseShape(*page, Role::kFilter, kShapeSalt, kSorts);
  markup.Expand("<div.h>Sort by: ", Role::kFilter);
  for (size_t i = 0; i < page->vertical.attributes.size(); ++i) {
    markup.Expand(sort, Role::kFilter,
                  {Label(*page, i), page->vertical.attributes[i].name});
  }
  markup.Expand("</div><form.y[action=?]>", Role::kFilter);
  const S box = ChooseShape(*page, Role::kFilter, kPartSalt, kBoxes);
  for (int i = 0; i < 8; ++i) {
    markup.Expand(box, Role::kFilter, {Pick(Words().adjective(), random)});
  }
  markup.Expand("<input.u[type=submit][value=Apply]></form>", Role::kFilter);
}

void WritePager(PageContext* page, Random* random) {
  Markup& markup = page->markup;
  static constexpr S kPages[] = {"<a.a[href=?page=$0]>$0</a> ",
                                 "<span.i><a[href=?page=$0]>$0</a></span>",
                                 "[<a[href=?p=$0]>$0</a>] "};
  static constexpr S kBars[] = {
      "<div.b#><b>1</b> |<a.u[href=?page=2]>Next &raquo;</a></div>",
      "<table.b[align=center]><tr><td>|</td><td><a[href=?p=2]><img"
      "[src=/i/next.gif]></a></td></tr></table>",
      "<p.b><span.m>Page 1 of many</span> |</p>"};
  const S rest = markup.Expand(
      ChooseShape(*page, Role::kPager, kShapeSalt, kBars), Role::kPager);
  const int pages = Length(*page, random, 4, 9);
  const S shape = ChooseShape(*page, Role::kPager, kPartSalt, kPages);
  for (int i = 2; i < pages; ++i) {
    page->s0.clear();
    AppendNumber(static_cast<uint64_t>(i), &page->s0);
    markup.Expand(shape, Role::kPager, {page->s0});
  }
  markup.Expand(rest, Role::kPager);
}

void WriteRatings(PageContext* page, Random* random) {
  static constexpr S kRows[] = {
      "<div.i><span.n>$0 stars</span><div.w><div.c[style=width:$1%]></div>"
      "</div><span.m>$1%</span></div>",
      "<tr><td.n>$0</td><td><img[src=/i/bar.gif][height=8][width=$1]></td>"
      "<td.m>$1</td></tr>",
      "<li.i><a[href=?stars=$0]>$0</a> <em.m>($1)</em></li>"};
  static constexpr S kBars[] = {"<div.l#>|</div>", "<table.l>|</table>",
                                "<ol.l>|</ol>"};
  const int which = Choose(page->markup.zone(), Role::kRatings, kShapeSalt, 3);
  const S rest = page->markup.Expand(kBars[which], Role::kRatings);
  for (uint64_t stars = 5; stars > 0; --stars) {
    page->s0.clear();
    AppendNumber(stars, &page->s0);
    page->s1.clear();
    AppendNumber(random->Below(99) + 1, &page->s1);
    page->markup.Expand(kRows[which], Role::kRatings, {page->s0, page->s1});
  }
  page->markup.Expand(rest, Role::kRatings);
}

void WriteQuestions(PageContext* page, Random* random) {
  static constexpr S kItems[] = {
      "<h4.n><a[name=q$2]></a>$0?</h4><p.t>$1</p?>",
      "<p.n><b>Q:</b> $0?</p><p.t><b>A:</b> $1</p>",
      "<a.a[href=#q$2]>$0?</a><div.t><p>$1</p><span.m>Was this helpful? "
      "<a[href=?y=$2]>Yes</a> <a[href=?n=$2]>No</a></span></div>",
      "<strong.n>$0?</strong><br>$1<br><br>"};
  const S shape = ChooseShape(*page, Role::kQuestions, kShapeSalt, kItems);
  ItemList list(page, Role::kQuestions);
  list.Begin();
  const int count = Length(*page, random, 8, 18);
  for (int i = 0; i < count; ++i) {
    page->s0.clear();
    AppendTitle(random, &page->s0);
    page->s1.clear();
    AppendParagraph(page->vertical.topic,
                    static_cast<int>(random->Between(2, 6)), random, &page->s1);
    page->s2.clear();
    AppendNumber(static_cast<uint64_t>(i), &page->s2);
    list.BeginItem();
    page->markup.Expand(shape, Role::kQuestions,
                        {page->s0, page->s1, page->s2});
    list.EndItem();
  }
  list.End();
}

void WriteAuthor(PageContext* page, Random* random) {
  static constexpr S kAuthors[] = {
      "<div.g><img[src=/i/face.jpg][width=60]></div><div.t><b.n>$0</b><p>$1"
      "</p><a.a[href=/author]>More by this author</a></div>",
      "<p.m>By <a.a[href=/author]>$0</a></p><blockquote.t>$1</blockquote>",
      "<table.l><tr><td><img.g[src=/i/face.jpg]></td><td><font[size=2]><b>$0"
      "</b><br>$1</font></td></tr></table>"};
  page->s0.clear();
  AppendPerson(random, &page->s0);
  page->s1.clear();
  AppendParagraph(page->vertical.topic, 3, random, &page->s1);
  page->markup.Expand(ChooseShape(*page, Role::kAuthor, kShapeSalt, kAuthors),
                      Role::kAuthor, {page->s0, page->s1});
}

// A form of several fields.
void WriteFields(PageContext* page, Role role, Random*) {
  static constexpr S kFields[] = {
      "<div.f><label.n>$0</label><input[type=text][name=$1]></div>",
      "<tr><td.n[align=right]>$0:</td><td><input.f[name=$1][size=30]><font"
      "[color=red]>*</font></td></tr>",
      "<dt.n>$0</dt><dd.f><input[name=$1]></dd>",
      "<p.f>$0<br><input[name=$1]><span.m></span></p>"};
  static constexpr S kForms[] = {
      "<form.y#[action=/send][method=post]>|<button.u>Continue</button></form>",
      "<form[action=/send][method=post]><table.l>|<tr><td></td><td><input.u"
      "[type=submit]></td></tr></table></form>",
      "<form[action=/send][method=post]><dl.l>|</dl><input.u[type=submit]>"
      "</form>",
      "<form.y[action=/send][method=post]><fieldset>|<input.u[type=image]"
      "[src=/i/send.gif]></fieldset></form>"};
  const int which = Choose(page->markup.zone(), role, kShapeSalt, 4);
  const S rest = page->markup.Expand(kForms[which], role);
  for (const S name : Words().form_field()) {
    page->s0.clear();
    AppendSlug(name, '_', &page->s0);
    page->markup.Expand(kFields[which], role, {name, page->s0});
  }
  page->markup.Expand(rest, role);
}

void WriteSearchForm(PageContext* page, Random*) {
  static constexpr S kForms[] = {
      "<form.b#[action=/search]><table><tr><td>Words:</td><td><input[name=q]"
      "[value=$0]></td></tr><tr><td>In:</td><td><select[name=in]><option>All"
      "</option><option>Titles</option></select></td></tr></table></form>",
      "<form.b[action=/search]><div.f><input[name=q][value=$0]><button.u>"
      "Search</button></div><p.m><a[href=/advanced]>Advanced</a> <a"
      "[href=/tips]>Tips</a></p></form>",
      "<fieldset.b><legend>Search again</legend><form[action=/search]><input"
      "[name=q][value=$0]><label><input[type=radio][name=m]>any</label><label>"
      "<input[type=radio][name=m]>all</label><input[type=submit]></form>"
      "</fieldset>"};
  page->markup.Expand(ChooseShape(*page, Role::kSearchForm, kShapeSalt, kForms),
                      Role::kSearchForm, {page->title});
}

}  // namespace

void WriteBreadcrumb(PageContext* page) {
  Random random = page->PageRandom(Role::kBreadcrumb);
  static constexpr S kTrails[] = {
      "<div.b#><a[href=/]>Home</a> &gt; <a[href=/$1]>$0</a> &gt; $2</div>",
      "<ul.b#><li><a[href=/]>Home</a></li?><li><a[href=/$1]>$0</a></li?><li.m>"
      "$2</li?></ul>",
      "<p.b><small><a[href=/]>Home</a> : <a[href=/$1]>$0</a></small></p>",
      "<div.b><a.a[href=/]><span>Home</span></a><i.c></i><a.a[href=/$1]><span>"
      "$0</span></a><i.c></i><b.m>$2</b></div>",
      "<font.b[size=1]>You are here: <a[href=/]>Home</a> / <a[href=/$1]>$0</a>"
      "</font><br>"};
  const S category = Pick(page->vertical.categories, &random);
  page->s0.clear();
  AppendSlug(category, '-', &page->s0);
  page->markup.Expand(
      ChooseShape(*page, Role::kBreadcrumb, kShapeSalt, kTrails),
      Role::kBreadcrumb, {category, page->s0, page->title});
}

void WriteSection(PageContext* page, Role role) {
  Random random = page->PageRandom(role);
  // The stream's first number decided whether the block is on the page.
  random.Next();
  switch (role) {
    // Blocks without a box.
    case Role::kHeadline:
      return WriteTitle(page, &random);
    case Role::kMedia:
      return WriteMedia(page, &random);
    case Role::kShare:
      return WriteShare(page, &random);
    case Role::kTabs:
      return WriteTabs(page, &random);
    case Role::kNotice:
      return WriteNotice(page, &random);
    case Role::kInlineAd:
      return WriteAd(page, role);
    case Role::kVideo:
      return WriteVideo(page, &random);
    case Role::kPager:
      return WritePager(page, &random);
    case Role::kSearchForm:
      return WriteSearchForm(page, &random);
    default:
      break;
  }
  const Box box(page, role);
  const bool reviews_page = page->kind == TemplateKind::kReview;
  switch (role) {
    case Role::kReviews:
      return WriteReviews(page, role,
                          reviews_page ? Length(*page, &random, 8, 18)
                                       : Length(*page, &random, 2, 10),
                          &random);
    case Role::kRelated:
    case Role::kGallery:
      return WriteCards(page, role, Length(*page, &random, 4, 11), &random);
    case Role::kVendors:
    case Role::kCartItems:
      return WriteTable(page, role, Length(*page, &random, 3, 9), &random);
    case Role::kAwards:
    case Role::kTopics:
      return WriteLinks(page, role, Words().headline(), 0,
                        static_cast<int>(random.Between(5, kMaxHeadlineLinks)),
                        &random);
    case Role::kCommentForm:
      page->s0.clear();
      StrAppend(&page->s0, absl::Hex(page->day_seed, absl::kZeroPad16));
      page->markup.Expand(
          ChooseShape(*page, role, kExtraSalt, CommentFormShapes()), role,
          {RolePrompt(role), page->s0});
      return;
    case Role::kFilter:
      return WriteFilter(page, &random);
    case Role::kQuestions:
      return WriteQuestions(page, &random);
    case Role::kAuthor:
      return WriteAuthor(page, &random);
    case Role::kCartSummary:
    case Role::kProfile:
      return WriteDecoyRows(page, role, 8, &random);
    case Role::kCheckout:
    case Role::kContact:
      return WriteFields(page, role, &random);
    case Role::kRatings:
      return WriteRatings(page, &random);
    case Role::kArticleBody:
      return WriteProse(page, role, Length(*page, &random, 6, 14), &random);
    default:
      return WriteProse(page, role, Length(*page, &random, 2, 5), &random);
  }
}

}  // namespace trommel::synth
