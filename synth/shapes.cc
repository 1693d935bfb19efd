#include "synth/shapes.h"

namespace trommel::synth {
namespace {

using S = std::string_view;

// One table per layout, in the order of PageLayout.
template <size_t N>
Shapes ByLayout(const Shapes (&tables)[N], PageLayout layout) {
  static_assert(N == kNumLayouts);
  return tables[static_cast<int>(layout)];
}

constexpr S kTableBoxes[] = {
    "<table.b#[width=100%][border=0][cellpadding=0][cellspacing=0]><tr>"
    "<td.h[bgcolor=#e0e0e8]><b>$0</b></td></tr><tr><td.y>|</td></tr></table>",
    "<table.b#[width=100%][cellpadding=2]><tr><td[colspan=2]>"
    "<font[face=arial][size=2]><b>$0</b></font></td></tr><tr><td[width=4]>"
    "<img[src=/i/sp.gif][width=4][height=1][alt=]></td><td.y>|</td></tr>"
    "</table><br>",
    "<table.b#[border=0]><tr><th.h[align=left]>$0</th></tr><tr>"
    "<td[height=1][bgcolor=#999999]><img[src=/i/sp.gif][height=1][width=1]>"
    "</td></tr><tr><td.y[valign=top]>|</td></tr></table>",
    "<h3.h>$0</h3><table.b#[width=98%]><tr><td.y>|</td></tr></table>"
    "<hr[size=1][noshade]>",
    "<table.b#[width=100%][cellspacing=1][bgcolor=#cccccc]><tr><td><table.r"
    "[width=100%][bgcolor=#ffffff]><tr><td.h><font[color=#003366]>$0</font>"
    "</td></tr><tr><td.y>|</td></tr></table></td></tr></table>",
};
constexpr S kUtilityBoxes[] = {
    "<div.b#><div.w><div.h><h3.t>$0</h3></div><div.y>|</div></div></div>",
    "<div.b#><div.h><span.t>$0</span><a.a[href=#more]>More</a></div><div.y>"
    "<div.r>|</div></div></div>",
    "<div.w><div.b#><h2.h>$0</h2>|</div></div>",
    "<div.b#><div.w><div.r><div.h><h3>$0</h3><i.c></i></div></div><div.y>|"
    "</div></div></div>",
    "<div.w><div.r><div.b#><div.h><div.t>$0</div></div><div.y><div.f>|</div>"
    "</div></div></div></div>",
};
constexpr S kSemanticBoxes[] = {
    "<section.b#><header.h><h2>$0</h2></header>|</section>",
    "<section.b#><h2.h>$0</h2><div.y>|</div></section>",
    "<article.b#><header><h3.h>$0</h3><p.m>Updated weekly</p></header>"
    "<div.y>|</div><footer.m><a[href=#top]>Back to top</a></footer></article>",
    "<section.b#><details.y[open]><summary.h>$0</summary>|</details>"
    "</section>",
    "<section.b#[aria-label=$0]><div.r><h2.h><span>$0</span></h2><hr>|</div>"
    "</section>",
};
constexpr S kClassicBoxes[] = {
    "<div.b#><div.h><h3>$0</h3></div><div.y>|</div><div.w></div></div>",
    "<div.b#><h4.h><span>$0</span></h4><div.y>|<div.m[style=clear:both]>"
    "</div></div></div>",
    "<div.b#><b.c><b></b></b><div.r><h3.h>$0</h3>|</div><b.c><b></b></b>"
    "</div>",
    "<a[name=s]></a><h2.h>$0</h2><div.b#>|</div>",
    "<div.w><div.b#><div.h><div.c></div><h3>$0</h3><p.m><a[href=#]>See all"
    "</a></p></div><div.y>|</div></div></div>",
};
constexpr S kDefinitionBoxes[] = {
    "<fieldset.b#><legend.h>$0</legend>|</fieldset>",
    "<dl.b#><dt.h>$0</dt?><dd.y>|</dd?></dl>",
    "<div.b#><p.h><strong>$0</strong></p><div.y>|</div></div>",
    "<ul.b#><li.h><b>$0</b></li?><li.y>|</li?></ul>",
    "<div.b#><dl><dt.h><span>$0</span></dt><dd.y><div.r>|</div></dd></dl>"
    "</div>",
};

constexpr S kTableLists[] = {
    "<table.l[width=100%]>|<tr.i><td[valign=top]>|</td></tr>|</table>",
    "<table.l[cellpadding=3]>|<tr><td[width=10]>&#8226;</td><td.i>|</td></tr>|"
    "</table>",
    "<ul.l>|<li.i>|</li?>|</ul>",
    "<table.l[border=0]><tbody>|<tr.i><td.c><img[src=/i/arrow.gif]></td><td>|"
    "</td></tr><tr><td[colspan=2][height=4]></td></tr>|</tbody></table>",
};
constexpr S kUtilityLists[] = {
    "<div.l>|<div.i>|</div>|</div>",
    "<div.l>|<div.i><div.r>|</div></div>|</div>",
    "<ul.l>|<li.i><div.r>|</div></li>|</ul>",
    "<div.l><div.w>|<div.i><div.r><div.y>|</div></div></div>|</div></div>",
};
constexpr S kSemanticLists[] = {
    "<ul.l>|<li.i>|</li?>|</ul>",
    "<ol.l>|<li.i><article>|</article></li>|</ol>",
    "<div.l>|<article.i>|</article>|</div>",
    "<div.l>|<section.i><div.r>|</div></section>|</div>",
};
constexpr S kClassicLists[] = {
    "<ul.l>|<li.i>|</li?>|</ul>",
    "<div.l>|<div.i>|</div>|<div.w></div></div>",
    "<ol.l>|<li.i><div.r>|</div></li?>|</ol>",
    "<ul.l>|<li.i><div.c></div>|<div.w></div></li?>|</ul>",
};
constexpr S kDefinitionLists[] = {
    "<dl.l>|<dd.i>|</dd?>|</dl>",
    "<dl.l>|<dt.n>&nbsp;</dt><dd.i>|</dd?>|</dl>",
    "<ul.l>|<li.i>|</li?>|</ul>",
    "<ol.l>|<li.i><div.r>|</div></li?>|</ol>",
};

constexpr S kLinks[] = {
    "<a.a[href=$1]>$0</a>",
    "<a.a[href=$1][title=$0]><span>$0</span></a>",
    "<span.c></span><a[href=$1]>$0</a>",
    "<b><a[href=$1]>$0</a></b>",
    "<a[href=$1]>$0</a> <span.m>($2)</span>",
    "&raquo; <a[href=$1]>$0</a>",
    "<div.a><a[href=$1]>$0</a></div>",
    "<a.a[href=$1]>$0</a><sup.m>$2</sup>",
};

constexpr S kCards[] = {
    "<div.g><a[href=$1]><img[src=$2][alt=$0][width=80]></a></div><div.t>"
    "<a.a[href=$1]>$0</a><p.m>$3</p></div>",
    "<a.a[href=$1]><img.g[src=$2][alt=$0]><span.n>$0</span><em.m>$4</em></a>",
    "<table><tr><td><a[href=$1]><img[src=$2][border=0]></a></td><td>"
    "<a.a[href=$1]><b>$0</b></a><br><font[size=1]>$3</font></td></tr></table>",
    "<div.g><a[href=$1]><img[src=$2]></a></div><h5.n>$0</h5><p.t>$3</p>",
    "<h4.n><a[href=$1]>$0</a></h4><img.g[src=$2][align=left][hspace=4]>$3<br>"
    "<small.m>$4</small>",
    "<img.g[src=$2][alt=]><strong.n><a[href=$1]>$0</a></strong><br><span.m>$4"
    "</span> <a.u[href=$1]>Details &gt;</a>",
    "<div.t><h4.n><a[href=$1]>$0</a></h4><p>$3</p></div><div.g><span><img"
    "[src=$2]></span></div><div.m><i>$4</i></div>",
};

constexpr S kReviews[] = {
    "<div.h><img.c[src=/i/stars$4.gif][alt=$4 of 5]><b.n>$0</b></div><p.t>$1"
    "</p?><div.m>by <a[href=$5]>$2</a> on <span>$3</span></div>",
    "<h4.n>$0</h4><div.m><span.f>$2</span>, <em>$3</em></div><div.t>$1</div>"
    "<div.u><a[href=$5]>Helpful?</a> | <a[href=$5]>Report</a></div>",
    "<table.r[width=100%]><tr><td.m[width=120]><b>$2</b><br><font[size=1]>$3"
    "</font></td><td.t><img[src=/i/$4stars.gif]><br>$1</td></tr></table>",
    "<blockquote.t><p>$1</p></blockquote><cite.m>$2</cite> <time>$3</time>",
    "<p.h><strong>$2</strong> rated it <span.c>$4</span>/5 <small>$3</small>"
    "</p><p.n><i>$0</i></p><p.t>$1</p?>",
    "<div.g><img[src=/avatars/$4.png][width=32][height=32]></div><div.y>"
    "<a.a[href=$5]>$2</a><span.m>$3</span><div.t>$1</div><ul.u><li>Like</li>"
    "<li>Reply</li></ul></div>",
};

constexpr S kTableHeadlines[] = {
    "<font[size=5][face=arial]><b>|</b></font><br><font[size=1]>$0</font>",
    "<h1.h#>|</h1><span.m>$0</span>",
    "<table[width=100%]><tr><td.h#><big><b>|</b></big></td><td.m"
    "[align=right]>$0</td></tr></table>",
};
constexpr S kDivHeadlines[] = {
    "<h1.h#>|</h1>",
    "<div.w><h1.h#>|</h1><span.m>$0</span></div>",
    "<h1.h><span.v#>|</span></h1><p.m>$0</p>",
    "<div.h#><h2>|</h2></div>",
    "<h1.h#>|<small.m>$0</small></h1>",
};
constexpr S kSemanticHeadlines[] = {
    "<header.w><h1.h#>|</h1><p.m>$0</p></header>",
    "<h1.h#>|</h1>",
    "<div.w><h1><span.v>|</span></h1><small.m>$0</small></div>",
};

constexpr S kTableCells[] = {
    "<table.l[border=0][cellpadding=2]>|<tr.i><td.n[align=right]"
    "[nowrap]><b>$0</b></td><td.v#>|</td></tr>|</table>",
    "<table.l[width=100%]>|<tr><th.n[align=left][width=30%]>$0</th>"
    "<td.v>|</td></tr>|</table>",
    "<table.l>|<tr.i><td.n><font[size=2]>$0</font></td><td>"
    "<font.v#[size=2]>|</font></td></tr>|</table>",
};
constexpr S kDivCells[] = {
    "<div.l>|<div.i><div.n>$0</div><div.v#>|</div></div>|</div>",
    "<ul.l>|<li.i><span.n>$0</span> <span.v#>|</span></li?>|</ul>",
    "<table.l>|<tr.i><th.n>$0</th><td.v#>|</td></tr>|</table>",
    "<div.l>|<p.i><label.n>$0</label><span.v>|</span></p>|</div>",
};
constexpr S kSemanticCells[] = {
    "<dl.l>|<dt.n>$0</dt><dd.v#>|</dd>|</dl>",
    "<table.l><tbody>|<tr><th.n[scope=row]>$0</th><td.v#>|</td></tr>|"
    "</tbody></table>",
    "<ul.l>|<li.i><strong.n>$0</strong> <span.v#>|</span></li>|</ul>",
};
constexpr S kDefinitionCells[] = {
    "<dl.l>|<dt.n>$0</dt?><dd.v#>|</dd?>|</dl>",
    "<dl.l>|<dt><b>$0</b></dt?><dd><span.v#>|</span></dd?>|</dl>",
    "<ul.l>|<li.i><label.n>$0</label> <em.v>|</em></li?>|</ul>",
};
constexpr S kBefore[] = {
    "<div.l>|<p.i#><b.n>$0</b> |</p?>|</div>",
    "<div.l>|<strong.n>$0</strong> |<br>|</div>",
    "<ul.l>|<li.i><b>$0</b> |</li?>|</ul>",
    "<p.l>|<span.i#><em.n>$0</em> |</span><br>|</p>",
    "<table.l><tr><td>|<b>$0</b>&nbsp;|<br>|</td></tr></table>",
};
constexpr S kInText[] = {
    "<ul.l>|<li.i#>$0 |</li?>|</ul>",
    "<div.l>|<p.i>$0 |</p?>|</div>",
    "<div.l>|<span.i#>$0 |</span><br>|</div>",
    "<table.l>|<tr><td.i>$0 |</td></tr>|</table>",
};
constexpr S kNoLabel[] = {
    "<div.l>|<div.v#>|</div>|</div>",
    "<ul.l>|<li.v#>|</li?>|</ul>",
    "<p.l>|<span.v#>|</span> &middot; |</p>",
    "<table.l>|<tr><td.v>|</td></tr>|</table>",
};

constexpr S kRepeated[] = {
    "<a.a[href=$0]>|</a>",
    "<a[href=$0][rel=nofollow]>|</a>",
    "<span.t>|</span>",
    "<a.a[href=$0]><span>|</span></a>",
    "<nobr><a[href=$0]>|</a></nobr>",
};

constexpr S kOffers[] = {
    "<div.w><span.n>$0</span> <span.v#>|</span> <del.m>$1</del><p.t>$2</p>"
    "</div>",
    "<table.w><tr><td>List price</td><td><font[color=#999999]>$1</font></td>"
    "</tr><tr><td.n>$0</td><td.v#>|</td></tr></table><small>$2</small>",
    "<p.w><b.v#>|</b><br><span.m>was $1</span><br>$2</p>"
    "<a.u[href=/cart/add]>Buy now</a>",
    "<form.w[action=/cart/add][method=post]><div.y><strong.n>$0</strong>"
    "<strong.v#>|</strong></div><input[type=hidden][name=q][value=1]>"
    "<input.u[type=submit][value=Add]> $2</form>",
    "<ul.l><li.i>List: $1</li?><li.i#>$0 |</li?><li>$2</li?></ul>",
    "<div.w><p.i#>$0 |</p><p.m>Regular $1</p>$2</div>",
};

constexpr S kNewsletters[] = {
    "<form.b[action=/newsletter][method=post]><p.t>$0</p><input.f[type=text]"
    "[name=email][size=16]><input.u[type=submit][value=Go]><input[type=hidden]"
    "[name=t][value=$1]></form>",
    "<form[action=/subscribe]><fieldset><label.n>$0</label><input.f[name=e]>"
    "<button.u[type=submit]>Sign up</button></fieldset></form>",
    "<form[action=/nl.php][method=post]><table><tr><td>$0</td></tr><tr><td>"
    "<input[name=mail][size=14]></td><td><input[type=image][src=/i/go.gif]>"
    "</td></tr></table></form>",
};
constexpr S kLogins[] = {
    "<form.b#[action=/login][method=post]><div.f><label>User</label><input"
    "[name=u]></div><div.f><label>Password</label><input[type=password]"
    "[name=p]></div><input[type=hidden][name=token][value=$1]><button.u>$0"
    "</button></form>",
    "<form[action=/session][method=post]><table.l><tr><td>E-mail:</td><td>"
    "<input.f[name=mail][size=12]></td></tr><tr><td>Password:</td><td>"
    "<input.f[type=password][name=pw][size=12]></td></tr><tr><td></td><td>"
    "<input.u[type=submit][value=$0]></td></tr></table></form>",
    "<p.t>Welcome, guest.</p><p><a.a[href=/login]>$0</a> or <a[href=/join]>"
    "join free</a></p><input[type=hidden][name=csrf][value=$1]>",
};
constexpr S kCommentForms[] = {
    "<form.b#[action=/comment][method=post]><p.t>$0</p><textarea.f[name=c]"
    "[rows=5][cols=40]></textarea><br><select[name=stars]><option>5</option>"
    "<option>4</option><option>3</option><option>2</option><option>1</option>"
    "</select><input.u[type=submit][value=Send]><input[type=hidden][name=k]"
    "[value=$1]></form>",
    "<form[action=/post.php][method=post]><dl.l><dt>Name</dt><dd><input"
    "[name=n]></dd><dt>$0</dt><dd><textarea[name=m]></textarea></dd></dl>"
    "<p><label><input[type=checkbox][name=s]> E-mail me replies</label></p>"
    "<input[type=submit]></form>",
    "<table.b[width=100%]><tr><td><form[action=/say][method=post]><b>$0</b>"
    "<br><input[type=radio][name=r][value=1]>Yes<input[type=radio][name=r]"
    "[value=0]>No<br><textarea[name=t][cols=50]></textarea><br><input"
    "[type=submit][value=Post]></form></td></tr></table>",
};

}  // namespace

Shapes BoxShapes(PageLayout layout) {
  static constexpr Shapes kTables[] = {kTableBoxes, kUtilityBoxes,
                                       kSemanticBoxes, kClassicBoxes,
                                       kDefinitionBoxes};
  return ByLayout(kTables, layout);
}

Shapes ListShapes(PageLayout layout) {
  static constexpr Shapes kTables[] = {kTableLists, kUtilityLists,
                                       kSemanticLists, kClassicLists,
                                       kDefinitionLists};
  return ByLayout(kTables, layout);
}

Shapes LinkShapes() { return kLinks; }
Shapes CardShapes() { return kCards; }
Shapes ReviewShapes() { return kReviews; }

Shapes HeadlineShapes(PageLayout layout) {
  static constexpr Shapes kTables[] = {kTableHeadlines, kDivHeadlines,
                                       kSemanticHeadlines, kDivHeadlines,
                                       kDivHeadlines};
  return ByLayout(kTables, layout);
}

Shapes FactShapes(PageLayout layout, FactStyle style) {
  static constexpr Shapes kCells[] = {kTableCells, kDivCells, kSemanticCells,
                                      kDivCells, kDefinitionCells};
  switch (style) {
    case FactStyle::kLabelCell:
      return ByLayout(kCells, layout);
    case FactStyle::kLabelBefore:
      return kBefore;
    case FactStyle::kLabelInText:
      return kInText;
    case FactStyle::kNoLabel:
      return kNoLabel;
  }
  return kBefore;
}

Shapes RepeatedShapes() { return kRepeated; }
Shapes OfferShapes() { return kOffers; }
Shapes NewsletterShapes() { return kNewsletters; }
Shapes LoginShapes() { return kLogins; }
Shapes CommentFormShapes() { return kCommentForms; }

}  // namespace trommel::synth
