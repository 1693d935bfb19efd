#include "synth/chrome.h"

#include <algorithm>
#include <string>

#include "core/base/strings.h"
#include "synth/blocks.h"
#include "synth/prose.h"
#include "synth/shapes.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

enum Salt {
  kHeaderSalt = 301,
  kSearchSalt,
  kNavSalt,
  kGroupSalt,
  kPollSalt,
  kFormSalt,
  kFooterSalt,
  kColumnSalt,
  kSocialSalt,
  kLegalSalt,
  kDoctypeSalt,
  kMiscSalt
};

constexpr std::string_view kDoctypes[] = {
    "<!DOCTYPE html>\n",
    "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" "
    "\"http://www.w3.org/TR/html4/loose.dtd\">\n",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
    "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n",
    "",
};

constexpr std::string_view kScripts[] = {
    "var _q=_q||[];_q.push(['site',$]);function hit(o,n){if(n<$){return "
    "true;}_q.push(['hit',n]);return o.href!=''&&n>0;}\n",
    "document.write('<img src=\"/px.gif?r='+Math.random()+'&s=$\" width=\"1\" "
    "height=\"1\">');\n",
    "function adSlot(i){var d=document;if(i>0&&i<$){d.write('<div "
    "id=\"slot'+i+'\"></div>');}else{for(var k=0;k<3;k++){d.title+='';}}}\n",
    "window.cfg={\"version\":$,\"flags\":{\"lazy\":true,\"grid\":false},"
    "\"routes\":[\"/a\",\"/b\"],\"html\":\"<b>hello</b>\"};\n",
    "if(document.images){var im=new Image();im.src='/i/over$.gif';}\n",
};

constexpr std::string_view kProperties[] = {
    "color:#336699",         "margin:0 0 8px",
    "padding:4px",           "float:left",
    "font-size:11px",        "display:none",
    "width:180px",           "line-height:1.4em",
    "border:1px solid #ccc", "background:#f7f7f7 url(/i/bg.gif) repeat-x",
    "text-decoration:none",  "font-weight:bold"};

// `snippet` with every '$' replaced by a number.
void WriteScript(PageContext* page, std::string_view snippet, Random* random) {
  std::string& out = page->markup.out();
  out.append("<script type=\"text/javascript\">");
  if (page->design.layout == PageLayout::kTables) out.append("<!--\n");
  for (const char c : snippet) {
    if (c == '$') {
      AppendNumber(random->Below(90000) + 100, &out);
    } else {
      out.push_back(c);
    }
  }
  if (page->design.layout == PageLayout::kTables) out.append("//-->\n");
  out.append("</script>\n");
}

void WriteStyleSheet(PageContext* page, Random* random) {
  std::string& out = page->markup.out();
  out.append("<style type=\"text/css\">\n");
  const int rules = 24 + 14 * page->design.richness;
  for (int i = 0; i < rules; ++i) {
    const size_t begin = out.size();
    out.push_back('.');
    const auto part =
        static_cast<Part>(random->Below(static_cast<int>(Part::kCount)));
    const auto role =
        static_cast<Role>(random->Below(static_cast<int>(Role::kCount)));
    AppendClass(page->design, page->markup.zone(), role, part, "", &out);
    if (out.size() == begin + 1) out.append("clear");
    std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
                 ' ', '.');
    out.push_back('{');
    for (uint64_t k = 0; k < 3; ++k) {
      out.append(Pick(kProperties, random));
      out.push_back(';');
    }
    out.append("}\n");
  }
  out.append("</style>\n");
}

std::string SiteName(const PageContext& page) {
  std::string_view host = page.host;
  if (host.substr(0, 4) == "www.") host.remove_prefix(4);
  std::string name(host.substr(0, host.find('.')));
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') {
    name[0] = static_cast<char>(name[0] - 32);
  }
  return name;
}

void WriteCharset(PageContext* page) {
  const std::string_view label = DeclaredCharset(page->traits);
  if (label.empty()) return;
  if (page->design.layout == PageLayout::kSemantic ||
      page->design.layout == PageLayout::kUtilityDivs) {
    page->markup.Expand("<meta[charset=$0]>", Role::kPage, {label});
  } else {
    page->s0 = StrCat("text/html; charset=", label);
    page->markup.Expand("<meta[http-equiv=Content-Type][content=$0]>",
                        Role::kPage, {page->s0});
  }
}

