#include "synth/markup.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace trommel::synth {
namespace {

// A plain design on which the tests switch single habits on.
Design PlainDesign() {
  Design design = MakeDesign(1, 0);
  design.layout = PageLayout::kClassicDivs;
  design.naming = Naming::kHyphens;
  design.indent = Indent::kNone;
  design.quotes = Quotes::kDouble;
  design.non_ascii = NonAscii::kBytes;
  design.uppercase_tags = false;
  design.closes_void_tags = false;
  design.drops_end_tags = false;
  design.raw_ampersands = false;
  design.quote_entities = false;
  design.zebra = false;
  return design;
}

std::string Expanded(
    const Design& design, std::string_view shape, std::string_view slot = "",
    SiteTraits::Encoding encoding = SiteTraits::Encoding::kUtf8) {
  SiteTraits traits = MakeTraits(1);
  traits.encoding = encoding;
  std::string out;
  Markup markup(design, traits, &out);
  const Zone zone = ChromeZone(design);
  markup.set_zone(&zone);
  markup.Expand(shape, Role::kNav, {slot});
  return out;
}

TEST(Markup, ExpandsTagsAttributesAndSlots) {
  const Design design = PlainDesign();
  EXPECT_EQ(
      Expanded(design, "<a[href=/x?q=$0][nowrap]>$0</a><br>", "a&b \"c\""),
      "<a href=\"/x?q=a&amp;b &quot;c&quot;\" nowrap>a&amp;b \"c\"</a>"
      "<br>");
}

TEST(Markup, StopsAtHoles) {
  const Design design = PlainDesign();
  const SiteTraits traits = MakeTraits(1);
  std::string out;
  Markup markup(design, traits, &out);
  const Zone zone = ChromeZone(design);
  markup.set_zone(&zone);
  std::string_view rest = markup.Expand("<p>|</p>|!", Role::kNav);
  EXPECT_EQ(out, "<p>");
  rest = markup.Expand(rest, Role::kNav);
  EXPECT_EQ(out, "<p></p>");
  EXPECT_EQ(markup.Expand(rest, Role::kNav), "");
  EXPECT_EQ(out, "<p></p>!");
}

TEST(Markup, FollowsTheDesignsHabits) {
  struct Case {
    std::string_view label;
    void (*habit)(Design*);
    std::string_view shape;
    std::string_view slot;
    std::string_view expected;
  };
  const Case cases[] = {
      {"upper case", [](Design* d) { d->uppercase_tags = true; },
       "<td[width=4]>$0</td>", "x", "<TD WIDTH=\"4\">x</TD>"},
      {"void tags", [](Design* d) { d->closes_void_tags = true; }, "<br>", "",
       "<br />"},
      {"quotes where needed",
       [](Design* d) { d->quotes = Quotes::kWhereNeeded; },
       "<i[a=1][b=$0]></i>", "x y", "<i a=1 b=\"x y\"></i>"},
      {"single quotes", [](Design* d) { d->quotes = Quotes::kSingle; },
       "<i[b=$0]></i>", "it's", "<i b='it&#39;s'></i>"},
      {"dropped end tags", [](Design* d) { d->drops_end_tags = true; },
       "<li>$0</li?><p>$0</p>", "x", "<li>x<p>x</p>"},
      {"bare ampersands", [](Design* d) { d->raw_ampersands = true; }, "$0",
       "a & b &c", "a & b &amp;c"},
      {"quote entities", [](Design* d) { d->quote_entities = true; }, "$0",
       "it's \"so\"", "it&#39;s &quot;so&quot;"},
      {"named", [](Design* d) { d->non_ascii = NonAscii::kNamed; }, "$0", "é–ß",
       "&eacute;&ndash;&#223;"},
      {"decimal", [](Design* d) { d->non_ascii = NonAscii::kDecimal; }, "$0",
       "é€", "&#233;&#8364;"},
      {"hexadecimal", [](Design* d) { d->non_ascii = NonAscii::kHex; }, "$0",
       "é€", "&#xE9;&#x20AC;"},
      {"indentation", [](Design* d) { d->indent = Indent::kTwoSpaces; },
       "<div><p>$0</p></div>", "x", "\n<div>\n  <p>x</p>\n</div>"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    Design design = PlainDesign();
    c.habit(&design);
    EXPECT_EQ(Expanded(design, c.shape, c.slot), c.expected);
  }
}

TEST(Markup, WritesTheSitesEncoding) {
  const Design design = PlainDesign();
  EXPECT_EQ(Expanded(design, "$0", "é€ – ☃"), "é€ – ☃");
  for (const auto encoding : {SiteTraits::Encoding::kWindows1252,
                              SiteTraits::Encoding::kUndeclared}) {
    EXPECT_EQ(Expanded(design, "$0", "é€ – ☃", encoding),
              "\xE9\x80 \x96 &#9731;");
  }
}

TEST(AppendClass, RenamesEveryNameAndNothingElse) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Design design = MakeDesign(seed, 0);
    for (int role = 0; role < static_cast<int>(Role::kCount); ++role) {
      for (int part = 0; part < static_cast<int>(Part::kCount); ++part) {
        std::string names[3];
        for (int renames = 0; renames < 3; ++renames) {
          AppendClass(design, ContentZone(design, "detail", renames, true),
                      static_cast<Role>(role), static_cast<Part>(part), "",
                      &names[renames]);
        }
        ASSERT_EQ(names[0].empty(), names[1].empty());
        ASSERT_EQ(names[0].empty(), names[2].empty());
        if (names[0].empty()) continue;
        ASSERT_NE(names[0], names[1]);
        ASSERT_NE(names[1], names[2]);
        ASSERT_NE(names[0], names[2]);
      }
    }
  }
}

TEST(MakeDesign, ChangesTheLayoutAtARedesign) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    for (int i = 0; i < 4; ++i) {
      EXPECT_NE(MakeDesign(seed, i).layout, MakeDesign(seed, i + 1).layout);
    }
  }
}

}  // namespace
}  // namespace trommel::synth
