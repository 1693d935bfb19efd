#include "core/coverage/share.h"

#include "absl/numeric/int128.h"

namespace trommel::coverage {

bool DropExceeds(const Share& before, const Share& now, int percent) {
  if (before.whole == 0 || now.whole == 0) return false;
  // before - now > percent / 100, with all denominators multiplied out.
  const absl::int128 difference = absl::int128(before.part) * now.whole -
                                  absl::int128(now.part) * before.whole;
  return 100 * difference > absl::int128(percent) * before.whole * now.whole;
}

}  // namespace trommel::coverage
