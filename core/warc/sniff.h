#ifndef TROMMEL_CORE_WARC_SNIFF_H_
#define TROMMEL_CORE_WARC_SNIFF_H_

// What bytes are, where no header says so or none can be believed. All of these
// look at the beginning only.

#include <string_view>

namespace trommel::warc {

// Whether a tag, a comment or a declaration comes first: "<p", "<!", "<?",
// "</". White space and a byte order mark in front do not count.
bool StartsLikeMarkup(std::string_view bytes);

// Whether bytes are UTF-8 without control characters, which eight bytes of
// compressed data or of an image practically never are. Nothing is text.
bool IsPlainText(std::string_view bytes);

// Whether bytes may be text in whatever encoding: IsPlainText(), or markup, or
// UTF-16 that says so, or hardly a control character. Compressed data of a few
// bytes can pass for it.
bool LooksLikeText(std::string_view bytes);

// Whether a page that nobody has named a type for may be HTML: false for what
// is known by its first bytes (images, archives, PDF) and for other binary
// data. Follows section 7.1 of the MIME Sniffing standard (WHATWG), except that
// text without a tag at its front may be HTML too: servers send pages that
// begin with words.
bool MayBeHtml(std::string_view content);

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_SNIFF_H_
