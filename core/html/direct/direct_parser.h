#ifndef TROMMEL_CORE_HTML_DIRECT_DIRECT_PARSER_H_
#define TROMMEL_CORE_HTML_DIRECT_DIRECT_PARSER_H_

// A parser for the pages that need no repair.
//
// lexbor builds a tree of linked nodes, with a class for every element and
// memory for whatever a browser may want of it; our Document is three arrays in
// document order, and copying lexbor's tree into it is a small part of the
// cost. Most pages, however untidy, never make the standard's algorithm put a
// node anywhere but at the end of the document so far: implied tags, missing
// end tags and unclosed formatting only ever append. For these the Document can
// be written while the page is read, and that takes less than a third of
// lexbor's time (deploy/bench html).
//
// The contract is "the same Document as lexbor's adapter, or give up". Pages
// that move nodes (content between the parts of a table, <b><p></b></p>), rare
// constructs (<frameset>, <template>, <math>) and those at one of the limits
// are given up and parsed by lexbor from the start; GiveUp lists the reasons.
// So the choice of parser changes the speed only, and where lexbor departs from
// the standard, so does this parser.
//
// The parts: page_reader (tokens), tag_reader (names and attributes),
// character_references, tree_builder (tree construction), document_writer (the
// Document), and the tables elements and name_index.

#include <memory>
#include <string_view>

#include "core/html/direct/give_up.h"
#include "core/html/direct/page_reader.h"
#include "core/html/parser.h"

namespace trommel::html {

class DirectParser final : public Parser {
 public:
  explicit DirectParser(const ParseLimits& limits);

  ParseOutcome ParseUtf8(std::string_view utf8, Document* document) override;

  // Of the last page; kNone if it was parsed directly.
  GiveUp last_give_up() const { return last_give_up_; }
  // Of all pages.
  const GiveUpCounts& give_ups() const { return give_ups_; }

 private:
  PageReader reader_;
  const std::unique_ptr<Parser> lexbor_;
  GiveUp last_give_up_ = GiveUp::kNone;
  GiveUpCounts give_ups_ = {};
};

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_DIRECT_DIRECT_PARSER_H_
