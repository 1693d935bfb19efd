#include "mapreduce/engine/hadoop/hadoop_engine.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
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
  std::string fingerprint;  // of everything that decides the step's rows
  std::string job_id;       // empty: about to be submitted
};

std::string ToJson(const Submission& submission) {
  return nlohmann::ordered_json{{"fingerprint", submission.fingerprint},
                                {"job", submission.job_id}}
             .dump() +
         "\n";
}

class HadoopEngine final : public Engine {
 public:
  HadoopEngine(const HadoopOptions& options, HadoopInstallation installation)
      : options_(options),
        installation_(installation),
        client_(std::move(installation), options.call_timeout_s) {}

  absl::Status CheckPath(const io::Path& path) const override {
    if (path.name.find("://") != std::string::npos ||
        path.name.compare(0, 5, "file:") == 0) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(StrCat(
        path.name,
        " is a path on this machine, which the cluster's tasks cannot see; "
        "give an hdfs: URI (hadoop fs -put copies files there), or file:// if "
        "every node has it at the same place"));
  }

  absl::StatusOr<StepResult> RunStep(const StepRegistry& registry,
                                     const StepRun& run) override {
    // Steps of one job are told apart by their order.
    const io::Path folder =
        run.output.Child(kScratchPrefix).Child(StrCat("hadoop-", num_steps_++));
    TROMMEL_ASSIGN_OR_RETURN(
        const io::Path bundle,
        PublishBundle(BundleFolder(run.output), installation_.LibHdfs()));
    const Submission wanted = {Fingerprint(run, bundle), ""};
    TROMMEL_ASSIGN_OR_RETURN(std::string job_id, Attach(folder, wanted));
    if (job_id.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(job_id,
                               Submit(registry, run, folder, bundle, wanted));
    }
    TROMMEL_RETURN_IF_ERROR(WaitFor(run, job_id));
    return Collect(run, folder.Child(kOutputFolder));
  }

 private:
  static io::Path BundleFolder(const io::Path& output) {
    io::Path folder = output;
    // The root of the output's file system, then the user's home there.
    const size_t authority = folder.name.find("://");
    const size_t root = authority == std::string::npos
                            ? 0
                            : folder.name.find('/', authority + 3);
    folder.name = folder.name.substr(0, root);
    folder.path = "";
    return folder.Child("user").Child(UserName()).Child(".trommel");
  }

  // The same for the same step whenever and wherever it is run, so that a
  // process that comes later recognises its job.
  std::string Fingerprint(const StepRun& run, const io::Path& bundle) const {
    DigestStream digest;
    digest.Update(mr::ToJson(MakeTaskSpec(run.spec, options_.limits)));
    for (const Split& split : run.splits) digest.Update(ToLine(split));
    digest.Update(bundle.BaseName());
    for (const std::string& define : options_.defines) digest.Update(define);
    return digest.Hex();
  }

  std::string Tag(const Submission& submission) const {
    return StrCat("trommel-", submission.fingerprint);
  }

  // The job that an earlier process started for this step, if it may still be
  // of use; otherwise makes room for a new one.
  absl::StatusOr<std::string> Attach(const io::Path& folder,
                                     const Submission& wanted) {
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<Submission> found,
                             ReadSubmission(folder));
    if (!found.has_value()) return "";
    std::string job_id = found->job_id;
    if (job_id.empty()) {
      // It was gone before it could note down what it had submitted.
      TROMMEL_ASSIGN_OR_RETURN(job_id, client_.FindByTag(Tag(*found)));
    }
    if (!job_id.empty()) {
      const absl::StatusOr<JobStatus> status = client_.Status(job_id);
      if (!status.ok() && !absl::IsNotFound(status.status())) {
        return Unreachable(job_id, status.status());
      }
      if (status.ok()) {
        const bool alive = status->state == JobState::kPreparing ||
                           status->state == JobState::kRunning;
        const bool same = found->fingerprint == wanted.fingerprint;
        if (same && (alive || status->state == JobState::kSucceeded)) {
          Log(StrCat("attached to ", job_id, ", which an earlier run started"));
          return job_id;
        }
        if (alive) {
          return absl::FailedPreconditionError(StrCat(
              "an earlier run with other inputs, flags or another version of "
              "trommel is still writing this output: ",
              job_id, "; wait for it, or stop it with: mapred job -kill ",
              job_id));
        }
      }
    }
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(folder));
    return "";
  }

  static absl::StatusOr<std::optional<Submission>> ReadSubmission(
      const io::Path& folder) {
    const io::Path file = folder.Child(kSubmissionFile);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
    if (entry.kind != io::EntryKind::kFile) return std::nullopt;
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(file));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    return Submission{json.value("fingerprint", ""), json.value("job", "")};
  }

  absl::StatusOr<std::string> Submit(const StepRegistry& registry,
                                     const StepRun& run, const io::Path& folder,
                                     const io::Path& bundle,
                                     Submission submission) {
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(folder));
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(folder));
    std::string lines;
    for (const Split& split : run.splits)
      StrAppend(&lines, ToLine(split), "\n");
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(folder.Child(kSplitsFile), lines));
    // Side data is beside the task, under its own name.
    StepSpec spec = run.spec;
    std::string files = folder.Child(kSpecFile).Absolute() + "#" + kSpecFile;
    for (SideData& side : spec.side_data) {
      const std::string link = StrCat("side-", side.name);
      StrAppend(&files, ",", side.path, "#", link);
      side.path = link;
    }
    const TaskSpec task_spec = MakeTaskSpec(spec, options_.limits);
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(folder.Child(kSpecFile), mr::ToJson(task_spec)));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> bound,
                             BoundStep::Create(registry, task_spec));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Combiner> combiner,
                             bound->MakeCombiner());
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(folder.Child(kSubmissionFile), ToJson(submission)));
    TROMMEL_ASSIGN_OR_RETURN(
        submission.job_id,
        client_.Submit(Arguments(run, folder, bundle, files, Tag(submission),
                                 combiner != nullptr)));
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(folder.Child(kSubmissionFile), ToJson(submission)));
    return submission.job_id;
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
          const absl::Status bad =
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
    while ((status.state == JobState::kPreparing ||
            status.state == JobState::kRunning) &&
           Clock::now() < deadline) {
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
        if (left.kind == io::EntryKind::kNone) continue;
        TROMMEL_RETURN_IF_ERROR(io::Rename(from, to.Child(shard.file)));
      }
    }
    return result;
  }

  HadoopOptions options_;
  HadoopInstallation installation_;
  JobClient client_;
  int num_steps_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> MakeHadoopEngine(
    const HadoopOptions& options) {
  TROMMEL_ASSIGN_OR_RETURN(HadoopInstallation installation,
                           HadoopInstallation::Find());
  return std::unique_ptr<Engine>(
      std::make_unique<HadoopEngine>(options, std::move(installation)));
}

}  // namespace trommel::mr
