#include "mapreduce/engine/hadoop/hadoop_engine.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "mapreduce/codec/shuffle_key.h"
#include "mapreduce/engine/hadoop/bundle.h"
#include "mapreduce/engine/hadoop/job_client.h"
#include "mapreduce/hadoop/installation.h"
#include "mapreduce/progress.h"
#include "mapreduce/task/attempt.h"
#include "mapreduce/task/streaming.h"

namespace trommel::mr {
namespace {

using Clock = std::chrono::steady_clock;

// Besides the task's own process a container holds Hadoop's Java process and
// trommel's supervisor.
constexpr int64_t kContainerOverheadMb = 512;
constexpr int64_t kJavaHeapMb = 256;
constexpr auto kFirstPoll = std::chrono::seconds(2);
constexpr auto kLongestPoll = std::chrono::seconds(15);

constexpr char kSplitsFile[] = "splits.txt";
constexpr char kSpecFile[] = "step.json";
constexpr char kSubmissionFile[] = "submission.json";
constexpr char kOutputFolder[] = "out";

std::string UserName() {
  const char* const name = std::getenv("HADOOP_USER_NAME");
  if (name != nullptr) return name;
  const passwd* const entry = ::getpwuid(::geteuid());
  return entry == nullptr ? "nobody" : entry->pw_name;
}

// What is known of a step's job on the cluster.
struct Submission {
  // Of everything that decides the step's rows.
  std::string fingerprint;
  // Names this submission and no other: the job's tag, the folder it writes.
  std::string nonce;
  std::string job_id;  // empty: about to be submitted
};

std::string ToJson(const Submission& submission) {
  return nlohmann::ordered_json{{"fingerprint", submission.fingerprint},
                                {"nonce", submission.nonce},
                                {"job", submission.job_id}}
             .dump() +
         "\n";
}

std::string MakeNonce() {
  std::random_device device;
  return Hex64(uint64_t{device()} << 32 | device());
}

bool IsAlive(const JobStatus& status) {
  return status.state == JobState::kPreparing ||
         status.state == JobState::kRunning;
}

bool IsUri(const io::Path& path) {
  return path.name.find("://") != std::string::npos ||
         path.name.compare(0, 5, "file:") == 0;
}

// Settings that the engine relies on; `defines` must not change them.
bool IsOwnSetting(std::string_view name) {
  for (const std::string_view own :
       {"stream.", "mapreduce.input.lineinputformat.", "mapreduce.partition.",
        "mapreduce.fileoutputcommitter.", "mapreduce.job.reduces",
        "mapreduce.job.tags", "mapreduce.job.inputformat.class",
        "mapreduce.job.output"}) {
    if (name.substr(0, own.size()) == own) return true;
  }
  return false;
}

class HadoopEngine final : public Engine {
 public:
  HadoopEngine(const HadoopOptions& options, HadoopInstallation installation)
      : options_(options),
        installation_(installation),
        client_(std::move(installation), options.call_timeout_s,
                options.patience_s) {}

  absl::Status CheckInput(const io::Path& path) const override {
    if (path.name.find_first_of(",#") != std::string::npos) {
      return absl::InvalidArgumentError(
          StrCat(path.name, ": Hadoop takes no path with \",\" or \"#\""));
    }
    if (IsUri(path)) return absl::OkStatus();
    return absl::InvalidArgumentError(StrCat(
        path.name,
        " is a path on this machine, which the cluster's tasks cannot see; "
        "give an hdfs: URI (hadoop fs -put copies files there), or file:// if "
        "every node has it at the same place"));
  }

  absl::Status CheckOutput(const io::Path& path) const override {
    if (path.name.find("://") != std::string::npos &&
        path.name.compare(0, 5, "file:") != 0) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        StrCat(path.name,
               " is a path on this machine, which the cluster's tasks cannot "
               "see; give an hdfs: URI"));
  }

