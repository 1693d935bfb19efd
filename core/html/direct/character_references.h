#ifndef TROMMEL_CORE_HTML_DIRECT_CHARACTER_REFERENCES_H_
#define TROMMEL_CORE_HTML_DIRECT_CHARACTER_REFERENCES_H_

#include <cstddef>

namespace trommel::html::direct {

// Where the reference stands: in a value, "&copy=1" is no reference.
enum class ReferencePlace { kText, kAttribute };

// The character reference at `p`, which stands at a '&' (13.2.5.72 ff. of the
// HTML standard): writes what it means, or the characters as they are when it
// means nothing, to `*out` and returns where the text goes on. What is written
// is at most a fifth longer than what was read (6 bytes for "&nGt;"). Returns
// nullptr when the end of the page might have cut the reference off.
const char* DecodeReference(const char* p, const char* end,
                            ReferencePlace place, char** out);

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_CHARACTER_REFERENCES_H_
