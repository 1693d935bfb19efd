#include "jobs/cluster/report.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/report/crawled_text.h"
#include "jobs/report/html.h"

namespace trommel {
namespace {

// Of a cluster's signatures and of its example URLs: so many stand there, up
// to so many in all where the list is unfolded.
constexpr size_t kListed = 3;
constexpr size_t kMaxSignatures = 50;
constexpr size_t kMaxUrls = 10;

constexpr std::string_view kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {
  color-scheme: light dark;
  --back: #fff; --card: #f5f7f9; --line: #d5dbe1; --text: #1b2127;
  --soft: #56616d; --link: #1a5fb0; --signature: #2b6cb5; --sketch: #c67a08;
  --none: #e2e6ea; --none-line: #8b96a2; --mark: #ffe3e3; --mark-text: #9b1c1c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --back: #15191d; --card: #1d2328; --line: #363f48; --text: #e6e9ec;
    --soft: #a1acb7; --link: #86bbf5; --signature: #5b9fe6; --sketch: #e5a43d;
    --none: #2b333b; --none-line: #75818e; --mark: #54232a;
    --mark-text: #ffc9c9;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(.75rem, 2.5vw, 2rem) 4rem;
  max-width: 88rem; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
    "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: .5rem 0; max-width: 60rem; }
a { color: var(--link); }
code, .id, .pattern, .urls, .signatures {
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono",
    monospace;
  font-size: .8125rem;
}
/* Text from the crawl: in the order of its characters, whatever their script,
   and with its accents within its box. */
h3, .id, .pattern, .urls li, .signatures li {
  direction: ltr; unicode-bidi: isolate-override; white-space: pre-wrap;
  overflow: hidden; overflow-wrap: anywhere;
}
mark {
  padding: 0 .2em; border-radius: .2em; background: var(--mark);
  color: var(--mark-text); font-size: .85em; white-space: nowrap;
}
ul { margin: 0; padding: 0; list-style: none; }
.soft { color: var(--soft); }
.note {
  margin: .75rem 0; padding: .5rem .75rem; max-width: none;
  border-left: 3px solid var(--sketch); background: var(--card);
}
.bar {
  display: flex; height: .75rem; overflow: hidden; border-radius: .2rem;
  background: var(--none); box-shadow: inset 0 0 0 1px var(--line);
  forced-color-adjust: none; print-color-adjust: exact;
  -webkit-print-color-adjust: exact;
}
.bar i { min-width: 1px; }
.signature { background: var(--signature); }
.sketch { background: var(--sketch); }
.none {
  background: repeating-linear-gradient(135deg, var(--none) 0 4px,
    var(--none-line) 4px 5px);
}
.total .bar { height: 1.5rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: .5rem; }
.legend i {
  display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem;
  border-radius: .2rem; vertical-align: -.1rem; forced-color-adjust: none;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
dl, dd { margin: 0; }
.figures {
  display: grid; gap: .75rem; margin-top: 1.25rem;
  grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr));
}
.figures div { padding: .6rem .8rem; border-radius: .4rem; background: var(--card); }
.figures dt { color: var(--soft); }
.figures .number { font-size: 1.4rem; line-height: 1.3; }
.figures .number small { font-size: .9rem; color: var(--soft); }
.figures dd + dd { color: var(--soft); font-size: .8125rem; line-height: 1.4; }
.words { display: grid; gap: .35rem 1rem; grid-template-columns: max-content 1fr; }
.words dt { font-weight: 600; }
.site { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; }
.site > summary {
  display: grid; gap: .25rem 1rem; align-items: center; padding: .6rem .9rem;
  grid-template-columns: .8rem minmax(0, 1fr) 9.5rem 8rem 14rem 9.5rem;
  cursor: pointer; list-style: none;
}
.site > summary::-webkit-details-marker { display: none; }
.site > summary::before {
  content: "\25B8" / ""; align-self: start; color: var(--soft);
}
.site[open] > summary::before { content: "\25BE" / ""; }
.site > summary:hover, .site[open] > summary { background: var(--card); }
.site > summary > span { text-align: right; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; padding: .75rem .9rem; }
.facts div { display: flex; gap: .4rem; }
.facts dt { color: var(--soft); }
.site > .note { margin: 0 .9rem .75rem; }
table {
  width: 100%; border-collapse: collapse; font-size: .875rem;
  table-layout: fixed;
}
thead th:nth-child(1) { width: 10.25rem; }
thead th:nth-child(2) { width: 9.5rem; }
thead th:nth-child(3) { width: 5.5rem; }
thead th:nth-child(4) { width: 6rem; }
thead th:nth-child(6) { width: 20rem; }
th, td {
  padding: .5rem .45rem; border-top: 1px solid var(--line); text-align: left;
  vertical-align: top; font-weight: 400;
}
th:first-child { padding-left: .9rem; }
td:last-child { padding-right: .9rem; }
thead th { color: var(--soft); white-space: nowrap; }
.n { text-align: right; white-space: nowrap; }
.n .soft { display: inline-block; min-width: 3.6rem; }
td .bar { height: .5rem; margin-top: .3rem; }
.pattern { margin: 0 0 .35rem; max-width: none; }
.urls li { padding-left: 1em; text-indent: -1em; }
.signatures li { display: flex; justify-content: space-between; gap: 1rem; }
td details summary { color: var(--soft); cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media screen and (max-width: 64rem) {
  .site > summary { grid-template-columns: .8rem 1.2fr 1fr 1.2fr; column-gap: .5rem; }
  .site h3 { grid-column: 2 / -1; }
  .site > summary .bar { grid-column: 2 / -1; grid-row: 3; }
  .site > summary > span { text-align: left; }
  .site > summary h3 + span { grid-column: 2; }
}
@media screen and (max-width: 75rem) {
  .figures {
    gap: .5rem; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr));
  }
  .words { grid-template-columns: 1fr; gap: 0; }
  .words dd { margin-bottom: .5rem; }
  table, tbody, tr, td, tbody th { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  tr {
    display: grid; grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: .35rem .75rem; padding: .75rem .9rem;
    border-top: 1px solid var(--line);
  }
  tr > * { padding: 0 !important; border: 0; }
  tbody th, td:nth-child(n+5) { grid-column: 1 / -1; }
  td.n { text-align: left; white-space: normal; }
  .n .soft { min-width: 0; }
  td::before { display: block; color: var(--soft); font-size: .75rem; }
  td:nth-child(2)::before { content: "Pages" / ""; }
  td:nth-child(3)::before { content: "By sketch" / ""; }
  td:nth-child(4)::before { content: "Importance" / ""; }
  td:nth-child(5)::before { content: "URL pattern and examples" / ""; }
  td:nth-child(6)::before { content: "Signatures and their importance" / ""; }
  .signatures li { justify-content: flex-start; }
}
@media screen and (max-width: 32rem) {
  .site > summary { grid-template-columns: .8rem auto auto auto; }
  .site > summary > span { font-size: .8125rem; }
}
@media print {
  :root { color-scheme: light; }
  body { padding: 0; max-width: none; font-size: 9pt; }
  .site > summary { grid-template-columns: .8rem minmax(0, 1fr) auto auto 6rem auto; }
  .figures { grid-template-columns: repeat(5, 1fr); gap: .4rem; }
  .figures .number { font-size: 12pt; }
  .figures dd + dd { font-size: 7pt; }
  table { font-size: 7.5pt; }
  code, .id, .pattern, .urls, .signatures { font-size: 6.5pt; }
  thead th:nth-child(1) { width: 15.5%; }
  thead th:nth-child(2) { width: 13%; }
  thead th:nth-child(3) { width: 8%; }
  thead th:nth-child(4) { width: 9%; }
  thead th:nth-child(6) { width: 27%; }
  a { color: inherit; text-decoration: none; }
  tr, summary, .figures div { break-inside: avoid; }
  h2, summary, thead { break-after: avoid; }
}
</style>
)html";

constexpr std::string_view kWords = R"html(<h2>In the tables</h2>
<dl class="words">
<dt>Pages</dt><dd>Size of the cluster: pages placed in it, and their share of the site. The bar has the length of that share.</dd>
<dt>By sketch</dt><dd>Those of them that no signature covers and that were placed by structural resemblance.</dd>
<dt>Importance</dt><dd>Count of sampled pages after the second pass of clustering. It ranks signatures and clusters; it is not the size.</dd>
<dt>Signature</dt><dd>Eight bytes that the tags of a page give; <code>*</code> is any byte. A page belongs to the cluster of the most important signature that covers its own.</dd>
<dt>URL pattern</dt><dd>Regular expression (RE2) that matches the whole URL of every page of the cluster.</dd>
</dl>
)html";

