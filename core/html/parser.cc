#include "core/html/parser.h"

#include "core/base/strings.h"
#include "core/html/encoding.h"
#include "core/html/parser_internal.h"

namespace trommel::html {

std::string_view ToString(ParseOutcome outcome) {
  switch (outcome) {
    case ParseOutcome::kOk:
      return "ok";
    case ParseOutcome::kTooLarge:
      return "too_large";
    case ParseOutcome::kTooManyNodes:
      return "too_many_nodes";
    case ParseOutcome::kTimeout:
      return "timeout";
  }
  return "unknown";
}

ParseOutcome Parser::ParsePage(std::string_view bytes,
                               std::string_view declared_charset,
                               Document* document) {
  if (bytes.size() > limits_.max_bytes) {
    DocumentBuilder(document, 1).Finish();
    notes_ = {};
    return ParseOutcome::kTooLarge;
  }
  const Encoding encoding = DetectEncoding(bytes, declared_charset);
  return ParseUtf8(DecodeToUtf8(bytes, encoding, &decoded_), document);
}

absl::StatusOr<ParserKind> ParserKindFromName(std::string_view name) {
  if (name == "direct") return ParserKind::kDirect;
  if (name == "lexbor") return ParserKind::kLexbor;
  if (name == "gumbo") return ParserKind::kGumbo;
  return absl::InvalidArgumentError(
      StrCat("unknown HTML parser \"", name,
             "\"; known are direct, lexbor and gumbo"));
}

std::unique_ptr<Parser> MakeParser(ParserKind kind, const ParseLimits& limits) {
  switch (kind) {
    case ParserKind::kLexbor:
      return MakeLexborParser(limits);
    case ParserKind::kGumbo:
      return MakeGumboParser(limits);
    case ParserKind::kDirect:
      break;
  }
  return direct::MakeDirectParser(limits);
}

}  // namespace trommel::html
