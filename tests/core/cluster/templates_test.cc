#include "core/cluster/templates.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/core/cluster/sketches.h"
#include "tests/testing/seed.h"

namespace trommel::cluster {
namespace {

using testing_support::Changed;
using testing_support::RandomSketch;
using testing_support::Shuffle;
using Sample = std::vector<signature::PageSignature>;
using Strings = std::vector<std::string>;

signature::ShingleVector Vector(std::string_view text) {
  return *signature::ParseVector(text);
}

// The templates' signatures, "1.2.3.4.5.6.*.*: 30, 1.2.3.4.5.9.9.9: 20".
Strings Texts(const std::vector<Template>& templates) {
  Strings texts;
  for (const Template& tmpl : templates) {
    std::string text;
    for (const Signature& signature : tmpl.signatures) {
      if (!text.empty()) text += ", ";
      StrAppend(&text, signature.vector.Text(), ": ", signature.importance);
    }
    texts.push_back(text);
  }
  return texts;
}

void AddPages(int num_pages, signature::ShingleVector vector,
              const signature::Sketch& sketch, Sample* sample) {
  sample->insert(sample->end(), static_cast<size_t>(num_pages),
                 {vector, sketch});
}

// Pages of one structure whose vectors have nothing in common.
void AddScattered(int num_pages, const signature::Sketch& centre,
                  Random* random, Sample* sample) {
  for (; num_pages > 0; --num_pages) {
    sample->push_back({random->Next(), Changed(centre, 2, random)});
  }
}

TEST(TemplatesTest, NoPages) {
  EXPECT_TRUE(ThreePassTemplates({}).empty());
  EXPECT_TRUE(MergedTemplates({}).empty());
}

// One masked vector covers both templates, and the three passes alone take it.
TEST(TemplatesTest, TwoTemplatesUnderOneMaskedVectorAreKeptApart) {
  Random random(testing_support::TestSeed(450));
  const signature::Sketch first = RandomSketch(&random),
                          second = RandomSketch(&random);
  Sample sample;
  AddPages(60, Vector("1.2.3.4.5.6.7.8"), first, &sample);
  AddPages(40, Vector("1.2.3.4.5.6.9.9"), second, &sample);
  EXPECT_EQ(Texts(ThreePassTemplates(sample)),
            (Strings{"1.2.3.4.5.6.*.*: 100"}));
  const std::vector<Template> merged = MergedTemplates(sample);
  EXPECT_EQ(Texts(merged),
            (Strings{"1.2.3.4.5.6.7.8: 60", "1.2.3.4.5.6.9.9: 40"}));
  EXPECT_EQ(merged[0].Importance(), 60);
  EXPECT_DOUBLE_EQ(merged[0].sketch->Likeness(first), 1.0);
  EXPECT_DOUBLE_EQ(merged[1].sketch->Likeness(second), 1.0);
}

// Clusters with nothing in common but their pages' structure are one template.
TEST(TemplatesTest, ClustersOfOneStructureAreMerged) {
  Random random(testing_support::TestSeed(451));
  const signature::Sketch first = RandomSketch(&random),
                          second = RandomSketch(&random);
  Sample sample;
  AddPages(30, Vector("1.1.1.1.1.1.1.1"), first, &sample);
  AddPages(50, Vector("3.3.3.3.3.3.3.3"), second, &sample);
  AddPages(40, Vector("2.2.2.2.2.2.2.2"), first, &sample);
  // Below the threshold of 2% of 121 pages, and not the strongest.
  AddPages(1, Vector("4.4.4.4.4.4.4.4"), first, &sample);
  EXPECT_EQ(Texts(ThreePassTemplates(sample)),
            (Strings{"3.3.3.3.3.3.3.3: 50", "2.2.2.2.2.2.2.2: 40",
                     "1.1.1.1.1.1.1.1: 30"}));
  const std::vector<Template> merged = MergedTemplates(sample);
  EXPECT_EQ(Texts(merged), (Strings{"2.2.2.2.2.2.2.2: 40, 1.1.1.1.1.1.1.1: 30",
                                    "3.3.3.3.3.3.3.3: 50"}));
  EXPECT_EQ(merged[0].Importance(), 70);
}

TEST(TemplatesTest, LeftoversFormATemplateFromEnoughPagesOn) {
  Random random(testing_support::TestSeed(452));
  struct Case {
    const char* label;
    int sample_pages, leftovers;
    bool is_template;
  };
  const Case kCases[] = {
      {"20 of a large sample", 2000, 20, true},
      {"19 of a large sample", 2000, 19, false},
      {"20 of 200", 200, 20, true},
      {"19 of 200", 200, 19, false},
      {"a tenth of 100", 100, 10, true},
      {"less than a tenth of 100", 100, 9, false},
      {"three of 20", 20, 3, true},
      {"two of 20", 20, 2, false},
  };
  for (const Case& c : kCases) {
    const signature::Sketch large = RandomSketch(&random),
                            small = RandomSketch(&random);
    Sample sample;
    AddPages(c.sample_pages - c.leftovers, Vector("1.2.3.4.5.6.7.8"), large,
             &sample);
    AddScattered(c.leftovers, small, &random, &sample);
    EXPECT_EQ(ThreePassTemplates(sample).size(), 1u) << c.label;
    const std::vector<Template> merged = MergedTemplates(sample);
    ASSERT_EQ(merged.size(), c.is_template ? 2u : 1u) << c.label;
    EXPECT_EQ(Texts(merged)[0],
              StrCat("1.2.3.4.5.6.7.8: ", c.sample_pages - c.leftovers))
        << c.label;
    if (!c.is_template) continue;
    // The strongest signature, weak as it is.
    EXPECT_EQ(merged[1].signatures.size(), 1u) << c.label;
    EXPECT_EQ(merged[1].Importance(), 1) << c.label;
    EXPECT_GT(merged[1].sketch->Likeness(small), 0.9) << c.label;
  }
}

TEST(TemplatesTest, SmallSites) {
  Random random(testing_support::TestSeed(453));
  const signature::Sketch a = RandomSketch(&random), b = RandomSketch(&random);
  struct Case {
    const char* label;
    Sample sample;
    Strings three_pass, merged;
  };
  const signature::PageSignature a1 = {Vector("1.1.1.1.1.1.1.1"), a};
  const signature::PageSignature a2 = {Vector("1.1.1.1.1.1.2.2"), a};
  const signature::PageSignature a3 = {Vector("7.7.7.7.7.7.7.7"), a};
  const signature::PageSignature a4 = {Vector("8.8.8.8.8.8.8.8"), a};
  const signature::PageSignature b1 = {Vector("1.1.1.1.1.1.3.3"), b};
  const Case kCases[] = {
      {"one page", {a1}, {}, {}},
      {"two alike", {a1, a1}, {"1.1.1.1.1.1.1.1: 2"}, {"1.1.1.1.1.1.1.1: 2"}},
      {"two nearly alike",
       {a1, a2},
       {"1.1.1.1.1.1.*.*: 2"},
       {"1.1.1.1.1.1.*.*: 2"}},
      {"two of other structure", {a1, b1}, {"1.1.1.1.1.1.*.*: 2"}, {}},
      {"two alike by structure only", {a1, a3}, {}, {}},
      {"three alike by structure only",
       {a4, a1, a3},
       {},
       {"1.1.1.1.1.1.1.1: 1"}},
      // A single page is too little to keep a masked vector from others.
      {"a stray page beside two",
       {a1, a2, b1},
       {"1.1.1.1.1.1.*.*: 3"},
       {"1.1.1.1.1.1.*.*: 2"}},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Texts(ThreePassTemplates(c.sample)), c.three_pass) << c.label;
    EXPECT_EQ(Texts(MergedTemplates(c.sample)), c.merged) << c.label;
  }
}

// The same tags with other classes: the vectors cannot tell them apart.
TEST(TemplatesTest, TemplatesWithTheSameVectorsHaveSketchesOnly) {
  Random random(testing_support::TestSeed(454));
  const signature::Sketch a = RandomSketch(&random), b = RandomSketch(&random);
  Sample sample;
  AddPages(30, Vector("1.2.3.4.5.6.7.8"), a, &sample);
  AddPages(40, Vector("1.2.3.4.5.6.7.8"), b, &sample);
  const std::vector<Template> merged = MergedTemplates(sample);
  EXPECT_EQ(Texts(merged), (Strings{"", ""}));
  EXPECT_NE(ClusterId("a.example", merged[0]),
            ClusterId("a.example", merged[1]));
}

TEST(TemplatesProperty, AreAFunctionOfTheSampleAsASet) {
  Random random(testing_support::TestSeed(455));
  for (int round = 0; round < 30; ++round) {
    Sample sample;
    for (int i = 0; i < 5; ++i) {
      const signature::Sketch centre = RandomSketch(&random);
      // Few vectors, so that templates often share them all.
      const uint64_t num_vectors = 1 + random.Below(3);
      const uint64_t num_pages = 3 + random.Below(20);
      for (uint64_t page = 0; page < num_pages; ++page) {
        sample.push_back({random.Below(num_vectors) << 40 | 0x010203,
                          Changed(centre, random.Below(10), &random)});
      }
    }
    // Everything that is stored.
    const auto stored = [](const std::vector<Template>& templates) {
      Strings all = Texts(templates);
      for (const Template& tmpl : templates) {
        if (!tmpl.sketch.has_value()) continue;
        all.push_back(Hex64(Hash64(tmpl.sketch->Encode())));
      }
      return all;
    };
    const Strings three_pass = stored(ThreePassTemplates(sample));
    const Strings merged = stored(MergedTemplates(sample));
    Shuffle(&sample, &random);
    ASSERT_EQ(stored(ThreePassTemplates(sample)), three_pass) << round;
    ASSERT_EQ(stored(MergedTemplates(sample)), merged) << round;
  }
}

// Ids are stored with rules and must not change from release to release.
TEST(ClusterIdTest, IsStable) {
  const Template tmpl = {
      {{*signature::MaskedVector::Parse("1.2.*.4.5.*.7.8"), 20, 0},
       {*signature::MaskedVector::Parse("1.2.3.4.5.6.7.8"), 2, 0}},
      std::nullopt};
  EXPECT_EQ(ClusterId("www.shop.example", tmpl), "5b54d1f4e22edcab");
}

TEST(ClusterIdTest, DependsOnSiteAndStrongestSignature) {
  Random random(testing_support::TestSeed(456));
  const signature::Sketch a = RandomSketch(&random), b = RandomSketch(&random);
  const Signature strong = {*signature::MaskedVector::Parse("1.2.*.4.5.*.7.8"),
                            20, 0};
  const Signature weak = {*signature::MaskedVector::Parse("1.2.3.4.5.6.7.8"), 2,
                          0};
  const Template tmpl = {{strong, weak}, TypicalSketch::Of({&a})};
  const std::string id = ClusterId("a.example", tmpl);
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);

  EXPECT_EQ(ClusterId("a.example", {{strong}, TypicalSketch::Of({&b})}), id)
      << "weaker signatures and the sketch";
  EXPECT_NE(ClusterId("b.example", tmpl), id) << "site";
  EXPECT_NE(ClusterId("a.example", {{weak}, tmpl.sketch}), id) << "signature";
  EXPECT_NE(ClusterId("a.example", {{}, TypicalSketch::Of({&a})}),
            ClusterId("a.example", {{}, TypicalSketch::Of({&b})}))
      << "sketch where there is no signature";
}

}  // namespace
}  // namespace trommel::cluster
