#ifndef TROMMEL_MAPREDUCE_IO_CRAWL_H_
#define TROMMEL_MAPREDUCE_IO_CRAWL_H_

// Crawls: one row per fetched page.
//
// Columns `url` (string) and `content` (the body's bytes as fetched) are
// required, fetch_time, fetch_status, content_charset, content_mime_type,
// content_truncated and url_host_name optional. Names follow Common Crawl's
// columnar index.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"

namespace trommel::io {

// A page of a crawl. The views belong to whoever filled it in.
struct CrawlPage {
  std::string_view url;  // byte for byte as crawled
  std::string_view content;
  std::optional<int64_t> fetch_time_us;  // microseconds since 1970, UTC
  std::optional<int64_t> fetch_status;
  std::string_view charset;    // declared; empty when not
  std::string_view mime_type;  // declared; empty when not
  std::string_view host;       // of the URL; written, not read
  // Why the content is not the whole body: "length", "time", "disconnect",
  // "unspecified" (those of WARC-Truncated); empty when it is.
  std::string_view truncated;
  // Of a content that was too large to be read, and is empty: its size.
  int64_t withheld_bytes = 0;
};

// Which columns a scan needs beyond `url`; the others are not read from disk.
struct CrawlColumns {
  bool content = true;
  bool fetch_time = true;
  bool fetch_status = true;
  bool charset = true;
  bool mime_type = true;
  bool truncated = true;
};

// The columns of a crawl as a table, for jobs that read its rows: which to ask
// for, and the page that a row of these is.
class CrawlLayout {
 public:
  explicit CrawlLayout(const CrawlColumns& columns = {});

  const std::vector<ColumnRequest>& requests() const { return requests_; }
  // The same with `content` left out of row groups that nobody needs it of.
  std::vector<ColumnRequest> RequestsWithDeferredContent() const;
  // Pages differ in size by a factor of a thousand; so few are to be read at a
  // time that a run of large ones does no harm.
  int64_t max_batch_rows() const;
  // Views are valid as long as the row's.
  CrawlPage Page(const Row& row) const;

 private:
  int Request(bool wanted, const char* name, ColumnType type, bool required);

  std::vector<ColumnRequest> requests_;
  // Their places, or -1.
  int content_, fetch_time_, fetch_status_, charset_, mime_type_, truncated_;
};

// Streams the pages of one or more crawls (files or directories), in the order
// of the paths given and of file names within them. Memory stays bounded by a
// batch, whatever the size of files and row groups.
class CrawlReader {
 public:
  static absl::StatusOr<std::unique_ptr<CrawlReader>> Open(
      const std::vector<std::string>& paths, const CrawlColumns& columns = {});
  virtual ~CrawlReader() = default;

  // Fills `page` and returns true, or returns false at the end. The page's
  // views are valid until the next call. A null url or content is empty; rows
  // without a URL are for the caller to refuse.
  virtual absl::StatusOr<bool> Next(CrawlPage* page) = 0;

  // Rows of all files, known from their footers.
  virtual int64_t num_rows() const = 0;
};

// Writes a crawl's shards into a directory (usually inside an OutputDir).
class CrawlWriter {
 public:
  static absl::StatusOr<std::unique_ptr<CrawlWriter>> Create(
      const Path& directory);
  virtual ~CrawlWriter() = default;

  virtual absl::Status Append(const CrawlPage& page) = 0;
  virtual absl::StatusOr<std::vector<ShardInfo>> Close() = 0;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_CRAWL_H_
