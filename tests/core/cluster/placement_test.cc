#include "core/cluster/placement.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "tests/core/cluster/sketches.h"
#include "tests/testing/seed.h"

namespace trommel::cluster {
namespace {

using testing_support::Changed;
using testing_support::EmptySketch;
using testing_support::RandomSketch;
using testing_support::Spliced;

Signature Sign(std::string_view text, int64_t importance) {
  return {*signature::MaskedVector::Parse(text), importance, 0};
}

std::string Where(const SiteTemplates& site,
                  const signature::PageSignature& page) {
  const std::optional<Placement> placement = site.Place(page);
  if (!placement.has_value()) return "none";
  return std::string(PlacedByName(placement->by)) + " " +
         std::to_string(placement->place);
}

signature::PageSignature Page(std::string_view vector,
                              const signature::Sketch& sketch) {
  return {*signature::ParseVector(vector), sketch};
}

class PlacementTest : public testing::Test {
 protected:
  TypicalSketch TypicalOf(const signature::Sketch& page) {
    return TypicalSketch::Of({&page});
  }

  Random random_{testing_support::TestSeed(440)};
  const signature::Sketch first_ = RandomSketch(&random_);
  const signature::Sketch second_ = RandomSketch(&random_);
  const signature::Sketch third_ = RandomSketch(&random_);
};

TEST_F(PlacementTest, Names) {
  EXPECT_EQ(PlacedByName(PlacedBy::kSignature), "signature");
  EXPECT_EQ(PlacedByName(PlacedBy::kSketch), "sketch");
}

TEST_F(PlacementTest, NoTemplates) {
  EXPECT_EQ(Where(SiteTemplates({}), Page("1.2.3.4.5.6.7.8", first_)), "none");
}

// Equally like two templates: whatever their order, the more important one.
TEST_F(PlacementTest, TiesDoNotDependOnTheOrderOfTemplates) {
  const signature::Sketch between =
      Spliced(first_, second_, signature::Sketch::kSlots / 2);
  const Template weak = {{Sign("1.1.1.1.1.1.1.1", 5)}, TypicalOf(between)};
  const Template strong = {{Sign("2.2.2.2.2.2.2.2", 50)}, TypicalOf(between)};
  const signature::PageSignature page = Page("9.9.9.9.9.9.9.9", between);
  EXPECT_EQ(Where(SiteTemplates({weak, strong}), page), "sketch 1");
  EXPECT_EQ(Where(SiteTemplates({strong, weak}), page), "sketch 0");
}

TEST_F(PlacementTest, Table) {
  const SiteTemplates site(std::vector<Template>{
      // Strong in one signature, weak in the other.
      {{Sign("1.1.1.1.1.1.*.*", 50), Sign("2.2.2.2.2.2.*.*", 5)},
       TypicalOf(first_)},
      {{Sign("2.2.2.2.2.*.*.2", 20), Sign("1.1.1.1.1.1.1.1", 10)},
       TypicalOf(second_)},
      // Without a signature.
      {{}, TypicalOf(third_)},
      // As without merging.
      {{Sign("3.3.3.3.3.3.3.*", 2)}, std::nullopt},
  });
  struct Case {
    const char* label;
    signature::PageSignature page;
    std::string_view place;
  };
  const Case kCases[] = {
      {"covered", Page("1.1.1.1.1.1.8.9", first_), "signature 0"},
      {"importance before closeness", Page("1.1.1.1.1.1.1.1", second_),
       "signature 0"},
      {"importance of the signature, not of the template",
       Page("2.2.2.2.2.2.2.2", first_), "signature 1"},
      {"the weak signature", Page("2.2.2.2.2.2.0.0", first_), "signature 0"},
      {"signature before sketch", Page("1.1.1.1.1.1.8.9", third_),
       "signature 0"},
      {"without a sketch", Page("3.3.3.3.3.3.3.0", second_), "signature 3"},
      {"by sketch", Page("9.9.9.9.9.9.9.9", second_), "sketch 1"},
      {"by sketch, no signature", Page("9.9.9.9.9.9.9.9", third_), "sketch 2"},
      {"by sketch, like enough",
       Page("9.9.9.9.9.9.9.9", Changed(second_, 25, &random_)), "sketch 1"},
      {"not like enough",
       Page("9.9.9.9.9.9.9.9", Changed(second_, 26, &random_)), "none"},
      {"half of two", Page("9.9.9.9.9.9.9.9", Spliced(first_, second_, 64)),
       "none"},
      {"no structure", Page("9.9.9.9.9.9.9.9", EmptySketch()), "none"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Where(site, c.page), c.place) << c.label;
  }
  EXPECT_EQ(site.templates().size(), 4u);
}

TEST_F(PlacementTest, EqualImportanceBreaksTiesByTheMaskedVector) {
  Template fewer = {{Sign("1.2.3.4.5.6.7.*", 7)}, std::nullopt};
  Template more = {{Sign("1.2.3.4.5.6.*.*", 7)}, std::nullopt};
  const signature::PageSignature page = Page("1.2.3.4.5.6.7.8", first_);
  EXPECT_EQ(Where(SiteTemplates({fewer, more}), page), "signature 0");
  EXPECT_EQ(Where(SiteTemplates({more, fewer}), page), "signature 1");
}

TEST_F(PlacementTest, TheMostAlikeSketchDecides) {
  // Both accept the page; the second is closer.
  const signature::Sketch page = Changed(first_, 20, &random_);
  const signature::Sketch closer = Changed(page, 5, &random_);
  const signature::PageSignature signature = Page("9.9.9.9.9.9.9.9", page);
  const Template far = {{}, TypicalOf(first_)};
  const Template near = {{}, TypicalOf(closer)};
  EXPECT_EQ(Where(SiteTemplates({far, near}), signature), "sketch 1");
  EXPECT_EQ(Where(SiteTemplates({near, far}), signature), "sketch 0");
}

}  // namespace
}  // namespace trommel::cluster
