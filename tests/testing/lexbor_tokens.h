#ifndef TROMMEL_TESTS_TESTING_LEXBOR_TOKENS_H_
#define TROMMEL_TESTS_TESTING_LEXBOR_TOKENS_H_

#include <string>
#include <string_view>
#include <vector>

namespace trommel::testing_support {

// Tags as text, "div" and "/div", which reads well in failures.
using TagList = std::vector<std::string>;

// The start and end tags that lexbor's tokenizer emits during a full parse:
// what a tag scanner should find.
TagList LexborTags(std::string_view html);

// The same from ScanTags(). U+0000 in names is shown as U+FFFD, as lexbor
// does.
TagList ScannedTags(std::string_view html);

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_LEXBOR_TOKENS_H_
