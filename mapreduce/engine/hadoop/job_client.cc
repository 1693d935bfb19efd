#include "mapreduce/engine/hadoop/job_client.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/base/status.h"

namespace trommel::mr {
namespace {

constexpr size_t kMaxErrorBytes = 1500;
constexpr int kMaxErrorLines = 8;
constexpr int kLogTries = 8;
constexpr auto kLogInterval = std::chrono::seconds(2);

// Takes the next line off the front of a text.
bool NextLine(std::string_view* text, std::string_view* line) {
  if (text->empty()) return false;
  const size_t end = std::min(text->find('\n'), text->size());
  *line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return true;
}

bool Begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view Strip(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text[0]))) {
    text.remove_prefix(1);
  }
  while (!text.empty() &&
         std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

// "PREFIX_digits_digits" somewhere in a text; empty when there is none.
std::string FindId(std::string_view text, std::string_view prefix) {
  for (size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at + 1)) {
    size_t end = at + prefix.size();
    while (end < text.size() &&
           (text[end] == '_' || (text[end] >= '0' && text[end] <= '9'))) {
      ++end;
    }
    if (end > at + prefix.size()) return std::string(text.substr(at, end - at));
  }
  return "";
}

std::string JobOfApplication(const std::string& application) {
  constexpr std::string_view kPrefix = "application_";
  return application.empty()
             ? ""
             : StrCat("job_", application.substr(kPrefix.size()));
}

// Log lines without the noise: no time stamps, no Java stack frames.
std::string Tidy(std::string_view text) {
  std::string result;
  std::string_view line;
  int lines = 0;
  while (NextLine(&text, &line)) {
    line = Strip(line);
    if (line.empty() || Begins(line, "at ") || Begins(line, "... ") ||
        Contains(line, " INFO ") || Contains(line, " WARN ") ||
        Begins(line, "log4j:") || Begins(line, "SLF4J:") ||
        Begins(line, "reporter:")) {
      continue;
    }
    if (++lines > kMaxErrorLines || result.size() > kMaxErrorBytes) break;
    StrAppend(&result, result.empty() ? "" : "\n", line);
  }
  return result;
}

// One file of what `mapred job -logs` prints.
std::string_view LogFile(std::string_view logs, std::string_view name) {
  const std::string begin = StrCat("LogType:", name, "\n");
  const size_t at = logs.find(begin);
  if (at == std::string_view::npos) return {};
  constexpr std::string_view kContents = "LogContents:\n";
  const size_t contents = logs.find(kContents, at);
  if (contents == std::string_view::npos) return {};
  const std::string_view rest = logs.substr(contents + kContents.size());
  return rest.substr(0, rest.find("\nEnd of LogType:"));
}

// The first error that `mapred job -history` lists.
std::string ErrorInHistory(std::string_view history) {
  std::string_view line;
  while (NextLine(&history, &line)) {
    if (!Begins(line, "task_")) continue;
    size_t at = line.find(", ");
    if (at == std::string_view::npos) continue;
    // "TASK START FINISH (10sec), ERROR": times hold no comma.
    const std::string_view error = Strip(line.substr(at + 2));
    if (!error.empty()) return std::string(error.substr(0, kMaxErrorBytes));
  }
  return "";
}

// What `yarn application -status` prints under "Diagnostics".
std::string DiagnosticsOf(std::string_view status) {
  constexpr std::string_view kName = "Diagnostics : ";
  const size_t at = status.find(kName);
  if (at == std::string_view::npos) return "";
  std::string_view rest = status.substr(at + kName.size());
  std::string text;
  std::string_view line;
  // The next line of the form "Name : value" is another field. YARN likes to
  // say things several times.
  while (NextLine(&rest, &line)) {
    if (!text.empty() && Contains(line, " : ")) break;
    if (Contains(text, Strip(line))) continue;
    StrAppend(&text, text.empty() ? "" : " ", Strip(line));
  }
  return text.substr(0, kMaxErrorBytes);
}

// What went wrong when a job could not even be submitted.
std::string SubmissionError(std::string_view text) {
  std::string_view rest = text;
  std::string_view line;
  while (NextLine(&rest, &line)) {
    for (const std::string_view sign :
         {"Error Launching job : ", "Exception: ", "ERROR "}) {
      const size_t at = line.find(sign);
      if (at != std::string_view::npos) {
        return std::string(Strip(line.substr(at + sign.size())));
      }
    }
  }
  return Tidy(text);
}

}  // namespace

