// A directory of HTML files, each plain, .gz or .zst. URLs come from a prefix
// and the file's path below the directory, or from a table that names a URL
// for each file.

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/compress/decompress.h"
#include "core/jsonl/line_reader.h"
#include "core/jsonl/page_line.h"
#include "jobs/ingest/folder_walk.h"
#include "jobs/ingest/page_source.h"

namespace trommel::jobs::ingest {
namespace {

constexpr size_t kMaxTableLine = size_t{64} << 10;

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

// The name without .gz or .zst.
std::string_view UncompressedName(std::string_view name) {
  for (const std::string_view extension : {".gz", ".zst"}) {
    if (EndsWith(name, extension)) {
      name.remove_suffix(extension.size());
      break;
    }
  }
  return name;
}

bool IsHtmlName(std::string_view name) {
  std::string lower(UncompressedName(name));
  for (char& c : lower) c = AsciiLower(c);
  return EndsWith(lower, ".html") || EndsWith(lower, ".htm") ||
         EndsWith(lower, ".xhtml");
}

// A file's relative path as the end of a URL: what cannot stand in a URL path
// is percent-encoded.
std::string UrlPath(std::string_view relative) {
  static constexpr std::string_view kPlain = "-._~!$&'()*+,;=:@/";
  std::string out;
  for (const char c : relative) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      absl::StrAppendFormat(&out, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// Whether a relative path has a component "..".
bool LeavesDirectory(std::string_view path) {
  for (const absl::string_view part : absl::StrSplit(ToAbsl(path), '/')) {
    if (part == "..") return true;
  }
  return false;
}

class DirSource final : public PageSource {
 public:
  DirSource(const io::Path& directory, const IngestOptions& options)
      : directory_(directory), options_(options), walk_(directory) {}

  absl::Status Init() {
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(directory_));
    if (entry.kind != io::EntryKind::kDirectory) {
      return absl::InvalidArgumentError(
          StrCat(directory_.name, ": --from=dir reads directories"));
    }
    if (options_.urls_file.empty()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(const io::Path table,
                             io::ResolvePath(options_.urls_file));
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes,
                             io::OpenByteSource(table));
    table_ =
        std::make_unique<jsonl::LineReader>(std::move(bytes), kMaxTableLine);
    return absl::OkStatus();
  }

  int64_t bytes_read() const override { return bytes_read_; }

  absl::StatusOr<Outcome> Next(IngestedPage* page) override {
    return table_ == nullptr ? NextFile(page) : NextTableLine(page);
  }

 private:
  absl::StatusOr<Outcome> NextFile(IngestedPage* page) {
    FolderWalk::Step step;
    TROMMEL_ASSIGN_OR_RETURN(const bool more, walk_.Next(&step));
    if (!more) return Outcome::kEnd;
    if (!step.skipped.empty()) return Skip(step.skipped);
    const std::string relative = step.entry.path.RelativeTo(directory_);
    if (!IsHtmlName(relative)) return Skip(kSkippedNotHtml);
    page->url = options_.url_prefix + UrlPath(UncompressedName(relative));
    page->fetch_time_us.reset();
    return ReadPage(step.entry.path, page);
  }

  // Lines of file TAB url [TAB fetch_time].
  absl::StatusOr<Outcome> NextTableLine(IngestedPage* page) {
    std::string_view line;
    TROMMEL_ASSIGN_OR_RETURN(const jsonl::LineReader::Outcome outcome,
                             table_->Next(&line));
    if (outcome == jsonl::LineReader::Outcome::kEnd) return Outcome::kEnd;
    reject_.input = options_.urls_file;
    const std::string position = StrCat("line ", table_->line_number());
    if (outcome == jsonl::LineReader::Outcome::kTooLong) {
      return Reject(position, "", "bad_table_line", "the line is too long");
    }
    if (line.empty()) return Skip(kSkippedEmptyLine);
    if (line[0] == '#') return Skip("comment");
    const std::vector<std::string> fields = absl::StrSplit(ToAbsl(line), '\t');
    if (fields.size() < 2 || fields.size() > 3 || fields[0].empty() ||
        fields[1].empty()) {
      return Reject(position, "", "bad_table_line",
                    "expected file TAB url [TAB fetch_time]");
    }
    page->url = fields[1];
    page->fetch_time_us.reset();
    if (fields.size() == 3 && !fields[2].empty()) {
      page->fetch_time_us = jsonl::ParseTimeUs(fields[2]);
      if (!page->fetch_time_us.has_value()) {
        return Reject(position, page->url, "bad_table_line",
                      StrCat("\"", fields[2], "\" is not an RFC 3339 time"));
      }
    }
    if (LeavesDirectory(fields[0])) {
      return Reject(position, page->url, "bad_table_line",
                    "the file must lie below the directory");
    }
    const io::Path file = directory_.Child(fields[0]);
    const absl::Status may_be_read = CheckFileInFolder(directory_, file);
    if (!may_be_read.ok()) {
      return Reject(position, page->url, "bad_table_line",
                    std::string(may_be_read.message()));
    }
    return ReadPage(file, page);
  }

  Outcome ReadPage(const io::Path& file, IngestedPage* page) {
    reject_.input = file.name;
    page->fetch_status.reset();
    page->charset.clear();
    page->mime_type = "text/html";
    page->truncated.clear();
    absl::StatusOr<std::string> content = ReadContent(file);
    if (!content.ok()) {
      const bool too_large = absl::IsResourceExhausted(content.status());
      return Reject("", page->url, too_large ? "too_large" : "unreadable_file",
                    std::string(content.status().message()));
    }
    page->content = *std::move(content);
    return Outcome::kPage;
  }

  absl::StatusOr<std::string> ReadContent(const io::Path& file) {
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes,
                             OpenCounted(file, &bytes_read_));
    compress::DecompressingSource source(std::move(bytes));
    return io::ReadAll(&source, file.name, options_.max_page_bytes);
  }

  io::Path directory_;
  IngestOptions options_;
  int64_t bytes_read_ = 0;
  FolderWalk walk_;
  std::unique_ptr<jsonl::LineReader> table_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PageSource>> OpenDirSource(
    const io::Path& directory, const IngestOptions& options) {
  auto source = std::make_unique<DirSource>(directory, options);
  TROMMEL_RETURN_IF_ERROR(source->Init());
  return std::unique_ptr<PageSource>(std::move(source));
}

}  // namespace trommel::jobs::ingest
