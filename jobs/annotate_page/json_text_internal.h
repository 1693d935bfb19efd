#ifndef TROMMEL_JOBS_ANNOTATE_PAGE_JSON_TEXT_INTERNAL_H_
#define TROMMEL_JOBS_ANNOTATE_PAGE_JSON_TEXT_INTERNAL_H_

#include <string>
#include <string_view>

namespace trommel::jobs::annotate_page {

// Appends any bytes as a JSON string in ASCII, quotes included; what is not
// UTF-8 becomes U+FFFD. The string may stand inside <script>: it holds no '<',
// no '>' and no '&'.
void AppendJsonString(std::string_view bytes, std::string* out);

}  // namespace trommel::jobs::annotate_page

#endif  // TROMMEL_JOBS_ANNOTATE_PAGE_JSON_TEXT_INTERNAL_H_