absl::StatusOr<JobStatus> ParseJobStatus(std::string_view text) {
  JobStatus status;
  bool has_state = false;
  bool in_counters = false;
  std::string_view line;
  while (NextLine(&text, &line)) {
    const auto value = [&line](std::string_view name) -> std::string {
      return std::string(Strip(line.substr(name.size())));
    };
    if (Begins(line, "Job state:")) {
      const std::string state = value("Job state:");
      has_state = true;
      if (state == "RUNNING") {
        status.state = JobState::kRunning;
      } else if (state == "SUCCEEDED") {
        status.state = JobState::kSucceeded;
      } else if (state == "FAILED") {
        status.state = JobState::kFailed;
      } else if (state == "KILLED") {
        status.state = JobState::kKilled;
      }
    } else if (Begins(line, "map() completion:")) {
      status.map_progress = std::atof(value("map() completion:").c_str());
    } else if (Begins(line, "reduce() completion:")) {
      status.reduce_progress = std::atof(value("reduce() completion:").c_str());
    } else if (Begins(line, "reason for failure:")) {
      status.failure = value("reason for failure:");
    } else if (Begins(line, "\t\t")) {
      const size_t equals = line.rfind('=');
      if (in_counters && equals != std::string_view::npos) {
        status.counters[std::string(line.substr(2, equals - 2))] =
            std::atoll(std::string(line.substr(equals + 1)).c_str());
      }
    } else if (Begins(line, "\t")) {
      in_counters = Strip(line) == "trommel";
    }
  }
  if (!has_state) return absl::NotFoundError("the cluster knows no such job");
  return status;
}

absl::StatusOr<JobStatus> ParseApplicationStatus(std::string_view text) {
  std::string_view line;
  while (NextLine(&text, &line)) {
    constexpr std::string_view kName = "Final-State : ";
    line = Strip(line);
    if (!Begins(line, kName)) continue;
    const std::string_view state = Strip(line.substr(kName.size()));
    JobStatus status;
    if (state == "SUCCEEDED") {
      status.state = JobState::kSucceeded;
    } else if (state == "FAILED") {
      status.state = JobState::kFailed;
    } else if (state == "KILLED") {
      status.state = JobState::kKilled;
    } else {
      status.state = JobState::kRunning;
    }
    return status;
  }
  return absl::NotFoundError("the cluster knows no such application");
}

std::string ErrorThatMatters(std::string_view log) {
  const std::string_view err = LogFile(log, "stderr");
  // The last thing trommel said is why it gave up.
  std::string said;
  std::string_view rest = err;
  std::string_view line;
  while (NextLine(&rest, &line)) {
    if (Begins(line, "trommel")) said = std::string(Strip(line));
  }
  if (!said.empty()) return said;
  std::string tail = Tidy(err);
  if (!tail.empty()) return tail;
  // No word from the program: it may not have started at all.
  rest = LogFile(log, "syslog");
  while (NextLine(&rest, &line)) {
    for (const std::string_view sign : {"Caused by: ", "Exception: "}) {
      if (Contains(line, sign)) said = std::string(Strip(line));
    }
  }
  return said;
}

