#include "core/annotation/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"

namespace trommel::annotation {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// Pages by their markup; places by the class, or data-place, of the element
// they are in.
class ResolveTest : public testing::Test {
 protected:
  size_t Page(const std::string& html,
              const std::string& url = "http://a.example/dir/page") {
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    html::Document& document = documents_.emplace_back();
    EXPECT_EQ(parser->ParseUtf8(html, &document), html::ParseOutcome::kOk);
    texts_.emplace_back(document);
    pages_.push_back({&texts_.back(), urls_.emplace_back(url)});
    return pages_.size() - 1;
  }

  std::string Where(size_t page, const ValuePlace& place) const {
    const html::Document& document = documents_[page];
    const html::NodeId element = document.IsText(place.node)
                                     ? document.node(place.node).parent
                                     : place.node;
    std::string where(document.Value(element, html::names::k_class));
    const html::NameId place_name = document.FindName("data-place");
    if (where.empty() && place_name != html::names::kNone) {
      where = document.Value(element, place_name);
    }
    if (where.empty()) where = document.TagOf(element);
    if (place.attribute != html::names::kNone) {
      StrAppend(&where, "@", document.NameOf(place.attribute));
    }
    return where;
  }

  std::vector<std::string> Chosen(const std::vector<WantedValue>& wanted,
                                  const std::vector<size_t>& absent = {},
                                  bool is_link = false) const {
    std::vector<std::string> chosen;
    const auto results = ResolveValues(pages_, wanted, absent, is_link);
    for (size_t i = 0; i < results.size(); ++i) {
      chosen.push_back(results[i].places.empty()
                           ? "nowhere"
                           : Where(wanted[i].page, results[i].places[0]));
    }
    return chosen;
  }

  // The other ways, each with the places of all values: "crumb crumb".
  std::vector<std::string> Others(const std::vector<WantedValue>& wanted,
                                  const std::vector<size_t>& absent = {},
                                  bool is_link = false,
                                  size_t max_ways = 10) const {
    std::vector<std::string> others;
    for (const std::vector<ValuePlace>& way :
         OtherWaysToPlace(pages_, wanted, absent, is_link, max_ways)) {
      EXPECT_EQ(way.size(), wanted.size());
      std::string& text = others.emplace_back();
      for (size_t i = 0; i < way.size(); ++i) {
        StrAppend(&text, i == 0 ? "" : " ", Where(wanted[i].page, way[i]));
      }
    }
    return others;
  }

