#ifndef TROMMEL_JOBS_REPORT_ASSETS_INTERNAL_H_
#define TROMMEL_JOBS_REPORT_ASSETS_INTERNAL_H_

// The files of this folder that are part of the binary; the definitions are
// written by trommel_embed_assets() of deploy/cmake.

#include <string_view>

namespace trommel::jobs::report::assets {

extern const std::string_view kReportCss;
extern const std::string_view kReportJs;

}  // namespace trommel::jobs::report::assets

#endif  // TROMMEL_JOBS_REPORT_ASSETS_INTERNAL_H_
