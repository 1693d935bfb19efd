#ifndef TROMMEL_CORE_URL_REGEX_INTERNAL_H_
#define TROMMEL_CORE_URL_REGEX_INTERNAL_H_

#include <cstddef>
#include <string>

#include "core/url/lattice_internal.h"

namespace trommel::url::internal {

// The pattern of a summary as text for RE2, of at most `max_bytes`, which
// are 32 or more.
std::string RegexOf(const Summary& summary, size_t max_bytes);

}  // namespace trommel::url::internal

#endif  // TROMMEL_CORE_URL_REGEX_INTERNAL_H_
