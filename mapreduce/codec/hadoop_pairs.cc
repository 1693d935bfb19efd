#include "mapreduce/codec/hadoop_pairs.h"

#include "core/base/status.h"
#include "mapreduce/codec/shuffle_key.h"

namespace trommel::mr {

PrefixingSink::PrefixingSink(uint32_t num_partitions, PairSink* next)
    : prefixes_(PartitionPrefixes(num_partitions)), next_(next) {}

absl::Status PrefixingSink::Append(const Pair& pair) {
  const auto num_partitions = static_cast<uint32_t>(prefixes_.size());
  key_.assign(prefixes_[PartitionOf(EncodedGroup(pair.key), num_partitions)]);
  key_.append(pair.key);
  return next_->Append({key_, pair.value});
}

absl::StatusOr<bool> UnprefixedPairs::Next(Pair* pair) {
  TROMMEL_ASSIGN_OR_RETURN(const bool more, pairs_->Next(pair));
  if (!more) return false;
  if (pair->key.size() < kPartitionPrefixBytes) {
    return absl::DataLossError("a key from Hadoop lacks its prefix");
  }
  pair->key.remove_prefix(kPartitionPrefixBytes);
  return true;
}

}  // namespace trommel::mr
