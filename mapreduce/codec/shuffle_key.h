#ifndef TROMMEL_MAPREDUCE_CODEC_SHUFFLE_KEY_H_
#define TROMMEL_MAPREDUCE_CODEC_SHUFFLE_KEY_H_

// The keys that travel between mappers and reducers.
//
// A pair has a group, which decides the reducer and the call of Reduce() that
// receives it, and a sort key, which decides the order of values within that
// call. Both travel as one byte string, the group as ordered bytes and the sort
// key behind it, so that plain bytewise sorting, which is all that Hadoop needs
// to know, brings groups together and orders them inside.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::mr {

void AppendShuffleKey(std::string_view group, std::string_view sort_key,
                      std::string* out);

// The part of a shuffle key that stands for the group, still encoded. Empty
// when the key is malformed.
std::string_view EncodedGroup(std::string_view shuffle_key);

// Which of `num_partitions` reducers a group belongs to. The same on every
// engine, so that shards hold the same rows.
uint32_t PartitionOf(std::string_view encoded_group, uint32_t num_partitions);

// Hadoop's BinaryPartitioner picks the reducer by Java's hash of some bytes of
// the key. So on Hadoop four bytes go before every key whose hash is, modulo
// the number of reducers, the partition wanted.
inline constexpr size_t kPartitionPrefixBytes = 4;
// The prefixes of partitions 0, 1, ..., each of kPartitionPrefixBytes bytes.
std::vector<std::string> PartitionPrefixes(uint32_t num_partitions);
// What BinaryPartitioner computes, for tests and for PartitionPrefixes().
uint32_t HadoopPartition(std::string_view bytes, uint32_t num_partitions);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_CODEC_SHUFFLE_KEY_H_
