// JSON lines, one page each (core/jsonl/page_line.h), plain, .gz or .zst.

#include <utility>

#include "core/base/status.h"
#include "core/compress/decompress.h"
#include "core/jsonl/line_reader.h"
#include "core/jsonl/page_line.h"
#include "core/warc/media_type.h"
#include "jobs/ingest/page_source.h"

namespace trommel::jobs::ingest {
namespace {

// JSON escapes and base64 make a page longer; this much is allowed for.
constexpr size_t kExpansion = 4;
constexpr size_t kLineSlack = size_t{64} << 10;

class JsonlSource final : public PageSource {
 public:
  JsonlSource(const io::Path& file, const IngestOptions& options)
      : options_(options) {
    reject_.input = file.name;
  }

  absl::Status Init(const io::Path& file) {
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes,
                             OpenCounted(file, &bytes_read_));
    lines_ = std::make_unique<jsonl::LineReader>(
        std::make_unique<compress::DecompressingSource>(std::move(bytes)),
        options_.max_page_bytes * kExpansion + kLineSlack);
    return absl::OkStatus();
  }

  int64_t bytes_read() const override { return bytes_read_; }

  absl::StatusOr<Outcome> Next(IngestedPage* page) override {
    if (damaged_) return Outcome::kEnd;
    std::string_view line;
    const absl::StatusOr<jsonl::LineReader::Outcome> outcome =
        lines_->Next(&line);
    if (!outcome.ok()) {
      if (!absl::IsDataLoss(outcome.status())) return outcome.status();
      // A damaged archive: what came before stands, the rest is one reject.
      damaged_ = true;
      return Reject(StrCat("after line ", lines_->line_number()), "",
                    "corrupt_archive", std::string(outcome.status().message()));
    }
    const std::string position = StrCat("line ", lines_->line_number());
    switch (*outcome) {
      case jsonl::LineReader::Outcome::kEnd:
        return Outcome::kEnd;
      case jsonl::LineReader::Outcome::kTooLong:
        return Reject(position, "", "too_large", "the line is too long");
      case jsonl::LineReader::Outcome::kLine:
        break;
    }
    if (line.empty()) return Skip(kSkippedEmptyLine);
    absl::StatusOr<jsonl::PageLine> parsed = jsonl::ParsePageLine(line);
    if (!parsed.ok()) {
      return Reject(position, "", "bad_json",
                    std::string(parsed.status().message()));
    }
    if (parsed->content.size() > options_.max_page_bytes) {
      return Reject(position, parsed->url, "too_large",
                    StrCat(parsed->content.size(), " bytes"));
    }
    warc::MediaType type = warc::ParseMediaType(parsed->mime_type);
    if (options_.only_html && !IsHtmlType(type.mime_type)) {
      return Skip(kSkippedNotHtml);
    }
    if (parsed->charset.empty()) parsed->charset = std::move(type.charset);
    page->url = std::move(parsed->url);
    page->content = std::move(parsed->content);
    page->fetch_time_us = parsed->fetch_time_us;
    page->fetch_status = parsed->fetch_status;
    page->charset = std::move(parsed->charset);
    page->mime_type = std::move(type.mime_type);
    page->truncated = std::move(parsed->truncated);
    return Outcome::kPage;
  }

 private:
  IngestOptions options_;
  int64_t bytes_read_ = 0;
  bool damaged_ = false;
  std::unique_ptr<jsonl::LineReader> lines_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PageSource>> OpenJsonlSource(
    const io::Path& file, const IngestOptions& options) {
  auto source = std::make_unique<JsonlSource>(file, options);
  TROMMEL_RETURN_IF_ERROR(source->Init(file));
  return std::unique_ptr<PageSource>(std::move(source));
}

}  // namespace trommel::jobs::ingest
