// WARC archives: response records with their HTTP message taken apart, and
// resource records that hold a page as it is.

#include <utility>

#include "absl/strings/match.h"
#include "core/base/status.h"
#include "core/warc/http_response.h"
#include "core/warc/warc_reader.h"
#include "jobs/ingest/archive_format.h"
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
    TROMMEL_RETURN_IF_ERROR(CheckMayBeWarc(file));
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
  int64_t bytes_in_all() const override {
    return reader_->BytesInAll(bytes_read_);
  }

  absl::StatusOr<Outcome> Next(IngestedPage* page) override {
    TROMMEL_ASSIGN_OR_RETURN(const warc::WarcReader::Outcome outcome,
                             reader_->Next(&record_));
    switch (outcome) {
      case warc::WarcReader::Outcome::kEnd:
        return Outcome::kEnd;
      case warc::WarcReader::Outcome::kRejected: {
        const warc::WarcReader::Rejection& why = reader_->rejection();
        Reject(StrCat("offset ", why.offset), why.target_uri,
               std::string(warc::ToString(why.reason)), why.detail);
        // So long, it is a film or an archive, and nothing is wrong with it.
        reject_.is_bad = why.reason != warc::RejectReason::kOversizeBlock;
        return Outcome::kRejected;
      }
      case warc::WarcReader::Outcome::kRecord:
        break;
    }
    if (warc::IsHttpResponse(record_)) return TakeResponse(page);
    if (HoldsPage()) return TakeResource(page);
    return Skip(record_.type == warc::WarcType::kResponse
                    ? "not_http"
                    : warc::ToString(record_.type));
  }

 private:
  // Whether the block is the page itself: of a resource, and of a response from
  // the web that has no type and no HTTP header either.
  bool HoldsPage() const {
    if (record_.type == warc::WarcType::kResource) return true;
    return record_.type == warc::WarcType::kResponse &&
           record_.content_type.empty() &&
           absl::StartsWithIgnoreCase(record_.target_uri, "http");
  }

  Outcome RejectRecord(std::string reason, std::string detail) {
    return Reject(StrCat("offset ", record_.offset), record_.target_uri,
                  std::move(reason), std::move(detail));
  }

  Outcome TakeResponse(IngestedPage* page) {
    std::string_view body;
    absl::StatusOr<warc::HttpResponse> response =
        warc::ParseHttpHead(record_.block, &body);
    if (!response.ok()) {
      return RejectRecord("bad_http", std::string(response.status().message()));
    }
    if (options_.only_html && !IsHtmlType(response->media_type.mime_type)) {
      return Skip(kSkippedNotHtml);
    }
    const absl::Status decoded =
        warc::DecodeHttpBody(body, options_.max_page_bytes, &*response);
    if (!decoded.ok()) return RejectBody(*response, decoded);
    page->content = std::move(response->body);
    page->fetch_status = response->status_code;
    page->mime_type = std::move(response->media_type.mime_type);
    page->charset = std::move(response->media_type.charset);
    return Finish(response->truncated, page);
  }

  // An image, a redirect or an error that cannot be read is no loss. A coding
  // that nobody knows is the archive's choice and not its damage.
  Outcome RejectBody(const warc::HttpResponse& response,
                     const absl::Status& why) {
    std::string reason = "bad_http";
    if (absl::IsResourceExhausted(why)) reason = "too_large";
    if (absl::IsUnimplemented(why)) reason = "unknown_content_encoding";
    const Outcome outcome =
        RejectRecord(std::move(reason), std::string(why.message()));
    reject_.is_bad = !absl::IsUnimplemented(why) &&
                     response.status_code == 200 &&
                     IsHtmlType(response.media_type.mime_type);
    return outcome;
  }

  Outcome TakeResource(IngestedPage* page) {
    warc::MediaType type = warc::ParseMediaType(record_.content_type);
    if (options_.only_html && !IsHtmlType(type.mime_type)) {
      return Skip(kSkippedNotHtml);
    }
    if (record_.block.size() > options_.max_page_bytes) {
      return RejectRecord("too_large", StrCat(record_.block.size(), " bytes"));
    }
    page->content = record_.block;
    page->fetch_status.reset();
    page->mime_type = std::move(type.mime_type);
    page->charset = std::move(type.charset);
    return Finish(/*is_truncated=*/false, page);
  }

  // What the archive says of a cut is more than what shows in the body.
  Outcome Finish(bool is_truncated, IngestedPage* page) {
    if (record_.target_uri.empty()) {
      return RejectRecord("no_url", "the record has no WARC-Target-URI");
    }
    page->url = record_.target_uri;
    page->truncated = record_.truncated;
    if (page->truncated.empty() && is_truncated) {
      page->truncated = warc::kTruncatedUnspecified;
    }
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
