#include "core/sample/page_sampler.h"

#include <algorithm>
#include <numeric>
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
// What the pages say is kept in lists and counted at the end, by sorting. A
// hash table of all that was ever said does not fit the caches, and looking up
// each text in it took a fifth of the time of parsing on pages of many short
// texts; a list is written from one end to the other, and cut into parts that
// do fit before they are sorted. An XPath of one page alone needs no counting:
// the sum is |T| there, whatever is said.
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

namespace trommel::sample {

void PageSampler::AddPage(absl::Span<const PathContent> contents) {
  const uint32_t page = static_cast<uint32_t>(pages_.size());
  std::vector<PathNumber>& paths = pages_.emplace_back();
  std::vector<Saying>& sayings = sayings_.emplace_back();
  sayings.reserve(contents.size());
  for (const PathContent& content : contents) {
    const auto [known, is_new] = path_numbers_.try_emplace(
        content.path, static_cast<PathNumber>(frequencies_.size()));
    const PathNumber path = known->second;
    if (is_new) {
      frequencies_.push_back(0);
      last_pages_.push_back(page + 1);  // another page
    }
    sayings.push_back({Mix64(content.path) + content.content, page, path});
    if (last_pages_[path] == page) continue;
    last_pages_[path] = page;
    ++frequencies_[path];
    paths.push_back(path);
  }
}

// The sayings at XPaths of several pages; equal ones side by side, and of these
// the pages in order.
std::vector<PageSampler::Saying> PageSampler::SharedSayings() const {
  constexpr int kPartBits = 12;
  constexpr size_t kParts = size_t{1} << kPartBits;
  const auto part_of = [](const Saying& saying) {
    return saying.what >> (64 - kPartBits);
  };
  const auto for_each = [this](auto&& visit) {
    for (const std::vector<Saying>& page : sayings_) {
      for (const Saying& saying : page) {
        if (frequencies_[saying.path] > 1) visit(saying);
      }
    }
  };
  std::vector<size_t> ends(kParts + 1);
  for_each([&](const Saying& saying) { ++ends[part_of(saying) + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Saying> shared(ends.back());
  for_each(
      [&](const Saying& saying) { shared[ends[part_of(saying)]++] = saying; });
  auto begin = shared.begin();
  for (size_t part = 0; part < kParts; ++part) {
    const auto end = shared.begin() + static_cast<int64_t>(ends[part]);
    std::sort(begin, end);
    begin = end;
  }
  return shared;
}

std::vector<double> PageSampler::Informativeness() const {
  std::vector<int64_t> distinct_contents(num_paths());  // over all pages
  std::vector<int64_t> page_contents(num_paths());  // each once for every page
  const Saying* last = nullptr;
  const std::vector<Saying> sayings = SharedSayings();
  for (const Saying& saying : sayings) {
    const bool is_new = last == nullptr || saying.what != last->what;
    if (is_new) ++distinct_contents[saying.path];
    if (is_new || saying.page != last->page) ++page_contents[saying.path];
    last = &saying;
  }
  const double pages = static_cast<double>(num_pages());
  std::vector<double> informativeness(num_paths(), 1 - 1 / pages);
  for (PathNumber path = 0; path < num_paths(); ++path) {
    if (Frequency(path) == 1) continue;
    informativeness[path] =
        1 - static_cast<double>(page_contents[path]) /
                (pages * static_cast<double>(distinct_contents[path]));
  }
  return informativeness;
}

std::vector<double> PageSampler::Weights() const {
  std::vector<double> weights = Informativeness();
  for (PathNumber path = 0; path < num_paths(); ++path) {
    weights[path] *= static_cast<double>(Frequency(path));
  }
  return weights;
}

std::vector<PageSampler::ChosenPage> PageSampler::Choose(
    size_t max_pages) const {
  // What remains to be covered: a covered XPath weighs nothing.
  std::vector<double> weights = Weights();
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

}  // namespace trommel::sample
