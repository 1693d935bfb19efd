// How alike the pages of a synthetic site are: what clustering sees.
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "gtest/gtest.h"
#include "synth/design.h"
#include "synth/generator.h"
#include "synth/kinds.h"
#include "tests/synth/page_text.h"

namespace trommel::synth {
namespace {

constexpr int kSites = 40;
constexpr int kPagesPerTemplate = 4;

WebGenerator MakeWeb() {
  std::string spec = StrCat(
      "seed: 11 site { host: 'site{n}.example' count: ", kSites,
      " vertical: 'movie' pages: ", kPagesPerTemplate * kNumTemplateKinds, " ");
  for (const std::string_view kind : kTemplateKindNames) {
    StrAppend(&spec, "template { kind: '", kind, "' } ");
  }
  return *WebGenerator::Create(ParseSpec(spec + "}"));
}

TEST(Structure, SizesMatchRealPages) {
  const WebGenerator web = MakeWeb();
  GeneratedPage page;
  size_t tags = 0;
  size_t bytes = 0;
  size_t least_tags = 1 << 30, most_tags = 0, least_bytes = 1 << 30,
         most_bytes = 0;
  for (int64_t i = 0; i < web.NumPages(0); ++i) {
    web.Generate(0, i, &page);
    const size_t count = TagSequence(page.html).size();
    tags += count;
    bytes += page.html.size();
    least_tags = std::min(least_tags, count);
    most_tags = std::max(most_tags, count);
    least_bytes = std::min(least_bytes, page.html.size());
    most_bytes = std::max(most_bytes, page.html.size());
  }
  const size_t pages = static_cast<size_t>(web.NumPages(0));
  std::printf("tags %zu to %zu, mean %zu; bytes %zu to %zu, mean %zu\n",
              least_tags, most_tags, tags / pages, least_bytes, most_bytes,
              bytes / pages);
  EXPECT_GE(least_tags, 500u);
  EXPECT_LE(most_tags, 3000u);
  EXPECT_GE(least_bytes, 20000u);
  EXPECT_LE(most_bytes, 150000u);
}

TEST(Structure, TemplatesShareHalfAndPagesOfATemplateNearlyAll) {
  const WebGenerator web = MakeWeb();
  double within_sum = 0, between_sum = 0, least_within = 1;
  double least_between = 1, most_between = 0;
  int within_count = 0, between_count = 0;
  for (int64_t site = 0; site < kSites; ++site) {
    std::vector<std::set<std::string>> pages;
    GeneratedPage page;
    constexpr int64_t kPages = kPagesPerTemplate * kNumTemplateKinds;
    for (int64_t i = 0; i < kPages; ++i) {
      web.Generate(0, site * kPages + i, &page);
      pages.push_back(TagShingles(page.html));
    }
    for (size_t a = 0; a < pages.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        const double likeness = Jaccard(pages[a], pages[b]);
        if (a / kPagesPerTemplate == b / kPagesPerTemplate) {
          within_sum += likeness;
          ++within_count;
          least_within = std::min(least_within, likeness);
        } else {
          between_sum += likeness;
          ++between_count;
          least_between = std::min(least_between, likeness);
          most_between = std::max(most_between, likeness);
        }
      }
    }
  }
  const double within = within_sum / within_count;
  const double between = between_sum / between_count;
  std::printf(
      "within a template: mean %.3f, least %.3f; between: mean %.3f, "
      "%.3f to %.3f\n",
      within, least_within, between, least_between, most_between);
  EXPECT_GT(within, 0.8);
  EXPECT_GT(least_within, 0.6);
  EXPECT_GT(least_between, 0.2);
  EXPECT_LT(most_between, 0.75);
}

TEST(Structure, SitesShareLittle) {
  const WebGenerator web = MakeWeb();
  std::vector<std::set<std::string>> pages;
  GeneratedPage page;
  for (int64_t site = 0; site < kSites; ++site) {
    web.Generate(0, site * kPagesPerTemplate * kNumTemplateKinds, &page);
    pages.push_back(TagShingles(page.html));
  }
  double sum = 0, most = 0;
  int count = 0;
  for (size_t a = 0; a < pages.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      const double likeness = Jaccard(pages[a], pages[b]);
      sum += likeness;
      most = std::max(most, likeness);
      ++count;
    }
  }
  std::printf("between sites: mean %.3f, most %.3f\n", sum / count, most);
  EXPECT_LT(sum / count, 0.1);
  EXPECT_LT(most, 0.35);
}

TEST(Structure, EveryLayoutAndHabitOccurs) {
  std::map<int, int> layouts, namings, quotes;
  int uppercase = 0, dropped = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Design design = MakeDesign(seed * 0x9E3779B97F4A7C15u, 0);
    ++layouts[static_cast<int>(design.layout)];
    ++namings[static_cast<int>(design.naming)];
    ++quotes[static_cast<int>(design.quotes)];
    uppercase += design.uppercase_tags;
    dropped += design.drops_end_tags;
  }
  EXPECT_EQ(layouts.size(), 5u);
  EXPECT_EQ(namings.size(), 7u);
  EXPECT_EQ(quotes.size(), 3u);
  EXPECT_GT(uppercase, 5);
  EXPECT_GT(dropped, 20);
}

}  // namespace
}  // namespace trommel::synth
