#include "mapreduce/shuffle/merge.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/codec/big_endian.h"
#include "mapreduce/shuffle/groups.h"

namespace trommel::mr {
namespace {

constexpr size_t kMinBuffer = size_t{1} << 14;
constexpr size_t kMaxBuffer = size_t{1} << 20;

// The first eight bytes of a key as a number that compares as they do; keys
// shorter than that are filled up with zeros.
uint64_t KeyPrefix(std::string_view key) {
  if (key.size() >= 8) return LoadBigEndian64(key.data());
  char bytes[8] = {};
  std::memcpy(bytes, key.data(), key.size());
  return LoadBigEndian64(bytes);
}

// A tree of losers (Knuth, The Art of Computer Programming, volume 3, 5.4.1).
// Each inner node remembers the loser of the match played there, the winner
// goes up. Replacing the overall winner by its stream's next pair replays only
// the matches on its own path: log2(k) comparisons a pair, which nearly always
// end with the first eight bytes.
class LoserTree final : public PairStream {
 public:
  explicit LoserTree(std::vector<std::unique_ptr<PairStream>> streams)
      : streams_(std::move(streams)), heads_(streams_.size()) {}

  absl::Status Init() {
    for (size_t i = 0; i < streams_.size(); ++i) {
      TROMMEL_RETURN_IF_ERROR(Advance(i));
    }
    losers_.assign(streams_.size(), kNobody);
    for (size_t i = 0; i < streams_.size(); ++i) Replay(i);
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Next(Pair* pair) override {
    if (streams_.empty()) return false;
    if (taken_) {
      TROMMEL_RETURN_IF_ERROR(Advance(winner_));
      Replay(winner_);
    }
    taken_ = true;
    if (heads_[winner_].at_end) return false;
    *pair = heads_[winner_].pair;
    return true;
  }

 private:
  static constexpr size_t kNobody = static_cast<size_t>(-1);

  struct Head {
    Pair pair;
    uint64_t prefix = 0;
    bool at_end = false;
  };

  absl::Status Advance(size_t i) {
    Head& head = heads_[i];
    TROMMEL_ASSIGN_OR_RETURN(const bool more, streams_[i]->Next(&head.pair));
    head.at_end = !more;
    head.prefix = more ? KeyPrefix(head.pair.key) : ~uint64_t{0};
    return absl::OkStatus();
  }

  // Whether stream a's pair comes before b's.
  bool Before(size_t a, size_t b) const {
    const Head& x = heads_[a];
    const Head& y = heads_[b];
    if (x.prefix != y.prefix) return x.prefix < y.prefix;
    if (x.at_end || y.at_end) return !x.at_end && y.at_end;
    const int order = x.pair.key.compare(y.pair.key);
    return order != 0 ? order < 0 : a < b;
  }

  // Plays the matches on the path of stream i. While the tree is being built,
  // the first to arrive at a node waits there for its opponent.
  void Replay(size_t i) {
    size_t winner = i;
    for (size_t node = (i + streams_.size()) / 2; node > 0; node /= 2) {
      size_t& loser = losers_[node];
      if (loser == kNobody) {
        loser = winner;
        return;
      }
      if (Before(loser, winner)) std::swap(loser, winner);
    }
    winner_ = winner;
  }

  std::vector<std::unique_ptr<PairStream>> streams_;
  std::vector<Head> heads_;
  std::vector<size_t> losers_;  // by node; node 1 is the root
  size_t winner_ = 0;
  bool taken_ = false;  // the winner's pair was given out
};

// Takes the file along when it goes.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

 private:
  std::string path_;
};

class TemporarySection final : public PairStream {
 public:
  TemporarySection(std::unique_ptr<RunSection> section,
                   std::shared_ptr<TemporaryFile> file)
      : file_(std::move(file)), section_(std::move(section)) {}
  absl::StatusOr<bool> Next(Pair* pair) override {
    return section_->Next(pair);
  }

