#ifndef TROMMEL_MAPREDUCE_SHUFFLE_RUN_FILE_H_
#define TROMMEL_MAPREDUCE_SHUFFLE_RUN_FILE_H_

// Sorted runs on the local disk. A run has one section per partition, one
// after the other, each sorted by key.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/codec/pair_stream.h"
#include "mapreduce/codec/raw_bytes.h"

namespace trommel::mr {

// Where the sections of a run end; the first begins at 0.
struct Run {
  std::string path;
  std::vector<int64_t> section_ends;

  int64_t section_begin(size_t partition) const {
    return partition == 0 ? 0 : section_ends[partition - 1];
  }
};

// Writes a run. Unless Close() succeeded, the file goes with the writer.
class RunWriter {
 public:
  // `activity`, if not null, is raised as the file grows.
  static absl::StatusOr<std::unique_ptr<RunWriter>> Create(
      std::string path, std::atomic<int64_t>* activity = nullptr);
  ~RunWriter();

  // Takes the pairs of the present section.
  PairSink* sink() { return &pairs_; }
  void EndSection();
  absl::StatusOr<Run> Close();

 private:
  RunWriter(int descriptor, std::string path);

  int descriptor_;
  Run run_;
  RawBytesWriter pairs_;
  bool complete_ = false;
};

// One section of a run, as a stream.
class RunSection final : public PairStream {
 public:
  static absl::StatusOr<std::unique_ptr<RunSection>> Open(const Run& run,
                                                          size_t partition,
                                                          size_t buffer_bytes);
  ~RunSection() override;
  absl::StatusOr<bool> Next(Pair* pair) override { return pairs_.Next(pair); }

 private:
  RunSection(int descriptor, const Run& run, size_t partition,
             size_t buffer_bytes);

  int descriptor_;
  RawBytesReader pairs_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_SHUFFLE_RUN_FILE_H_
