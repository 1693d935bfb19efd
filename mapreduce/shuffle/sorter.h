#ifndef TROMMEL_MAPREDUCE_SHUFFLE_SORTER_H_
#define TROMMEL_MAPREDUCE_SHUFFLE_SORTER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/job/job.h"
#include "mapreduce/shuffle/run_file.h"

namespace trommel::mr {

// Sorts pairs by partition and key in bounded memory: pairs are collected
// until the memory is full, then sorted and written as a run. Pairs with equal
// keys keep their order, within a run and from run to run.
//
// With a combiner each run holds what it makes of the pairs, and at the end all
// runs are merged into one, since that makes them fewer again. Without one they
// stay as they are: whoever reads them merges runs of many sorters anyway, and
// copying them once more would gain nothing.
class Sorter {
 public:
  struct Options {
    // For pairs and the order among them. A pair larger than that makes a run
    // of its own, for which alone there is more.
    size_t memory_bytes = size_t{128} << 20;
    uint32_t num_partitions = 1;  // at most 65536
    std::string directory;        // of the runs
    Combiner* combiner = nullptr;
    // Raised while runs are written; null: nobody wants to know.
    std::atomic<int64_t>* activity = nullptr;
  };

  explicit Sorter(const Options& options);
  ~Sorter();

  absl::Status Add(uint32_t partition, std::string_view key,
                   std::string_view value);
  // The runs, in order; their files are the caller's from now on. Nothing may
  // follow.
  absl::StatusOr<std::vector<Run>> Finish();

 private:
  struct Entry;
  class SortedPairs;

  absl::Status WriteRun();
  absl::StatusOr<Run> MergeToOne();
  void RemoveRuns();
  Entry* entries_end() const;
  std::string_view KeyOf(const Entry& entry) const;
  size_t CommonLength(const Entry* begin, const Entry* end, size_t depth) const;
  void Sort(Entry* begin, Entry* end, size_t depth) const;
  void SortTies(Entry* begin, Entry* end, size_t depth) const;

  Options options_;
  // Pairs grow from the front of the memory, their entries from the back.
  size_t usual_capacity_;
  size_t capacity_;
  std::unique_ptr<char[]> memory_;
  size_t used_ = 0;
  size_t num_entries_ = 0;
  std::vector<Run> runs_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_SHUFFLE_SORTER_H_