 private:
  std::shared_ptr<TemporaryFile> file_;
  std::unique_ptr<RunSection> section_;
};

class RunMerger {
 public:
  RunMerger(size_t partition, const MergeOptions& options)
      : partition_(partition),
        options_(options),
        fan_in_(std::max<size_t>(
            std::min(options.memory_bytes / kMinBuffer, options.max_fan_in),
            2)) {}

  absl::StatusOr<std::unique_ptr<PairStream>> Merge(
      const std::vector<Run>& runs) {
    std::vector<Input> inputs;
    for (const Run& run : runs) {
      const int64_t begin = run.section_begin(partition_);
      const int64_t end = run.section_ends[partition_];
      // The one section, as there may be very many.
      if (begin < end) inputs.push_back({{run.path, {begin, end}}, nullptr});
    }
    while (inputs.size() > fan_in_) {
      // As few merges as bring the number down far enough, of the neighbours
      // that are smallest together, so that large runs are not copied.
      const size_t count = std::min(fan_in_, inputs.size() - fan_in_ + 1);
      const size_t first = SmallestWindow(inputs, count);
      const auto begin = inputs.begin() + static_cast<int64_t>(first);
      const auto end = begin + static_cast<int64_t>(count);
      TROMMEL_ASSIGN_OR_RETURN(Input merged,
                               MergeToFile(std::vector<Input>(begin, end)));
      *begin = std::move(merged);
      inputs.erase(begin + 1, end);
    }
    return Open(inputs);
  }

 private:
  // A section: that between the two ends which `run` has.
  struct Input {
    Run run;
    std::shared_ptr<TemporaryFile> temporary;  // null: not ours to remove
    int64_t size() const { return run.section_ends[1] - run.section_ends[0]; }
  };

  static size_t SmallestWindow(const std::vector<Input>& inputs, size_t count) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; ++i) sum += inputs[i].size();
    int64_t least = sum;
    size_t best = 0;
    for (size_t i = count; i < inputs.size(); ++i) {
      sum += inputs[i].size() - inputs[i - count].size();
      if (sum < least) {
        least = sum;
        best = i - count + 1;
      }
    }
    return best;
  }

  absl::StatusOr<std::unique_ptr<PairStream>> Open(
      const std::vector<Input>& inputs) const {
    const size_t buffer =
        std::clamp(options_.memory_bytes / std::max<size_t>(inputs.size(), 1),
                   kMinBuffer, kMaxBuffer);
    std::vector<std::unique_ptr<PairStream>> streams;
    for (const Input& input : inputs) {
      TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<RunSection> section,
                               RunSection::Open(input.run, 1, buffer));
      if (input.temporary != nullptr) {
        streams.push_back(std::make_unique<TemporarySection>(std::move(section),
                                                             input.temporary));
      } else {
        streams.push_back(std::move(section));
      }
    }
    return MergeStreams(std::move(streams));
  }

  absl::StatusOr<Input> MergeToFile(const std::vector<Input>& inputs) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PairStream> stream,
                             Open(inputs));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<RunWriter> writer,
        RunWriter::Create(StrCat(options_.directory, "/merge-", partition_, "-",
                                 num_merges_++),
                          options_.activity));
    TROMMEL_RETURN_IF_ERROR(
        CopyCombined(stream.get(), options_.combiner, writer->sink()));
    writer->EndSection();
    TROMMEL_ASSIGN_OR_RETURN(const Run run, writer->Close());
    return Input{{run.path, {0, run.section_ends[0]}},
                 std::make_shared<TemporaryFile>(run.path)};
  }

  size_t partition_;
  const MergeOptions& options_;
  size_t fan_in_;
  int num_merges_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PairStream>> MergeStreams(
    std::vector<std::unique_ptr<PairStream>> streams) {
  if (streams.size() == 1) return std::move(streams[0]);
  auto tree = std::make_unique<LoserTree>(std::move(streams));
  TROMMEL_RETURN_IF_ERROR(tree->Init());
  return std::unique_ptr<PairStream>(std::move(tree));
}

absl::StatusOr<std::unique_ptr<PairStream>> MergeRuns(
    const std::vector<Run>& runs, size_t partition,
    const MergeOptions& options) {
  return RunMerger(partition, options).Merge(runs);
}

}  // namespace trommel::mr
