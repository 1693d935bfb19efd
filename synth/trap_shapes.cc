#include "synth/trap_shapes.h"

namespace trommel::synth {
namespace {

using S = std::string_view;

constexpr S kValueLists[] = {
    "<ul.l>|<li.i>|</li?>|</ul>",
    "<ul>|<li><a.a[href=$0]>|</a></li?>|</ul>",
    "<div.l>|<div.i>|</div>|</div>",
    "<ol.l>|<li.i><span.t>|</span></li?>|</ol>",
    "|<div><a[href=$0]>|</a></div>|",
    "<table.l>|<tr><td>|</td></tr>|</table>",
    "<div.l>|<span.i><a[href=$0]>|</a></span> |</div>",
};
constexpr S kValuePhrases[] = {
    "|<a.a[href=$0]>|</a>|",
    "|<a[href=$0]>|</a>|",
    "<span.v>|<a.a[href=$0]>|</a>|</span>",
    "|<span.t>|</span>|",
    "|<a[href=$0]><b>|</b></a>|",
    "<em>|<a[href=$0]>|</a>|</em>",
    "|||",
    "<span.r>|||</span>",
};
constexpr Joiner kPhraseJoiners[] = {
    {", ", ", "},     {", ", ", "},         {", ", " and "},
    {", ", ", and "}, {" and ", " and "},   {" / ", " / "},
    {"<br>", "<br>"}, {", <br>", ", <br>"}, {" &amp; ", " &amp; "},
    {"; ", "; "},
};
constexpr Joiner kTextJoiners[] = {
    {"<br>", "<br>"}, {",<br>", ",<br>"}, {"<br>", "<br>"}};

constexpr S kTails[] = {
    "<a.m[href=$0]>$1</a>",
    "<small.m><a[href=$0]>$1</a></small>",
    "<em.m>$1</em>",
    "<span><a[href=$0][rel=nofollow]>$1</a></span>",
};

constexpr S kShortLists[] = {"<p.m>|</p?>", "<div.m>$0 |</div>",
                             "<span.v>|</span><br>", "<div.w><b>$0</b> |</div>",
                             "<h4.n>|</h4>"};

constexpr S kNearbyAddresses[] = {
    "<a.a[href=$1][title=$0]>|</a>",
    "<span.v[content=$0]>|</span>",
    "<meta[itemprop=name][content=$0]><span>|</span>",
    "<input[type=hidden][name=item][value=$0]><b>|</b>",
    "<a[href=$1][name=$0]>|</a>",
    "<img[src=/i/item.gif][alt=$0]> <span.t>|</span>",
};
constexpr S kCutTexts[] = {
    "<a.a[href=$1][title=$0]>|</a>",
    "<span.v[title=$0]>|</span>",
    "<span.t[data-full=$0]>|</span>",
    "<a[href=$1][title=$0]><b>|</b></a>",
};
constexpr S kTrails[] = {
    "<div.w><a[href=/]>Home</a> &gt; <a[href=/all]>All</a> &gt; <b>$0</b>"
    "</div>",
    "<ul.w><li><a[href=/]>Home</a></li?><li><a[href=/all]>All</a></li?><li.m>"
    "$0</li?></ul>",
    "<p.w><a[href=/]>Home</a> / <span.m>$0</span></p?>",
    "<table.w><tr><td><a[href=/]>Start</a> : <font[size=1]>$0</font></td></tr>"
    "</table>",
};

constexpr S kBareLines[] = {
    "<div.w>||<br>|</div>",
    "<p.w>||<br>|</p>",
    "<div.w>|<span>|</span> |</div>",
    "<div.w>|<span>|</span><br>|</div>",
    "<ul.l>|<li>|</li?>|</ul>",
    "<table.w>|<tr><td>|</td></tr>|</table>",
    "<table><tr>|<td>|</td>|</tr></table>",
    "<div.w>|<div>|</div>|</div>",
    "<div>|<p>|</p?>|</div>",
    "<font[size=2]>||<br>|</font>",
};
constexpr S kAddressLines[] = {
    "<div.w>||<br>|</div>",
    "<p.w>||<br>|</p>",
    "<address.w>||<br>|</address>",
    "<div.w>|<span>|</span><br>|</div>",
    "<div.w>|<div>|</div>|</div>",
    "<div.w>|<span.t>|</span> |</div>",
    "<ul.l>|<li>|</li?>|</ul>",
    "<table><tr><td.w>||<br>|</td></tr></table>",
};
constexpr S kAddressCells[] = {
    "||<br>|",
    "|<span>|</span><br>|",
    "<span.t>||<br>|</span>",
    "|<span.t>|</span> |",
};
constexpr S kAddresses[] = {
    "<div.w>|</div>",       "<p.w>|</p>",
    "<address>|</address>", "<div.w><span>|</span></div>",
    "<span.v>|</span><br>", "<table><tr><td>|</td></tr></table>",
};
constexpr S kLineLabels[] = {"<b>$0</b><br>", "<h4.n>$0</h4>",
                             "<div.n>$0</div>", "<strong>$0</strong> "};

constexpr S kWordTexts[] = {
    "<p.t>|</p?>",
    "<div.w><span>|</span></div>",
    "<h3.n>|</h3>",
    "<div.t>|</div>",
    "<table><tr><td.m>|</td></tr></table>",
    "<span.v>|</span><br>",
    "<ul.l><li.i>|</li?></ul>",
    "<b>|</b><br>",
};

}  // namespace

Shapes ValueListShapes() { return kValueLists; }
Shapes ValuePhraseShapes() { return kValuePhrases; }
absl::Span<const Joiner> PhraseJoiners() { return kPhraseJoiners; }
absl::Span<const Joiner> TextJoiners() { return kTextJoiners; }
Shapes TailShapes() { return kTails; }
Shapes ShortListShapes() { return kShortLists; }
Shapes NearbyAddressShapes() { return kNearbyAddresses; }
Shapes CutTextShapes() { return kCutTexts; }
Shapes TrailShapes() { return kTrails; }
Shapes BareLineShapes() { return kBareLines; }
Shapes AddressLineShapes() { return kAddressLines; }
Shapes AddressCellShapes() { return kAddressCells; }
Shapes AddressShapes() { return kAddresses; }
Shapes LineLabelShapes() { return kLineLabels; }
Shapes WordTextShapes() { return kWordTexts; }

}  // namespace trommel::synth
