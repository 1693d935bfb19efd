#include "jobs/run/scheduling/stage_attempt.h"

#include <sys/statvfs.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/cli/verb.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::scheduling {
namespace {

constexpr size_t kErrorBytes = 1500;

std::string ReadFrom(const std::string& file, int64_t begin) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(begin);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Returns the end of a text, of whole lines as far as they fit, else of whole
// words.
std::string LastLines(const std::string& text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  const size_t begin = text.size() - max_bytes - 1;  // may be the line's end
  size_t before = text.find('\n', begin);
  if (before == std::string::npos) before = text.find(' ', begin);
  return text.substr(before == std::string::npos ? begin + 1 : before + 1);
}

// Returns what the verb complained of: what it said last, without its name.
std::string LastWords(const std::string& log) {
  size_t begin = log.rfind("\ntrommel ");
  begin = begin == std::string::npos ? 0 : begin + 1;
  std::string words = log.substr(begin);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  words = LastLines(words, kErrorBytes);
  if (words.rfind("trommel ", 0) == 0) {
    if (const size_t colon = words.find(": "); colon != std::string::npos) {
      words.erase(0, colon + 2);
    }
  }
  return words;
}

// Returns a hint for a full disk: which it is, and what to do.
std::string RoomHint(const std::string& path) {
  std::string folder = path;
  std::error_code error;
  while (folder.size() > 1 && !std::filesystem::is_directory(folder, error)) {
    folder = std::filesystem::path(folder).parent_path().string();
  }
  struct statvfs room = {};
  if (::statvfs(folder.c_str(), &room) != 0) return {};
  const uint64_t free_mb = room.f_bavail * room.f_frsize >> 20;
  return StrCat("\nThe disk of ", folder, " is full (", free_mb,
                " MB free). Make room there and run again: what is finished is "
                "kept.");
}

bool SpeaksOfRoom(const std::string& words) {
  return words.find("No space left on device") != std::string::npos ||
         words.find("Disk quota exceeded") != std::string::npos;
}

// Returns a hint for a crawl that turns out to be broken inside.
std::string CrawlHint(const std::string& words,
                      const std::vector<std::string>& crawls) {
  for (const std::string& crawl : crawls) {
    if (words.find(StrCat(crawl, "/")) == std::string::npos) continue;
    return StrCat("\nHave the crawl ", crawl,
                  " delivered again, or take the file out of it, and run "
                  "again.");
  }
  return {};
}

// Returns a hint for flags that the verb does not take, which only people
// write.
std::string FlagHint(const std::string& kind) {
  return StrCat("\nCorrect the pipeline: flags come from stage { name: \"",
                kind, "\" flag: ... } and engine { flag: ... }.");
}

absl::Status WriteContents(const StageCall& call) {
  for (const StageInput& input : call.inputs) {
    if (!input.content.has_value()) continue;
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(input.path));
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(path.Parent()));
    if (!io::IsLocal(path)) TROMMEL_RETURN_IF_ERROR(io::RemoveAll(path));
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(path, *input.content));
  }
  return absl::OkStatus();
}

std::vector<std::string> Arguments(const Stage& stage, const StageCall& call) {
  std::vector<std::string> arguments = call.verb;
  for (const StageInput& input : call.inputs) {
    if (input.flag.empty()) continue;
    arguments.push_back(StrCat("--", input.flag, "=", input.path));
  }
  for (const auto* const flags : {&call.flags, &call.other_flags}) {
    arguments.insert(arguments.end(), flags->begin(), flags->end());
  }
  if (call.takes_out) {
    arguments.push_back(StrCat(
        "--out=", call.own_output.empty() ? stage.output : call.own_output));
    arguments.push_back("--force");
  }
  arguments.push_back("--json");
  return arguments;
}

}  // namespace

absl::StatusOr<std::unique_ptr<StageAttempt>> StageAttempt::Start(
    const std::string& program, const Stage& stage, const StageCall& call,
    const std::string& log_folder) {
  TROMMEL_RETURN_IF_ERROR(WriteContents(call));
  std::error_code error;
  std::filesystem::create_directories(log_folder, error);
  if (error) {
    return absl::UnavailableError(
        StrCat("cannot make ", log_folder, ": ", error.message()));
  }
  auto attempt = std::make_unique<StageAttempt>();
  const std::string name =
      StrCat(log_folder, "/", stage.kind, stage.vertical.empty() ? "" : "-",
             stage.vertical);
  attempt->kind_ = stage.kind;
  attempt->verb_ = call.VerbName();
  attempt->output_ = stage.output;
  for (const StageInput& input : call.inputs) {
    if (input.kind == StageInput::Kind::kCrawl) {
      attempt->crawls_.push_back(input.path);
    }
  }
  attempt->log_ = StrCat(name, ".log");
  attempt->summary_file_ = StrCat(name, ".json");
  mr::ProcessOptions options;
  options.program = program;
  options.arguments = Arguments(stage, call);
  options.output = mr::Stream::File(attempt->summary_file_);
  options.errors = mr::Stream::AppendTo(attempt->log_);
  std::ofstream log(attempt->log_, std::ios::binary | std::ios::app);
  log << "$ trommel";
  for (const std::string& argument : options.arguments) log << " " << argument;
  log << std::endl;
  attempt->log_begin_ = static_cast<int64_t>(log.tellp());
  TROMMEL_ASSIGN_OR_RETURN(attempt->process_, mr::Process::Start(options));
  return attempt;
}

absl::StatusOr<summaries::AnySummary> StageAttempt::Result() const {
  const int status = process_->wait_status();
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == static_cast<int>(cli::ExitCode::kDone) ||
      code == static_cast<int>(cli::ExitCode::kCheckFlagged)) {
    const nlohmann::ordered_json summary = nlohmann::ordered_json::parse(
        ReadFrom(summary_file_, 0), nullptr, /*allow_exceptions=*/false);
    if (summary.is_object()) return summaries::ParseSummary(verb_, summary);
    return absl::DataLossError(StrCat("what it printed cannot be read: ",
                                      summary_file_, "; is its disk full?"));
  }
  const std::string words = LastWords(ReadFrom(log_, log_begin_));
  std::string message =
      StrCat(code < 0 || words.empty() ? mr::DescribeWaitStatus(status) : "",
             code < 0 && !words.empty() ? ": " : "", words);
  if (code == static_cast<int>(cli::ExitCode::kWrongUsage)) {
    return absl::InvalidArgumentError(StrCat(message, FlagHint(kind_)));
  }
  StrAppend(&message, SpeaksOfRoom(words) ? RoomHint(output_)
                                          : CrawlHint(words, crawls_));
  return absl::AbortedError(message);
}

}  // namespace trommel::jobs::run::scheduling