void WriteHead(PageContext* page, const std::string& site_name) {
  Markup& markup = page->markup;
  Random site = page->SiteRandom(Role::kPage);
  Random text = page->PageRandom(Role::kPage);
  const bool modern = page->design.layout == PageLayout::kSemantic ||
                      page->design.layout == PageLayout::kUtilityDivs;
  markup.Raw(
      kDoctypes[modern
                    ? 0
                    : Choose(markup.zone(), Role::kPage, kDoctypeSalt, 3) + 1]);
  markup.Expand("<html[lang=en]><head>", Role::kPage);
  WriteCharset(page);
  page->s1 = StrCat(page->title, " - ", site_name);
  markup.Expand("<title>$0</title>", Role::kPage, {page->s1});
  page->s2.clear();
  AppendSentence(page->vertical.topic, &text, &page->s2);
  markup.Expand(
      "<meta[name=description][content=$0: $1]><meta[name=keywords][content="
      "$0, $2, reviews, $3]>",
      Role::kPage, {page->title, page->s2, page->vertical.plural, site_name});
  if (modern) {
    markup.Expand(
        "<meta[name=viewport][content=width=device-width]>"
        "<meta[property=og:title][content=$0]>"
        "<meta[property=og:site_name][content=$1]>",
        Role::kPage, {page->title, site_name});
  }
  markup.Expand(
      "<link[rel=stylesheet][href=/css/main.css?v=$0][type=text/css]>"
      "<link[rel=shortcut icon][href=/favicon.ico]>",
      Role::kPage, {"20240117"});
  markup.Raw(
      "\n<!--[if lt IE 8]><link rel=\"stylesheet\" href=\"/css/ie.css\">"
      "<![endif]-->\n");
  WriteStyleSheet(page, &site);
  for (int i = 0; i < 3 + 2 * page->design.richness; ++i) {
    WriteScript(page, Pick(kScripts, &site), &site);
  }
  markup.Expand("</head>", Role::kPage);
}

// Navigation: groups of links, some with a panel of cards.
void WriteNav(PageContext* page) {
  Markup& markup = page->markup;
  Random random = page->SiteRandom(Role::kNav);
  static constexpr std::string_view kNavs[] = {
      "<div.b#>|</div>", "<nav.b#[role=navigation]>|</nav>",
      "<table.b#[width=100%][bgcolor=#003366]><tr><td>|</td></tr></table>",
      "<div.w><div.b#><div.r>|</div></div></div>"};
  static constexpr std::string_view kGroups[] = {
      "<div.h><a[href=$1]>$0</a></div><div.y>|</div>",
      "<a.h[href=$1]><span>$0</span></a>|", "<b.h><a[href=$1]>$0</a></b><br>|",
      "<h5.h>$0</h5><div.w><div.r>|</div></div>"};
  static constexpr std::string_view kPanels[] = {
      "<div.m><p>$0</p><a.u[href=/offers]>See offers</a></div>",
      "<p.m><img[src=/i/new.gif]> <em>$0</em></p>",
      "<dl.m><dt>Featured</dt><dd>$0</dd></dl>"};
  int layout_choice = Choose(markup.zone(), Role::kNav, kNavSalt, 4);
  if (page->design.layout == PageLayout::kTables) layout_choice = 2;
  if (page->design.layout == PageLayout::kSemantic) layout_choice = 1;
  const std::string_view rest = markup.Expand(kNavs[layout_choice], Role::kNav);
  const std::string_view group =
      ChooseShape(*page, Role::kNav, kGroupSalt, kGroups);
  const std::string_view panel =
      ChooseShape(*page, Role::kNav, kMiscSalt, kPanels);
  ItemList groups(page, Role::kNav);
  groups.Begin();
  const WordList& categories = page->vertical.categories;
  const WordList& links = Words().service_link();
  const int count =
      static_cast<int>(random.Between(3, 5)) + 3 * page->design.richness;
  for (int i = 0; i < count; ++i) {
    const std::string& title =
        i < categories.size() ? categories[i] : links[i % links.size()];
    page->s0 = "/";
    AppendSlug(title, '-', &page->s0);
    groups.BeginItem();
    const std::string_view group_rest =
        markup.Expand(group, Role::kNav, {title, page->s0});
    const int size = static_cast<int>(random.Between(3, kMaxGroupLinks));
    const int first =
        static_cast<int>(random.Between(0, categories.size() - size - 1));
    WriteLinks(page, Role::kSubnav, categories, first, size, &random);
    if (i % 4 == 1) {
      page->s1.clear();
      AppendSentence(page->vertical.topic, &random, &page->s1);
      markup.Expand(panel, Role::kNav, {page->s1});
    }
    markup.Expand(group_rest, Role::kNav);
    groups.EndItem();
  }
  groups.End();
  markup.Expand(rest, Role::kNav);
}

