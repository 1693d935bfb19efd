#ifndef TROMMEL_CORE_BASE_JSON_DIGEST_H_
#define TROMMEL_CORE_BASE_JSON_DIGEST_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/status.h"

namespace trommel {

// JSON files that know when they have changed: a key "self_digest" has the
// ContentDigest() of the text without it. White space and escapes do not count.

// The text of a file, lines indented, with that key.
std::string JsonFileTextWithDigest(nlohmann::ordered_json json);

// DataLoss if the digest is not that of the rest. An object without one, from
// an earlier version, is fine.
absl::Status CheckJsonDigest(nlohmann::ordered_json json);

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_JSON_DIGEST_H_
