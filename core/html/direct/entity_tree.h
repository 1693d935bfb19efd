#ifndef TROMMEL_CORE_HTML_DIRECT_ENTITY_TREE_H_
#define TROMMEL_CORE_HTML_DIRECT_ENTITY_TREE_H_

#include <lexbor/core/sbst.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The names of character references as a search tree over their bytes, to be
   walked with lexbor_sbst_entry_static_find(). */
const lexbor_sbst_entry_static_t* TrommelEntityTree(void);

#ifdef __cplusplus
}
#endif

#endif /* TROMMEL_CORE_HTML_DIRECT_ENTITY_TREE_H_ */
