#include "jobs/page/admission.h"

#include <algorithm>

#include "core/base/strings.h"
#include "core/warc/media_type.h"
#include "core/warc/sniff.h"

namespace trommel::jobs::page {
namespace {

constexpr std::string_view kNotHtml = "not_html";

Rejection Unwanted(std::string_view reason, std::string detail) {
  return {reason, std::move(detail), /*is_bad=*/false};
}

std::optional<Rejection> WhyNotHtml(const io::CrawlPage& page) {
  if (page.mime_type.empty()) {
    if (warc::MayBeHtml(page.content)) return std::nullopt;
    return Unwanted(kNotHtml, "no type is given, and the content is binary");
  }
  std::string mime_type = warc::ParseMediaType(page.mime_type).mime_type;
  if (mime_type == "text/html" || mime_type == "application/xhtml+xml") {
    return std::nullopt;
  }
  return Unwanted(kNotHtml, std::move(mime_type));
}

}  // namespace

std::optional<Rejection> WhyRejected(const io::CrawlPage& page,
                                     const AdmissionFlags& flags) {
  if (page.url.empty()) return Rejection{kNoUrl, ""};
  if (page.fetch_status.has_value() && *page.fetch_status != 200) {
    return Unwanted("fetch_status", StrCat(*page.fetch_status));
  }
  if (std::optional<Rejection> rejection = WhyNotHtml(page)) return rejection;
  if (!page.truncated.empty() && flags.truncated == kRejectTruncated) {
    return Unwanted("truncated", std::string(page.truncated));
  }
  const int64_t size =
      std::max(static_cast<int64_t>(page.content.size()), page.withheld_bytes);
  if (size > flags.max_page_bytes) {
    return Rejection{"too_large",
                     StrCat(size, " bytes, more than ", flags.max_page_bytes)};
  }
  return std::nullopt;
}

absl::Status Reject(const mr::RowName& row, const Rejection& rejection,
                    mr::TaskOutput* out) {
  return rejection.is_bad
             ? out->Reject(row, rejection.reason, rejection.detail)
             : out->PassOver(row, rejection.reason, rejection.detail);
}

int64_t NumRejects(const mr::Counters& counters) {
  return mr::CounterOf(counters, mr::kRowsRejected) +
         mr::CounterOf(counters, mr::kRowsPassedOver);
}

}  // namespace trommel::jobs::page
