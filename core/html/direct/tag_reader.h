#ifndef TROMMEL_CORE_HTML_DIRECT_TAG_READER_H_
#define TROMMEL_CORE_HTML_DIRECT_TAG_READER_H_

// Names and attributes of tags (13.2.5.8 to 13.2.5.40 of the HTML standard).
//
// Tree construction decides by the name of a tag whether and where its element
// goes; only then are the attributes read, and straight into the document.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/html/direct/byte_scan.h"
#include "core/html/direct/document_writer.h"
#include "core/html/direct/give_up.h"
#include "core/html/direct/name_index.h"

namespace trommel::html::direct {

// What follows a start tag (13.2.5.1 to 13.2.5.4).
enum class Content : uint8_t { kMarkup, kRawText, kEscapableText, kScript };

struct TagToken {
  NameId name = names::kNone;
  // Behind the name; behind the tag when `read`.
  const char* rest = nullptr;
  bool read = false;
  bool self_closing = false;
  Content content = Content::kMarkup;
};

class TagReader {
 public:
  // An id that no element has.
  static constexpr NameId kUnknown = UINT32_MAX;

  TagReader(DocumentWriter* writer, uint32_t max_attributes);

  // Tags are read up to the last '>' of the page at most: behind it, none is
  // complete. Anything that begins before it can be scanned for '>' without
  // looking for the end of the page.
  void StartPage(const char* last_tag_end, const char* end);
  const char* last_tag_end() const { return last_tag_end_; }

  // The name at `p`, which is a letter. An end tag does not bring new names to
  // the document: kUnknown if it is none of its names.
  TagToken ReadStartTag(const char* p);
  TagToken ReadEndTag(const char* p);

  // Reads the attributes of a tag into the element opened last. False if the
  // page has to be given up for reason().
  bool ReadAttributes(TagToken* tag);
  // Passes over them.
  bool SkipAttributes(TagToken* tag);
  // Whether the tag has any attribute.
  static bool HasAttributes(const TagToken& tag);
  // Whether the tag says type=hidden (in the source's own characters).
  bool IsHiddenInput(const TagToken& tag) const;

  GiveUp reason() const { return reason_; }

 private:
  static const char* SkipSpace(const char* p);
  NameId InternLong(std::string_view name);
  NameId AttributeName(const char** position);
  const char* ReadValue(const char* p);
  template <char kQuote>
  const char* ReadQuoted(const char* p);
  const char* ReadUnquoted(const char* p);
  bool Fail(GiveUp reason) {
    reason_ = reason;
    return false;
  }

  DocumentWriter* const writer_;
  const uint32_t max_attributes_;
  NameIndex names_;
  std::string lower_;
  const char* last_tag_end_ = nullptr;
  const char* end_ = nullptr;
  GiveUp reason_ = GiveUp::kNone;
};

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_TAG_READER_H_