  absl::StatusOr<StepResult> RunStep(const StepRegistry& registry,
                                     const StepRun& run) override {
    // The program is the same for all steps of a job.
    if (!bundle_.has_value()) {
      TROMMEL_ASSIGN_OR_RETURN(bundle_, PublishBundle(BundleFolder(run.output),
                                                      installation_.LibHdfs()));
    }
    Submission submission = {Fingerprint(run, *bundle_), "", ""};
    TROMMEL_RETURN_IF_ERROR(Attach(run, &submission));
    if (submission.job_id.empty()) {
      TROMMEL_RETURN_IF_ERROR(Submit(registry, run, *bundle_, &submission));
    }
    TROMMEL_RETURN_IF_ERROR(WaitFor(run, submission.job_id));
    return Collect(run, JobFolder(run, submission).Child(kOutputFolder));
  }

 private:
  static io::Path BundleFolder(const io::Path& output) {
    // The root of the output's file system, then the user's home there.
    io::Path folder = output;
    folder.name = folder.name.substr(
        0, folder.name.find('/', folder.name.find("://") + 3));
    folder.path = "";
    return folder.Child("user").Child(UserName()).Child(".trommel");
  }

  static io::Path StepFolder(const StepRun& run) {
    return run.output.Child(kScratchPrefix).Child(StrCat("hadoop-", run.index));
  }
  static io::Path JobFolder(const StepRun& run, const Submission& submission) {
    return StepFolder(run).Child(submission.nonce);
  }

  // The same for the same step of the same job whenever it is run, so that a
  // process that comes later recognises its job.
  std::string Fingerprint(const StepRun& run, const io::Path& bundle) const {
    DigestStream digest;
    digest.Update(StrCat(run.job_fingerprint, " ", run.index, " ",
                         bundle.BaseName(), "\n"));
    digest.Update(mr::ToJson(MakeTaskSpec(run, options_.limits)));
    for (const Split& split : run.splits) digest.Update(ToLine(split));
    for (const std::string& define : options_.defines) digest.Update(define);
    return digest.Hex();
  }

  static std::string Tag(const Submission& submission) {
    return StrCat("trommel-", submission.nonce);
  }

  // Finds the job that an earlier process started for this step, if it may
  // still be of use. If not, everything that earlier processes have left in
  // the output's place is removed, since it belongs to other rows.
  absl::Status Attach(const StepRun& run, Submission* wanted) {
    TROMMEL_ASSIGN_OR_RETURN(std::optional<Submission> found,
                             ReadSubmission(StepFolder(run)));
    if (found.has_value() && found->job_id.empty()) {
      // It was gone before it could note down what it had submitted.
      absl::StatusOr<std::string> job_id = client_.FindByTag(Tag(*found));
      if (!job_id.ok()) return Unreachable(Tag(*found), job_id.status());
      found->job_id = *std::move(job_id);
    }
    if (found.has_value() && !found->job_id.empty()) {
      const absl::StatusOr<JobStatus> status = client_.Status(found->job_id);
      if (!status.ok() && !absl::IsNotFound(status.status())) {
        return Unreachable(found->job_id, status.status());
      }
      const bool same = found->fingerprint == wanted->fingerprint;
      if (status.ok() && same &&
          (IsAlive(*status) || status->state == JobState::kSucceeded)) {
        Log(StrCat("attached to ", found->job_id,
                   ", which an earlier run started"));
        *wanted = *found;
        return absl::OkStatus();
      }
      if (status.ok() && IsAlive(*status)) {
        return absl::FailedPreconditionError(
            StrCat("an earlier run with other inputs, flags or another version "
                   "of trommel is still writing this output: ",
                   found->job_id,
                   "; wait for it, or stop it with: mapred job "
                   "-kill ",
                   found->job_id));
      }
    }
    return RemoveLeftovers(run);
  }

  // Before the first step nothing is of use; later only this step's folder is
  // in doubt, as earlier steps were found to be this job's own.
  static absl::Status RemoveLeftovers(const StepRun& run) {
    if (run.index > 0) return io::RemoveAll(StepFolder(run));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<io::Entry> entries,
        io::ListDirectory(run.output, /*recursive=*/false));
    for (const io::Entry& entry : entries) {
      TROMMEL_RETURN_IF_ERROR(io::RemoveAll(entry.path));
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<std::optional<Submission>> ReadSubmission(
      const io::Path& folder) {
    const io::Path file = folder.Child(kSubmissionFile);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
    if (entry.kind != io::EntryKind::kFile) return std::nullopt;
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(file));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    return Submission{json.value("fingerprint", ""), json.value("nonce", ""),
                      json.value("job", "")};
  }

