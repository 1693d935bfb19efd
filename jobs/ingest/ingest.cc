#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/json_fields.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/url/url.h"
#include "jobs/ingest/folder_walk.h"
#include "jobs/ingest/page_source.h"
#include "jobs/output/verb_output.h"
#include "jobs/registry.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/progress.h"

namespace trommel::jobs::ingest {
namespace {

// So many rejects of one reason are shown while running; all are in the file.
constexpr int64_t kShownPerReason = 3;
constexpr size_t kMaxUrlBytes = size_t{64} << 10;
constexpr char kRejectsFile[] = "_rejects.jsonl";

using CountsByName = std::map<std::string, int64_t, std::less<>>;

int64_t Sum(const CountsByName& counts) {
  int64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

struct Counts {
  int64_t read = 0;
  int64_t rows = 0;
  int64_t bad = 0;        // among the rejects
  int64_t truncated = 0;  // among the rows
  int64_t content_bytes = 0;
  int64_t bytes_unread = 0;  // of the inputs, because of damage
  int64_t bytes_in_all = 0;  // of which these are a part
  CountsByName rejects;      // by reason
  CountsByName skipped;      // by kind

  int64_t num_rejects() const { return Sum(rejects); }
  int64_t num_skipped() const { return Sum(skipped); }
};

class IngestVerb final : public cli::Verb {
 public:
  IngestVerb() : Verb("ingest", kIngestHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Choice("from", &from_, {"warc", "dir", "jsonl"}, "kind of input")
        .Required()
        .Recorded();
    flags
        ->Positional("INPUT", &inputs_,
                     "files, or directories that contain them")
        .Input(from_ == "dir" ? cli::FolderReading::kAll
                              : cli::FolderReading::kByName)
        .Required();
    flags->Text("out", &output_.out, "directory of the crawl to write")
        .Output()
        .Required();
    flags
        ->Text("url-prefix", &options_.url_prefix,
               "dir: URL of a page is this and its path below INPUT")
        .NotAPath()
        .Recorded();
    flags
        ->Text("urls", &options_.urls_file,
               "dir: table of file TAB url [TAB fetch_time] for each page")
        .Input()
        .Recorded();
    flags
        ->Bool("only-html", &options_.only_html,
               "skip pages whose declared type is not HTML")
        .Recorded();
    flags
        ->Integer("max-page-bytes", &max_page_bytes_,
                  "larger pages are rejected as too_large")
        .Between(1, 1 << 30)
        .Recorded();
    flags
        ->Number("max-bad-fraction", &max_bad_fraction_,
                 "fail when a larger share of the records is bad: pages that "
                 "cannot be read")
        .Between(0, 1);
    flags->Bool("force", &output_.force, "replace a finished output");
  }

  absl::Status CheckFlags() const override {
    const bool has_urls = !options_.url_prefix.empty();
    const bool has_table = !options_.urls_file.empty();
    if (from_ == "dir" && has_urls == has_table) {
      return absl::InvalidArgumentError(
          "--from=dir needs exactly one of --url-prefix and --urls");
    }
    if (from_ != "dir" && (has_urls || has_table)) {
      return absl::InvalidArgumentError(StrCat(
          has_urls ? "--url-prefix" : "--urls", " goes with --from=dir only"));
    }
    if (has_table && inputs_.size() != 1) {
      return absl::InvalidArgumentError("--urls goes with one INPUT");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<cli::Report> Run() override {
    options_.max_page_bytes = static_cast<size_t>(max_page_bytes_);
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> inputs,
                             ExpandInputs());
    std::vector<std::string> names;
    for (const io::Entry& input : inputs) names.push_back(input.path.name);
    TROMMEL_ASSIGN_OR_RETURN(output::VerbOutput output,
                             output::VerbOutput::Create(this, names, output_));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::CrawlWriter> writer,
                             io::CrawlWriter::Create(output.staging()));
    TROMMEL_ASSIGN_OR_RETURN(
        rejects_file_,
        io::FileWriter::Create(output.staging().Child(kRejectsFile)));
    int64_t total_bytes = 0;
    for (const io::Entry& input : inputs) total_bytes += input.size;
    Progress progress("ingest", "MiB", total_bytes >> 20);
    int64_t bytes_before = 0;
    for (const io::Entry& input : inputs) {
      TROMMEL_RETURN_IF_ERROR(
          ReadInput(input, bytes_before, writer.get(), &progress));
      bytes_before += input.size;
    }
    progress.Finish();
    if (counts_.read + counts_.num_skipped() == 0) {
      return absl::NotFoundError(
          StrCat(inputs_[0], ": no ", from_, " pages found"));
    }
    TROMMEL_RETURN_IF_ERROR(CheckBadFraction());
    TROMMEL_RETURN_IF_ERROR(rejects_file_->Close());
    TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> shards,
                             writer->Close());
    output.List("", std::move(shards));
    output.Count("records_read", counts_.read);
    output.Count("rejects", counts_.num_rejects());
    output.Count("rows", counts_.rows);
    output.Count("skipped", counts_.num_skipped());
    output.Count("truncated", counts_.truncated);
    output.Count("content_bytes", counts_.content_bytes);
    output.Count("bytes_unread", counts_.bytes_unread);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(output.manifest());
  }

 private:
  // Directories stand for the archives below them (for dir, for themselves).
  absl::StatusOr<std::vector<io::Entry>> ExpandInputs() {
    std::vector<io::Entry> inputs;
    for (const std::string& input : inputs_) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(input));
      TROMMEL_ASSIGN_OR_RETURN(io::Entry entry, io::Stat(path));
      if (entry.kind == io::EntryKind::kNone) {
        return absl::NotFoundError(
            StrCat(input, ": no such file or directory"));
      }
      if (from_ == "dir" || entry.kind == io::EntryKind::kFile) {
        inputs.push_back(std::move(entry));
        continue;
      }
      const size_t before = inputs.size();
      TROMMEL_RETURN_IF_ERROR(ExpandFolder(path, &inputs));
      if (inputs.size() == before) {
        return absl::NotFoundError(
            StrCat(input, ": no ", from_, " files below this directory"));
      }
    }
    return inputs;
  }