void WriteTicker(PageContext* page) {
  Random random = page->DayRandom(Role::kTicker);
  static constexpr std::string_view kTickers[] = {
      "<div.b><b.n>$0</b> <span.t>$1</span> <a[href=/live]>Live</a></div>",
      "<p.b><i>$1</i> | <span.n>$0</span></p>",
      "<marquee.b>$1 <font[color=red]>$0</font></marquee>",
      "<ul.b><li.n>$0</li><li.t><a[href=/live]>$1</a></li></ul>"};
  page->s0.clear();
  AppendNumber(random.Below(5000) + 30, &page->s0);
  page->s0.append(" people viewing");
  page->s1 = "Updated ";
  AppendNumber(random.Below(24), 2, &page->s1);
  page->s1.push_back(':');
  AppendNumber(random.Below(60), 2, &page->s1);
  page->markup.Expand(ChooseShape(*page, Role::kTicker, kMiscSalt, kTickers),
                      Role::kTicker, {page->s0, page->s1});
}

void WritePoll(PageContext* page) {
  Markup& markup = page->markup;
  Random random = page->SiteRandom(Role::kPoll);
  static constexpr std::string_view kPolls[] = {
      "<form.b[action=/vote][method=post]><p.t>$0</p><ul><li><label><input"
      "[type=radio][name=v]> Yes</label></li><li><label><input[type=radio]"
      "[name=v]> No</label></li></ul><input.u[type=submit][value=Vote]></form>",
      "<p.t><b>$0</b></p><form[action=/poll.cgi]><table><tr><td><input"
      "[type=radio][name=a]></td><td>Agree</td></tr><tr><td><input[type=radio]"
      "[name=a]></td><td>Disagree</td></tr><tr><td[colspan=2]><input"
      "[type=submit]></td></tr></table></form>",
      "<div.t>$0</div><div.l><div.i><span.c></span>Yes 61%</div><div.i>"
      "<span.c></span>No 39%</div></div><p><a.a[href=/polls]>More polls</a>"
      "</p>"};
  page->s0.clear();
  AppendSentence(page->vertical.topic, &random, &page->s0);
  const Box box(page, Role::kPoll);
  markup.Expand(ChooseShape(*page, Role::kPoll, kPollSalt, kPolls), Role::kPoll,
                {page->s0});
}

void WriteForm(PageContext* page, Role role, Shapes shapes) {
  Random random = page->DayRandom(role);
  page->s0.clear();
  StrAppend(&page->s0, absl::Hex(random.Next(), absl::kZeroPad16));
  const Box box(page, role);
  page->markup.Expand(ChooseShape(*page, role, kFormSalt, shapes), role,
                      {RolePrompt(role), page->s0});
}

void WriteTagCloud(PageContext* page) {
  Random random = page->SiteRandom(Role::kTagCloud);
  const Box box(page, Role::kTagCloud);
  for (int i = 0; i < 12; ++i) {
    page->s0.assign(Pick(Words().noun(), &random));
    page->s1 = "/tag/" + page->s0;
    page->markup.Expand("<a.a[href=$1][rel=tag]>$0</a> ", Role::kTagCloud,
                        {page->s0, page->s1});
  }
}

}  // namespace

void WriteTop(PageContext* page) {
  Markup& markup = page->markup;
  const std::string site_name = SiteName(*page);
  WriteHead(page, site_name);
  markup.Expand("<body.b>", Role::kPage);
  markup.Raw("<!-- begin header -->");
  const std::string_view rest =
      markup.Expand(ChooseShape(*page, Role::kHeader, kHeaderSalt,
                                HeaderShapes(page->design.layout)),
                    Role::kHeader, {site_name, page->host});
  markup.Expand(
      ChooseShape(*page, Role::kSearchBox, kSearchSalt, SearchBoxShapes()),
      Role::kSearchBox, {page->vertical.topic});
  markup.Expand(rest, Role::kHeader, {site_name, page->host});
  if (page->design.malformed) markup.Raw("</span></font>");
  WriteNav(page);
  WriteTicker(page);
}

