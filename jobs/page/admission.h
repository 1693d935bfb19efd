#ifndef TROMMEL_JOBS_PAGE_ADMISSION_H_
#define TROMMEL_JOBS_PAGE_ADMISSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "jobs/page/page_flags.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::page {

// Why a page of a crawl is not looked at.
struct Rejection {
  // "no_url", "fetch_status", "not_html", "truncated" or "too_large".
  std::string_view reason;
  std::string detail;
  // A page that cannot be read, of which a job bears only a share. Images,
  // redirects and errors are in every crawl, and nothing is wrong with it.
  bool is_bad = true;
};

// The reason against a row whose url is null or empty: whatever a verb makes of
// pages, it has to name them.
inline constexpr std::string_view kNoUrl = "no_url";

// What its row says against a page: no url, a fetch_status other than 200, a
// content_mime_type other than text/html and application/xhtml+xml (where there
// is none, content that cannot be HTML), a content_truncated if such pages are
// not wanted, a content over the limit. Any other value that is missing says
// nothing against it.
std::optional<Rejection> WhyRejected(const io::CrawlPage& page,
                                     const AdmissionFlags& flags);

// Puts the page into the table of rejects: as rejected if it is bad, otherwise
// as passed over.
absl::Status Reject(const mr::RowName& row, const Rejection& rejection,
                    mr::TaskOutput* out);

// The pages in the table of rejects, bad or not.
int64_t NumRejects(const mr::Counters& counters);

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_ADMISSION_H_
