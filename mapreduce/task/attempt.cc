#include "mapreduce/task/attempt.h"

#include <arrow/type.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/codec/hadoop_pairs.h"
#include "mapreduce/codec/raw_bytes.h"
#include "mapreduce/codec/shuffle_key.h"
#include "mapreduce/shuffle/groups.h"
#include "mapreduce/shuffle/merge.h"
#include "mapreduce/shuffle/sorter.h"
#include "mapreduce/task/breadcrumb.h"

namespace trommel::mr {

std::shared_ptr<arrow::Schema> RejectsSchema() {
  return arrow::schema({
      arrow::field("url", arrow::utf8(), /*nullable=*/false),
      arrow::field("site", arrow::utf8(), /*nullable=*/false),
      arrow::field("reason", arrow::utf8(), /*nullable=*/false),
      arrow::field("detail", arrow::utf8(), /*nullable=*/false),
  });
}

std::string MapPrefix(int step_index, int split) {
  return absl::StrFormat("part-%dm-%05d", step_index, split);
}

std::string ReducePrefix(int step_index, int partition) {
  return absl::StrFormat("part-%dr-%05d", step_index, partition);
}

absl::StatusOr<std::unique_ptr<BoundStep>> BoundStep::Create(
    const StepRegistry& registry, TaskSpec spec) {
  TROMMEL_ASSIGN_OR_RETURN(const Step* const step,
                           FindStep(registry, spec.step));
  std::unique_ptr<BoundStep> bound(new BoundStep(step, std::move(spec)));
  TROMMEL_ASSIGN_OR_RETURN(bound->tables_, step->Outputs(*bound));
  bound->tables_.push_back({kRejectsTable, RejectsSchema(), {}});
  return bound;
}

absl::StatusOr<std::string> BoundStep::Config(std::string_view name) const {
  const auto found = spec_.config.find(std::string(name));
  if (found == spec_.config.end()) {
    return absl::NotFoundError(
        StrCat("step ", spec_.step, " has no setting \"", name, "\""));
  }
  return found->second;
}

absl::StatusOr<std::string> BoundStep::SideDataPath(
    std::string_view name) const {
  const auto found = spec_.side_data.find(std::string(name));
  if (found == spec_.side_data.end()) {
    return absl::NotFoundError(
        StrCat("step ", spec_.step, " has no side data \"", name, "\""));
  }
  return found->second;
}

absl::StatusOr<std::unique_ptr<Combiner>> BoundStep::MakeCombiner() const {
  if (!spec_.combine || spec_.num_reducers == 0) return nullptr;
  return step_->MakeCombiner(*this);
}

absl::StatusOr<std::unique_ptr<Reducer>> BoundStep::MakeReducer() const {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<Reducer> reducer,
                           step_->MakeReducer(*this));
  if (reducer == nullptr) {
    return absl::InternalError(
        StrCat("step ", spec_.step, " has reducers asked for but no code"));
  }
  return reducer;
}

void AttemptOutput::Count(std::string_view counter, int64_t amount) {
  on_activity_();
  const auto found = counters_.find(ToAbsl(counter));
  if (found != counters_.end()) {
    found->second += amount;
  } else {
    counters_.emplace(std::string(counter), amount);
  }
}

absl::StatusOr<io::RowWriter*> AttemptOutput::Table(size_t output) {
  on_activity_();
  if (output >= writers_.size()) {
    return absl::InternalError(
        StrCat("step ", step_.spec().step, " has no table ", output));
  }
  std::unique_ptr<io::RowWriter>& writer = writers_[output];
  if (writer == nullptr) {
    const OutputTable& table = step_.tables()[output];
    io::ShardWriter::Options options;
    options.prefix = prefix_;
    options.plain_columns = table.plain_columns;
    TROMMEL_ASSIGN_OR_RETURN(writer,
                             io::RowWriter::Create(directory_.Child(table.name),
                                                   table.schema, options));
  }
  return writer.get();
}

absl::Status AttemptOutput::WriteReject(const RowName& row,
                                        std::string_view reason,
                                        std::string_view detail) {
  TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const rejects,
                           Table(writers_.size() - 1));
  rejects->Text(row.url).Text(row.site).Text(reason).Text(detail);
  Count(StrCat(kRejectedPrefix, reason), 1);
  return rejects->EndRow();
}

