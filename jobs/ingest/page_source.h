#ifndef TROMMEL_JOBS_INGEST_PAGE_SOURCE_H_
#define TROMMEL_JOBS_INGEST_PAGE_SOURCE_H_

// Pages from the formats that `trommel ingest` reads, one implementation each.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::ingest {

struct IngestOptions {
  size_t max_page_bytes = size_t{16} << 20;
  bool only_html = false;
  std::string url_prefix;  // dir only
  std::string urls_file;   // dir only
};

struct IngestedPage {
  std::string url;
  std::string content;
  std::optional<int64_t> fetch_time_us;
  std::optional<int64_t> fetch_status;
  std::string charset;
  std::string mime_type;
  std::string truncated;  // why the content is not all, as the crawl says it
};

struct IngestReject {
  std::string input;     // file
  std::string position;  // "offset 123", "line 7", or empty
  std::string url;       // as far as it is known
  std::string reason;    // short, counted: "bad_json"
  std::string detail;    // for people
  // It should have been a page and cannot be read. Of these an ingest bears
  // only a share.
  bool is_bad = true;
};

// Reads one input. Every record ends as exactly one of page, reject and
// skipped; skipped is what is no page by nature (a WARC's request records) or
// by choice (--only-html).
class PageSource {
 public:
  enum class Outcome { kPage, kRejected, kSkipped, kEnd };

  virtual ~PageSource() = default;

  // Fills `page` on kPage. An error means that the input cannot be read on.
  virtual absl::StatusOr<Outcome> Next(IngestedPage* page) = 0;
  // What was wrong, after kRejected.
  const IngestReject& reject() const { return reject_; }
  // What kind of thing it was, after kSkipped: "request", "link".
  std::string_view skipped() const { return skipped_; }
  // Bytes of the input read so far, for progress.
  virtual int64_t bytes_read() const = 0;
  // Bytes of the input that damage made unreadable, after kEnd, and of how many
  // they are a part: its own, or those that it was compressed from.
  virtual int64_t bytes_skipped() const { return 0; }
  virtual int64_t bytes_in_all() const { return bytes_read(); }

 protected:
  Outcome Reject(std::string position, std::string url, std::string reason,
                 std::string detail) {
    reject_.position = std::move(position);
    reject_.url = std::move(url);
    reject_.reason = std::move(reason);
    reject_.detail = std::move(detail);
    reject_.is_bad = true;
    return Outcome::kRejected;
  }
  // `kind` is a constant.
  Outcome Skip(std::string_view kind) {
    skipped_ = kind;
    return Outcome::kSkipped;
  }

  IngestReject reject_;

 private:
  std::string_view skipped_;
};

// Kinds of what is skipped, where several sources have it.
inline constexpr std::string_view kSkippedNotHtml = "not_html";
inline constexpr std::string_view kSkippedEmptyLine = "empty_line";

absl::StatusOr<std::unique_ptr<PageSource>> OpenWarcSource(
    const io::Path& file, const IngestOptions& options);
absl::StatusOr<std::unique_ptr<PageSource>> OpenJsonlSource(
    const io::Path& file, const IngestOptions& options);
absl::StatusOr<std::unique_ptr<PageSource>> OpenDirSource(
    const io::Path& directory, const IngestOptions& options);

// Whether a declared media type is HTML; nothing declared counts as HTML.
bool IsHtmlType(const std::string& mime_type);

// Opens a file for streaming and counts its bytes into *count, which must
// outlive the source.
absl::StatusOr<std::unique_ptr<ByteSource>> OpenCounted(const io::Path& file,
                                                        int64_t* count);

}  // namespace trommel::jobs::ingest

#endif  // TROMMEL_JOBS_INGEST_PAGE_SOURCE_H_
