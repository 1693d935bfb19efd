#ifndef TROMMEL_JOBS_ANNOTATE_PAGE_PAGE_TREE_H_
#define TROMMEL_JOBS_ANNOTATE_PAGE_PAGE_TREE_H_

#include <string>

#include "core/html/document.h"

namespace trommel::jobs::annotate_page {

// The tree of a page as the annotation page builds it: JSON, compressed by
// gzip, written in base64. The same document gives the same bytes.
//
//   element   [tag, {attributes}, child, ...]
//   marker    [tag]: an element that is never built (script, iframe, link,
//             meta, ...); only its place among its siblings counts
//   text      "text", with a space in front where the page has one there
//   gap       1: white space in front of the element or marker that follows
//
// The outermost array holds the children of the document. Tags are XML names
// (html::XmlName), as XPaths need them. Comments are left out: a text on
// either side of one stays a text of its own. Of the attributes only those
// that change the looks of a page or can be a value are there; event handlers
// never are. Style sheets and style attributes have lost what would load
// something, and the first text of a <style> stands for all of them.
std::string EncodePageTree(const html::Document& document);

// The JSON itself, in ASCII.
std::string PageTreeJson(const html::Document& document);

}  // namespace trommel::jobs::annotate_page

#endif  // TROMMEL_JOBS_ANNOTATE_PAGE_PAGE_TREE_H_
