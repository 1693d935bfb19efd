#include "jobs/cluster/report.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>

#include "core/base/strings.h"
#include "jobs/report/bar.h"
#include "jobs/report/blocks.h"
#include "jobs/report/html.h"
#include "jobs/report/page.h"
#include "jobs/report/table.h"

namespace trommel::jobs::cluster_job {
namespace {

using report::BarPart;
using report::Cell;
using report::Code;
using report::Html;
using report::Markup;
using report::Text;

// Of a cluster's signatures and of its example URLs, at most so many are shown.
constexpr size_t kMaxSignatures = 50;
constexpr size_t kMaxUrls = 10;

// "1,234 12.3%".
Html CountAndShare(int64_t count, int64_t whole) {
  return Text(Grouped(count)) +
         Markup(StrCat(" <small class=\"soft\">", report::Percent(count, whole),
                       "</small>"));
}

// Site and ClusterReport have the same figures.
template <typename Figures>
std::vector<BarPart> CoverageParts(const Figures& figures) {
  return {{"By signature", figures.by_signature, BarPart::Colour::kMain},
          {"By sketch", figures.by_sketch, BarPart::Colour::kSecond},
          {"Uncovered", figures.uncovered, BarPart::Colour::kRest}};
}

Html TotalsSection(const ClusterReport& report) {
  const std::vector<BarPart> parts = CoverageParts(report);
  const auto count_and_share = [&](int64_t count) {
    return CountAndShare(count, report.pages);
  };
  return report::Bar(parts, report.pages) +
         report::BarLegend(parts, report.pages) +
         report::Figures(
             {{"Pages", Text(Grouped(report.pages)),
               Text("Crawled pages that were clustered.")},
              {"Sites", Text(Grouped(report.sites)),
               Text("Each is clustered by itself; no cluster spans two.")},
              {"Clusters", Text(Grouped(report.clusters)),
               Text("Groups of pages made from one template.")},
              {"Sampled", count_and_share(report.sampled),
               Text("Pages that the clusters were found on; the others were "
                    "then placed among them.")},
              {"Rejected", Text(Grouped(report.rejected)),
               Text("Pages that were not HTML or could not be read; they count "
                    "in no other figure.")},
              {"Covered",
               count_and_share(report.by_signature + report.by_sketch),
               Text("Pages in a cluster.")},
              {"By signature", count_and_share(report.by_signature),
               Text("Pages that a signature of their cluster covers.")},
              {"By sketch", count_and_share(report.by_sketch),
               Text("Pages that no signature covers, placed by structural "
                    "resemblance.")},
              {"Uncovered", count_and_share(report.uncovered),
               Text("Pages in no cluster, those too short included.")},
              {"Too short", count_and_share(report.too_short),
               Text("Pages with too few tags for a signature.")},
              {"Alike", count_and_share(report.alike),
               Text("Pages that say nothing of their own: walls, errors, "
                    "empty pages.")}});
}

Html WordsSection() {
  return report::Terms(
      {{Text("Pages"),
        Text("Size of the cluster: pages placed in it, and their share of the "
             "site. The bar has the length of that share.")},
       {Text("By sketch"),
        Text("Those of them that no signature covers and that were placed by "
             "structural resemblance.")},
       {Text("Importance"),
        Text("Count of sampled pages after the second pass of clustering. It "
             "ranks signatures and clusters; it is not the size.")},
       {Text("Signature"),
        Text("Eight bytes that the tags of a page give; ") + Code("*") +
            Text(" is any byte. A page belongs to the cluster of the most "
                 "important signature that covers its own.")},
       {Text("URL pattern"),
        Text("Regular expression (RE2) that matches the whole URL of every "
             "page of the cluster.")}});
}

Html SignatureList(const ClusterReport::Cluster& cluster) {
  const auto& signatures = cluster.signatures;
  if (signatures.empty()) return report::Soft("none");
  std::vector<size_t> order(signatures.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return signatures[a].second > signatures[b].second;
  });
  order.resize(std::min(order.size(), kMaxSignatures));
  std::vector<Html> items;
  items.reserve(order.size());
  for (const size_t i : order) {
    const auto& [text, importance] = signatures[i];
    items.push_back(Code(text) + Text(StrCat(" ", Grouped(importance))));
  }
  return report::FoldingList(items, signatures.size());
}

Html UrlList(const ClusterReport::Cluster& cluster) {
  const std::vector<std::string>& urls = cluster.example_urls;
  if (cluster.url_regex.empty() && urls.empty()) return report::Soft("none");
  Html html;
  if (!cluster.url_regex.empty()) {
    html += report::Paragraph(Code(cluster.url_regex));
  }
  if (urls.empty()) return html;
  std::vector<Html> items;
  for (size_t i = 0; i < std::min(urls.size(), kMaxUrls); ++i) {
    items.push_back(report::Url(urls[i]));
  }
  return html + report::FoldingList(items, urls.size());
}

Html ClusterTable(const ClusterReport::Site& site) {
  report::Table table({{"Cluster"},
                       {"Pages", /*numeric=*/true},
                       {"By sketch", /*numeric=*/true},
                       {"Importance", /*numeric=*/true},
                       {"URL pattern and examples"},
                       {"Signatures and their importance"}});
  for (const ClusterReport::Cluster& cluster : site.clusters) {
    const Html bar = report::Bar(
        {{"By signature", cluster.size - cluster.by_sketch,
          BarPart::Colour::kMain},
         {"By sketch", cluster.by_sketch, BarPart::Colour::kSecond}},
        site.pages);
    table.AddRow({Code(cluster.cluster_id),
                  Cell(CountAndShare(cluster.size, site.pages) + bar,
                       static_cast<double>(cluster.size)),
                  Cell::Number(cluster.by_sketch),
                  Cell::Number(cluster.importance), UrlList(cluster),
                  SignatureList(cluster)});
  }
  return table.Build();
}

std::string Shown(int64_t num_shown, int64_t num_all, std::string_view noun) {
  return StrCat(
      "Shown: ", num_shown == 0 ? "none" : "the largest " + Grouped(num_shown),
      " of ", GroupedCount(num_all, noun), ".");
}

Html ClustersOfSite(const ClusterReport::Site& site) {
  if (site.num_clusters == 0 && site.clusters.empty()) {
    return report::Note(Text("The site has no cluster."));
  }
  Html html;
  const auto num_shown = static_cast<int64_t>(site.clusters.size());
  if (num_shown < site.num_clusters) {
    int64_t pages = site.by_signature + site.by_sketch;
    for (const auto& cluster : site.clusters) pages -= cluster.size;
    html += report::Note(
        Text(StrCat(Shown(num_shown, site.num_clusters, "cluster"),
                    " The others hold ",
                    GroupedCount(std::max<int64_t>(pages, 0), "page"),
                    "; they are in the table ")) +
        Code("clusters/") + Text("."));
  }
  if (site.clusters.empty()) return html;
  return html + ClusterTable(site);
}

// Empty where the site has no such pages.
Html AlikeNote(const ClusterReport::Site& site) {
  if (site.alike == 0) return Html();
  const Html count =
      Text(StrCat(GroupedCount(site.alike, "page"), " of ", Grouped(site.pages),
                  " say nothing of their own"));
  if (site.alike_text.empty()) return report::Note(count + Text("."));
  return report::Note(count + Text(": \u201C") + Text(site.alike_text) +
                      Text("\u201D"));
}

report::Fold SiteFold(const ClusterReport::Site& site) {
  report::Fold fold;
  fold.name = Text(site.site.empty() ? "(no name)" : site.site);
  fold.facts = {Text(GroupedCount(site.pages, "page")),
                Text(GroupedCount(site.num_clusters, "cluster")),
                report::Bar(CoverageParts(site), site.pages),
                Markup(StrCat(report::Percent(site.uncovered, site.pages),
                              " uncovered"))};
  fold.content =
      report::Terms(
          {{Text("By signature"), CountAndShare(site.by_signature, site.pages)},
           {Text("By sketch"), CountAndShare(site.by_sketch, site.pages)},
           {Text("Uncovered"), CountAndShare(site.uncovered, site.pages)},
           {Text("Too short"), CountAndShare(site.too_short, site.pages)},
           {Text("Sampled"), CountAndShare(site.sampled, site.pages)}}) +
      AlikeNote(site) + ClustersOfSite(site);
  return fold;
}

Html SitesSection(const ClusterReport& report) {
  Html html;
  const auto num_shown = static_cast<int64_t>(report.largest_sites.size());
  if (num_shown < report.sites) {
    html += report::Note(Text(StrCat(Shown(num_shown, report.sites, "site"),
                                     " All are in the tables ")) +
                         Code("sites/") + Text(" and ") + Code("clusters/") +
                         Text("."));
  } else if (num_shown == 0) {
    html += report::Note(Text("There is no site."));
  }
  std::vector<report::Fold> folds;
  folds.reserve(report.largest_sites.size());
  for (const ClusterReport::Site& site : report.largest_sites) {
    folds.push_back(SiteFold(site));
  }
  return html + report::Folds(folds);
}

}  // namespace

std::string ReportHtml(const ClusterReport& report) {
  report::Page page("Clusters",
                    StrCat(GroupedCount(report.pages, "page"), " of ",
                           GroupedCount(report.sites, "site"), ", ",
                           GroupedCount(report.clusters, "cluster")),
                    "trommel cluster");
  page.AddSection("Totals", TotalsSection(report));
  page.AddSection("In the tables", WordsSection());
  page.AddSection("Sites", SitesSection(report));
  return page.Html();
}

}  // namespace trommel::jobs::cluster_job
