#ifndef TROMMEL_CORE_HTML_DIRECT_DIRECT_PARSER_H_
#define TROMMEL_CORE_HTML_DIRECT_DIRECT_PARSER_H_

// A parser for the pages that need no repair.
//
// lexbor builds a tree of linked nodes, with a class for every element and
// memory for whatever a browser may want of it; our Document is three arrays in
// document order, and copying lexbor's tree into it is the small part of the
// cost. But most pages, however untidy, never make the standard's algorithm put
// a node anywhere but at the end of the document so far: implied tags, missing
// end tags and unclosed formatting only ever append. For these the Document can
// be written while the page is read. On real pages that takes 0.30 of the time
// of lexbor's bare parse, a quarter of its adapter's (deploy/bench).
//
// The contract is "the same Document as lexbor's adapter, or give up". Pages
// that move nodes (content between the parts of a table, <b><p></b></p>), rare
// constructs (<frameset>, <template>, <math>), what the end of the page cuts
// off and pages at one of the limits are given up and parsed by lexbor from the
// start; give_up.h lists the reasons. So the choice of parser changes the speed
// only, and where lexbor departs from the standard, so does this parser.
//
// The parts, with the sections of the HTML standard they follow:
//
//   page_reader            13.2.5, tokenization
//   tag_reader             13.2.5.8 ff., names and attributes of tags
//   character_references   13.2.5.72 ff.
//   tree_builder           13.2.6, tree construction
//   quirks                 13.2.6.4.1, what a doctype means
//   document_writer        13.2.4.2, the stack of open elements, and the nodes
//   elements, name_index   tables: what is known of an element, ids of names

#include <memory>
#include <string_view>

#include "core/html/direct/give_up.h"
#include "core/html/direct/page_reader.h"
#include "core/html/parser.h"

namespace trommel::html::direct {

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

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_DIRECT_PARSER_H_