void WriteSidebar(PageContext* page) {
  Random random = page->SiteRandom(Role::kSidebar);
  {
    const Box box(page, Role::kCategories);
    const WordList& categories = page->vertical.categories;
    WriteLinks(page, Role::kCategories, categories, 0, categories.size(),
               &random);
  }
  {
    const Box box(page, Role::kTopList);
    WriteCards(page, Role::kTopList, 5 + page->design.richness, &random);
  }
  WriteAd(page, Role::kSideAd);
  WriteForm(page, Role::kNewsletter, NewsletterShapes());
  if (ChooseChance(page->markup.zone(), Role::kPoll, kMiscSalt, 0.7)) {
    WritePoll(page);
  }
  if (ChooseChance(page->markup.zone(), Role::kLogin, kMiscSalt, 0.7)) {
    WriteForm(page, Role::kLogin, LoginShapes());
  }
  WriteTagCloud(page);
}

void WriteBottom(PageContext* page) {
  Markup& markup = page->markup;
  Random random = page->SiteRandom(Role::kFooter);
  const std::string copyright =
      StrCat("(c) 1999-2026 ", SiteName(*page),
             ". All rights reserved. Don't copy \"anything\".");
  markup.Raw("<!-- footer -->");
  const std::string_view rest =
      markup.Expand(ChooseShape(*page, Role::kFooter, kFooterSalt,
                                FooterShapes(page->design.layout)),
                    Role::kFooter, {copyright});
  static constexpr std::string_view kColumns[] = {
      "<div.y><h5.h>$0</h5>|</div>",
      "<table.y><tr><td><b>$0</b>|</td></tr>"
      "</table>",
      "<dl.y><dt>$0</dt><dd>|</dd></dl>", "<h6.h>$0</h6>|<br>"};
  const std::string_view column =
      ChooseShape(*page, Role::kFooterLinks, kColumnSalt, kColumns);
  const WordList& headings = Words().footer_heading();
  for (int i = 0; i < static_cast<int>(random.Between(3, headings.size()));
       ++i) {
    const std::string_view column_rest =
        markup.Expand(column, Role::kFooterLinks, {headings[i]});
    WriteLinks(page, Role::kFooterLinks, Words().service_link(),
               i * kLinksPerFooterColumn, kLinksPerFooterColumn, &random);
    markup.Expand(column_rest, Role::kFooterLinks);
  }
  static constexpr std::string_view kSocials[] = {
      "<a.a[href=/go/$0]><img[src=/i/$0.png][alt=$0][width=16]></a>",
      "<span.i><a[href=/go/$0][rel=nofollow]>$0</a></span> ",
      "<a.a[href=/go/$0]><i.c></i><span>$0</span></a>"};
  const std::string_view social =
      ChooseShape(*page, Role::kSocial, kSocialSalt, kSocials);
  for (const std::string_view network : Words().network()) {
    markup.Expand(social, Role::kSocial, {network});
  }
  page->s0.clear();
  AppendParagraph(page->vertical.topic, 3, &random, &page->s0);
  static constexpr std::string_view kLegals[] = {
      "<p.t>$0</p?>", "<div.t><small>$0</small></div>",
      "<table[width=80%]><tr><td.t><font[size=1]>$0</font></td></tr></table>"};
  markup.Expand(ChooseShape(*page, Role::kLegal, kLegalSalt, kLegals),
                Role::kLegal, {page->s0});
  if (page->design.malformed) {
    // Misnested inline tags, as they come from visual editors.
    markup.Raw("<b><i>Prices subject to change</b></i></a>");
  }
  markup.Expand(rest, Role::kFooter, {copyright});
  Random day = page->DayRandom(Role::kFooter);
  WriteScript(page, kScripts[0], &day);
  page->s0.clear();
  AppendNumber(day.Below(1000000000), &page->s0);
  markup.Expand(
      "<img[src=http://stats.example.net/p.gif?r=$0][width=1][height=1][alt=]>",
      Role::kPage, {page->s0});
  markup.Raw("\n<!-- generated in 0.");
  AppendNumber(day.Below(900) + 100, &markup.out());
  markup.Raw("s -->\n");
  markup.Expand("</body></html>", Role::kPage);
  markup.Raw("\n");
}

}  // namespace trommel::synth