absl::Status AttemptOutput::Reject(const RowName& row, std::string_view reason,
                                   std::string_view detail) {
  Count(kRowsRejected, 1);
  ++num_rejected_;
  return WriteReject(row, reason, detail);
}

absl::Status AttemptOutput::PassOver(const RowName& row,
                                     std::string_view reason,
                                     std::string_view detail) {
  Count(kRowsPassedOver, 1);
  return WriteReject(row, reason, detail);
}

absl::Status AttemptOutput::Close(AttemptResult* result) {
  for (size_t i = 0; i < writers_.size(); ++i) {
    if (writers_[i] == nullptr) continue;
    TROMMEL_ASSIGN_OR_RETURN(result->shards[step_.tables()[i].name],
                             writers_[i]->Close());
  }
  result->counters.insert(counters_.begin(), counters_.end());
  return absl::OkStatus();
}

namespace {

constexpr int64_t kMegabyte = int64_t{1} << 20;

// Where map output goes: into a sorter, or as it comes into a file whose keys
// are prefixed for Hadoop's partitioner.
class PairTarget {
 public:
  virtual ~PairTarget() = default;
  virtual absl::Status Add(std::string_view key, std::string_view value) = 0;
  virtual absl::Status Finish(AttemptResult* result) = 0;
};

class SortedTarget final : public PairTarget {
 public:
  SortedTarget(const BoundStep& step, const AttemptSpec& attempt,
               std::unique_ptr<Combiner> combiner,
               std::atomic<int64_t>* activity)
      : combiner_(std::move(combiner)),
        num_partitions_(static_cast<uint32_t>(step.spec().num_reducers)),
        sorter_(MakeOptions(step, attempt, activity)) {}

  absl::Status Add(std::string_view key, std::string_view value) override {
    return sorter_.Add(PartitionOf(EncodedGroup(key), num_partitions_), key,
                       value);
  }
  absl::Status Finish(AttemptResult* result) override {
    TROMMEL_ASSIGN_OR_RETURN(result->runs, sorter_.Finish());
    return absl::OkStatus();
  }

 private:
  Sorter::Options MakeOptions(const BoundStep& step, const AttemptSpec& attempt,
                              std::atomic<int64_t>* activity) const {
    Sorter::Options options;
    options.activity = activity;
    options.memory_bytes =
        static_cast<size_t>(step.spec().limits.sort_memory_mb * kMegabyte);
    options.num_partitions = num_partitions_;
    options.directory = attempt.directory;
    options.combiner = combiner_.get();
    return options;
  }

  std::unique_ptr<Combiner> combiner_;
  uint32_t num_partitions_;
  Sorter sorter_;
};

class StreamTarget final : public PairTarget {
 public:
  StreamTarget(int descriptor, uint32_t num_partitions)
      : descriptor_(descriptor),
        writer_(descriptor, "map output"),
        prefixed_(num_partitions, &writer_) {}
  ~StreamTarget() override { ::close(descriptor_); }

  absl::Status Add(std::string_view key, std::string_view value) override {
    return prefixed_.Append({key, value});
  }
  absl::Status Finish(AttemptResult* /*result*/) override {
    return writer_.Flush();
  }

 private:
  int descriptor_;
  RawBytesWriter writer_;
  PrefixingSink prefixed_;
};

class MapAttempt final : public MapOutput {
 public:
  MapAttempt(const BoundStep& step, const AttemptSpec& attempt,
             Breadcrumb::Data* breadcrumb, AttemptOutput* output)
      : step_(step),
        attempt_(attempt),
        breadcrumb_(breadcrumb),
        output_(output) {}

  absl::Status Run(AttemptResult* result) {
    TROMMEL_RETURN_IF_ERROR(OpenTarget());
    TROMMEL_ASSIGN_OR_RETURN(mapper_, step_.MakeMapper());
    for (const SplitPiece& piece : attempt_.split.pieces) {
      TROMMEL_RETURN_IF_ERROR(MapPiece(piece));
    }
    TROMMEL_RETURN_IF_ERROR(mapper_->Finish(this));
    output_->Count(kRowsRead, row_);
    output_->Count(kBytesRead, bytes_read_);
    return target_ == nullptr ? absl::OkStatus() : target_->Finish(result);
  }

