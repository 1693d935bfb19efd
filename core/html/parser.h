#ifndef TROMMEL_CORE_HTML_PARSER_H_
#define TROMMEL_CORE_HTML_PARSER_H_

// Parsing a page into a Document, whatever its bytes are.
//
//   std::unique_ptr<Parser> parser = MakeParser(ParserKind::kDirect, {});
//   Document document;
//   if (parser->ParsePage(bytes, charset, &document) == ParseOutcome::kOk) ...
//
// Any bytes at all may be a page. A page that goes over a limit has a typed
// outcome, never a crash, and costs no more than the limits allow.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/html/document.h"

namespace trommel::html {

struct ParseLimits {
  // Page bytes before and after decoding; more is kTooLarge. At most 1 GiB.
  size_t max_bytes = size_t{8} << 20;
  // Nodes of the tree; more is kTooManyNodes.
  size_t max_nodes = 1000000;
  // Deeper elements are flattened: they become siblings at this depth, which
  // is at least 2.
  uint32_t max_depth = 512;
  // Further attributes of a tag are dropped.
  uint32_t max_attributes = 1024;
  // Time for one page; more is kTimeout.
  absl::Duration timeout = absl::Seconds(5);
};

enum class ParseOutcome { kOk, kTooLarge, kTooManyNodes, kTimeout };

// As in the rejects table: "ok", "too_large", "too_many_nodes", "timeout".
std::string_view ToString(ParseOutcome outcome);

// Where a page was cut to fit the limits although it parsed.
struct ParseNotes {
  bool depth_flattened = false;
  bool attributes_dropped = false;
};

// A parser is for one thread; it keeps buffers between pages.
class Parser {
 public:
  virtual ~Parser() = default;

  // Parses text that is valid UTF-8. `document` is filled only on kOk;
  // otherwise it is left empty.
  virtual ParseOutcome ParseUtf8(std::string_view utf8, Document* document) = 0;

  // Decodes the bytes of a page (core/html/encoding.h; `declared_charset` is
  // the crawl's content_charset, may be empty) and parses them.
  ParseOutcome ParsePage(std::string_view bytes,
                         std::string_view declared_charset, Document* document);

  const ParseNotes& notes() const { return notes_; }

 protected:
  explicit Parser(const ParseLimits& limits) : limits_(limits) {}

  ParseLimits limits_;
  ParseNotes notes_;

 private:
  std::string decoded_;
};

enum class ParserKind {
  kDirect,  // the default: lexbor's documents, in a third of the time
  kLexbor,
  kGumbo,  // the reference that lexbor is compared with
};

// "direct", "lexbor" or "gumbo".
absl::StatusOr<ParserKind> ParserKindFromName(std::string_view name);

std::unique_ptr<Parser> MakeParser(ParserKind kind, const ParseLimits& limits);

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_PARSER_H_
