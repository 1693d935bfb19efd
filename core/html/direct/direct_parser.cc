#include "core/html/direct/direct_parser.h"

#include "core/html/parser_internal.h"

namespace trommel::html::direct {

DirectParser::DirectParser(const ParseLimits& limits)
    : Parser(limits), reader_(limits), lexbor_(MakeLexborParser(limits)) {}

ParseOutcome DirectParser::ParseUtf8(std::string_view utf8,
                                     Document* document) {
  last_give_up_ = utf8.size() > limits_.max_bytes
                      ? GiveUp::kSize
                      : reader_.Read(utf8, document);
  ++give_ups_[static_cast<size_t>(last_give_up_)];
  notes_ = {};
  if (last_give_up_ == GiveUp::kNone) return ParseOutcome::kOk;
  const ParseOutcome outcome = lexbor_->ParseUtf8(utf8, document);
  notes_ = lexbor_->notes();
  return outcome;
}

std::unique_ptr<Parser> MakeDirectParser(const ParseLimits& limits) {
  return std::make_unique<DirectParser>(limits);
}

}  // namespace trommel::html::direct
