#include "jobs/page/page_flags.h"

#include "absl/time/time.h"

namespace trommel::jobs::page {
namespace {

// Offsets within a document are 32 bits wide.
constexpr double kMaxPageBytes = 1 << 30;

void DefineMaxPageBytes(int64_t* max_page_bytes, bool is_recorded,
                        cli::Flags* flags) {
  flags
      ->Integer("max-page-bytes", max_page_bytes,
                "pages with more bytes are too_large")
      .Between(1, kMaxPageBytes)
      .Recorded(is_recorded);
}

}  // namespace

void AdmissionFlags::Define(cli::Flags* flags, bool is_recorded) {
  DefineMaxPageBytes(&max_page_bytes, is_recorded, flags);
  flags
      ->Choice("truncated", &truncated,
               {std::string(kKeepTruncated), std::string(kRejectTruncated)},
               "pages of which the crawl has only a part")
      .Recorded(is_recorded);
}

void PageFlags::Define(cli::Flags* flags) {
  AdmissionFlags::Define(flags);
  DefineParser(flags);
}

void PageFlags::DefineForParsing(cli::Flags* flags) {
  DefineMaxPageBytes(&max_page_bytes, /*is_recorded=*/true, flags);
  DefineParser(flags);
}

void PageFlags::DefineParser(cli::Flags* flags) {
  flags
      ->Choice("parser", &parser, {"direct", "lexbor", "gumbo"},
               "HTML parser; direct gives what lexbor gives")
      .Recorded();
  flags
      ->Integer("max-nodes", &max_nodes,
                "pages with more nodes are too_many_nodes")
      .Between(1, 1e9)
      .Recorded();
  flags
      ->Integer("max-depth", &max_depth,
                "elements nested deeper become siblings at this depth")
      .Between(8, 65534)
      .Recorded();
  flags
      ->Integer("max-attributes", &max_attributes,
                "further attributes of a tag are dropped")
      .Between(1, 1e6)
      .Recorded();
  flags
      ->Number("page-timeout", &page_timeout_s,
               "seconds to parse a page before it is a timeout")
      .Between(0.001, 86400)
      .Recorded();
}

std::unique_ptr<html::Parser> PageFlags::MakeParser() const {
  html::ParseLimits limits;
  limits.max_bytes = static_cast<size_t>(max_page_bytes);
  limits.max_nodes = static_cast<size_t>(max_nodes);
  limits.max_depth = static_cast<uint32_t>(max_depth);
  limits.max_attributes = static_cast<uint32_t>(max_attributes);
  limits.timeout = absl::Seconds(page_timeout_s);
  // The flag is a choice, so the name is known.
  return html::MakeParser(*html::ParserKindFromName(parser), limits);
}

}  // namespace trommel::jobs::page
