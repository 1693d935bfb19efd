#include "core/warc/http_response.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/compress/decode_body.h"
#include "core/warc/ascii_internal.h"

namespace trommel::warc {
namespace {

constexpr size_t kMaxCodings = 8;

// Takes the first line off `rest` and returns it without its CRLF or LF. The
// last line may lack one.
std::string_view TakeLine(std::string_view* rest) {
  const size_t length = std::min(rest->find('\n'), rest->size());
  std::string_view line = rest->substr(0, length);
  rest->remove_prefix(std::min(length + 1, rest->size()));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// The code of "HTTP/1.1 200 OK", or 0 if the line is no status line.
int StatusCode(std::string_view line) {
  if (!StartsWithIgnoreCase(line, "HTTP/")) return 0;
  line.remove_prefix(5);
  if (line.empty() || !IsDigit(line[0])) return 0;
  const size_t space = line.find_first_of(" \t");
  if (space == std::string_view::npos) return 0;
  for (const char c : line.substr(0, space)) {
    if (!IsDigit(c) && c != '.') return 0;
  }
  line = TrimLeft(line.substr(space));
  if (line.size() < 3 || (line.size() > 3 && line[3] != ' ' && line[3] != '\t'))
    return 0;
  int code = 0;
  for (const char c : line.substr(0, 3)) {
    if (!IsDigit(c)) return 0;
    code = 10 * code + (c - '0');
  }
  return code >= 100 ? code : 0;
}

// Reads header lines up to the blank one that ends them.
void ParseHeaders(std::string_view* rest, std::vector<HttpHeader>* headers) {
  bool may_continue = false;
  while (!rest->empty()) {
    const std::string_view line = TakeLine(rest);
    if (line.empty()) return;
    if (line[0] == ' ' || line[0] == '\t') {
      if (may_continue) {
        StrAppend(&headers->back().value, " ", Trim(line));
      }
      continue;
    }
    const size_t colon = line.find(':');
    may_continue = colon != std::string_view::npos && colon > 0;
    if (!may_continue) continue;
    headers->push_back({std::string(Trim(line.substr(0, colon))),
                        std::string(Trim(line.substr(colon + 1)))});
  }
}

// Reads the line in front of a chunk: hexadecimal digits, then perhaps white
// space and extensions. False if it is none, or too large for 64 bits.
bool TakeChunkSize(std::string_view* rest, uint64_t* size) {
  const size_t end = rest->find('\n');
  if (end == std::string_view::npos) return false;
  std::string_view line = rest->substr(0, end);
  size_t digits = 0;
  *size = 0;
  while (digits < line.size() && absl::ascii_isxdigit(line[digits])) {
    if (*size >> 60 != 0) return false;
    const char c = absl::ascii_tolower(line[digits]);
    *size =
        *size * 16 + static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    ++digits;
  }
  if (digits == 0) return false;
  line = Trim(line.substr(digits));
  if (!line.empty() && line[0] != ';') return false;
  rest->remove_prefix(end + 1);
  return true;
}

// Takes the line end behind a chunk's bytes.
bool TakeLineEnd(std::string_view* rest) {
  if (rest->starts_with("\r\n")) {
    rest->remove_prefix(2);
    return true;
  }
  if (rest->starts_with("\n")) {
    rest->remove_prefix(1);
    return true;
  }
  return false;
}

// Joins the chunks of RFC 9112, section 7.1; trailers are dropped. False if
// `body` is not chunked at all, which is a crawler that joined them already:
// its first line is no chunk size, or no line end follows the first chunk. Once
// a first chunk has been seen, whatever breaks the sequence ends the body and
// sets *truncated.
bool JoinChunks(std::string_view body, std::string* out, bool* truncated) {
  out->clear();
  std::string_view rest = body;
  bool first = true;
  while (true) {
    uint64_t size;
    if (!TakeChunkSize(&rest, &size)) {
      if (first) return false;
      *truncated = true;
      return true;
    }
    if (size == 0) return true;
    if (size > rest.size()) {
      out->append(rest);
      *truncated = true;
      return true;
    }
    const std::string_view chunk = rest.substr(0, static_cast<size_t>(size));
    rest.remove_prefix(chunk.size());
    const bool ended = TakeLineEnd(&rest);
    if (!ended && first && rest.size() >= 2) return false;
    out->append(chunk);
    if (!ended) {
      *truncated = true;
      return true;
    }
    first = false;
  }
}

// Adds the members of every header of this name, a comma list each.
void AppendList(const HttpResponse& response, std::string_view name,
                std::vector<std::string>* list) {
  for (const HttpHeader& header : response.headers) {
    if (!EqualsIgnoreCase(header.name, name)) continue;
    for (const absl::string_view part : absl::StrSplit(header.value, ',')) {
      const std::string_view item = ToStd(part);
      const std::string_view token =
          Trim(item.substr(0, std::min(item.find(';'), item.size())));
      if (!token.empty()) list->push_back(Lower(token));
    }
  }
}

// Values that servers put into Content-Encoding by mistake; they do not change
// the body.
bool IsNoCoding(std::string_view coding) {
  return coding == "identity" || coding == "none" || coding == "utf-8" ||
         coding == "utf8" || coding == "iso-8859-1" || coding == "binary" ||
         coding == "8bit" || coding == "7bit" || coding == "text/html";
}

bool LooksLikeHtml(std::string_view body) {
  const std::string_view text = TrimLeft(body);
  return StartsWithIgnoreCase(text, "<!doctype") ||
         StartsWithIgnoreCase(text, "<html");
}

// Undoes the codings in the order opposite to that of their application: they
// are listed as applied, and transfer codings are applied last.
absl::Status DecodeBody(std::string_view body, size_t max_body_bytes,
                        HttpResponse* response) {
  std::vector<std::string> codings;
  AppendList(*response, "Content-Encoding", &codings);
  AppendList(*response, "Transfer-Encoding", &codings);
  if (codings.size() > kMaxCodings) {
    return absl::InvalidArgumentError(
        StrCat("the response names ", codings.size(), " codings"));
  }
  std::string decoded;  // what `body` points to once a coding was undone
  std::string next;
  for (auto it = codings.rbegin(); it != codings.rend(); ++it) {
    if (*it == "chunked") {
      if (!JoinChunks(body, &next, &response->truncated)) continue;
    } else {
      if (IsNoCoding(*it) || body.empty()) continue;
      if (!compress::MayHaveCoding(body, *it)) continue;
      auto result = compress::DecodeBodyPrefix(body, *it, max_body_bytes,
                                               &response->truncated);
      if (!result.ok()) {
        if (!absl::IsResourceExhausted(result.status()) &&
            LooksLikeHtml(body)) {
          continue;
        }
        return result.status();
      }
      next = *std::move(result);
    }
    decoded.swap(next);
    body = decoded;
  }
  if (body.size() > max_body_bytes) {
    return absl::ResourceExhaustedError(
        StrCat("the body is longer than ", max_body_bytes, " bytes"));
  }
  if (codings.empty() && !body.empty()) {
    uint64_t length;
    if (absl::SimpleAtoi(
            ToAbsl(response->Header("Content-Length").value_or("")), &length) &&
        length > body.size()) {
      response->truncated = true;
    }
  }
  if (body.data() == decoded.data()) {
    response->body = std::move(decoded);
  } else {
    response->body.assign(body);
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<std::string_view> HttpResponse::Header(
    std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

absl::StatusOr<HttpResponse> ParseHttpResponse(std::string_view block,
                                               size_t max_body_bytes) {
  HttpResponse response;
  std::string_view rest = block;
  while (true) {
    response.status_code = StatusCode(TakeLine(&rest));
    if (response.status_code == 0) {
      return absl::InvalidArgumentError(
          "the block does not begin with an HTTP status line");
    }
    ParseHeaders(&rest, &response.headers);
    // An interim response (RFC 9110, section 15.2) has no body; the final one
    // follows.
    if (response.status_code >= 200 || !StartsWithIgnoreCase(rest, "HTTP/")) {
      break;
    }
    response.headers.clear();
  }
  response.media_type =
      ParseMediaType(response.Header("Content-Type").value_or(""));
  TROMMEL_RETURN_IF_ERROR(DecodeBody(rest, max_body_bytes, &response));
  return response;
}

}  // namespace trommel::warc