absl::StatusOr<std::string> JobClient::Submit(
    const std::vector<std::string>& arguments) const {
  std::vector<std::string> words = {"streaming"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const absl::StatusOr<CommandOutput> result =
      installation_.Run("mapred", words, submission_timeout_s_);
  if (absl::IsDeadlineExceeded(result.status())) {
    // The client waits for a ResourceManager without a word. A question says
    // what is the matter.
    const absl::StatusOr<CommandOutput> question = Job({"-list"});
    return absl::UnavailableError(
        StrCat("the cluster of ", installation_.conf(),
               " did not take the job within ", submission_timeout_s_, " s",
               question.ok() && question->exit_code != 0
                   ? StrCat(": ", SubmissionError(question->err))
                   : "",
               "; is its ResourceManager running?"));
  }
  TROMMEL_RETURN_IF_ERROR(result.status());
  const CommandOutput& output = *result;
  std::string job = JobOfApplication(FindId(output.err, "application_"));
  if (output.exit_code != 0 || job.empty()) {
    return absl::FailedPreconditionError(
        StrCat("Hadoop did not take the job: ",
               SubmissionError(StrCat(output.err, "\n", output.out))));
  }
  return job;
}

absl::StatusOr<CommandOutput> JobClient::Job(
    const std::vector<std::string>& arguments) const {
  // A ResourceManager that is gone is reported soon, with its address, instead
  // of being waited for until the time is up. Only for questions: in a job's
  // own settings these would end it when the ResourceManager is restarted.
  std::vector<std::string> words = {
      "job",
      "-D",
      "yarn.resourcemanager.connect.max-wait.ms=5000",
      "-D",
      "yarn.resourcemanager.connect.retry-interval.ms=1000",
      "-D",
      "ipc.client.connect.max.retries=0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return installation_.Run("mapred", words, timeout_s_);
}

absl::StatusOr<JobStatus> JobClient::Status(const std::string& job_id) const {
  TROMMEL_ASSIGN_OR_RETURN(const CommandOutput output,
                           Job({"-status", job_id}));
  absl::StatusOr<JobStatus> status = ParseJobStatus(output.out);
  if (status.ok()) return status;
  if (Contains(output.out, "Could not find job") ||
      Contains(output.err, "Could not find job")) {
    return absl::NotFoundError(StrCat("the cluster does not know ", job_id));
  }
  // A job that has ended is asked of the history server; where there is none,
  // the ResourceManager still knows how it ended.
  const absl::StatusOr<CommandOutput> application = Application(job_id);
  if (application.ok()) {
    status = ParseApplicationStatus(application->out);
    if (status.ok()) return status;
  }
  return absl::UnavailableError(SubmissionError(output.err));
}

absl::StatusOr<CommandOutput> JobClient::Application(
    const std::string& job_id) const {
  return installation_.Run(
      "yarn",
      {"application", "-status", StrCat("application_", job_id.substr(4))},
      timeout_s_);
}

absl::StatusOr<std::string> JobClient::FindByTag(const std::string& tag) const {
  TROMMEL_ASSIGN_OR_RETURN(
      const CommandOutput output,
      installation_.Run(
          "yarn",
          {"application", "-list", "-appStates", "ALL", "-appTags", tag},
          timeout_s_));
  if (output.exit_code != 0) {
    return absl::UnavailableError(SubmissionError(output.err));
  }
  std::string newest;
  std::string_view rest = output.out;
  std::string_view line;
  while (NextLine(&rest, &line)) {
    if (!Begins(Strip(line), "application_")) continue;
    const std::string id = FindId(line, "application_");
    if (newest.size() < id.size() ||
        (newest.size() == id.size() && newest < id)) {
      newest = id;
    }
  }
  return JobOfApplication(newest);
}

absl::Status JobClient::Kill(const std::string& job_id) const {
  return Job({"-kill", job_id}).status();
}

std::string JobClient::FailedAttempt(const std::string& job_id) const {
  const absl::StatusOr<CommandOutput> events =
      Job({"-events", job_id, "0", "100000"});
  std::string attempt;
  if (!events.ok()) return attempt;
  std::string_view rest = events->out;
  std::string_view line;
  while (NextLine(&rest, &line)) {
    if (!Begins(line, "FAILED ") && !Begins(line, "TIPFAILED ")) continue;
    const std::string_view words = line.substr(line.find(' ') + 1);
    attempt = std::string(words.substr(0, words.find(' ')));
  }
  return attempt;
}

std::string JobClient::AttemptError(const std::string& job_id,
                                    const std::string& attempt) const {
  // Logs arrive some seconds after the job has ended.
  for (int i = 0; i < kLogTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(kLogInterval);
    const absl::StatusOr<CommandOutput> logs = Job({"-logs", job_id, attempt});
    if (!logs.ok()) break;
    if (!Strip(logs->out).empty()) return ErrorThatMatters(logs->out);
  }
  return "";
}

std::string JobClient::HistoryError(const std::string& job_id) const {
  const absl::StatusOr<CommandOutput> history = Job({"-history", job_id});
  return history.ok() ? ErrorInHistory(history->out) : "";
}

std::string JobClient::Diagnostics(const std::string& job_id) const {
  const absl::StatusOr<CommandOutput> output = Application(job_id);
  return output.ok() ? DiagnosticsOf(output->out) : "";
}

std::string JobClient::FailureDetails(const std::string& job_id) const {
  std::string details;
  const auto add = [&details](std::string_view text) {
    if (!text.empty()) StrAppend(&details, details.empty() ? "" : "\n", text);
  };
  const std::string attempt = FailedAttempt(job_id);
  if (!attempt.empty()) {
    const std::string error = AttemptError(job_id, attempt);
    if (!error.empty()) add(StrCat(attempt, ": ", error));
    // What YARN did to the process (memory, time) stands in the history. That
    // a subprocess failed says nothing new.
    const std::string history = HistoryError(job_id);
    if (error.empty() || !Contains(history, "subprocess failed with code")) {
      add(history);
    }
  }
  if (details.empty()) add(Diagnostics(job_id));
  return details;
}

}  // namespace trommel::mr
