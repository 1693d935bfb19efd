#ifndef TROMMEL_CORE_COMPRESS_DECODE_BODY_H_
#define TROMMEL_CORE_COMPRESS_DECODE_BODY_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::compress {

// Undoes one HTTP content coding of a body in memory. `coding` is the token of
// the Content-Encoding header, in any case:
//
//   gzip, x-gzip    one or more members; bytes after the last are ignored
//   deflate         wrapped by zlib as RFC 9110 says, or bare as many servers
//                   send it; bytes after the wrapper are ignored
//   br              Brotli, RFC 7932
//   zstd            one or more frames; bytes after the last are ignored
//   identity, ""    the body as it is
//
// Bare deflate and Brotli have neither a magic number nor a checksum. That such
// a stream ends where the body does is all that speaks for it, so it must.
//
// Errors: DataLoss when the body is damaged or ends early; ResourceExhausted
// when the result would be longer than `max_size` bytes, found out without
// producing much more than that; Unimplemented, naming the coding, for any
// other coding.
absl::StatusOr<std::string> DecodeBody(std::string_view body,
                                       std::string_view coding,
                                       size_t max_size);

// The same, but a body that ends early is not an error: the result is what
// could be decoded, and *truncated becomes true. Otherwise *truncated is left
// alone.
absl::StatusOr<std::string> DecodeBodyPrefix(std::string_view body,
                                             std::string_view coding,
                                             size_t max_size, bool* truncated);

// What the first bytes of a body say about its coding.
enum class CodingSign {
  kPresent,  // they are those that data so coded begins with
  kAbsent,   // they are not, so the body is not so coded
  kNone,     // nothing: the coding begins with no particular bytes
};
CodingSign FindCodingSign(std::string_view body, std::string_view coding);

}  // namespace trommel::compress

#endif  // TROMMEL_CORE_COMPRESS_DECODE_BODY_H_
