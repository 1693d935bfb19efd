#include "synth/shapes.h"

// The shapes of the chrome: header, page frame, footer.

namespace trommel::synth {
namespace {

using S = std::string_view;

constexpr S kTableHeaders[] = {
    "<table.b#[width=100%][border=0][cellspacing=0]><tr><td.g[width=200]>"
    "<a[href=/]><img[src=/i/logo.gif][alt=$0][border=0]></a></td><td[valign="
    "bottom]>|</td><td.m[align=right]><font[size=1]><a[href=/login]>Sign in"
    "</a> | <a[href=/help]>Help</a></font></td></tr></table>",
    "<center><table.b[width=760]><tr><td><h1.h><a[href=/]><font"
    "[color=#990000]>$0</font></a></h1></td></tr><tr><td>|</td></tr></table>"
    "</center><hr>",
};
constexpr S kUtilityHeaders[] = {
    "<div.b#><div.w><div.r><a.a[href=/]><img.g[src=/img/logo.svg][alt=$0]>"
    "</a></div><div.f>|</div><div.m><a.u[href=/login]>Log in</a><a.u"
    "[href=/join]>Join</a></div></div></div>",
    "<div.w><div.b><div.h><a[href=/]><span.t>$0</span></a><div.c><i></i><i>"
    "</i></div></div><div.y><div.r>|</div></div></div></div>",
};
constexpr S kSemanticHeaders[] = {
    "<header.b#[role=banner]><a.a[href=/]><figure.g><img[src=/img/logo.png]"
    "[alt=$0]></figure></a><div.y>|</div><aside.m><a[href=/login]>Sign in</a>"
    "</aside></header>",
    "<header.b><div.r><p.h><a[href=/]>$0</a></p><div.w>|</div><ul.m><li>"
    "<a[href=/account]>Account</a></li><li><a[href=/cart]>Cart</a></li></ul>"
    "</div></header>",
};
constexpr S kClassicHeaders[] = {
    "<div.b#><div.g><h1><a[href=/][title=$0]>$0</a></h1></div><div.y>|</div>"
    "<ul.m><li><a[href=/login]>Login</a></li><li><a[href=/help]>Help</a></li>"
    "</ul><div.c></div></div>",
    "<div.w><div.b#><a[href=/]><img.g[src=/images/logo.png][alt=$0]"
    "[width=180][height=52]></a><div.m><span>Welcome to $0</span> <a"
    "[href=/register]>Register</a></div>|</div></div>",
};
constexpr S kDefinitionHeaders[] = {
    "<div.b#><dl><dt.h><a[href=/]>$0</a></dt><dd.y>|</dd></dl><p.m>"
    "<a[href=/login]>Log on</a></p></div>",
    "<fieldset.b><legend.h><a[href=/]>$0</a></legend>|<p.m><small>Today on "
    "$1</small></p></fieldset>",
};

constexpr S kSearchBoxes[] = {
    "<form.b#[action=/search][method=get]><input.f[type=text][name=q]"
    "[size=24]><select[name=in]><option>All</option><option>$0</option>"
    "<option>Articles</option></select><input.u[type=submit][value=Search]>"
    "</form>",
    "<form[action=/find]><div.b><label.n>Find a $0</label><input.f[name=q]>"
    "<button.u[type=submit]><span>Go</span></button></div></form>",
    "<table.b><tr><form[action=/search.php]><td>Search $0:</td><td><input"
    "[name=q]></td><td><input[type=image][src=/i/go.gif]></td></form></tr>"
    "</table>",
    "<form.b[action=/s][role=search]><fieldset><legend.n>Search</legend>"
    "<input.f[type=search][name=q][placeholder=$0]><a.u[href=/advanced]>"
    "Advanced</a></fieldset></form>",
};

constexpr S kTableFramesLeft[] = {
    "<table.b#[width=100%][border=0][cellpadding=4]><tr><td.w[width=180]"
    "[valign=top]>|</td><td.y[valign=top]>|</td></tr></table>",
    "<table.b[width=760][align=center]><tr><td.w[valign=top][bgcolor=#f4f4f4]>|"
    "</td><td[width=1][bgcolor=#cccccc]><img[src=/i/sp.gif]></td><td.y[valign="
    "top]>|</td></tr></table>",
};
constexpr S kTableFramesRight[] = {
    "<table.b#[width=100%][border=0]><tr><td.y[valign=top]>|</td><td.w"
    "[width=200][valign=top]>|</td></tr></table>",
    "<table.b[width=780]><tr><td.y[width=580]>|</td><td[width=8]></td><td.w>|"
    "</td></tr></table>",
};
constexpr S kUtilityFramesLeft[] = {
    "<div.b#><div.w><div.f>|</div><div.y><div.r>|</div></div></div></div>",
};
constexpr S kUtilityFramesRight[] = {
    "<div.b#><div.w><div.y>|</div><div.f><div.r>|</div></div></div></div>",
};
constexpr S kSemanticFramesLeft[] = {
    "<div.b#><aside.f>|</aside><main.y[role=main]>|</main></div>",
};
constexpr S kSemanticFramesRight[] = {
    "<div.b><main.y#>|</main><aside.f[role=complementary]>|</aside></div>",
};
constexpr S kClassicFramesLeft[] = {
    "<div.b#><div.w><div.f>|</div><div.y>|</div><div.c></div></div></div>",
};
constexpr S kClassicFramesRight[] = {
    "<div.b#><div.y><div.r>|</div></div><div.f>|</div><div.c></div></div>",
};

constexpr S kTableFooters[] = {
    "<table.b#[width=100%][bgcolor=#dddddd]><tr><td[align=center]>|</td></tr>"
    "<tr><td.m><font[size=1]>$0</font></td></tr></table>",
    "<hr[width=90%]><center>|<font.m[size=1]>$0</font></center>",
};
constexpr S kDivFooters[] = {
    "<div.b#><div.w>|</div><div.m><p>$0</p></div></div>",
    "<div.w><div.b><div.r>|<p.m>$0</p></div></div></div>",
};
constexpr S kSemanticFooters[] = {
    "<footer.b#[role=contentinfo]>|<p.m><small>$0</small></p></footer>",
    "<footer.b><section.y>|</section><section.m>$0</section></footer>",
};

}  // namespace

Shapes HeaderShapes(PageLayout layout) {
  static constexpr Shapes kAll[kNumLayouts] = {
      kTableHeaders, kUtilityHeaders, kSemanticHeaders, kClassicHeaders,
      kDefinitionHeaders};
  return kAll[static_cast<int>(layout)];
}

Shapes SearchBoxShapes() { return kSearchBoxes; }

Shapes FrameShapes(PageLayout layout, bool sidebar_first) {
  static constexpr Shapes kLeft[kNumLayouts] = {
      kTableFramesLeft, kUtilityFramesLeft, kSemanticFramesLeft,
      kClassicFramesLeft, kClassicFramesLeft};
  static constexpr Shapes kRight[kNumLayouts] = {
      kTableFramesRight, kUtilityFramesRight, kSemanticFramesRight,
      kClassicFramesRight, kClassicFramesRight};
  return (sidebar_first ? kLeft : kRight)[static_cast<int>(layout)];
}

Shapes FooterShapes(PageLayout layout) {
  static constexpr Shapes kAll[kNumLayouts] = {
      kTableFooters, kDivFooters, kSemanticFooters, kDivFooters, kDivFooters};
  return kAll[static_cast<int>(layout)];
}

}  // namespace trommel::synth
