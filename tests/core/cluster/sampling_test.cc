#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/cluster/site_sample.h"
#include "core/cluster/three_pass.h"
#include "tests/testing/seed.h"
#include "tests/testing/signature_web.h"

namespace trommel::cluster {
namespace {

using testing_support::SignatureSite;

// The experiment of Vertex, section III-A, on generated sites: how much of a
// site's large clusters do the signatures of a sample cover?

constexpr int64_t kThreshold = 20;

// A site's distinct vectors, its pages in the order in which samples take them,
// and its large clusters.
struct MeasuredSite {
  std::vector<VectorCount> distinct;
  std::vector<signature::ShingleVector> by_hash;
  std::vector<Signature> signatures;
  size_t large_clusters = 0;
  std::vector<VectorCount> large_cluster_vectors;
};

MeasuredSite Measured(const SignatureSite& site) {
  std::vector<signature::ShingleVector> vectors;
  std::vector<std::pair<uint64_t, size_t>> order;
  for (int64_t i = 0; i < site.num_pages(); ++i) {
    order.emplace_back(Hash64(StrCat("http://site.example/page-", i, ".html")),
                       vectors.size());
    vectors.push_back(site.Page(i).vector);
  }
  std::sort(order.begin(), order.end());
  MeasuredSite measured;
  for (const auto& [hash, i] : order) measured.by_hash.push_back(vectors[i]);
  measured.distinct = CountVectors(std::move(vectors));
  measured.signatures = FindSignatures(measured.distinct, kThreshold);

  std::map<const Signature*, std::vector<VectorCount>> clusters;
  for (const VectorCount& vector : measured.distinct) {
    const Signature* const signature =
        FindCovering(measured.signatures, vector.vector);
    if (signature != nullptr) clusters[signature].push_back(vector);
  }
  const double large =
      std::max(100.0, 0.001 * static_cast<double>(site.num_pages()));
  for (const auto& [signature, members] : clusters) {
    int64_t size = 0;
    for (const VectorCount& vector : members) size += vector.count;
    if (static_cast<double>(size) <= large) continue;
    ++measured.large_clusters;
    measured.large_cluster_vectors.insert(measured.large_cluster_vectors.end(),
                                          members.begin(), members.end());
  }
  return measured;
}

std::vector<Signature> SignaturesOfSample(const MeasuredSite& site,
                                          int64_t sample_pages) {
  return FindSignatures(
      CountVectors({site.by_hash.begin(), site.by_hash.begin() + sample_pages}),
      kThreshold);
}

// The share of the large clusters' pages that the signatures cover.
double Coverage(const MeasuredSite& site,
                const std::vector<Signature>& signatures) {
  int64_t pages = 0, covered = 0;
  for (const VectorCount& vector : site.large_cluster_vectors) {
    pages += vector.count;
    if (FindCovering(signatures, vector.vector) != nullptr) {
      covered += vector.count;
    }
  }
  return pages == 0 ? 0
                    : static_cast<double>(covered) / static_cast<double>(pages);
}

// Small sites have from 1 to 20 templates, large ones from 1 to 60, most of
// them few. Under a threshold of 20 pages, a sample of 2,000 sees nothing of a
// template with less than a hundredth of its site, and half of 60 templates
// have that little; the test below has the figures.
constexpr int kTemplatesOfSmall[] = {1, 2, 3, 4, 5, 6, 8, 10, 14, 20};
constexpr int kTemplatesOfLarge[] = {1, 2, 3, 4, 6, 8, 12, 18, 30, 60};

SignatureSite MakeSite(uint64_t seed, int64_t num_pages, int num_templates) {
  SignatureSite::Shape shape;
  shape.num_pages = num_pages;
  shape.num_templates = num_templates;
  return SignatureSite(seed, shape);
}

// The paper's samples, 2,000 pages of a small and 20,000 of a large site, and
// beside them those that SamplePages() would take.
TEST(SamplingPaper, Figure3) {
  Random random(testing_support::TestSeed(470));
  size_t sum_clusters = 0, most_clusters = 0, fewest_clusters = SIZE_MAX;
  std::printf(
      "                  ---- clusters ----   paper's sample          "
      "our sample\n%8s %9s %8s %8s %8s %8s %9s %8s %9s\n",
      "pages", "templates", "site", "large", "pages", "clusters", "coverage",
      "pages", "coverage");
  for (const bool large : {false, true}) {
    const int64_t sample_pages = large ? 20000 : 2000;
    const double wanted = large ? 0.993 : 0.95;
    double sum = 0, our_sum = 0;
    int below = 0;
    for (const int num_templates :
         large ? kTemplatesOfLarge : kTemplatesOfSmall) {
      const int64_t num_pages = large ? random.Between(100001, 200000)
                                      : random.Between(10000, 100000);
      const MeasuredSite site =
          Measured(MakeSite(random.Next(), num_pages, num_templates));
      const std::vector<Signature> sample_signatures =
          SignaturesOfSample(site, sample_pages);
      const double coverage = Coverage(site, sample_signatures);
      const int64_t our_pages = SamplePages(num_pages);
      const double ours = Coverage(site, SignaturesOfSample(site, our_pages));
      std::printf("%8d %9d %8zu %8zu %8d %8zu %9.4f %8d %9.4f\n",
                  static_cast<int>(num_pages), num_templates,
                  site.signatures.size(), site.large_clusters,
                  static_cast<int>(sample_pages), sample_signatures.size(),
                  coverage, static_cast<int>(our_pages), ours);
      EXPECT_GT(site.large_clusters, 0u);
      sum += coverage;
      our_sum += ours;
      below += coverage < wanted ? 1 : 0;
      sum_clusters += sample_signatures.size();
      most_clusters = std::max(most_clusters, sample_signatures.size());
      fewest_clusters = std::min(fewest_clusters, sample_signatures.size());
    }
    std::printf(
        "%s sites: mean coverage %.4f, %d of 10 below %.3f; with our "
        "samples %.4f\n",
        large ? "large" : "small", sum / 10, below, wanted, our_sum / 10);
    EXPECT_GT(sum / 10, wanted);
    EXPECT_EQ(below, 0);
    EXPECT_GT(our_sum / 10, large ? 0.993 : 0.98);
  }
  std::printf(
      "clusters per site: %.1f (%zu to %zu); the paper: 24 (1 to 149)\n",
      static_cast<double>(sum_clusters) / 20, fewest_clusters, most_clusters);
}

// Where the paper's small samples end, and a fifth of the site does not: sites
// with many templates of less than a hundredth each.
TEST(SamplingTest, SmallSamplesMissSmallTemplates) {
  Random random(testing_support::TestSeed(471));
  for (int round = 0; round < 3; ++round) {
    const MeasuredSite site = Measured(MakeSite(random.Next(), 65000, 60));
    const double small = Coverage(site, SignaturesOfSample(site, 2000));
    const double fifth =
        Coverage(site, SignaturesOfSample(site, SamplePages(65000)));
    std::printf(
        "60 templates, 65000 pages: coverage %.4f by 2000 pages, %.4f "
        "by %d\n",
        small, fifth, static_cast<int>(SamplePages(65000)));
    EXPECT_LT(small, 0.9);
    EXPECT_GT(fifth, 0.98);
  }
}

// The generator itself.
TEST(SignatureSiteTest, IsAFunctionOfSeedAndIndex) {
  const SignatureSite one = MakeSite(5, 1000, 6), two = MakeSite(5, 1000, 6);
  const SignatureSite other = MakeSite(6, 1000, 6);
  std::map<int, int> pages_of;
  int equal = 0;
  for (int64_t i = 999; i >= 0; --i) {
    ASSERT_EQ(one.Page(i), two.Page(i));
    ASSERT_EQ(one.TemplateOf(i), two.TemplateOf(i));
    ++pages_of[one.TemplateOf(i)];
    equal += one.Page(i).vector == other.Page(i).vector ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
  EXPECT_EQ(pages_of.size(), 6u);
  EXPECT_GT(pages_of[0], 2 * pages_of[5]);
}

// Its signatures follow the shingles as those of pages do: sets that share a
// half of their union agree in half of their bytes and slots.
TEST(SignatureSiteTest, MinimaOfMergedSetsAreThoseOfTheUnion) {
  Random random(testing_support::TestSeed(472));
  double equal_bytes = 0, resemblance = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    testing_support::ShingleMinima parts[3], whole;
    for (int i = 0; i < 600; ++i) {
      const uint64_t a = random.Next(), b = random.Next();
      // 300 shared, 150 each alone.
      testing_support::ShingleMinima& part = parts[i < 300 ? 0 : 1 + i % 2];
      part.AddToVector(a);
      part.AddToSketch(b);
      whole.AddToVector(a);
      whole.AddToSketch(b);
    }
    testing_support::ShingleMinima left = parts[0], right = parts[0];
    left.Add(parts[1]);
    right.Add(parts[2]);
    const signature::PageSignature a = left.Signature(), b = right.Signature();
    for (int i = 0; i < signature::kVectorBytes; ++i) {
      equal_bytes += signature::VectorByte(a.vector, i) ==
                             signature::VectorByte(b.vector, i)
                         ? 1
                         : 0;
    }
    resemblance += signature::CompareSketches(a.sketch, b.sketch).Resemblance();
    left.Add(right);
    ASSERT_EQ(left.Signature(), whole.Signature());
  }
  EXPECT_NEAR(equal_bytes / (8 * kRounds), 0.5, 0.05);
  EXPECT_NEAR(resemblance / kRounds, 0.5, 0.02);
}

}  // namespace
}  // namespace trommel::cluster
