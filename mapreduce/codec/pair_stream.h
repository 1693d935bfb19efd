#ifndef TROMMEL_MAPREDUCE_CODEC_PAIR_STREAM_H_
#define TROMMEL_MAPREDUCE_CODEC_PAIR_STREAM_H_

// Key/value pairs one after the other: what a sort, a merge, a file or a pipe
// delivers, and what they take.

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace trommel::mr {

struct Pair {
  std::string_view key;
  std::string_view value;
};

class PairStream {
 public:
  virtual ~PairStream() = default;
  // Fills `pair` and returns true, or returns false at the end. The views are
  // valid until the next call.
  virtual absl::StatusOr<bool> Next(Pair* pair) = 0;
};

class PairSink {
 public:
  virtual ~PairSink() = default;
  virtual absl::Status Append(const Pair& pair) = 0;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_CODEC_PAIR_STREAM_H_