constexpr std::string_view kNothing = "<span class=\"soft\">none</span>";

using report::AppendShown;
using report::AppendTip;
using report::Percent;

// An item of a list.
void AppendUrlItem(std::string_view url, std::string* out) {
  out->append("<li");
  AppendTip(url, out);
  out->append(">");
  report::AppendUrl(url, out);
  out->append("</li>");
}

struct BarPart {
  std::string_view style;  // a class of kHead
  int64_t count;
};

// The parts of a bar that is `whole` long, or as long as all of them if that
// is more.
void AppendBarParts(std::initializer_list<BarPart> parts, int64_t whole,
                    std::string* out) {
  double length = static_cast<double>(whole), sum = 0;
  for (const BarPart& part : parts) {
    sum += static_cast<double>(std::max<int64_t>(part.count, 0));
  }
  length = std::max(length, sum);
  for (const BarPart& part : parts) {
    if (part.count <= 0) continue;
    StrAppend(out, "<i class=\"", part.style, "\" style=\"width:",
              absl::StrFormat("%.2f", 100.0 * part.count / length), "%\"></i>");
  }
}

// Site and ClusterReport have the same figures.
template <typename Figures>
void AppendCoverageBar(const Figures& figures, std::string* out) {
  StrAppend(out, "<span class=\"bar\" role=\"img\" aria-label=\"By signature ",
            Percent(figures.by_signature, figures.pages), ", by sketch ",
            Percent(figures.by_sketch, figures.pages), ", uncovered ",
            Percent(figures.uncovered, figures.pages), "\">");
  AppendBarParts({{"signature", figures.by_signature},
                  {"sketch", figures.by_sketch},
                  {"none", figures.uncovered}},
                 figures.pages, out);
  out->append("</span>");
}

