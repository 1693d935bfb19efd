#ifndef TROMMEL_CORE_WARC_MEDIA_TYPE_H_
#define TROMMEL_CORE_WARC_MEDIA_TYPE_H_

#include <string>
#include <string_view>

namespace trommel::warc {

// What a Content-Type field says, of an HTTP response or a WARC record.
struct MediaType {
  std::string mime_type;  // lower case, without parameters: "text/html"
  std::string charset;    // as written, without quotes; "" if absent
};

// Reads a Content-Type value as browsers do: parameters in any case and order,
// quotes of both kinds, stray white space. Of several charsets the first wins.
// A value that makes no sense gives a mime_type that matches nothing.
MediaType ParseMediaType(std::string_view content_type);

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_MEDIA_TYPE_H_
