#include "synth/traps.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "synth/generator.h"
#include "tests/synth/page_text.h"
#include "tests/synth/trap_web.h"
#include "tests/testing/seed.h"

namespace trommel::synth {
namespace {

using proto::Template;
using ::testing::HasSubstr;

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

TEST(Traps, LayNamesTheTrapWithoutAnAttribute) {
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
