// Any bytes parsed by lexbor give a sound Document and well-formed XML.

#include "tests/fuzz/parse_page.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  trommel::fuzz::ParsePage(trommel::html::ParserKind::kLexbor, data, size);
  return 0;
}
