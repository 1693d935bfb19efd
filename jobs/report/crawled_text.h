#ifndef TROMMEL_JOBS_REPORT_CRAWLED_TEXT_H_
#define TROMMEL_JOBS_REPORT_CRAWLED_TEXT_H_

// Text from the crawl on a page for people. It may be any bytes: markup is
// escaped, characters that show nothing or move what stands around them are
// written as their numbers, bytes that are not UTF-8 become U+FFFD, and what is
// very long is cut.

#include <cstddef>
#include <string>
#include <string_view>

namespace trommel::jobs::report {

enum class Place {
  kText,       // an unseen character is a <mark>
  kAttribute,  // it stands in brackets; there are no elements in attributes
  kSource,     // as in text, but tabs and line ends are kept
};

// All of the bytes.
void AppendVisible(std::string_view bytes, Place place, std::string* out);

// At most `max_bytes` of the bytes: what is too much is taken from the middle,
// nearer the end. Characters stay whole.
void AppendCut(std::string_view bytes, size_t max_bytes, Place place,
               std::string* out);

// So much of crawled text is shown in place, in bytes.
inline constexpr size_t kShownBytes = 160;
void AppendShown(std::string_view bytes, std::string* out);
// The title attribute, with more of the text, where AppendShown() cuts it.
void AppendTip(std::string_view bytes, std::string* out);

// The URL as AppendShown() has it, and as a link where it can be followed: only
// what is shown as it is, and whole somewhere, can.
void AppendUrl(std::string_view url, std::string* out);

}  // namespace trommel::jobs::report

#endif  // TROMMEL_JOBS_REPORT_CRAWLED_TEXT_H_
