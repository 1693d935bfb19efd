#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "core/cluster/placement.h"
#include "core/cluster/templates.h"
#include "core/signature/page_signature.h"
#include "proto/web_spec.pb.h"
#include "synth/generator.h"

namespace trommel::cluster {
namespace {

// Sites of many templates, with truth: does clustering find them again?

constexpr std::string_view kKinds[] = {"detail", "list",   "review", "seller",
                                       "help",   "search", "cart",   "article"};

struct SignedPage {
  signature::PageSignature signature;
  std::string truth;  // name of its template
};
using SignedSite = std::vector<SignedPage>;

// The pages of each site, by host.
std::map<std::string, SignedSite> SignedSites(const proto::WebSpec& spec) {
  const absl::StatusOr<synth::WebGenerator> web =
      synth::WebGenerator::Create(spec);
  EXPECT_TRUE(web.ok()) << web.status();
  std::map<std::string, SignedSite> sites;
  if (!web.ok()) return sites;
  signature::PageSigner signer;
  synth::GeneratedPage page;
  for (int64_t i = 0; i < web->NumPages(0); ++i) {
    web->Generate(0, i, &page);
    const std::optional<signature::PageSignature> signature =
        signer.Sign(page.html, page.charset);
    EXPECT_TRUE(signature.has_value()) << page.url;
    if (!signature.has_value()) continue;
    sites[page.site].push_back({*signature, page.template_name});
  }
  return sites;
}

struct Figures {
  size_t pages = 0, placed = 0, pure = 0;
  size_t clusters = 0;
  std::map<std::string, int> clusters_of;  // by truth of most of their pages

  double Purity() const {
    return placed == 0
               ? 0
               : static_cast<double>(pure) / static_cast<double>(placed);
  }
  double Coverage() const {
    return static_cast<double>(placed) / static_cast<double>(pages);
  }
};

Figures Measure(const SignedSite& site, std::vector<Template> templates) {
  const SiteTemplates placer(std::move(templates));
  std::map<size_t, std::map<std::string, size_t>> truths_of_cluster;
  Figures figures;
  for (const SignedPage& page : site) {
    ++figures.pages;
    const std::optional<Placement> placement = placer.Place(page.signature);
    if (!placement.has_value()) continue;
    ++figures.placed;
    ++truths_of_cluster[placement->place][page.truth];
  }
  for (const auto& [place, truths] : truths_of_cluster) {
    const auto most = std::max_element(
        truths.begin(), truths.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    figures.pure += most->second;
    ++figures.clusters;
    ++figures.clusters_of[most->first];
  }
  return figures;
}

std::vector<signature::PageSignature> SampleOf(const SignedSite& site) {
  // These sites are small: the sample is the whole of them.
  std::vector<signature::PageSignature> sample;
  for (const SignedPage& page : site) sample.push_back(page.signature);
  return sample;
}

// A line for both ways to cluster; gives the figures of merged templates.
Figures MeasureAndPrint(const std::string& host, const SignedSite& site) {
  const std::vector<signature::PageSignature> sample = SampleOf(site);
  const Figures three_pass = Measure(site, ThreePassTemplates(sample));
  const Figures merged = Measure(site, MergedTemplates(sample));
  std::printf("%-23s %6zu | %8zu %7.4f %8.4f | %8zu %7.4f %8.4f\n",
              host.c_str(), site.size(), merged.clusters, merged.Purity(),
              merged.Coverage(), three_pass.clusters, three_pass.Purity(),
              three_pass.Coverage());
  return merged;
}

void PrintHeader() {
  std::printf("%-23s %6s | %25s | %25s\n", "", "", "merged", "three passes");
  std::printf("%-23s %6s | %8s %7s %8s | %8s %7s %8s\n", "site", "pages",
              "clusters", "purity", "coverage", "clusters", "purity",
              "coverage");
}

// `sites` of each of four verticals, with all kinds of template.
proto::WebSpec Spec(uint64_t seed, int sites, int64_t pages) {
  proto::WebSpec spec;
  spec.set_seed(seed);
  for (const std::string_view vertical :
       {"movie", "book", "job", "restaurant"}) {
    proto::Site* const site = spec.add_site();
    site->set_host(StrCat("www.", vertical, "{n}.example"));
    site->set_count(sites);
    site->set_vertical(std::string(vertical));
    site->set_pages(pages);
    for (const std::string_view kind : kKinds) {
      proto::Template* const tmpl = site->add_template_();
      tmpl->set_kind(std::string(kind));
      tmpl->set_weight(kind == "detail" ? 4 : 1);
    }
  }
  return spec;
}

TEST(HardCaseTest, EightTemplatesPerSite) {
  PrintHeader();
  for (const auto& [host, site] : SignedSites(Spec(17, 3, 1000))) {
    const Figures merged = MeasureAndPrint(host, site);
    EXPECT_GE(merged.Purity(), 0.999) << host;
    EXPECT_GE(merged.Coverage(), 0.99) << host;
    for (const std::string_view kind : kKinds) {
      const auto found = merged.clusters_of.find(std::string(kind));
      const int clusters =
          found == merged.clusters_of.end() ? 0 : found->second;
      EXPECT_GE(clusters, 1) << host << " " << kind;
      EXPECT_LE(clusters, 2) << host << " " << kind;
    }
  }
}

// Two templates are nearly absent: 12 pages of one and 2 of another must not
// spoil the clusters of the others.
TEST(HardCaseTest, ThinnedTemplates) {
  PrintHeader();
  size_t i = 0;
  for (auto& [host, site] : SignedSites(Spec(18, 3, 1000))) {
    const std::string_view thin = kKinds[i % std::size(kKinds)];
    const std::string_view thinner = kKinds[(i + 3) % std::size(kKinds)];
    ++i;
    std::map<std::string, int> seen;
    SignedSite thinned;
    for (SignedPage& page : site) {
      const int number = seen[page.truth]++;
      if (page.truth == thin && number >= 12) continue;
      if (page.truth == thinner && number >= 2) continue;
      thinned.push_back(std::move(page));
    }
    const Figures merged = MeasureAndPrint(host, thinned);
    EXPECT_GE(merged.Purity(), 0.999)
        << host << ": few of " << thin << " and " << thinner;
    EXPECT_GE(merged.Coverage(), 0.97) << host;
  }
}

}  // namespace
}  // namespace trommel::cluster