  using TaskOutput::Count;
  void Count(std::string_view counter, int64_t amount) override {
    output_->Count(counter, amount);
  }
  absl::StatusOr<io::RowWriter*> Table(size_t output) override {
    return output_->Table(output);
  }
  absl::Status Reject(const RowName& row, std::string_view reason,
                      std::string_view detail) override {
    TROMMEL_RETURN_IF_ERROR(output_->Reject(row, reason, detail));
    breadcrumb_->rows_rejected.store(output_->num_rejected(),
                                     std::memory_order_relaxed);
    return absl::OkStatus();
  }
  absl::Status PassOver(const RowName& row, std::string_view reason,
                        std::string_view detail) override {
    return output_->PassOver(row, reason, detail);
  }
  absl::Status Emit(std::string_view group, std::string_view sort_key,
                    std::string_view value) override {
    if (target_ == nullptr) {
      return absl::InternalError(StrCat("step ", step_.spec().step,
                                        " emits pairs but has no reducers"));
    }
    key_.clear();
    AppendShuffleKey(group, sort_key, &key_);
    return target_->Add(key_, value);
  }

 private:
  absl::Status OpenTarget() {
    if (step_.spec().num_reducers == 0) return absl::OkStatus();
    if (!attempt_.as_stream) {
      TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<Combiner> combiner,
                               step_.MakeCombiner());
      target_ = std::make_unique<SortedTarget>(
          step_, attempt_, std::move(combiner), &breadcrumb_->activity);
      return absl::OkStatus();
    }
    const int descriptor =
        ::open(attempt_.PairsFile().c_str(),
               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      return absl::UnavailableError(
          StrCat("cannot create ", attempt_.PairsFile()));
    }
    target_ = std::make_unique<StreamTarget>(
        descriptor, static_cast<uint32_t>(step_.spec().num_reducers));
    return absl::OkStatus();
  }

  // Row groups in a row that are all read with or all without the deferred
  // columns.
  struct Stretch {
    int first_row_group = 0;
    int last_row_group = 0;  // behind the last
    bool read_deferred = true;
  };

  absl::Status MapPiece(const SplitPiece& piece) {
    const TableInput& input =
        step_.spec().inputs[static_cast<size_t>(piece.input)];
    TROMMEL_ASSIGN_OR_RETURN(const io::Path file, io::ResolvePath(piece.file));
    std::vector<Stretch> stretches = {
        {piece.first_row_group, piece.last_row_group, true}};
    for (const io::ColumnRequest& column : input.columns) {
      if (!column.deferred) continue;
      TROMMEL_ASSIGN_OR_RETURN(stretches, FindStretches(piece, file));
      break;
    }
    for (const Stretch& stretch : stretches) {
      TROMMEL_RETURN_IF_ERROR(MapStretch(piece, file, stretch));
    }
    return absl::OkStatus();
  }

