#ifndef TROMMEL_CORE_BASE_SHARE_H_
#define TROMMEL_CORE_BASE_SHARE_H_

#include <cstdint>

namespace trommel {

// 0 to 1; 0 of nothing.
inline double ShareOf(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_SHARE_H_
