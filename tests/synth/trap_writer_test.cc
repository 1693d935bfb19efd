// Pages with traps: that the truth is what they say, and that each trap is
// there.
#include "synth/trap_writer.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "gtest/gtest.h"
#include "synth/generator.h"
#include "synth/words.h"
#include "tests/synth/page_text.h"
#include "tests/synth/trap_web.h"
#include "tests/testing/seed.h"

namespace trommel::synth {
namespace {

using proto::Template;

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

TEST(TrapWriter, TruthIsOnThePage) {
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

TEST(TrapWriter, AddressesHaveTwoLinesOrThreeOrOneText) {
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

TEST(TrapWriter, ListsHaveTails) {
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

TEST(TrapWriter, WordsAreInATextOfMore) {
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
TEST(TrapWriter, NoPageLacksWhatTheHeadlineSays) {
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

TEST(TrapWriter, NeighboursDifferByPageAndSomeAgree) {
  const uint64_t seed = testing_support::TestSeed(36);
  const WebGenerator web = MakeWeb(seed, "camera", {Template::PAGE_ANCHORS});
  int sites_with_buildings = 0;
  for (int site = 0; site < kSites; ++site) {
    std::map<std::string, int> buildings;
    VisitPages(web, site, [&](const GeneratedPage& page) {
      const std::string text = PageText(page);
      for (const std::string& word : Words().building()) {
        const std::string end = StrCat(" ", word, "\x1F");
        for (size_t at = text.find(end); at != text.npos;
             at = text.find(end, at + 1)) {
          const size_t begin = text.rfind('\x1F', at);
          ++buildings[text.substr(begin, at - begin) + word];
        }
      }
    });
    const bool some_agree =
        std::any_of(buildings.begin(), buildings.end(),
                    [](const auto& building) { return building.second > 1; });
    if (buildings.size() > 4 && some_agree) ++sites_with_buildings;
  }
  // Others have companies for neighbours.
  EXPECT_GT(sites_with_buildings, kSites / 3);
}

TEST(TrapWriter, AddressesDifferFromTextsOnSomePages) {
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

TEST(TrapWriter, SitesPrintThemInTheirOwnWay) {
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

}  // namespace
}  // namespace trommel::synth
