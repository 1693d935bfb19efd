// Pages with traps: that the truth is what they say, and that each trap is
// there.
#include "synth/traps.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "synth/generator.h"
#include "tests/synth/page_text.h"
#include "tests/testing/seed.h"

namespace trommel::synth {
namespace {

using proto::Template;
using ::testing::HasSubstr;

constexpr int kSites = 24;
constexpr int kPages = 30;

std::string TemplateOf(const std::vector<Trap>& traps) {
  std::string text = "template { kind: 'detail' ";
  for (const Trap trap : traps) {
    StrAppend(&text, "trap: ", Template::Trap_Name(trap), " ");
  }
  return text + "} ";
}

WebGenerator MakeWeb(uint64_t seed, std::string_view vertical,
                     const std::vector<Trap>& traps) {
  return *WebGenerator::Create(ParseSpec(
      StrCat("seed: ", seed, " site { host: 's{n}.example' count: ", kSites,
             " vertical: '", vertical, "' pages: ", kPages, " ",
             TemplateOf(traps), "}")));
}

// The verticals in which a trap is tested, and an attribute it can be laid for.
struct Case {
  Trap trap;
  std::string_view vertical;
  std::string_view attribute;
};
const std::vector<Case>& Cases() {
  static const auto* const cases = new std::vector<Case>{
      {Template::REPEATED_SELDOM, "book", "author"},
      {Template::REPEATED_SELDOM, "movie", "genre"},
      {Template::REPEATED_SELDOM, "restaurant", "cuisine"},
      {Template::LIST_TAIL, "book", "author"},
      {Template::LIST_TAIL, "movie", "director"},
      {Template::LIST_TAIL, "restaurant", "cuisine"},
      {Template::SHORT_AND_LONG_LIST, "book", "author"},
      {Template::SHORT_AND_LONG_LIST, "restaurant", "cuisine"},
      {Template::TEXT_AND_ADDRESS, "book", "title"},
      {Template::TEXT_AND_ADDRESS, "nbaplayer", "team"},
      {Template::PAGE_ANCHORS, "job", "company"},
      {Template::PAGE_ANCHORS, "camera", "price"},
      {Template::WORD_RANGE, "camera", "manufacturer"},
      {Template::WORD_RANGE, "book", "publisher"},
      {Template::WORD_RANGE, "movie", "director"},
      {Template::LINES_WITHOUT_LABELS, "restaurant", "address"},
      {Template::MISSING_LABELLED, "university", "phone"},
      {Template::MISSING_LABELLED, "auto", "engine"},
  };
  return *cases;
}

std::string LabelOf(const Case& c) {
  return StrCat(Template::Trap_Name(c.trap), " in ", c.vertical);
}

// A site with a trap, its pages by `visit`.
void VisitPages(const WebGenerator& web, int site,
                const std::function<void(const GeneratedPage&)>& visit) {
  GeneratedPage page;
  for (int64_t i = 0; i < kPages; ++i) {
    web.Generate(0, site * kPages + i, &page);
    visit(page);
  }
}

// Without spaces, since a page may say an address on lines.
std::string Squeezed(const std::string& text) {
  return absl::StrReplaceAll(text, {{" ", ""}, {"\u00a0", ""}});
}

// What the page says: its texts, and the attributes that stand in for a text
// that is cut short.
std::string EverythingSaid(const GeneratedPage& page) {
  std::string text = PageText(page, ' ');
  GeneratedPage attribute;
  attribute.charset = page.charset;
  for (const std::string_view name : {"title", "data-full"}) {
    for (std::string& value : AttributeValues(page.html, name)) {
      attribute.html = std::move(value);
      StrAppend(&text, " ", PageText(attribute));
    }
  }
  return Squeezed(text);
}

TEST(Traps, TruthIsOnThePage) {
  const uint64_t seed = testing_support::TestSeed(31);
  for (const Case& c : Cases()) {
    SCOPED_TRACE(LabelOf(c));
    const WebGenerator web = MakeWeb(seed, c.vertical, {c.trap});
    int num_values = 0;
    for (int site = 0; site < kSites; ++site) {
      VisitPages(web, site, [&](const GeneratedPage& page) {
        ASSERT_EQ(page.records.size(), 1u);
        const std::string text = EverythingSaid(page);
        for (const record::AttributeValues& attribute :
             page.records[0].attributes) {
          for (const std::string& value : attribute.values) {
            ++num_values;
            EXPECT_EQ(value, NormalizeSpace(value));
            EXPECT_NE(text.find(Squeezed(value)), text.npos)
                << page.url << ": " << value;
          }
        }
      });
    }
    EXPECT_GT(num_values, kSites * kPages);
  }
}

// Whether a trap snaps on a page, as its values and text show, given what the
// page has of the attribute that the site laid it for.
bool Snaps(Trap trap, const GeneratedPage& page, size_t attribute) {
  const std::vector<std::string>& values =
      page.records[0].values(static_cast<int>(attribute));
  switch (trap) {
    case Template::REPEATED_SELDOM:
      return values.size() > 1;
    case Template::SHORT_AND_LONG_LIST:
      return values.size() > 3;
    case Template::LINES_WITHOUT_LABELS:
      return values.size() > 2;
    case Template::MISSING_LABELLED:
      return values.empty();
    default:
      return false;
  }
}

// The share of all pages on which a trap that values show snaps, with room for
// chance, and the most on a site.
struct Share {
  Trap trap;
  std::string_view vertical;
  double least, most;
  double most_of_site;
};

TEST(Traps, SnapOnTheirShareOfThePages) {
  const uint64_t seed = testing_support::TestSeed(32);
  for (const Share& share :
       {Share{Template::REPEATED_SELDOM, "book", 0.1, 0.33, 0.6},
        Share{Template::SHORT_AND_LONG_LIST, "book", 0.1, 0.38, 0.65},
        Share{Template::MISSING_LABELLED, "university", 0.1, 0.4, 0.7}}) {
    SCOPED_TRACE(Template::Trap_Name(share.trap));
    const WebGenerator web = MakeWeb(seed, share.vertical, {share.trap});
    const size_t num_attributes =
        FindVertical(share.vertical)->attributes.size();
    double sum = 0;
    int sites_without = 0;
    for (int site = 0; site < kSites; ++site) {
      std::vector<int> snapped(num_attributes);
      VisitPages(web, site, [&](const GeneratedPage& page) {
        for (size_t i = 1; i < num_attributes; ++i) {
          if (Snaps(share.trap, page, i)) ++snapped[i];
        }
      });
      // The site's attribute is the one that shows it most; one that a site
      // never shows is not missing by a trap.
      int most = 0;
      for (const int count : snapped) {
        if (count < kPages) most = std::max(most, count);
      }
      EXPECT_LE(most, share.most_of_site * kPages) << site;
      if (most == 0) ++sites_without;
      sum += most;
    }
    EXPECT_LT(sites_without, kSites / 4);
    EXPECT_GE(sum / (kSites * kPages), share.least);
    EXPECT_LE(sum / (kSites * kPages), share.most);
  }
}

TEST(Traps, AddressesHaveTwoLinesOrThreeOrOneText) {
  const uint64_t seed = testing_support::TestSeed(33);
  const WebGenerator web =
      MakeWeb(seed, "restaurant", {Template::LINES_WITHOUT_LABELS});
  std::map<size_t, int> counts;
  int sites_of_one_text = 0;
  for (int site = 0; site < kSites; ++site) {
    bool one = false;
    VisitPages(web, site, [&](const GeneratedPage& page) {
      const size_t count = page.records[0].values(2).size();
      ++counts[count];
      one |= count == 1;
      EXPECT_TRUE(!one || count <= 1) << page.url;
    });
    sites_of_one_text += one;
  }
  const int pages = kSites * kPages;
  EXPECT_GT(counts[3], pages / 20);
  EXPECT_GT(counts[2], counts[3]);
  EXPECT_GT(counts[1], pages / 20);
  EXPECT_GT(sites_of_one_text, kSites / 8);
  EXPECT_LT(sites_of_one_text, kSites * 2 / 3);
}

// How often the text of content areas says what `text` finds in it.
double ShareOfPages(const WebGenerator& web,
                    const std::function<bool(const GeneratedPage&)>& says) {
  int count = 0;
  for (int site = 0; site < kSites; ++site) {
    VisitPages(web, site, [&](const GeneratedPage& page) {
      if (says(page)) ++count;
    });
  }
  return static_cast<double>(count) / (kSites * kPages);
}

int CountOf(const std::string& text, const WordList& words,
            std::string_view before, std::string_view after) {
  int count = 0;
  for (const std::string& word : words) {
    const std::string wanted = StrCat(before, word, after);
    for (size_t at = text.find(wanted); at != text.npos;
         at = text.find(wanted, at + 1)) {
      ++count;
    }
  }
  return count;
}

TEST(Traps, ListsHaveTails) {
  const uint64_t seed = testing_support::TestSeed(34);
  for (const std::string_view vertical : {"book", "movie", "restaurant"}) {
    SCOPED_TRACE(vertical);
    const WebGenerator plain = MakeWeb(seed, vertical, {});
    const WebGenerator web = MakeWeb(seed, vertical, {Template::LIST_TAIL});
    int links = 0, people = 0;
    GeneratedPage page;
    for (int64_t i = 0; i < web.NumPages(0); ++i) {
      for (const int sign : {1, -1}) {  // Other blocks say the same.
        (sign > 0 ? web : plain).Generate(0, i, &page);
        const std::string text = PageText(page);
        links += sign * CountOf(text, Words().more_link(), "\x1F", "\x1F");
        people += sign * CountOf(text, Words().credit(), "(", ")");
      }
    }
    const int pages = kSites * kPages;
    EXPECT_GT(links, pages / 8);
    EXPECT_GT(links + people, pages / 4);
    EXPECT_LT(links + people, pages);
    if (vertical == "restaurant") {
      EXPECT_EQ(people, 0);
    } else {
      EXPECT_GT(people, pages / 40);
    }
  }
}

TEST(Traps, WordsAreInATextOfMore) {
  const uint64_t seed = testing_support::TestSeed(35);
  // A value that is a whole text, or element, in no place.
  const auto is_part = [](const GeneratedPage& page) {
    const std::string text = PageText(page);
    for (size_t i = 1; i < page.records[0].attributes.size(); ++i) {
      for (const std::string& value :
           page.records[0].values(static_cast<int>(i))) {
        const size_t at = text.find(value);
        if (at == std::string::npos) continue;
        if (text[at - 1] == ' ' && text[at - 2] == ':') return true;
        if (text[at + value.size()] != '\x1F') return true;
      }
    }
    return false;
  };
  const double without = ShareOfPages(MakeWeb(seed, "job", {}), is_part);
  const double with =
      ShareOfPages(MakeWeb(seed, "job", {Template::WORD_RANGE}), is_part);
  EXPECT_GT(with, without + 0.3);
  // Companies have one word on most pages, on the sites that count them.
  int one = 0, several = 0;
  const WebGenerator web = MakeWeb(seed, "job", {Template::WORD_RANGE});
  for (int site = 0; site < kSites; ++site) {
    VisitPages(web, site, [&](const GeneratedPage& page) {
      for (const std::string& name : page.records[0].values(1)) {
        ++(name.find(' ') == std::string::npos ? one : several);
      }
    });
  }
  EXPECT_GT(one, kPages);
  EXPECT_GT(several, kPages);
}

// An editor finds the maker in the headline if nowhere else.
TEST(Traps, NoPageLacksWhatTheHeadlineSays) {
  const uint64_t seed = testing_support::TestSeed(40);
  const WebGenerator web = MakeWeb(seed, "camera", {Template::WORD_RANGE});
  int sites_in_headline = 0;
  for (int site = 0; site < kSites; ++site) {
    int lacking = 0, in_headline = 0;
    VisitPages(web, site, [&](const GeneratedPage& page) {
      const record::Record& record = page.records[0];
      if (record.values(1).empty()) {
        ++lacking;
        return;
      }
      // Apart from the headline, which other blocks repeat, and those of other
      // cameras, which go on with the name of a line.
      const std::string text =
          absl::StrReplaceAll(PageText(page), {{record.values(0)[0], ""}});
      const std::string& maker = record.values(1)[0];
      bool alone = false;
      for (size_t at = text.find(maker); at != text.npos;
           at = text.find(maker, at + 1)) {
        const std::string rest = text.substr(at + maker.size(), 20);
        alone |= CountOf(rest, Words().camera_line(), " ", " ") == 0;
      }
      if (!alone) ++in_headline;
    });
    EXPECT_TRUE(lacking == 0 || in_headline == 0) << site;
    if (in_headline > 0) ++sites_in_headline;
  }
  EXPECT_GT(sites_in_headline, 1);
}

TEST(Traps, NeighboursDifferByPageAndSomeAgree) {
  const uint64_t seed = testing_support::TestSeed(36);
  const WebGenerator web = MakeWeb(seed, "camera", {Template::PAGE_ANCHORS});
  int sites_with_names = 0;
  for (int site = 0; site < kSites; ++site) {
    std::map<std::string, int> names;
    VisitPages(web, site, [&](const GeneratedPage& page) {
      GeneratedPage content = page;
      content.html = ContentArea(page.html);
      const std::string text = PageText(content);
      for (const std::string& value : page.records[0].values(1)) {
        const size_t at = text.find(StrCat("\x1F", value, "\x1F"));
        if (at != std::string::npos) ++names[text.substr(0, at)];
      }
      for (const std::string& building : Words().building()) {
        for (size_t at = text.find(" " + building); at != std::string::npos;
             at = text.find(" " + building, at + 1)) {
          const size_t begin = text.rfind('\x1F', at);
          ++names["building " + text.substr(begin, at - begin) + building];
        }
      }
    });
    int alike = 0, distinct = 0;
    for (const auto& [name, count] : names) {
      if (name.rfind("building ", 0) != 0) continue;
      ++distinct;
      alike += count > 1;
    }
    if (distinct > 4 && alike > 0) ++sites_with_names;
  }
  // Others have companies for neighbours.
  EXPECT_GT(sites_with_names, kSites / 3);
}

TEST(Traps, AddressesDifferFromTextsOnSomePages) {
  const uint64_t seed = testing_support::TestSeed(37);
  const WebGenerator web = MakeWeb(seed, "book", {Template::TEXT_AND_ADDRESS});
  int sites = 0;
  for (int site = 0; site < kSites; ++site) {
    int same = 0, other = 0;
    VisitPages(web, site, [&](const GeneratedPage& page) {
      GeneratedPage content = page;
      content.html = ContentArea(page.html);
      const std::string text = PageText(content);
      bool almost = text.find("...\x1F") != std::string::npos;
      for (const std::string_view name :
           {"title", "content", "value", "alt", "name", "data-full"}) {
        for (const std::string& value : AttributeValues(content.html, name)) {
          almost |= !value.empty() && value.back() == '/';
        }
      }
      ++(almost ? other : same);
    });
    if (other > 0) ++sites;
    EXPECT_GT(same, kPages / 3) << site;
  }
  // Cut short or with a slash; other sites change the case, or drop a word.
  EXPECT_GT(sites, kSites / 4);
}

TEST(Traps, SitesPrintThemInTheirOwnWay) {
  const uint64_t seed = testing_support::TestSeed(38);
  for (const Case& c : Cases()) {
    SCOPED_TRACE(LabelOf(c));
    const WebGenerator web = MakeWeb(seed, c.vertical, {c.trap});
    std::map<std::string, int> contexts;
    GeneratedPage page;
    for (int site = 0; site < kSites; ++site) {
      web.Generate(0, int64_t{site} * kPages, &page);
      std::string tags;
      for (const std::string& tag : TagSequence(ContentArea(page.html))) {
        tags += tag + " ";
      }
      ++contexts[tags];
    }
    EXPECT_GT(contexts.size(), static_cast<size_t>(kSites * 9 / 10));
  }
}

TEST(Traps, CanBeCombined) {
  const uint64_t seed = testing_support::TestSeed(39);
  const std::vector<Trap> all = {
      Template::REPEATED_SELDOM,     Template::LIST_TAIL,
      Template::SHORT_AND_LONG_LIST, Template::TEXT_AND_ADDRESS,
      Template::PAGE_ANCHORS,        Template::WORD_RANGE,
      Template::MISSING_LABELLED};
  for (const std::string_view vertical : {"book", "movie"}) {
    const WebGenerator web = MakeWeb(seed, vertical, all);
    GeneratedPage page;
    std::map<size_t, int> counts;
    for (int64_t i = 0; i < web.NumPages(0); ++i) {
      web.Generate(0, i, &page);
      for (const int repeated : {1, 2}) {
        ++counts[page.records[0].values(repeated).size()];
      }
    }
    EXPECT_GT(counts[4] + counts[5] + counts[6], 0);
  }
}

TEST(Traps, StayWhereTheyAreInARedesign) {
  const WebGenerator web = *WebGenerator::Create(ParseSpec(StrCat(
      "seed: 3 days: 2 site { host: 's{n}.example' count: 20 vertical: 'book' "
      "pages: 10 change { kind: REDESIGN day: 1 } ",
      TemplateOf({Template::REPEATED_SELDOM, Template::MISSING_LABELLED}),
      "}")));
  GeneratedPage before, after;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &before);
    web.Generate(1, i, &after);
    EXPECT_EQ(TruthJsonLines(before), TruthJsonLines(after));
    EXPECT_NE(before.html, after.html);
  }
}

