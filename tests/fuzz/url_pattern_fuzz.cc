// URL patterns: of any lines, the regex is one that RE2 takes and that matches
// every line, however the lines are split; any bytes decode to a pattern or to
// an error.

#include <re2/re2.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/url/pattern.h"
#include "tests/fuzz/require.h"

namespace trommel::fuzz {
namespace {

void MakePatterns(std::string_view input) {
  const absl::StatusOr<url::UrlPattern> decoded =
      url::UrlPattern::Decode(input);
  if (decoded.ok()) {
    Require(decoded->Encode() == input, "other bytes than were decoded");
  }
  url::UrlPattern all, odd, even;
  std::vector<std::string_view> urls;
  for (std::string_view rest = input; !rest.empty() && urls.size() < 50;) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    urls.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (size_t i = 0; i < urls.size(); ++i) {
    all.Add(urls[i]);
    (i % 2 == 0 ? even : odd).Add(urls[i]);
  }
  odd.Merge(even);
  Require(odd.Encode() == all.Encode(), "a pattern depends on the split");
  const std::string text = all.Regex();
  Require(text.size() <= url::UrlPattern::kMaxRegexBytes,
          "a regex is too long");
  const RE2 regex(text, RE2::Quiet);
  Require(regex.ok(), "RE2 does not take the regex");
  for (const std::string_view url : urls) {
    if (ValidUtf8Prefix(url) != url.size()) continue;
    Require(RE2::FullMatch(re2::StringPiece(url.data(), url.size()), regex),
            "the regex does not match a URL");
  }
}

}  // namespace
}  // namespace trommel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trommel::fuzz::MakePatterns(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
