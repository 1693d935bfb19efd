#ifndef TROMMEL_MAPREDUCE_CODEC_HADOOP_PAIRS_H_
#define TROMMEL_MAPREDUCE_CODEC_HADOOP_PAIRS_H_

// Pairs on their way into and out of Hadoop's shuffle: with and without the
// bytes that its partitioner looks at (shuffle_key.h).

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/codec/pair_stream.h"

namespace trommel::mr {

// Puts the prefix before each key and passes the pair on.
class PrefixingSink final : public PairSink {
 public:
  PrefixingSink(uint32_t num_partitions, PairSink* next);
  absl::Status Append(const Pair& pair) override;

 private:
  std::vector<std::string> prefixes_;
  PairSink* next_;
  std::string key_;
};

// Takes it off again.
class UnprefixedPairs final : public PairStream {
 public:
  explicit UnprefixedPairs(PairStream* pairs) : pairs_(pairs) {}
  absl::StatusOr<bool> Next(Pair* pair) override;

 private:
  PairStream* pairs_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_CODEC_HADOOP_PAIRS_H_
