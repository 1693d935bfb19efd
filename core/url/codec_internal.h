#ifndef TROMMEL_CORE_URL_CODEC_INTERNAL_H_
#define TROMMEL_CORE_URL_CODEC_INTERNAL_H_

// A summary as bytes: members in the order of their declaration, one byte for
// a number or a set of flags, one for the length of a text, one for the number
// of elements; the evidence in eight, least significant first. Equal summaries
// have equal bytes.

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/url/lattice_internal.h"

namespace trommel::url::internal {

std::string EncodeSummary(const Summary& summary);

// InvalidArgument for bytes that EncodeSummary() does not write. (Not for all:
// bytes may pass that no set of URLs leads to. They do no harm.)
absl::StatusOr<Summary> DecodeSummary(std::string_view bytes);

}  // namespace trommel::url::internal

#endif  // TROMMEL_CORE_URL_CODEC_INTERNAL_H_
