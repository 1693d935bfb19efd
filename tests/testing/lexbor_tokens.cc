#include "tests/testing/lexbor_tokens.h"

#include <lexbor/html/html.h>

#include "core/base/text.h"
#include "core/html/tag_scanner.h"

namespace trommel::testing_support {
namespace {

struct Capture {
  lxb_html_tokenizer_token_f build;
  lxb_html_tree_t* tree;
  TagList tags;
};

lxb_html_token_t* OnToken(lxb_html_tokenizer_t* tokenizer,
                          lxb_html_token_t* token, void* context) {
  auto* const capture = static_cast<Capture*>(context);
  if (token->tag_id >= LXB_TAG_A) {
    size_t length = 0;
    const lxb_char_t* const name = lxb_tag_name_by_id(token->tag_id, &length);
    std::string& tag = capture->tags.emplace_back();
    if ((token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0) tag.push_back('/');
    tag.append(reinterpret_cast<const char*>(name), length);
  }
  return capture->build(tokenizer, token, capture->tree);
}

}  // namespace

TagList LexborTags(std::string_view html) {
  lxb_html_document_t* const document = lxb_html_document_create();
  // The document makes its parser with the first page.
  lxb_html_document_parse(document, reinterpret_cast<const lxb_char_t*>(""), 0);
  auto* const parser = static_cast<lxb_html_parser_t*>(
      lxb_dom_interface_document(document)->parser);
  Capture capture = {parser->tkz->callback_token_done, parser->tree, {}};
  lxb_html_tokenizer_callback_token_done_set(parser->tkz, OnToken, &capture);
  lxb_html_document_parse(
      document, reinterpret_cast<const lxb_char_t*>(html.data()), html.size());
  lxb_html_document_destroy(document);
  return capture.tags;
}

TagList ScannedTags(std::string_view html) {
  TagList tags;
  html::ScanTags(html, [&](const html::Tag& tag) {
    std::string& text = tags.emplace_back(tag.end ? "/" : "");
    for (const char c : tag.name) {
      if (c == '\0') {
        text += "\xEF\xBF\xBD";
      } else {
        text += AsciiLower(c);
      }
    }
  });
  return tags;
}

}  // namespace trommel::testing_support