  // Archives are often kept elsewhere and linked to. One is read as if it had
  // been named; what a link inside the folder leads to is read anyway, and
  // links to folders are not followed.
  bool IsArchiveElsewhere(const io::Path& folder,
                          const FolderWalk::Step& step) const {
    std::error_code error;
    return IsInputName(step.entry.path.path) &&
           std::filesystem::is_regular_file(step.entry.path.path, error) &&
           !CheckFileInFolder(folder, step.entry.path).ok();
  }

  absl::Status ExpandFolder(const io::Path& folder,
                            std::vector<io::Entry>* inputs) {
    FolderWalk walk(folder);
    FolderWalk::Step step;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, walk.Next(&step));
      if (!more) return absl::OkStatus();
      if (step.skipped == kSkippedLink && IsArchiveElsewhere(folder, step)) {
        step.skipped = {};
      }
      if (!step.skipped.empty()) {
        // What is hidden here is what an earlier ingest left.
        if (step.skipped != kSkippedHidden) {
          ++counts_.skipped[std::string(step.skipped)];
        }
      } else if (IsInputName(step.entry.path.path)) {
        inputs->push_back(std::move(step.entry));
      }
    }
  }

  // Damage is counted by records and by bytes: where it hides how many records
  // there were, one reject may stand for most of a file.
  absl::Status CheckBadFraction() const {
    const auto is_over = [this](int64_t bad, int64_t all) {
      return static_cast<double>(bad) >
             max_bad_fraction_ * static_cast<double>(all);
    };
    if (is_over(counts_.bad, counts_.read)) {
      return absl::DataLossError(absl::StrFormat(
          "%d of %d records were bad, more than --max-bad-fraction=%g allows; "
          "nothing was written",
          counts_.bad, counts_.read, max_bad_fraction_));
    }
    if (is_over(counts_.bytes_unread, counts_.bytes_in_all)) {
      return absl::DataLossError(absl::StrFormat(
          "%d of %d bytes are damaged and could not be read, more than "
          "--max-bad-fraction=%g allows; nothing was written",
          counts_.bytes_unread, counts_.bytes_in_all, max_bad_fraction_));
    }
    return absl::OkStatus();
  }

  bool IsInputName(std::string_view name) const {
    for (const std::string_view end : {"", ".gz", ".zst"}) {
      const std::string extension = StrCat(".", from_, end);
      if (name.size() > extension.size() &&
          name.substr(name.size() - extension.size()) == extension) {
        return true;
      }
    }
    return false;
  }

  absl::StatusOr<std::unique_ptr<PageSource>> OpenSource(
      const io::Path& path) const {
    if (from_ == "warc") return OpenWarcSource(path, options_);
    if (from_ == "jsonl") return OpenJsonlSource(path, options_);
    return OpenDirSource(path, options_);
  }

  absl::Status ReadInput(const io::Entry& input, int64_t bytes_before,
                         io::CrawlWriter* writer, Progress* progress) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PageSource> source,
                             OpenSource(input.path));
    IngestedPage page;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const PageSource::Outcome outcome,
                               source->Next(&page));
      progress->Update((bytes_before + source->bytes_read()) >> 20);
      switch (outcome) {
        case PageSource::Outcome::kEnd:
          counts_.bytes_unread += source->bytes_skipped();
          counts_.bytes_in_all += source->bytes_in_all();
          return absl::OkStatus();
        case PageSource::Outcome::kSkipped:
          ++counts_.skipped[std::string(source->skipped())];
          break;
        case PageSource::Outcome::kRejected:
          ++counts_.read;
          TROMMEL_RETURN_IF_ERROR(RecordReject(source->reject(), progress));
          break;
        case PageSource::Outcome::kPage:
          ++counts_.read;
          if (!IsGoodUrl(page.url)) {
            TROMMEL_RETURN_IF_ERROR(RecordReject(
                {input.path.name, "", page.url.substr(0, kMaxUrlBytes),
                 "bad_url", "the URL is not UTF-8 or longer than 64 KiB"},
                progress));
            break;
          }
          CleanUp(&page.charset);
          CleanUp(&page.mime_type);
          CleanUp(&page.truncated);
          ++counts_.rows;
          if (!page.truncated.empty()) ++counts_.truncated;
          counts_.content_bytes += static_cast<int64_t>(page.content.size());
          TROMMEL_RETURN_IF_ERROR(
              writer->Append({page.url, page.content, page.fetch_time_us,
                              page.fetch_status, page.charset, page.mime_type,
                              url::HostOf(page.url), page.truncated}));
          break;
      }
    }
  }

  // String columns hold UTF-8 only, or other readers refuse the file.
  static bool IsGoodUrl(const std::string& url) {
    return url.size() <= kMaxUrlBytes && ValidUtf8Prefix(url) == url.size();
  }
  static void CleanUp(std::string* text) {
    if (ValidUtf8Prefix(*text) == text->size()) return;
    std::string clean;
    AppendUtf8Lossy(*text, &clean);
    *text = std::move(clean);
  }

  absl::Status RecordReject(const IngestReject& reject, Progress* progress) {
    const int64_t count = ++counts_.rejects[reject.reason];
    if (reject.is_bad) ++counts_.bad;
    if (count <= kShownPerReason) {
      progress->Log(StrCat("rejected: ", reject.input,
                           reject.position.empty() ? "" : " ", reject.position,
                           ": ", reject.reason, ": ", reject.detail));
    }
    const nlohmann::ordered_json line = {{"input", reject.input},
                                         {"position", reject.position},
                                         {"url", reject.url},
                                         {"reason", reject.reason},
                                         {"detail", reject.detail}};
    return rejects_file_->Write(StrCat(JsonLineText(line), "\n"));
  }

  cli::Report MakeReport(const io::Manifest& manifest) const {
    cli::Report report;
    nlohmann::ordered_json& json = *report.json;
    json["out"] = output_.out;
    for (const auto& [name, value] : manifest.counts) json[name] = value;
    json["bad"] = counts_.bad;
    json["rejects_by_reason"] = counts_.rejects;
    json["skipped_by_kind"] = counts_.skipped;
    json["shards"] = manifest.shards.size();
    report.text = absl::StrFormat(
        "records read %d - rejects %d = rows %d (%.1f MB of content in %s)\n",
        counts_.read, counts_.num_rejects(), counts_.rows,
        static_cast<double>(counts_.content_bytes) / 1e6,
        Counted(static_cast<int64_t>(manifest.shards.size()), "shard"));
    for (const auto& [kind, count] : counts_.skipped) {
      absl::StrAppendFormat(&report.text, "skipped, %s: %d\n", kind, count);
    }
    if (counts_.truncated > 0) {
      absl::StrAppendFormat(&report.text, "truncated, but kept: %d\n",
                            counts_.truncated);
    }
    if (counts_.bytes_unread > 0) {
      absl::StrAppendFormat(&report.text, "damaged and not read: %d bytes\n",
                            counts_.bytes_unread);
    }
    for (const auto& [reason, count] : counts_.rejects) {
      absl::StrAppendFormat(&report.text, "rejected, %s: %d\n", reason, count);
    }
    StrAppend(&report.text, "crawl: ", output_.out, "\n");
    return report;
  }

  std::string from_;
  std::vector<std::string> inputs_;
  output::OutputFlags output_;
  IngestOptions options_;
  int64_t max_page_bytes_ = int64_t{16} << 20;
  double max_bad_fraction_ = 0.5;

  Counts counts_;
  std::unique_ptr<io::FileWriter> rejects_file_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeIngestVerb() {
  return std::make_unique<IngestVerb>();
}

}  // namespace trommel::jobs::ingest
