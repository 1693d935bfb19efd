// WARC archives: response records with their HTTP message taken apart, and
// resource records that hold a page as it is.

#include <utility>

#include "core/base/status.h"
#include "core/warc/http_response.h"
#include "core/warc/warc_reader.h"
#include "jobs/ingest/page_source.h"

namespace trommel::jobs::ingest {
namespace {

// Room for the HTTP header and for transfer coding around a page.
constexpr size_t kBlockSlack = size_t{1} << 20;

class WarcSource final : public PageSource {
 public:
  WarcSource(const io::Path& file, const IngestOptions& options)
      : options_(options) {
    reject_.input = file.name;
  }

  absl::Status Init(const io::Path& file) {
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes,
                             OpenCounted(file, &bytes_read_));
    warc::WarcReader::Options options;
    options.max_block_bytes = options_.max_page_bytes + kBlockSlack;
    reader_ = std::make_unique<warc::WarcReader>(std::move(bytes), options);
    return absl::OkStatus();
  }

  int64_t bytes_read() const override { return bytes_read_; }
  int64_t bytes_skipped() const override {
    return reader_->counters().bytes_skipped;
  }

  absl::StatusOr<Outcome> Next(IngestedPage* page) override {
    TROMMEL_ASSIGN_OR_RETURN(const warc::WarcReader::Outcome outcome,
                             reader_->Next(&record_));
    switch (outcome) {
      case warc::WarcReader::Outcome::kEnd:
        return Outcome::kEnd;
      case warc::WarcReader::Outcome::kRejected: {
        const warc::WarcReader::Rejection& why = reader_->rejection();
        return Reject(StrCat("offset ", why.offset), why.target_uri,
                      std::string(warc::ToString(why.reason)), why.detail);
      }
      case warc::WarcReader::Outcome::kRecord:
        break;
    }
    if (warc::IsHttpResponse(record_)) return TakeResponse(page);
    if (record_.type == warc::WarcType::kResource) return TakeResource(page);
    return Outcome::kSkipped;
  }

 private:
  Outcome RejectRecord(std::string reason, std::string detail) {
    return Reject(StrCat("offset ", record_.offset), record_.target_uri,
                  std::move(reason), std::move(detail));
  }

  Outcome TakeResponse(IngestedPage* page) {
    absl::StatusOr<warc::HttpResponse> response =
        warc::ParseHttpResponse(record_.block, options_.max_page_bytes);
    if (!response.ok()) {
      std::string reason = "bad_http";
      if (absl::IsResourceExhausted(response.status())) reason = "too_large";
      if (absl::IsUnimplemented(response.status())) {
        reason = "unknown_content_encoding";
      }
      return RejectRecord(std::move(reason),
                          std::string(response.status().message()));
    }
    page->content = std::move(response->body);
    page->fetch_status = response->status_code;
    page->mime_type = std::move(response->media_type.mime_type);
    page->charset = std::move(response->media_type.charset);
    return Finish(page);
  }

  Outcome TakeResource(IngestedPage* page) {
    warc::MediaType type = warc::ParseMediaType(record_.content_type);
    if (record_.block.size() > options_.max_page_bytes) {
      return RejectRecord("too_large", StrCat(record_.block.size(), " bytes"));
    }
    page->content = record_.block;
    page->fetch_status.reset();
    page->mime_type = std::move(type.mime_type);
    page->charset = std::move(type.charset);
    return Finish(page);
  }

  Outcome Finish(IngestedPage* page) {
    if (options_.only_html && !IsHtmlType(page->mime_type)) {
      return Outcome::kSkipped;
    }
    if (record_.target_uri.empty()) {
      return RejectRecord("no_url", "the record has no WARC-Target-URI");
    }
    page->url = record_.target_uri;
    page->fetch_time_us.reset();
    if (record_.date_ms.has_value()) {
      page->fetch_time_us = *record_.date_ms * 1000;
    }
    return Outcome::kPage;
  }

  IngestOptions options_;
  int64_t bytes_read_ = 0;
  std::unique_ptr<warc::WarcReader> reader_;
  warc::WarcRecord record_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PageSource>> OpenWarcSource(
    const io::Path& file, const IngestOptions& options) {
  auto source = std::make_unique<WarcSource>(file, options);
  TROMMEL_RETURN_IF_ERROR(source->Init(file));
  return std::unique_ptr<PageSource>(std::move(source));
}

}  // namespace trommel::jobs::ingest