  // Asks the mapper of each row group whether it needs the deferred columns.
  absl::StatusOr<std::vector<Stretch>> FindStretches(const SplitPiece& piece,
                                                     const io::Path& file) {
    const TableInput& input =
        step_.spec().inputs[static_cast<size_t>(piece.input)];
    io::TableReader::Options options;
    options.first_row_group = piece.first_row_group;
    options.last_row_group = piece.last_row_group;
    options.read_deferred = false;
    options.limits = LimitsOf(input);
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::RowReader> reader,
                             io::RowReader::Open(file, input.columns, options));
    const int last = piece.last_row_group < 0 ? reader->table().num_row_groups()
                                              : piece.last_row_group;
    std::vector<Stretch> stretches;
    io::Row row;
    int64_t number = row_;
    for (int group = piece.first_row_group; group < last; ++group) {
      bool is_needed = false;
      for (int64_t i = reader->table().row_group(group).num_rows; i > 0; --i) {
        TROMMEL_ASSIGN_OR_RETURN(const bool more, reader->Next(&row));
        if (!more) break;
        if (!is_needed && !IsKiller(number)) {
          breadcrumb_->row.store(number, std::memory_order_relaxed);
          is_needed = mapper_->NeedsDeferred(piece.input, row);
          breadcrumb_->row.store(Breadcrumb::kNoRow, std::memory_order_relaxed);
          ++breadcrumb_->activity;
        }
        ++number;
      }
      if (stretches.empty() || stretches.back().read_deferred != is_needed) {
        stretches.push_back({group, group, is_needed});
      }
      stretches.back().last_row_group = group + 1;
    }
    bytes_read_ += reader->table().bytes_read();
    return stretches;
  }

  bool IsKiller(int64_t number) const {
    for (const KillerRow& killer : attempt_.killer_rows) {
      if (killer.row == number) return true;
    }
    return false;
  }

  // Pages are in memory several times while they are read.
  io::PageLimits LimitsOf(const TableInput& input) const {
    return {step_.spec().limits.memory_mb * kMegabyte / io::kCopiesOfAPage,
            input.max_value_bytes};
  }

  absl::Status MapStretch(const SplitPiece& piece, const io::Path& file,
                          const Stretch& stretch) {
    const TableInput& input =
        step_.spec().inputs[static_cast<size_t>(piece.input)];
    io::TableReader::Options options;
    options.max_batch_rows = input.max_batch_rows;
    options.first_row_group = stretch.first_row_group;
    options.last_row_group = stretch.last_row_group;
    options.read_deferred = stretch.read_deferred;
    options.limits = LimitsOf(input);
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::RowReader> reader,
                             io::RowReader::Open(file, input.columns, options));
    io::Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, reader->Next(&row));
      if (!more) break;
      breadcrumb_->row.store(row_, std::memory_order_relaxed);
      if (const absl::Status status = MapRow(piece.input, row); !status.ok()) {
        return Annotate(status, StrCat(piece.file, ": row ", row_, " of split ",
                                       attempt_.split.index));
      }
      ++row_;
      breadcrumb_->row.store(Breadcrumb::kNoRow, std::memory_order_relaxed);
      breadcrumb_->rows_done.store(row_, std::memory_order_relaxed);
    }
    bytes_read_ += reader->table().bytes_read();
    return absl::OkStatus();
  }

  absl::Status MapRow(int input, const io::Row& row) {
    if (next_killer_ < attempt_.killer_rows.size() &&
        attempt_.killer_rows[next_killer_].row == row_) {
      const KillerRow& killer = attempt_.killer_rows[next_killer_++];
      return Reject(mapper_->Name(input, row), killer.reason, killer.detail);
    }
    return mapper_->Map(input, row, this);
  }

  const BoundStep& step_;
  const AttemptSpec& attempt_;
  Breadcrumb::Data* breadcrumb_;
  AttemptOutput* output_;
  std::unique_ptr<Mapper> mapper_;
  std::unique_ptr<PairTarget> target_;
  int64_t row_ = 0;
  int64_t bytes_read_ = 0;
  size_t next_killer_ = 0;
  std::string key_;
};

// Pairs on their way to the reducer, noted as signs of life.
class NotedPairs final : public PairStream {
 public:
  NotedPairs(std::unique_ptr<PairStream> pairs, Breadcrumb::Data* breadcrumb)
      : pairs_(std::move(pairs)), breadcrumb_(breadcrumb) {}
  absl::StatusOr<bool> Next(Pair* pair) override {
    breadcrumb_->activity.fetch_add(1, std::memory_order_relaxed);
    return pairs_->Next(pair);
  }

 private:
  std::unique_ptr<PairStream> pairs_;
  Breadcrumb::Data* breadcrumb_;
};

