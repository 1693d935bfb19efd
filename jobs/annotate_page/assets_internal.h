#ifndef TROMMEL_JOBS_ANNOTATE_PAGE_ASSETS_INTERNAL_H_
#define TROMMEL_JOBS_ANNOTATE_PAGE_ASSETS_INTERNAL_H_

// The files of this folder that are part of the binary; the definitions are
// written by trommel_embed_assets() of deploy/cmake.

#include <string_view>

namespace trommel::jobs::annotate_page::assets {

extern const std::string_view kAnnotateHtml;
extern const std::string_view kAnnotateCss;
extern const std::string_view kAnnotateJs;
extern const std::string_view kFrameCss;
extern const std::string_view kIndexHtml;
extern const std::string_view kIndexCss;
extern const std::string_view kIndexJs;

}  // namespace trommel::jobs::annotate_page::assets

#endif  // TROMMEL_JOBS_ANNOTATE_PAGE_ASSETS_INTERNAL_H_
