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
#include "core/warc/sniff.h"

namespace trommel::warc {
namespace {

constexpr size_t kMaxCodings = 8;
// That a line end follows so many bytes, where a line in front of them says it
// does, is no chance.
constexpr size_t kNoChanceBytes = 256;

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

bool IsAfterSize(char c) {
  return c == ';' || c == ' ' || c == '\t' || c == '\r';
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

// Whether the body ends inside that line.
bool IsCutChunkSize(std::string_view rest) {
  if (rest.find('\n') != std::string_view::npos) return false;
  const size_t end = rest.find_first_not_of("0123456789abcdefABCDEF");
  return end == std::string_view::npos || (end > 0 && IsAfterSize(rest[end]));
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

// Whether `rest`, what follows the last chunk's size, is the end of a chunked
// body: lines of trailers, an empty line and nothing more. The empty line may
// be missing where nothing follows at all.
bool IsChunkedEnd(std::string_view rest) {
  if (rest.empty()) return true;
  while (!rest.empty()) {
    const std::string_view line = TakeLine(&rest);
    if (line.empty()) return rest.empty();
    const size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return false;
    if (line.substr(0, colon).find_first_of(" \t<") != line.npos) return false;
  }
  return false;
}

// What reading a body as chunks came to.
struct Chunks {
  enum class End {
    kLastChunk,  // with the chunk of size 0
    kCut,        // the body ends inside the sequence
    kBroken,     // something else than a chunk follows
  };
  std::string joined;
  End end = End::kLastChunk;
  bool any_whole = false;  // a chunk with the line end behind it
};

// Joins the chunks of RFC 9112, section 7.1; trailers are dropped.
Chunks JoinChunks(std::string_view body) {
  Chunks chunks;
  std::string_view rest = body;
  const auto ended = [&](Chunks::End end) {
    chunks.end = end;
    return std::move(chunks);
  };
  while (true) {
    uint64_t size;
    if (!TakeChunkSize(&rest, &size)) {
      return ended(IsCutChunkSize(rest) ? Chunks::End::kCut
                                        : Chunks::End::kBroken);
    }
    if (size == 0) {
      const bool is_end = chunks.any_whole || IsChunkedEnd(rest);
      return ended(is_end ? Chunks::End::kLastChunk : Chunks::End::kBroken);
    }
    const std::string_view chunk = rest.substr(
        0, static_cast<size_t>(std::min<uint64_t>(size, rest.size())));
    rest.remove_prefix(chunk.size());
    chunks.joined.append(chunk);
    if (!TakeLineEnd(&rest)) {
      const bool is_cut = rest.empty() || rest == "\r";
      return ended(is_cut ? Chunks::End::kCut : Chunks::End::kBroken);
    }
    chunks.any_whole = true;
  }
}

// Whether a body that the headers call chunked is. Crawlers join chunks and
// keep the header; then the first line of a page may still read as a chunk's
// size. A sequence that ends as it should is chunked. One that is cut after a
// whole chunk is too. Where it is broken, or cut before that, what it joins
// must look like what is transferred, a page or compressed data, or be so long
// that its end is not where the size says by chance.
bool AreChunks(const Chunks& chunks) {
  switch (chunks.end) {
    case Chunks::End::kLastChunk:
      return true;
    case Chunks::End::kCut:
      if (chunks.any_whole) return true;
      break;
    case Chunks::End::kBroken:
      if (!chunks.any_whole) return false;
      if (chunks.joined.size() >= kNoChanceBytes) return true;
      break;
  }
  return !chunks.joined.empty() &&
         (StartsLikeMarkup(chunks.joined) || !LooksLikeText(chunks.joined));
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

// Bodies that are already decoded.
//
// Old archives, Common Crawl's among them, hold plain bodies behind headers
// that still name the codings these once had. So a header only says what to
// try, and the bytes decide:
//
//   - what is plain text by all appearance is not compressed;
//   - what lacks the magic number of its coding is not so coded;
//   - what decodes completely is decoded. Checksums prove it, or, of bare
//     deflate and Brotli, that the stream ends where the body does;
//   - otherwise what may be text is taken for it, unless the magic number is
//     there;
//   - otherwise the body is cut, damaged, or of a coding nobody knows.

// Undoes one compression. Nothing means that the body is not so coded.
absl::StatusOr<std::optional<std::string>> Decompress(std::string_view body,
                                                      std::string_view coding,
                                                      size_t max_body_bytes,
                                                      bool* truncated) {
  const compress::CodingSign sign = compress::FindCodingSign(body, coding);
  if (body.empty() || IsPlainText(body) ||
      sign == compress::CodingSign::kAbsent) {
    return std::nullopt;
  }
  bool is_cut = false;
  absl::StatusOr<std::string> decoded =
      compress::DecodeBodyPrefix(body, coding, max_body_bytes, &is_cut);
  const bool is_decided = (decoded.ok() && !is_cut) ||
                          absl::IsResourceExhausted(decoded.status()) ||
                          sign == compress::CodingSign::kPresent;
  if (!is_decided && LooksLikeText(body)) return std::nullopt;
  if (!decoded.ok()) return decoded.status();
  if (is_cut) *truncated = true;
  return *std::move(decoded);
}

// The codings of a response in the order of their application: they are listed
// as applied, and transfer codings are applied last.
std::vector<std::string> CodingsOf(const HttpResponse& response) {
  std::vector<std::string> codings;
  AppendList(response, "Content-Encoding", &codings);
  AppendList(response, "Transfer-Encoding", &codings);
  codings.erase(std::remove_if(codings.begin(), codings.end(), IsNoCoding),
                codings.end());
  return codings;
}

// Whether the body is shorter than its header says. An empty one is often meant
// to be (of a redirect, of one that has not changed), but not that of a page.
bool IsShorterThanSaid(const HttpResponse& response, std::string_view body) {
  uint64_t length;
  return absl::SimpleAtoi(
             ToAbsl(response.Header("Content-Length").value_or("")), &length) &&
         length > body.size() && (!body.empty() || response.status_code == 200);
}

}  // namespace

absl::Status DecodeHttpBody(std::string_view body, size_t max_body_bytes,
                            HttpResponse* response) {
  const std::vector<std::string> codings = CodingsOf(*response);
  if (codings.size() > kMaxCodings) {
    return absl::InvalidArgumentError(
        StrCat("the response names ", codings.size(), " codings"));
  }
  // A length is that of the coded body, if it has not been decoded already.
  if (codings.empty() && IsShorterThanSaid(*response, body)) {
    response->truncated = true;
  }
  std::string decoded;  // what `body` points to once a coding was undone
  for (auto it = codings.rbegin(); it != codings.rend(); ++it) {
    if (*it == "chunked") {
      Chunks chunks = JoinChunks(body);
      if (!AreChunks(chunks)) continue;
      if (chunks.end != Chunks::End::kLastChunk) response->truncated = true;
      decoded = std::move(chunks.joined);
    } else {
      TROMMEL_ASSIGN_OR_RETURN(
          std::optional<std::string> next,
          Decompress(body, *it, max_body_bytes, &response->truncated));
      if (!next.has_value()) continue;
      decoded = *std::move(next);
    }
    body = decoded;
  }
  if (body.size() > max_body_bytes) {
    return absl::ResourceExhaustedError(
        StrCat("the body is longer than ", max_body_bytes, " bytes"));
  }
  if (body.data() == decoded.data()) {
    response->body = std::move(decoded);
  } else {
    response->body.assign(body);
  }
  return absl::OkStatus();
}

std::optional<std::string_view> HttpResponse::Header(
    std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

absl::StatusOr<HttpResponse> ParseHttpHead(std::string_view block,
                                           std::string_view* body) {
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
  *body = rest;
  return response;
}

absl::StatusOr<HttpResponse> ParseHttpResponse(std::string_view block,
                                               size_t max_body_bytes) {
  std::string_view body;
  TROMMEL_ASSIGN_OR_RETURN(HttpResponse response, ParseHttpHead(block, &body));
  TROMMEL_RETURN_IF_ERROR(DecodeHttpBody(body, max_body_bytes, &response));
  return response;
}

}  // namespace trommel::warc
