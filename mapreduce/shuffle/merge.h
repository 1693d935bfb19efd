#ifndef TROMMEL_MAPREDUCE_SHUFFLE_MERGE_H_
#define TROMMEL_MAPREDUCE_SHUFFLE_MERGE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/codec/pair_stream.h"
#include "mapreduce/job/job.h"
#include "mapreduce/shuffle/run_file.h"

namespace trommel::mr {

// Merges sorted streams into one. Equal keys come in the order of the streams.
absl::StatusOr<std::unique_ptr<PairStream>> MergeStreams(
    std::vector<std::unique_ptr<PairStream>> streams);

struct MergeOptions {
  // Bytes for the buffers of the runs being read, all together.
  size_t memory_bytes = size_t{16} << 20;
  // Runs merged at a time: with more, reading becomes seeking.
  size_t max_fan_in = 128;
  // Where intermediate runs go.
  std::string directory;
  Combiner* combiner = nullptr;  // used on intermediate runs
  // Raised while intermediate runs are written; null: nobody wants to know.
  std::atomic<int64_t>* activity = nullptr;
};

// One partition of any number of runs as one sorted stream. More runs than can
// be read at once are merged into fewer, larger ones first, neighbours
// together, so equal keys still come in the order of the runs. Intermediate
// runs are removed once nothing reads them.
absl::StatusOr<std::unique_ptr<PairStream>> MergeRuns(
    const std::vector<Run>& runs, size_t partition,
    const MergeOptions& options);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_SHUFFLE_MERGE_H_
