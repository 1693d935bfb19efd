#ifndef TROMMEL_CORE_URL_PATTERN_H_
#define TROMMEL_CORE_URL_PATTERN_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::url {

// The pattern of the URLs of a cluster of pages: what they have in common, as
// a regular expression that matches all of them, and as few others as can be
// told without taking the URLs seen for all there are.
//
//   UrlPattern pattern;
//   for (const std::string& url : urls) pattern.Add(url);
//   const RE2 regex(pattern.Regex());
//   if (RE2::FullMatch(url, regex)) ...
//
//   http://shop.example/product/alpha/detail.html
//   http://shop.example/product/beta/detail.html
//     http://shop\.example/product/[^/?#]+/detail\.html
//
// A pattern is a summary of bounded size that merges: the same URLs give the
// same bytes, whatever their order, however often each comes, and however
// they were split among patterns that were merged.
//
// A value type. Const methods may run in parallel.
class UrlPattern {
 public:
  // Of Regex().
  static constexpr size_t kMaxRegexBytes = 512;
  // Of Encode(); in memory a pattern takes up to three times that. Patterns of
  // real clusters have some hundred bytes.
  static constexpr size_t kMaxEncodedBytes = 64 << 10;

  // Of no URLs.
  UrlPattern();
  ~UrlPattern();
  UrlPattern(const UrlPattern& other);
  UrlPattern& operator=(const UrlPattern& other);
  // Leave `other` fit for nothing but assignment and destruction.
  UrlPattern(UrlPattern&& other) noexcept;
  UrlPattern& operator=(UrlPattern&& other) noexcept;

  // Any bytes will do. Allocates nothing when the pattern stays the same, but
  // for URLs over 500 bytes.
  void Add(std::string_view url);

  // The pattern of the URLs of both. Associative, commutative and idempotent;
  // Add() is Merge() with the pattern of one URL.
  void Merge(const UrlPattern& other);

  bool empty() const;

  // Equal bytes for equal sets of URLs.
  std::string Encode() const;
  // InvalidArgument for bytes that are not from Encode().
  static absl::StatusOr<UrlPattern> Decode(std::string_view bytes);

  // The regular expression: RE2 syntax, for RE2::FullMatch() and the default
  // options (UTF-8), without anchors and captures. It matches every URL that
  // was added, byte for byte. One that is not UTF-8 makes it match anything
  // with the same scheme and host. Without any URL it matches nothing.
  std::string Regex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trommel::url

#endif  // TROMMEL_CORE_URL_PATTERN_H_