  static absl::Status WriteSubmission(const StepRun& run,
                                      const Submission& submission) {
    const io::Path file = StepFolder(run).Child(kSubmissionFile);
    // HDFS does not rename over a file that exists.
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(file));
    return io::WriteFile(file, ToJson(submission));
  }

  absl::Status Submit(const StepRegistry& registry, const StepRun& run,
                      const io::Path& bundle, Submission* submission) {
    submission->nonce = MakeNonce();
    const io::Path folder = JobFolder(run, *submission);
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(folder));
    std::string lines;
    for (const Split& split : run.splits) {
      StrAppend(&lines, ToLine(split), "\n");
    }
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(folder.Child(kSplitsFile), lines));
    // Side data is beside the task, under its own name.
    StepRun shipped = run;
    std::string files = folder.Child(kSpecFile).Absolute() + "#" + kSpecFile;
    for (SideData& side : shipped.spec.side_data) {
      const std::string link = StrCat("side-", side.name);
      StrAppend(&files, ",", side.path, "#", link);
      side.path = link;
    }
    const TaskSpec task_spec = MakeTaskSpec(shipped, options_.limits);
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(folder.Child(kSpecFile), mr::ToJson(task_spec)));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> bound,
                             BoundStep::Create(registry, task_spec));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Combiner> combiner,
                             bound->MakeCombiner());
    TROMMEL_RETURN_IF_ERROR(WriteSubmission(run, *submission));
    TROMMEL_ASSIGN_OR_RETURN(
        submission->job_id,
        client_.Submit(Arguments(run, folder, bundle, files, Tag(*submission),
                                 combiner != nullptr)));
    return WriteSubmission(run, *submission);
  }

  std::vector<std::string> Arguments(const StepRun& run, const io::Path& folder,
                                     const io::Path& bundle,
                                     const std::string& files,
                                     const std::string& tag,
                                     bool combine) const {
    const int64_t container = options_.limits.memory_mb + kContainerOverheadMb;
    const std::string heap = StrCat("-Xmx", kJavaHeapMb, "m");
    std::vector<std::pair<std::string, std::string>> settings = {
        {"mapreduce.job.name", StrCat("trommel ", run.spec.step)},
        {"mapreduce.job.tags", tag},
        {"mapreduce.job.reduces", std::to_string(run.spec.num_reducers)},
        // One line of the list of splits per task.
        {"mapreduce.input.lineinputformat.linespermap", "1"},
        {"stream.map.input.ignoreKey", "true"},
        // Keys and values are any bytes. The combiner goes by the settings of
        // the reducer.
        {"stream.map.output", "rawbytes"},
        {"stream.reduce.input", "rawbytes"},
        {"stream.reduce.output", "rawbytes"},
        {"mapreduce.partition.binarypartitioner.left.offset", "0"},
        {"mapreduce.partition.binarypartitioner.right.offset",
         std::to_string(kPartitionPrefixBytes - 1)},
        // The submitter writes the marker, last. Version 1 of the committer
        // publishes nothing of a task before the whole job has succeeded.
        {"mapreduce.fileoutputcommitter.marksuccessfuljobs", "false"},
        {"mapreduce.fileoutputcommitter.algorithm.version", "1"},
        {"mapreduce.map.memory.mb", std::to_string(container)},
        {"mapreduce.reduce.memory.mb", std::to_string(container)},
        {"mapreduce.map.java.opts", heap},
        {"mapreduce.reduce.java.opts", heap},
        {"mapreduce.task.timeout",
         std::to_string(options_.limits.stall_timeout_s() * 1000)},
        {"mapreduce.map.maxattempts",
         std::to_string(options_.limits.max_attempts)},
        {"mapreduce.reduce.maxattempts",
         std::to_string(options_.limits.max_attempts)},
    };
    if (!options_.queue.empty()) {
      settings.emplace_back("mapreduce.job.queuename", options_.queue);
    }
    std::vector<std::string> arguments;
    for (const auto& [name, value] : settings) {
      arguments.insert(arguments.end(), {"-D", StrCat(name, "=", value)});
    }
    for (const std::string& define : options_.defines) {
      arguments.insert(arguments.end(), {"-D", define});
    }
    const auto task = [&run](std::string_view kind) {
      return StrCat("trommel/bin/trommel task ", run.spec.step, " ", kind,
                    " --spec=", kSpecFile);
    };
    arguments.insert(
        arguments.end(),
        {"-archives",    bundle.Absolute() + "#trommel",
         "-files",       files,
         "-background",  "-lazyOutput",
         "-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat",
         "-partitioner", "org.apache.hadoop.mapred.lib.BinaryPartitioner",
         "-input",       folder.Child(kSplitsFile).Absolute(),
         "-output",      folder.Child(kOutputFolder).Absolute(),
         "-cmdenv",      "LD_LIBRARY_PATH=trommel/lib",
         "-cmdenv",      "ARROW_LIBHDFS_DIR=trommel/lib",
         "-mapper",      task("map")});
    if (run.spec.num_reducers > 0) {
      arguments.insert(arguments.end(), {"-reducer", task("reduce")});
      if (combine) {
        arguments.insert(arguments.end(), {"-combiner", task("combine")});
      }
    }
    return arguments;
  }

  // Follows the job to its end.
  absl::Status WaitFor(const StepRun& run, const std::string& job_id) {
    std::optional<Progress> progress;
    progress.emplace(StrCat(run.spec.step, " map"), "rows", run.num_rows);
    progress->Log(StrCat(run.spec.step, ": ", job_id));
    bool reducing = false;
    Clock::time_point answered = Clock::now();
    Clock::duration interval = kFirstPoll;
    while (true) {
      const absl::StatusOr<JobStatus> status = client_.Status(job_id);
      if (status.ok()) {
        answered = Clock::now();
        const auto rejected = status->counters.find(kRowsRejected);
        if (rejected != status->counters.end()) {
          absl::Status bad =
              CheckBadFraction(run, rejected->second, status->counters);
          if (!bad.ok()) {
            Stop(job_id, *status);
            return bad;
          }
        }
        switch (status->state) {
          case JobState::kPreparing:
            break;
          case JobState::kRunning:
            if (!reducing && run.spec.num_reducers > 0 &&
                status->map_progress >= 1) {
              reducing = true;
              progress.emplace(StrCat(run.spec.step, " reduce"), "tasks",
                               run.spec.num_reducers);
            }
            progress->Show(reducing ? ReducedTasks(run, *status)
                                    : MappedRows(run, *status));
            break;
          case JobState::kSucceeded:
            return absl::OkStatus();
          case JobState::kFailed:
          case JobState::kKilled:
            return Failed(job_id, *status);
        }
      } else if (absl::IsNotFound(status.status())) {
        return absl::InternalError(StrCat("the cluster no longer knows ",
                                          job_id,
                                          "; run the same command again"));
      } else if (Clock::now() - answered >
                 std::chrono::seconds(options_.patience_s)) {
        return Unreachable(job_id, status.status());
      }
      std::this_thread::sleep_for(interval);
      interval = std::min<Clock::duration>(interval * 5 / 4, kLongestPoll);
    }
  }

  // Ends a running job and waits until it no longer writes anything.
  void Stop(const std::string& job_id, JobStatus status) const {
    const Clock::time_point deadline =
        Clock::now() + std::chrono::seconds(options_.patience_s);
    while (IsAlive(status) && Clock::now() < deadline) {
      if (!client_.Kill(job_id).ok()) return;
      const absl::StatusOr<JobStatus> next = client_.Status(job_id);
      if (!next.ok()) return;
      status = *next;
    }
  }

  static int64_t MappedRows(const StepRun& run, const JobStatus& status) {
    const auto rows = status.counters.find(kRowsRead);
    if (rows != status.counters.end()) return rows->second;
    return std::llround(status.map_progress *
                        static_cast<double>(run.num_rows));
  }

  static int64_t ReducedTasks(const StepRun& run, const JobStatus& status) {
    return static_cast<int64_t>(status.reduce_progress *
                                static_cast<double>(run.spec.num_reducers));
  }

  absl::Status Failed(const std::string& job_id,
                      const JobStatus& status) const {
    std::string message = StrCat(
        job_id, status.state == JobState::kKilled ? " was killed" : " failed");
    const std::string details = client_.FailureDetails(job_id);
    for (const std::string* const text : {&details, &status.failure}) {
      if (!text->empty()) {
        StrAppend(&message, ": ", *text);
        break;
      }
    }
    const std::string all = StrCat(details, " ", status.failure);
    if (all.find("memory limit") != std::string::npos) {
      StrAppend(&message, "\nGive tasks more with --task-memory-mb.");
    } else if (all.find("supported max container") != std::string::npos ||
               all.find("maximum allowed allocation") != std::string::npos) {
      StrAppend(&message,
                "\nThe cluster has no container that large: lower "
                "--task-memory-mb (a container takes ",
                kContainerOverheadMb, " MB more than that).");
    }
    StrAppend(&message, "\nMore: mapred job -history ", job_id);
    return absl::InternalError(message);
  }

  static absl::Status Unreachable(const std::string& job_id,
                                  const absl::Status& why) {
    return absl::UnavailableError(
        StrCat("the cluster does not answer when asked about ", job_id, ": ",
               why.message(),
               "\nThe job may still be running. The same command attaches to "
               "it once the ResourceManager is back."));
  }

  static void Log(const std::string& message) {
    Progress("", "", 0).Log(message);
  }

  // Adds up what the tasks have made and moves their tables into place. What
  // an earlier process has moved already is left alone.
  static absl::StatusOr<StepResult> Collect(const StepRun& run,
                                            const io::Path& output) {
    StepResult result;
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<io::Entry> files,
        io::ListDirectory(output.Child(kResultsFolder), /*recursive=*/false));
    size_t num_results = 0;
    for (const io::Entry& file : files) {
      TROMMEL_ASSIGN_OR_RETURN(const std::string json, io::ReadFile(file.path));
      TROMMEL_ASSIGN_OR_RETURN(const AttemptResult task,
                               AttemptResultFromJson(json));
      AddResult(task, &result);
      ++num_results;
    }
    const size_t expected =
        run.splits.size() + static_cast<size_t>(run.spec.num_reducers);
    if (num_results != expected) {
      return absl::DataLossError(StrCat(output.name, " has the results of ",
                                        num_results, " tasks, not of ",
                                        expected));
    }
    for (const auto& [table, shards] : result.tables) {
      const io::Path to = run.output.Child(table);
      TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(to));
      for (const io::ShardInfo& shard : shards) {
        const io::Path from = output.Child(table).Child(shard.file);
        TROMMEL_ASSIGN_OR_RETURN(const io::Entry left, io::Stat(from));
        if (left.kind == io::EntryKind::kFile) {
          TROMMEL_RETURN_IF_ERROR(io::Rename(from, to.Child(shard.file)));
          continue;
        }
        TROMMEL_ASSIGN_OR_RETURN(const io::Entry moved,
                                 io::Stat(to.Child(shard.file)));
        if (moved.size != shard.num_bytes) {
          return absl::DataLossError(
              StrCat(from.name, ", which a task wrote, is gone"));
        }
      }
    }
    return result;
  }

  HadoopOptions options_;
  HadoopInstallation installation_;
  JobClient client_;
  std::optional<io::Path> bundle_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> MakeHadoopEngine(
    const HadoopOptions& options) {
  for (const std::string& define : options.defines) {
    if (IsOwnSetting(define)) {
      return absl::InvalidArgumentError(
          StrCat("--hadoop-define=", define,
                 ": this setting is trommel's own and cannot be changed"));
    }
  }
  TROMMEL_ASSIGN_OR_RETURN(HadoopInstallation installation,
                           HadoopInstallation::Find());
  return std::unique_ptr<Engine>(
      std::make_unique<HadoopEngine>(options, std::move(installation)));
}

}  // namespace trommel::mr
