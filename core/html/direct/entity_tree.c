/* lexbor's table of named character references is part of a header that only C
   accepts. */

#include "core/html/direct/entity_tree.h"

#include <lexbor/html/tokenizer/res.h>

const lexbor_sbst_entry_static_t* TrommelEntityTree(void) {
  return lxb_html_tokenizer_res_entities_sbst;
}