// A list of `count` items: the first ones, up to `max` that can be unfolded,
// and for the rest a number.
template <typename AppendItem>
void AppendFolding(size_t count, size_t max, std::string_view style,
                   AppendItem append_item, std::string* out) {
  if (count == 0) return;
  // Unfolding is not worth a single item.
  const size_t listed = count <= kListed + 1 ? count : kListed;
  const size_t end = std::min(count, max);
  const auto append_items = [&](size_t from, size_t to) {
    StrAppend(out, "<ul class=\"", style, "\">");
    for (size_t i = from; i < to; ++i) append_item(i);
    out->append("</ul>");
  };
  append_items(0, listed);
  if (listed == count) return;
  StrAppend(out, "<details><summary>", Grouped(count - listed),
            " more</summary>");
  append_items(listed, end);
  if (end < count) {
    StrAppend(out, "<span class=\"soft\">", Grouped(count - end),
              " more not shown</span>");
  }
  out->append("</details>");
}

void AppendSignatures(const ClusterReport::Cluster& cluster, std::string* out) {
  const auto& signatures = cluster.signatures;
  if (signatures.empty()) {
    out->append(kNothing);
    return;
  }
  std::vector<size_t> order(signatures.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return signatures[a].second > signatures[b].second;
  });
  AppendFolding(
      order.size(), kMaxSignatures, "signatures",
      [&](size_t i) {
        const auto& [text, importance] = signatures[order[i]];
        out->append("<li>");
        AppendShown(text, out);
        StrAppend(out, " <span>", Grouped(importance), "</span></li>");
      },
      out);
}

