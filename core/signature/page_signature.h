#ifndef TROMMEL_CORE_SIGNATURE_PAGE_SIGNATURE_H_
#define TROMMEL_CORE_SIGNATURE_PAGE_SIGNATURE_H_

// What clustering knows of a page.
//
//   PageSigner signer;
//   std::optional<PageSignature> signature = signer.Sign(bytes, charset);

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/signature/masked_vector.h"
#include "core/signature/sketch.h"
#include "core/words/page_words.h"

namespace trommel::signature {

struct PageSignature {
  ShingleVector vector = 0;
  Sketch sketch;

  friend bool operator==(const PageSignature&, const PageSignature&) = default;
};

// The length of the paper's shingles: tags in a row.
inline constexpr int kDefaultShingleLength = 10;
inline constexpr int kMinShingleLength = 2;
inline constexpr int kMaxShingleLength = 64;

// Keeps its buffers from page to page; one per thread.
class PageSigner {
 public:
  // `shingle_length` is between the bounds above.
  explicit PageSigner(int shingle_length = kDefaultShingleLength);

  // From a page's bytes, in the charset that its header declared (which may be
  // empty). Nothing when the page has fewer tags than a shingle: an empty page,
  // a text, a picture. No tree is built; linear in the page.
  std::optional<PageSignature> Sign(std::string_view bytes,
                                    std::string_view declared_charset);
  // The same, and from the same scan what the page says. Pages without a
  // signature have words all the same.
  std::optional<PageSignature> SignWithWords(std::string_view bytes,
                                             std::string_view declared_charset,
                                             std::string_view url,
                                             words::PageWords* words);

 private:
  std::string_view Markup(std::string_view bytes, html::Encoding* encoding);

  int shingle_length_;
  uint64_t leaving_factor_;       // of the tag that leaves the window
  std::vector<uint64_t> window_;  // tags of the current shingle, a ring
  std::string utf8_;
  words::WordCollector words_;
};

}  // namespace trommel::signature

#endif  // TROMMEL_CORE_SIGNATURE_PAGE_SIGNATURE_H_
