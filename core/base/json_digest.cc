#include "core/base/json_digest.h"

#include <nlohmann/json.hpp>

#include "core/base/hash.h"
#include "core/base/json_fields.h"
#include "core/base/strings.h"

namespace trommel {
namespace {

constexpr char kDigestKey[] = "self_digest";

}  // namespace

std::string JsonFileTextWithDigest(nlohmann::ordered_json json) {
  json[kDigestKey] = ContentDigest(JsonFileText(json));
  return JsonFileText(json);
}

absl::Status CheckJsonDigest(nlohmann::ordered_json json) {
  if (!json.contains(kDigestKey)) return absl::OkStatus();
  const nlohmann::ordered_json expected = json[kDigestKey];
  json.erase(kDigestKey);
  const std::string found = ContentDigest(JsonFileText(json));
  if (expected == found) return absl::OkStatus();
  return absl::DataLossError(
      StrCat("the file has changed since it was written: ", kDigestKey, " ",
             JsonLineText(expected), ", found ", found));
}

}  // namespace trommel
