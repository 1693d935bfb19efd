#ifndef TROMMEL_JOBS_REPORT_HTML_H_
#define TROMMEL_JOBS_REPORT_HTML_H_

// Markup as a type of its own, so that text cannot be taken for it:
//
//   Html line = Markup("<b>") + Text(site) + Markup("</b>");
//
// Whatever comes from a crawl, a table or a flag goes through Text() or one of
// its neighbours; Markup() is for what stands in the program.

#include <cstdint>
#include <string>
#include <string_view>

namespace trommel::jobs::report {

class Html {
 public:
  Html() = default;

  const std::string& markup() const { return markup_; }
  bool empty() const { return markup_.empty(); }

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Html operator+(Html a, const Html& b) {
    a += b;
    return a;
  }

 private:
  friend Html Markup(std::string markup);
  std::string markup_;
};

// What is markup already: written by the program, with no text from elsewhere.
Html Markup(std::string markup);

// Any bytes as text: escaped, what is unseen made visible, cut when very long,
// with a tip that shows more of it (crawled_text.h).
Html Text(std::string_view bytes);
// Text that must not be cut, of bounded length by its nature.
Html WholeText(std::string_view bytes);
// The same, in the font of things to be typed; a URL that can be followed.
Html Code(std::string_view bytes);
Html Url(std::string_view url);
// Less important text.
Html Soft(std::string_view bytes);
// For the value of an attribute between double quotes.
std::string AttributeValue(std::string_view bytes);

// "<p>...</p>".
Html Paragraph(const Html& content);

// As HTML. Neither "0.0%" of something nor "100.0%" of not quite all.
std::string Percent(int64_t part, int64_t whole);

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_HTML_H_
