#include "core/coverage/url_loss.h"

#include <algorithm>
#include <limits>

#include "absl/numeric/int128.h"

namespace trommel::coverage {
namespace {

constexpr int64_t kEnoughUrls = 5;

// The place behind the pages that have the rank of the page at `i`.
size_t NextRank(const std::vector<DayPage>& pages, size_t i) {
  const uint64_t rank = pages[i].rank;
  while (i < pages.size() && pages[i].rank == rank) ++i;
  return i;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> CommonUrls(const DayPages& before,
                                                  const DayPages& now) {
  constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
  const uint64_t limit = std::min(before.first_dropped().value_or(kNoLimit),
                                  now.first_dropped().value_or(kNoLimit));
  const std::vector<DayPage>& a = before.kept();
  const std::vector<DayPage>& b = now.kept();
  std::vector<std::pair<size_t, size_t>> common;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size() &&
         (limit == kNoLimit || std::min(a[i].rank, b[j].rank) < limit)) {
    if (a[i].rank < b[j].rank) {
      i = NextRank(a, i);
    } else if (b[j].rank < a[i].rank) {
      j = NextRank(b, j);
    } else {
      common.emplace_back(i, j);
      i = NextRank(a, i);
      j = NextRank(b, j);
    }
  }
  return common;
}

bool IsBroken(const UrlLoss& urls, const ClusterPages& before,
              const ClusterPages& now) {
  if (before.pages == 0) return false;
  if (urls.compared >= kEnoughUrls || 2 * urls.compared >= before.pages) {
    return 2 * urls.lost > urls.compared;
  }
  return 2 * absl::int128(now.pages) * before.site_pages <
         absl::int128(before.pages) * now.site_pages;
}

}  // namespace trommel::coverage