TEST(Traps, ListPagesHaveTheValuesOfDetailPages) {
  const WebGenerator web = *WebGenerator::Create(ParseSpec(
      StrCat("seed: 4 site { host: 's{n}.example' count: 10 vertical: 'book' "
             "pages: 40 template { kind: 'list' } ",
             TemplateOf({Template::SHORT_AND_LONG_LIST}), "}")));
  std::map<std::string, std::vector<std::string>> authors;
  GeneratedPage page;
  int compared = 0;
  for (const bool detail : {true, false}) {
    for (int64_t i = 0; i < web.NumPages(0); ++i) {
      web.Generate(0, i, &page);
      if ((page.template_name == "detail") != detail) continue;
      for (const record::Record& record : page.records) {
        const std::string key = page.site + " " + record.values(0)[0];
        if (detail) {
          authors[key] = record.values(1);
        } else if (record.values(1).size() > 3 && !authors[key].empty()) {
          ++compared;
          EXPECT_EQ(record.values(1), authors[key]) << page.url;
        }
      }
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(TrapsLay, NamesTheTrapWithoutAnAttribute) {
  for (const Vertical& vertical : Verticals()) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const auto traps =
          Traps::Lay(vertical,
                     {Template::PAGE_ANCHORS, Template::WORD_RANGE,
                      Template::TEXT_AND_ADDRESS},
                     seed);
      EXPECT_TRUE(traps.ok()) << vertical.name << ": " << traps.status();
    }
  }
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto traps =
        Traps::Lay(*FindVertical("camera"), {Template::LIST_TAIL}, seed);
    EXPECT_THAT(std::string(traps.status().message()),
                HasSubstr("LIST_TAIL: no attribute of camera is left"));
  }
}

}  // namespace
}  // namespace trommel::synth