  std::deque<html::Document> documents_;
  std::deque<PageText> texts_;
  std::deque<std::string> urls_;
  std::vector<ResolvePage> pages_;
};

// On each page the director is also an actor; only one place is the same.
TEST_F(ResolveTest, TheSameValueInSeveralPlaces) {
  Page(
      "<ul><li class=actor>Bo</li><li class=actor>Ann</li></ul>"
      "<b class=director>Ann</b><i class=writer>Cy</i>");
  Page(
      "<ul><li class=actor>Di</li></ul><b class=director>Ed</b>"
      "<i class=writer>Ed</i>");
  EXPECT_THAT(Chosen({{0, "Ann"}, {1, "Ed"}}),
              ElementsAre("director", "director"));
}

// One page alone: the place that no other node resembles.
TEST_F(ResolveTest, OnePageAlone) {
  Page(
      "<ul><li class=crumb>Films</li><li class=crumb>Dune</li></ul>"
      "<h1 class=title>Dune</h1><p class=story>Dune is dry.</p>");
  EXPECT_THAT(Chosen({{0, "Dune"}}), ElementsAre("title"));
}

// The label tells rows of a table apart that nothing else does, and a page that
// does not have the attribute helps.
TEST_F(ResolveTest, LabelsTellRowsApart) {
  Page(
      "<table><tr><td>Born<td data-place=v1>1950<tr><td>Debut<td "
      "data-place=v2>1970"
      "<tr><td>Height<td data-place=v3>1950</table>");
  Page(
      "<table><tr><td>Debut<td data-place=v1>1980<tr><td>Height<td "
      "data-place=v2>190"
      "<tr><td>Born<td data-place=v3>1960</table>");
  Page(
      "<table><tr><td>Debut<td data-place=v1>1980<tr><td>Height<td "
      "data-place=v2>190"
      "</table>");
  EXPECT_THAT(Chosen({{0, "1950"}, {1, "1960"}}, {2}), ElementsAre("v1", "v3"));
}

TEST_F(ResolveTest, WholeTextsBeforeParts) {
  Page("<p class=long>Our Price: $25.99</p><b class=own>$25.99</b>");
  EXPECT_THAT(Chosen({{0, "$25.99"}}), ElementsAre("own"));
}

// What the template says on all pages is not the value, unless it says it best.
TEST_F(ResolveTest, Boilerplate) {
  for (int i = 0; i < 6; ++i) {
    Page(StrCat("<ul><li class=menu>Private</li></ul><b class=type>",
                i % 2 == 0 ? "Private" : "Public",
                "</b><td class=brand>Sony</td><h1 class=title>Sony X", i,
                "</h1>"));
  }
  EXPECT_THAT(Chosen({{0, "Private"}}), ElementsAre("type"));
  EXPECT_THAT(Chosen({{0, "Sony"}}), Not(ElementsAre("title")));
}

// Sizes and names are not what a page says.
TEST_F(ResolveTest, LayoutIsNoValue) {
  Page(
      "<p class=rating>Rating: 5 of 10</p><table><tr><td class=c colspan=5 "
      "width=5>x</td></tr></table><a class=n name=5></a>");
  EXPECT_THAT(Chosen({{0, "5"}}), ElementsAre("rating"));
}

TEST_F(ResolveTest, ExcludedPlaces) {
  Page("<b class=first>Ann</b><i class=second>Ann</i>");
  const std::string first = Chosen({{0, "Ann"}})[0];
  const ValuePlace place =
      ResolveValues(pages_, {{0, "Ann"}}, {}, false)[0].places[0];
  EXPECT_THAT(Chosen({{0, "Ann", "", {place}}}),
              ElementsAre(first == "first" ? "second" : "first"));
}

TEST_F(ResolveTest, PartsWhereAllAreParts) {
  Page("<p class=price>Our Price: $25.99</p><p class=other>$25.99 or so</p>");
  Page("<p class=price>Our Price: $7.00</p>");
  EXPECT_THAT(Chosen({{0, "$25.99"}, {1, "$7.00"}}),
              ElementsAre("price", "price"));
}

TEST_F(ResolveTest, RepeatedValues) {
  Page(
      "<p class=plot>A Drama about Music</p><ul><li class=genre>Drama</li>"
      "<li class=genre>Music</li></ul>");
  EXPECT_THAT(Chosen({{0, "Drama"}, {0, "Music"}}),
              ElementsAre("genre", "genre"));
}

// A value that is part of another one of the same page.
TEST_F(ResolveTest, OneValueInsideAnother) {
  Page("<i class=crumb>Dune</i><h1 class=title>Dune (1984)</h1>");
  Page("<i class=crumb>Ran</i><h1 class=title>Ran (1985)</h1>");
  EXPECT_THAT(
      Chosen({{0, "Dune"}, {0, "Dune (1984)"}, {1, "Ran (1985)"}, {1, "Ran"}}),
      ElementsAre("crumb", "title", "title", "crumb"));
}

TEST_F(ResolveTest, EntitiesOfTheSource) {
  Page("<b class=title>Fish &amp; Chips</b>");
  EXPECT_THAT(Chosen({{0, "Fish &amp; Chips"}}), ElementsAre("title"));
}

TEST_F(ResolveTest, LinksAndImages) {
  Page(
      "<a class=more href='/x'>more</a><img class=logo src=logo.png>"
      "<img class=cover src='../img/1.png' alt='Cover'>");
  EXPECT_THAT(Chosen({{0, "../img/1.png"}}, {}, true),
              ElementsAre("cover@src"));
  EXPECT_THAT(Chosen({{0, "http://a.example/img/1.png"}}, {}, true),
              ElementsAre("cover@src"));
  EXPECT_THAT(Chosen({{0, "http://a.example/x"}}), ElementsAre("more@href"));
  EXPECT_THAT(Chosen({{0, "Cover"}}), ElementsAre("cover@alt"));
  Page("<base href='http://b.example/'><img class=c src=1.png>");
  EXPECT_THAT(Chosen({{1, "http://b.example/1.png"}}, {}, true),
              ElementsAre("c@src"));
}

TEST_F(ResolveTest, XPathsDecide) {
  Page("<b class=first>Dune</b><i class=second>Dune</i>");
  EXPECT_THAT(Chosen({{0, "Dune", "/html[1]/body[1]/i[1]/text()[1]"}}),
              ElementsAre("second"));
  struct Case {
    const char* xpath;
    const char* problem;
  };
  for (const Case& c :
       {Case{"//u", "selects 0 nodes"}, Case{"//body/*", "selects 2 nodes"},
        Case{"//b[", "column"}, Case{"//b/@class", "does not say the value"}}) {
    const auto results =
        ResolveValues(pages_, {{0, "Dune", c.xpath}}, {}, false);
    EXPECT_THAT(results[0].xpath_problem, HasSubstr(c.problem)) << c.xpath;
    EXPECT_EQ(results[0].places.size(), 2u);
  }
}

TEST_F(ResolveTest, WhatIsNowhereHasNeighbours) {
  Page("<b>Ann Marie Lee</b><i>Bo</i>");
  const auto results = ResolveValues(pages_, {{0, "Ann Lee"}}, {}, false);
  EXPECT_THAT(results[0].places, IsEmpty());
  EXPECT_THAT(results[0].nearest, ElementsAre("Ann Marie Lee"));
}

// A title in a heading and in the trail of links.
TEST_F(ResolveTest, OtherWaysHeadingAndTrail) {
  for (const char* const title : {"Dune", "Ran"}) {
    Page(StrCat("<ul><li class=crumb>Films</li></ul><i class=here>", title,
                "</i><h1 class=title>", title, "</h1><p class=story>", title,
                " is long.</p>"));
  }
  const std::vector<WantedValue> wanted = {{0, "Dune"}, {1, "Ran"}};
  std::vector<std::string> all = Others(wanted);
  const std::string chosen = Chosen(wanted)[0];
  EXPECT_THAT(all, Not(Contains(StrCat(chosen, " ", chosen))));
  all.insert(all.begin(), StrCat(chosen, " ", chosen));
  EXPECT_THAT(all, IsSupersetOf({"title title", "here here"}));
  // Parts of texts come last.
  EXPECT_EQ(all.back(), "story story");
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  EXPECT_THAT(Others(wanted, {}, false, 1), ElementsAre(all[1]));
  EXPECT_THAT(Others(wanted, {}, false, 0), IsEmpty());
}

TEST_F(ResolveTest, OtherWaysExplainAllValues) {
  Page("<i class=here>Dune</i><h1 class=title>Dune</h1>");
  Page("<i class=here>R.</i><h1 class=title>Ran</h1>");
  EXPECT_THAT(Others({{0, "Dune"}, {1, "Ran"}}), IsEmpty());
  EXPECT_THAT(Others({{0, "Dune"}}), SizeIs(1));
  // Where one is nowhere, nothing explains all.
  EXPECT_THAT(Others({{0, "Dune"}, {1, "Solaris"}}), IsEmpty());
  EXPECT_THAT(Others({}), IsEmpty());
}

TEST_F(ResolveTest, OtherWaysTextAndAddressOfALink) {
  const std::string url = "http://b.example/";
  Page(StrCat("<p class=label>Site:</p><a class=site href='", url, "'>", url,
              "</a>"));
  std::vector<std::string> all = Others({{0, url}});
  all.push_back(Chosen({{0, url}})[0]);
  EXPECT_THAT(all, UnorderedElementsAre("site", "site@href"));
  EXPECT_THAT(Chosen({{0, url}}, {}, true), ElementsAre("site@href"));
}

TEST_F(ResolveTest, OtherWaysAreWithoutExcludedPlaces) {
  Page("<b class=first>Ann</b><i class=second>Ann</i>");
  const std::string other = Others({{0, "Ann"}})[0];
  const ValuePlace place =
      OtherWaysToPlace(pages_, {{0, "Ann"}}, {}, false, 1)[0][0];
  EXPECT_THAT(Others({{0, "Ann", "", {place}}}), Not(Contains(other)));
}

TEST_F(ResolveTest, OrderDoesNotMatter) {
  Page(
      "<ul><li class=actor>Bo</li><li class=actor>Ann</li></ul>"
      "<b class=director>Ann</b><i class=writer>Ann</i>");
  Page("<b class=director>Ed</b><i class=writer>Ed</i>");
  Page("<b class=director>Flo</b><i class=writer>Flo</i>");
  std::vector<WantedValue> wanted = {{0, "Ann"}, {1, "Ed"}, {2, "Flo"}};
  const std::vector<std::string> chosen = Chosen(wanted);
  std::reverse(wanted.begin(), wanted.end());
  std::vector<std::string> again = Chosen(wanted);
  std::reverse(again.begin(), again.end());
  EXPECT_EQ(again, chosen);
}

}  // namespace
}  // namespace trommel::annotation
