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
  // The body ends before the response did, or it is broken before its end:
  // crawlers cut long ones, connections break. What was there has been kept.
  bool truncated = false;

  // The value of a header, its name in any case. The first one wins where there
  // are several.
  std::optional<std::string_view> Header(std::string_view name) const;
};

// Parses the block of a record for which IsHttpResponse() holds
// (core/warc/warc_record.h). It forgives what archives are known to contain:
// lines that end in LF only, header lines that are none, a status line without
// a reason or with a version such as HTTP/2, interim 1xx responses in front,
// and headers that name a coding the crawler has already undone: what the bytes
// are decides, see http_response.cc.
//
// Errors: InvalidArgument when the block does not begin with an HTTP status
// line or names absurdly many codings; ResourceExhausted when the body is
// longer than `max_body_bytes`, before or after a decoding step; DataLoss when
// its compressed form is damaged; Unimplemented for binary data in a coding
// that core/compress cannot undo.
absl::StatusOr<HttpResponse> ParseHttpResponse(std::string_view block,
                                               size_t max_body_bytes);

// The same in two steps, for callers who want to know what it was that could
// not be decoded. The head has everything but the body, which begins at *body;
// the second step adds it to the response.
absl::StatusOr<HttpResponse> ParseHttpHead(std::string_view block,
                                           std::string_view* body);
absl::Status DecodeHttpBody(std::string_view body, size_t max_body_bytes,
                            HttpResponse* response);

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_HTTP_RESPONSE_H_
