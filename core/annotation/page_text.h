#ifndef TROMMEL_CORE_ANNOTATION_PAGE_TEXT_H_
#define TROMMEL_CORE_ANNOTATION_PAGE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/html/document.h"

namespace trommel::annotation {

// The text without any white space, no-break spaces included: the form in
// which what an editor gives is compared with what a page says.
std::string WithoutSpace(std::string_view text);

// A place where a page says something.
struct ValuePlace {
  // How well the value fits its node, the best first.
  enum class Fit : uint8_t {
    kWholeText,     // the text node says this and nothing else
    kWholeElement,  // so does the element, in several text nodes
    kAttribute,     // it is the value of an attribute of the element
    kPartOfText,    // "$25.99" in "Our Price: $25.99"
    kPartOfElement,
  };
  Fit fit = Fit::kWholeText;
  html::NodeId node = html::kNoNode;
  html::NameId attribute = html::names::kNone;  // kAttribute: which

  friend bool operator==(const ValuePlace&, const ValuePlace&) = default;
};

// Finds values on a page, however its markup and white space cut them up.
//
// White space does not count at all, neither the page's nor the value's: an
// address that the editor sees on two lines may have a <br> and no space
// between them. But a value begins and ends where words, or nodes, do: "art" is
// not in "cart". What lies in scripts, styles and the like is not text.
//
// Refers to the document.
class PageText {
 public:
  explicit PageText(const html::Document& document);

  // Where the texts of the page say `value`, in document order; at most
  // `max_parts` of those that say more besides. A value that goes over several
  // text nodes is at the smallest element that contains them.
  std::vector<ValuePlace> Find(std::string_view value, size_t max_parts) const;

  // Whether the text of a node, which may be one that is not shown, is or
  // contains the value; the fit is one of the four of texts.
  bool FindAt(html::NodeId node, std::string_view value,
              ValuePlace* place) const;

  // The texts of the page that have most words in common with `value`, the best
  // first; normalised, and cut off when they are long.
  std::vector<std::string> Nearest(std::string_view value, size_t count) const;

  const html::Document& document() const { return document_; }

 private:
  // A text node and where it begins in text_.
  struct Segment {
    html::NodeId node;
    uint32_t begin;
  };

  size_t SegmentAt(size_t offset) const;
  size_t EndOf(size_t segment) const;
  bool IsBoundary(size_t offset) const;
  ValuePlace PlaceOf(size_t begin, size_t end) const;

  const html::Document& document_;
  std::string text_;               // of all text nodes, without white space
  std::vector<bool> starts_word_;  // by offset: white space or a node boundary
  std::vector<Segment> segments_;  // in order
};

}  // namespace trommel::annotation

#endif  // TROMMEL_CORE_ANNOTATION_PAGE_TEXT_H_
