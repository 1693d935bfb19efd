#ifndef TROMMEL_MAPREDUCE_CODEC_ORDERED_H_
#define TROMMEL_MAPREDUCE_CODEC_ORDERED_H_

// Byte strings that sort, byte by byte, as the values they were made from do.
//
//   std::string key;
//   AppendOrderedBytes(site, &key);
//   AppendOrderedInt64(-count, &key);   // the largest count comes first
//
// A sequence of values sorts by the first, then the second and so on; values
// are taken off again in the order in which they were appended.

#include <cstdint>
#include <string>
#include <string_view>

namespace trommel::mr {

// Any bytes: NUL becomes 00 FF and the end is marked by 00 00, so a string
// sorts before its extensions whatever follows it.
void AppendOrderedBytes(std::string_view bytes, std::string* out);
// Eight bytes, most significant first.
void AppendOrderedUint64(uint64_t value, std::string* out);
// The same with the sign bit flipped: negative numbers come first.
void AppendOrderedInt64(int64_t value, std::string* out);

// Each takes one value off the front of `in`; false, with nothing changed,
// when `in` does not begin with one.
bool ConsumeOrderedBytes(std::string_view* in, std::string* bytes);
bool ConsumeOrderedUint64(std::string_view* in, uint64_t* value);
bool ConsumeOrderedInt64(std::string_view* in, int64_t* value);

// How many bytes of `in` its first value takes, when that was appended by
// AppendOrderedBytes(); 0 when there is none.
size_t OrderedBytesLength(std::string_view in);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_CODEC_ORDERED_H_
