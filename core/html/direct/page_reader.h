#ifndef TROMMEL_CORE_HTML_DIRECT_PAGE_READER_H_
#define TROMMEL_CORE_HTML_DIRECT_PAGE_READER_H_

// The tokenizer (13.2.5 of the HTML standard), which hands the tokens of a page
// to the TreeBuilder. It writes no tokens down: names become ids, values and
// text go straight into the document.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/html/direct/document_writer.h"
#include "core/html/direct/give_up.h"
#include "core/html/direct/quirks.h"
#include "core/html/direct/tag_reader.h"
#include "core/html/direct/tree_builder.h"
#include "core/html/parser.h"

namespace trommel::html::direct {

class PageReader {
 public:
  explicit PageReader(const ParseLimits& limits);

  // Fills the document from text that is valid UTF-8 and returns kNone, or
  // returns why it did not; the document is then to be filled anew.
  GiveUp Read(std::string_view utf8, Document* document);

 private:
  std::string_view NormalizeNewlines(std::string_view utf8);
  void ReadTokens();
  bool CheckLimits();

  const char* ReadText(const char* p);
  const char* ReadMarkup(const char* p);
  const char* ReadStartTag(const char* p);
  const char* ReadEndTag(const char* p);
  const char* ReadDeclaration(const char* p);
  const char* ReadComment(const char* p);
  const char* ReadBogusComment(const char* p, const char* text);
  const char* ReadDoctype(const char* p);
  const char* ReadInstruction(const char* p);
  const char* ReadContent(const TagToken& tag);
  const char* ReadEscapableText(const char* p, const char* text_end);
  const char* Stop(GiveUp reason) {
    builder_.Stop(reason);
    return end_;
  }

  const ParseLimits limits_;
  DocumentWriter writer_;
  TagReader tags_;
  TreeBuilder builder_;
  QuirksIndex quirks_;
  std::string normalized_;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_PAGE_READER_H_
