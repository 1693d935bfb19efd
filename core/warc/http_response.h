#ifndef TROMMEL_CORE_WARC_HTTP_RESPONSE_H_
#define TROMMEL_CORE_WARC_HTTP_RESPONSE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/warc/media_type.h"

namespace trommel::warc {

struct HttpHeader {
  std::string name;  // as written
  std::string value;
};

// A recorded response with its body as the server meant it: without transfer
// and content codings.
struct HttpResponse {
  int status_code = 0;
  std::vector<HttpHeader> headers;  // in order of appearance
  MediaType media_type;             // of the first Content-Type header
  std::string body;
  // The body ends before the response did: crawlers cut long ones. What was
  // there has been kept.
  bool truncated = false;

  // The value of a header, its name in any case. The first one wins where there
  // are several.
  std::optional<std::string_view> Header(std::string_view name) const;
};

// Parses the block of a record for which IsHttpResponse() holds
// (core/warc/warc_record.h). It forgives what archives are known to contain:
// lines that end in LF only, header lines that are none, a status line without
// a reason or with a version such as HTTP/2, interim 1xx responses in front,
// and headers that name a coding the crawler has already undone (chunked
// without a chunk, gzip or zstd without its magic number, deflate or br in
// front of what plainly is HTML).
//
// Errors: InvalidArgument when the block does not begin with an HTTP status
// line or names absurdly many codings; ResourceExhausted when the body is
// longer than `max_body_bytes`, before or after a decoding step; DataLoss when
// its compressed form is damaged; Unimplemented for a coding that core/compress
// cannot undo, such as br.
absl::StatusOr<HttpResponse> ParseHttpResponse(std::string_view block,
                                               size_t max_body_bytes);

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_HTTP_RESPONSE_H_
