#include "core/sample/page_sampler.h"

#include <algorithm>
#include <queue>

#include "core/base/hash.h"

// Which pages to annotate: weighted greedy coverage (Gulhane et al., "Web-Scale
// Information Extraction with Vertex", ICDE 2011, III-B, Algorithm 2).
//
// An editor should see, on few pages, every place where the template puts
// something worth extracting. A page is a set of XPaths. An XPath weighs
// w = F * I: F is the number of pages that have it, and I, its informativeness,
//
//   I = 1 - (sum over contents t of F(t)) / (M * |T|)
//
// where T is the set of contents found at the XPath, F(t) the number of pages
// that say t there and M the number of pages. Navigation says the same on all
// pages: the sum is M and |T| is 1, so I is 0. A title is different on each:
// the sum is M and |T| is M, so I is near 1. The sum is the number of distinct
// pairs of page and content, which is all that has to be counted.
//
// An XPath that one page fills with many contents (rows of a list) may have a
// sum above M, but never above M * |T|: I stays within [0, 1].
//
// Choosing pages that cover the most weight is maximum coverage; greedy choice
// is within 1 - 1/e of the best. Gains only shrink as more is covered, so a
// gain computed earlier is an upper bound (Minoux's lazy greedy, 1978): pages
// wait in a heap with stale gains, the top one is computed anew, and is the
// best if it stays on top. Most pages are computed once or twice, not once per
// choice.
//
// Two departures from the printed algorithm. It goes on while |S| <= K, which
// gives K + 1 pages; here K is K. And it ends when all is covered, which on a
// cluster of much alike pages leaves rule learning with two or three pages to
// check its rules on: here the sample is filled up with pages that add nothing,
// in the order in which they were added.

namespace trommel {

void PageSampler::AddPage(absl::Span<const PathContent> contents) {
  const uint32_t page = static_cast<uint32_t>(pages_.size());
  std::vector<PathNumber>& paths = pages_.emplace_back();
  for (const PathContent& content : contents) {
    const uint64_t key = Mix64(content.path) + content.content;
    auto [known, is_new_content] = contents_.try_emplace(key);
    if (known->second.last_page == page) continue;  // said before on this page
    known->second.last_page = page;
    if (is_new_content) {
      const auto [path, is_new_path] = path_numbers_.try_emplace(
          content.path, static_cast<PathNumber>(paths_.size()));
      if (is_new_path) paths_.emplace_back();
      known->second.path = path->second;
    }
    Path& path = paths_[known->second.path];
    path.distinct_contents += is_new_content ? 1 : 0;
    ++path.page_contents;
    if (path.last_page == page) continue;
    path.last_page = page;
    ++path.pages;
    paths.push_back(known->second.path);
  }
}

double PageSampler::Informativeness(PathNumber number) const {
  const Path& path = paths_[number];
  return 1 - static_cast<double>(path.page_contents) /
                 (static_cast<double>(num_pages()) *
                  static_cast<double>(path.distinct_contents));
}

double PageSampler::Weight(PathNumber path) const {
  return static_cast<double>(Frequency(path)) * Informativeness(path);
}

std::vector<PageSampler::ChosenPage> PageSampler::Choose(
    size_t max_pages) const {
  // What remains to be covered: a covered XPath weighs nothing.
  std::vector<double> weights(paths_.size());
  for (PathNumber path = 0; path < weights.size(); ++path) {
    weights[path] = Weight(path);
  }
  const auto gain_of = [&](size_t page) {
    double gain = 0;
    for (const PathNumber path : pages_[page]) gain += weights[path];
    return gain;
  };
  const auto is_worse = [](const ChosenPage& a, const ChosenPage& b) {
    return a.gain != b.gain ? a.gain < b.gain : a.page > b.page;
  };
  std::priority_queue<ChosenPage, std::vector<ChosenPage>, decltype(is_worse)>
      waiting(is_worse);
  for (size_t page = 0; page < pages_.size(); ++page) {
    waiting.push({page, gain_of(page)});
  }

  std::vector<ChosenPage> chosen;
  while (!waiting.empty() && chosen.size() < max_pages) {
    ChosenPage best = waiting.top();
    waiting.pop();
    best.gain = gain_of(best.page);
    if (!waiting.empty() && is_worse(best, waiting.top())) {
      waiting.push(best);
      continue;
    }
    for (const PathNumber path : pages_[best.page]) weights[path] = 0;
    chosen.push_back(best);
  }
  return chosen;
}

}  // namespace trommel
