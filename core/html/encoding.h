#ifndef TROMMEL_CORE_HTML_ENCODING_H_
#define TROMMEL_CORE_HTML_ENCODING_H_

// From a page's bytes to UTF-8 text, by the rules of the HTML and Encoding
// standards: a byte order mark, then the declared charset, then <meta> in the
// first 1,024 bytes, then windows-1252.

#include <cstdint>
#include <string>
#include <string_view>

namespace trommel::html {

// An encoding of the Encoding standard. A small value; copy it.
class Encoding {
 public:
  // The encoding with this label ("latin1", "UTF8", any case, surrounding
  // white space ignored); windows-1252 is what "latin1" means on the web. An
  // unknown label gives Unknown().
  static Encoding FromLabel(std::string_view label);
  static Encoding Unknown() { return Encoding(); }

  bool known() const { return id_ != 0; }
  // The standard's name: "UTF-8", "windows-1252".
  std::string_view name() const;
  // Whether ASCII bytes stand for ASCII characters everywhere in it, so that
  // markup can be scanned without decoding.
  bool IsAsciiCompatible() const;

  friend bool operator==(Encoding a, Encoding b) { return a.id_ == b.id_; }

 private:
  friend std::string_view DecodeToUtf8(std::string_view, Encoding,
                                       std::string*);
  friend Encoding DetectEncoding(std::string_view, std::string_view);

  uint32_t id_ = 0;  // of lexbor's table
};

// The encoding of a page. Always known.
Encoding DetectEncoding(std::string_view bytes,
                        std::string_view declared_charset);

// The page's text in valid UTF-8, without its byte order mark. Malformed
// sequences become U+FFFD. Where the bytes already are what is wanted the
// result is a view of them; otherwise `buffer` holds it.
std::string_view DecodeToUtf8(std::string_view bytes, Encoding encoding,
                              std::string* buffer);

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_ENCODING_H_
