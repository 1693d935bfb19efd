#include "jobs/page/page_flags.h"

#include <algorithm>

#include "absl/time/time.h"

namespace trommel {

void PageFlags::Define(cli::Flags* flags) {
  flags->Choice("parser", &parser, {"lexbor", "gumbo"}, "HTML parser");
  flags
      ->Integer("max-page-bytes", &max_page_bytes,
                "pages with more bytes are too_large")
      .AtLeast(1);
  flags
      ->Integer("max-nodes", &max_nodes,
                "pages with more nodes are too_many_nodes")
      .AtLeast(1);
  flags
      ->Integer("max-depth", &max_depth,
                "elements nested deeper become siblings at this depth")
      .AtLeast(8);
  flags
      ->Integer("max-attributes", &max_attributes,
                "further attributes of a tag are dropped")
      .AtLeast(1);
  flags
      ->Number("page-timeout", &page_timeout_s,
               "seconds to parse a page before it is a timeout")
      .AtLeast(0.001);
}

std::unique_ptr<html::Parser> PageFlags::MakeParser() const {
  html::ParseLimits limits;
  limits.max_bytes =
      static_cast<size_t>(std::min<int64_t>(max_page_bytes, int64_t{1} << 30));
  limits.max_nodes = static_cast<size_t>(max_nodes);
  limits.max_depth = static_cast<uint32_t>(std::min<int64_t>(max_depth, 65534));
  limits.max_attributes =
      static_cast<uint32_t>(std::min<int64_t>(max_attributes, 1 << 30));
  limits.timeout = absl::Seconds(page_timeout_s);
  // The flag is a choice, so the name is known.
  return html::MakeParser(
      parser == "gumbo" ? html::ParserKind::kGumbo : html::ParserKind::kLexbor,
      limits);
}

}  // namespace trommel