void AppendCluster(const ClusterReport::Cluster& cluster, int64_t site_pages,
                   std::string* out) {
  out->append("<tr><th scope=\"row\" class=\"id\">");
  AppendShown(cluster.cluster_id, out);
  StrAppend(out, "</th><td class=\"n\">", Grouped(cluster.size),
            " <span class=\"soft\">", Percent(cluster.size, site_pages),
            "</span><span class=\"bar\" aria-hidden=\"true\">");
  AppendBarParts({{"signature", cluster.size - cluster.by_sketch},
                  {"sketch", cluster.by_sketch}},
                 site_pages, out);
  StrAppend(out, "</span></td><td class=\"n\">", Grouped(cluster.by_sketch),
            "</td><td class=\"n\">", Grouped(cluster.importance), "</td><td>");
  if (cluster.url_regex.empty() && cluster.example_urls.empty()) {
    out->append(kNothing);
  }
  if (!cluster.url_regex.empty()) {
    out->append("<p class=\"pattern\"");
    AppendTip(cluster.url_regex, out);
    out->append(">");
    AppendShown(cluster.url_regex, out);
    out->append("</p>");
  }
  AppendFolding(
      cluster.example_urls.size(), kMaxUrls, "urls",
      [&](size_t i) { AppendUrlItem(cluster.example_urls[i], out); }, out);
  out->append("</td><td>");
  AppendSignatures(cluster, out);
  out->append("</td></tr>\n");
}

void AppendFact(std::string_view name, int64_t count, int64_t pages,
                std::string* out) {
  StrAppend(out, "<div><dt>", name, "</dt><dd>", Grouped(count),
            " <span class=\"soft\">", Percent(count, pages),
            "</span></dd></div>");
}

std::string Shown(int64_t num_shown, int64_t num_all, std::string_view noun) {
  return StrCat(
      "Shown: ", num_shown == 0 ? "none" : "the largest " + Grouped(num_shown),
      " of ", GroupedCount(num_all, noun), ".");
}

void AppendClusters(const ClusterReport::Site& site, std::string* out) {
  if (site.num_clusters == 0 && site.clusters.empty()) {
    out->append("<p class=\"note\">The site has no cluster.</p>");
    return;
  }
  const auto num_shown = static_cast<int64_t>(site.clusters.size());
  if (num_shown < site.num_clusters) {
    int64_t pages = site.by_signature + site.by_sketch;
    for (const auto& cluster : site.clusters) pages -= cluster.size;
    StrAppend(out, "<p class=\"note\">",
              Shown(num_shown, site.num_clusters, "cluster"),
              " The others hold ",
              GroupedCount(std::max<int64_t>(pages, 0), "page"),
              "; they are in the table <code>clusters/</code>.</p>");
  }
  if (site.clusters.empty()) return;
  out->append(
      "<table aria-label=\"Clusters\"><thead><tr><th scope=\"col\">Cluster</th>"
      "<th scope=\"col\" class=\"n\">Pages</th>"
      "<th scope=\"col\" class=\"n\">By sketch</th>"
      "<th scope=\"col\" class=\"n\">Importance</th>"
      "<th scope=\"col\">URL pattern and examples</th>"
      "<th scope=\"col\">Signatures and their importance</th>"
      "</tr></thead><tbody>\n");
  for (const auto& cluster : site.clusters) {
    AppendCluster(cluster, site.pages, out);
  }
  out->append("</tbody></table>");
}

void AppendSite(const ClusterReport::Site& site, bool open, std::string* out) {
  StrAppend(out, "<details class=\"site\"", open ? " open" : "",
            "><summary><h3");
  AppendTip(site.site, out);
  out->append(">");
  AppendShown(site.site.empty() ? "(no name)" : site.site, out);
  StrAppend(out, "</h3><span>", GroupedCount(site.pages, "page"),
            "</span><span>", GroupedCount(site.num_clusters, "cluster"),
            "</span>");
  AppendCoverageBar(site, out);
  StrAppend(out, "<span>", Percent(site.uncovered, site.pages),
            " uncovered</span></summary><dl class=\"facts\">");
  AppendFact("By signature", site.by_signature, site.pages, out);
  AppendFact("By sketch", site.by_sketch, site.pages, out);
  AppendFact("Uncovered", site.uncovered, site.pages, out);
  AppendFact("Too short", site.too_short, site.pages, out);
  AppendFact("Sampled", site.sampled, site.pages, out);
  out->append("</dl>");
  AppendClusters(site, out);
  out->append("</details>\n");
}

