#ifndef TROMMEL_TESTS_TESTING_PAIRS_H_
#define TROMMEL_TESTS_TESTING_PAIRS_H_

// Key/value pairs as lists, for tests of codecs and the shuffle.

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/random.h"
#include "core/base/status.h"
#include "mapreduce/codec/pair_stream.h"

namespace trommel::testing_support {

using PairList = std::vector<std::pair<std::string, std::string>>;

// Streams a list, and at its end fails with `status` unless that is OK. Every
// pair is in memory of its own that goes with the next call, so the sanitizer
// sees views that are kept for too long.
class ListStream final : public mr::PairStream {
 public:
  explicit ListStream(PairList pairs, absl::Status status = absl::OkStatus())
      : pairs_(std::move(pairs)), status_(std::move(status)) {}

  absl::StatusOr<bool> Next(mr::Pair* pair) override {
    memory_.reset();
    if (next_ == pairs_.size()) {
      if (!status_.ok()) return status_;
      return false;
    }
    const auto& [key, value] = pairs_[next_++];
    memory_ = std::make_unique<char[]>(key.size() + value.size());
    key.copy(memory_.get(), key.size());
    value.copy(memory_.get() + key.size(), value.size());
    pair->key = std::string_view(memory_.get(), key.size());
    pair->value = std::string_view(memory_.get() + key.size(), value.size());
    return true;
  }

 private:
  PairList pairs_;
  absl::Status status_;
  size_t next_ = 0;
  std::unique_ptr<char[]> memory_;
};

class ListSink final : public mr::PairSink {
 public:
  absl::Status Append(const mr::Pair& pair) override {
    pairs.emplace_back(pair.key, pair.value);
    return absl::OkStatus();
  }
  PairList pairs;
};

// All pairs of a stream; the first error ends it.
inline absl::StatusOr<PairList> ReadPairs(mr::PairStream* stream) {
  PairList pairs;
  mr::Pair pair;
  while (true) {
    TROMMEL_ASSIGN_OR_RETURN(const bool more, stream->Next(&pair));
    if (!more) return pairs;
    pairs.emplace_back(pair.key, pair.value);
  }
}

// Up to `max_length` bytes of few kinds, those at the ends of the range among
// them, so that many strings are equal or begin alike.
inline std::string BytesThatCollide(Random* random, size_t max_length) {
  constexpr char kBytes[] = {'\0', '\1', 'a', '\x7F', '\x80', '\xFF'};
  std::string bytes(random->Below(max_length + 1), '\0');
  for (char& c : bytes) c = kBytes[random->Below(sizeof(kBytes))];
  return bytes;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_PAIRS_H_
