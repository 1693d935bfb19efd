#ifndef TROMMEL_JOBS_ANNOTATE_PAGE_STYLE_SHEET_INTERNAL_H_
#define TROMMEL_JOBS_ANNOTATE_PAGE_STYLE_SHEET_INTERNAL_H_

#include <string>
#include <string_view>

namespace trommel::jobs::annotate_page {

// A style sheet, or the value of a style attribute, without what could load
// something: url(), src(), image(), image-set() in any spelling become `none`,
// and rules of @import are gone. All else stays as it is, but for characters
// that CSS itself replaces before it reads (NUL, carriage return, form feed).
std::string WithoutAddresses(std::string_view css);

}  // namespace trommel::jobs::annotate_page

#endif  // TROMMEL_JOBS_ANNOTATE_PAGE_STYLE_SHEET_INTERNAL_H_
