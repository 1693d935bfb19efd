#include "mapreduce/codec/shuffle_key.h"

#include "core/base/hash.h"
#include "mapreduce/codec/big_endian.h"
#include "mapreduce/codec/ordered.h"

namespace trommel::mr {

void AppendShuffleKey(std::string_view group, std::string_view sort_key,
                      std::string* out) {
  AppendOrderedBytes(group, out);
  out->append(sort_key);
}

std::string_view EncodedGroup(std::string_view shuffle_key) {
  return shuffle_key.substr(0, OrderedBytesLength(shuffle_key));
}

uint32_t PartitionOf(std::string_view encoded_group, uint32_t num_partitions) {
  return static_cast<uint32_t>(Hash64(encoded_group) % num_partitions);
}

uint32_t HadoopPartition(std::string_view bytes, uint32_t num_partitions) {
  uint32_t hash = 1;
  for (const char c : bytes) {
    hash = 31 * hash + static_cast<uint32_t>(static_cast<signed char>(c));
  }
  return (hash & 0x7FFFFFFFu) % num_partitions;
}

std::vector<std::string> PartitionPrefixes(uint32_t num_partitions) {
  // Counting through four-byte strings meets every remainder soon: the last
  // byte alone gives 256 hashes in a row.
  std::vector<std::string> prefixes(num_partitions);
  uint32_t missing = num_partitions;
  for (uint32_t i = 0; missing > 0; ++i) {
    std::string candidate(kPartitionPrefixBytes, '\0');
    StoreBigEndian32(i, candidate.data());
    std::string& place = prefixes[HadoopPartition(candidate, num_partitions)];
    if (!place.empty()) continue;
    place = std::move(candidate);
    --missing;
  }
  return prefixes;
}

}  // namespace trommel::mr