absl::Status RunReduce(const BoundStep& step, const AttemptSpec& attempt,
                       Breadcrumb::Data* breadcrumb, AttemptOutput* output) {
  MergeOptions merge;
  merge.memory_bytes =
      static_cast<size_t>(step.spec().limits.sort_memory_mb * kMegabyte);
  merge.directory = attempt.directory;
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Combiner> combiner,
                           step.MakeCombiner());
  merge.combiner = combiner.get();
  merge.activity = &breadcrumb->activity;
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<PairStream> sorted,
                           MergeRuns(attempt.runs, kSectionToReduce, merge));
  NotedPairs pairs(std::move(sorted), breadcrumb);
  return ReduceStream(step, &pairs, output);
}

absl::Status Work(const StepRegistry& registry, const AttemptSpec& attempt,
                  AttemptResult* result) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path spec_file,
                           io::ResolvePath(attempt.task_spec));
  TROMMEL_ASSIGN_OR_RETURN(const std::string json, io::ReadFile(spec_file));
  TROMMEL_ASSIGN_OR_RETURN(TaskSpec spec, TaskSpecFromJson(json));
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> step,
                           BoundStep::Create(registry, std::move(spec)));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path tables,
                           io::ResolvePath(attempt.tables));
  if (attempt.clear_tables) {
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(tables));
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(tables));
  }
  TROMMEL_ASSIGN_OR_RETURN(const Breadcrumb breadcrumb,
                           Breadcrumb::Open(attempt.BreadcrumbFile()));
  AttemptOutput output(
      *step, tables,
      attempt.is_map ? MapPrefix(step->spec().step_index, attempt.split.index)
                     : ReducePrefix(step->spec().step_index, attempt.partition),
      [&breadcrumb] { ++breadcrumb->activity; });
  if (attempt.is_map) {
    MapAttempt map(*step, attempt, &*breadcrumb, &output);
    TROMMEL_RETURN_IF_ERROR(map.Run(result));
  } else {
    TROMMEL_RETURN_IF_ERROR(RunReduce(*step, attempt, &*breadcrumb, &output));
  }
  TROMMEL_RETURN_IF_ERROR(output.Close(result));
  if (attempt.published_result.empty()) return absl::OkStatus();
  TROMMEL_ASSIGN_OR_RETURN(const io::Path copy,
                           io::ResolvePath(attempt.published_result));
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(copy.Parent()));
  return io::WriteFile(copy, ToJson(*result));
}

// Runs one attempt and leaves its result. An error only when that cannot be
// left; whatever else goes wrong is in it.
absl::Status RunAttempt(const StepRegistry& registry,
                        const std::string& attempt_file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(attempt_file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string json, io::ReadFile(path));
  TROMMEL_ASSIGN_OR_RETURN(const AttemptSpec attempt,
                           AttemptSpecFromJson(json));
  AttemptResult result;
  result.status = Work(registry, attempt, &result);
  TROMMEL_ASSIGN_OR_RETURN(const io::Path target,
                           io::ResolvePath(attempt.ResultFile()));
  return io::WriteFile(target, ToJson(result));
}

}  // namespace

absl::Status ReduceStream(const BoundStep& step, PairStream* sorted,
                          AttemptOutput* output) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Reducer> reducer,
                           step.MakeReducer());
  return ReduceGroups(sorted, reducer.get(), output);
}

int RunWorker(const StepRegistry& registry, int64_t supervisor_pid) {
  // A worker dies with its supervisor: an attempt without one would write where
  // its successor does. Process::Start() sees to that.
  if (::getppid() != static_cast<pid_t>(supervisor_pid)) {
    std::fprintf(stderr, "workers are started by an engine, not by hand\n");
    return 1;
  }
  // An answer that nobody reads is an error of write() and not a death.
  std::signal(SIGPIPE, SIG_IGN);
  // Nothing that code prints by mistake is to pass for an answer.
  const int answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (answers < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) {
    std::fprintf(stderr, "cannot open /dev/null: %s\n", std::strerror(errno));
    return 1;
  }
  std::string attempt_file;
  while (std::getline(std::cin, attempt_file)) {
    if (const absl::Status status = RunAttempt(registry, attempt_file);
        !status.ok()) {
      std::fprintf(stderr, "%s\n", Printable(ToStd(status.message())).c_str());
      return 1;
    }
    const char done = '.';
    if (::write(answers, &done, 1) != 1) return 1;
  }
  return 0;
}

}  // namespace trommel::mr