// `share` is HTML, and may be empty.
void AppendFigure(std::string_view name, int64_t count, std::string_view share,
                  std::string_view meaning, std::string* out) {
  StrAppend(out, "<div><dt>", name, "</dt><dd class=\"number\">",
            Grouped(count));
  if (!share.empty()) StrAppend(out, " <small>", share, "</small>");
  StrAppend(out, "</dd><dd>", meaning, "</dd></div>\n");
}

void AppendTotals(const ClusterReport& report, std::string* out) {
  const auto share = [&](int64_t part) { return Percent(part, report.pages); };
  out->append("<section class=\"total\"><h2>Totals</h2>");
  AppendCoverageBar(report, out);
  StrAppend(
      out, "<ul class=\"legend\"><li><i class=\"signature\"></i>By signature ",
      share(report.by_signature), "</li><li><i class=\"sketch\"></i>By sketch ",
      share(report.by_sketch), "</li><li><i class=\"none\"></i>Uncovered ",
      share(report.uncovered), "</li></ul>\n<dl class=\"figures\">\n");
  AppendFigure("Pages", report.pages, "", "Crawled pages that were clustered.",
               out);
  AppendFigure("Sites", report.sites, "",
               "Each is clustered by itself; no cluster spans two.", out);
  AppendFigure("Clusters", report.clusters, "",
               "Groups of pages made from one template.", out);
  AppendFigure("Sampled", report.sampled, share(report.sampled),
               "Pages that the clusters were found on; the others were then "
               "placed among them.",
               out);
  AppendFigure("Rejected", report.rejected, "",
               "Pages that were not HTML or could not be read; they count in "
               "no other figure.",
               out);
  const int64_t covered = report.by_signature + report.by_sketch;
  AppendFigure("Covered", covered, share(covered), "Pages in a cluster.", out);
  AppendFigure("By signature", report.by_signature, share(report.by_signature),
               "Pages that a signature of their cluster covers.", out);
  AppendFigure("By sketch", report.by_sketch, share(report.by_sketch),
               "Pages that no signature covers, placed by structural "
               "resemblance.",
               out);
  AppendFigure("Uncovered", report.uncovered, share(report.uncovered),
               "Pages in no cluster, those too short included.", out);
  AppendFigure("Too short", report.too_short, share(report.too_short),
               "Pages with too few tags for a signature.", out);
  out->append("</dl></section>\n");
}

void AppendSites(const ClusterReport& report, std::string* out) {
  out->append("<h2>Sites</h2>\n");
  const auto num_shown = static_cast<int64_t>(report.largest_sites.size());
  if (num_shown < report.sites) {
    StrAppend(out, "<p class=\"note\">", Shown(num_shown, report.sites, "site"),
              " All are in the tables <code>sites/</code> and "
              "<code>clusters/</code>.</p>\n");
  } else if (num_shown == 0) {
    out->append("<p class=\"note\">There is no site.</p>\n");
  }
  // One open site shows what the others hold; with all of them open a large
  // report would be slow to lay out.
  for (size_t i = 0; i < report.largest_sites.size(); ++i) {
    AppendSite(report.largest_sites[i], /*open=*/i == 0, out);
  }
}

}  // namespace

std::string ReportHtml(const ClusterReport& report) {
  const std::string scope = StrCat(GroupedCount(report.pages, "page"), " of ",
                                   GroupedCount(report.sites, "site"), ", ",
                                   GroupedCount(report.clusters, "cluster"));
  std::string out(kHead);
  StrAppend(&out, "<title>Clusters: ", scope,
            "</title>\n</head>\n<body>\n<main>\n<h1>Clusters</h1>\n"
            "<p class=\"soft\">",
            scope, ", made by <code>trommel cluster</code>.</p>\n");
  AppendTotals(report, &out);
  out.append(kWords);
  AppendSites(report, &out);
  out.append("</main>\n</body>\n</html>\n");
  return out;
}

}  // namespace trommel
