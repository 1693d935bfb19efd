#include "mapreduce/shuffle/sorter.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/codec/big_endian.h"
#include "mapreduce/shuffle/groups.h"
#include "mapreduce/shuffle/merge.h"

namespace trommel::mr {
namespace {

// In memory a pair is: key length, value length (32 bits each), key, value.
constexpr size_t kHeaderBytes = 8;

// How many bytes of a key an entry shows at first and later on.
constexpr size_t kFirstWindow = 5;
constexpr size_t kLaterWindow = 7;
// Says that more of the key follows.
constexpr uint64_t kMore = 0xFF;
// Ties so few, or keys equal for so long, are decided by comparing keys.
constexpr int64_t kFewTies = 16;
constexpr size_t kMaxDepth = 512;
// How many pairs before it is written a pair's memory is asked for.
constexpr int64_t kPrefetch = 8;

// `width` bytes of a key from `depth` on, most significant first, and below
// them how many there were, so that a key comes before its extensions.
uint64_t Window(std::string_view key, size_t depth, size_t width) {
  char bytes[8] = {};
  const size_t rest = key.size() - depth;
  if (rest > 0) {
    std::memcpy(bytes + 7 - width, key.data() + depth, std::min(rest, width));
  }
  bytes[7] = static_cast<char>(rest > width ? kMore : rest);
  return LoadBigEndian64(bytes);
}

uint32_t LoadLength(const char* from) {
  uint32_t value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

void StoreLength(size_t length, char* to) {
  const auto value = static_cast<uint32_t>(length);
  std::memcpy(to, &value, sizeof(value));
}

}  // namespace

// What is moved about while sorting. `order` is the partition in the upper 16
// bits and a window of the key below, so one comparison of integers decides
// almost always; `offset` finds the pair, and as pairs are stored in the order
// of their arrival, it also keeps equal keys in that order.
struct Sorter::Entry {
  uint64_t order;
  uint64_t offset;

  bool operator<(const Entry& other) const {
    return order != other.order ? order < other.order : offset < other.offset;
  }
};

// The sorted pairs of one partition. `rest` moves on past them.
class Sorter::SortedPairs final : public PairStream {
 public:
  SortedPairs(const char* memory, uint32_t partition, const Entry** rest,
              const Entry* end)
      : memory_(memory), partition_(partition), rest_(rest), end_(end) {}

  absl::StatusOr<bool> Next(Pair* pair) override {
    if (*rest_ == end_ || (*rest_)->order >> 48 != partition_) return false;
    if (end_ - *rest_ > kPrefetch) {
      const char* const later = memory_ + (*rest_)[kPrefetch].offset;
      __builtin_prefetch(later);
      __builtin_prefetch(later + 64);
    }
    const char* const at = memory_ + (*rest_)->offset;
    const uint32_t key_size = LoadLength(at);
    pair->key = std::string_view(at + kHeaderBytes, key_size);
    pair->value =
        std::string_view(at + kHeaderBytes + key_size, LoadLength(at + 4));
    ++*rest_;
    return true;
  }

 private:
  const char* memory_;
  uint32_t partition_;
  const Entry** rest_;
  const Entry* end_;
};

Sorter::Sorter(const Options& options)
    : options_(options),
      usual_capacity_(std::max<size_t>(options.memory_bytes, 4096) /
                      sizeof(Entry) * sizeof(Entry)),
      capacity_(usual_capacity_) {}

Sorter::~Sorter() { RemoveRuns(); }

void Sorter::RemoveRuns() {
  for (const Run& run : runs_) ::unlink(run.path.c_str());
  runs_.clear();
}

Sorter::Entry* Sorter::entries_end() const {
  return reinterpret_cast<Entry*>(memory_.get() + capacity_);
}

std::string_view Sorter::KeyOf(const Entry& entry) const {
  const char* const at = memory_.get() + entry.offset;
  return std::string_view(at + kHeaderBytes, LoadLength(at));
}

// Sorts entries whose keys are equal before the window they show, which ends at
// `depth`. Comparing keys themselves would be slow where many begin alike, as
// those of a large group do: each comparison goes to two distant places of the
// memory. So ties are moved on to the window where their keys begin to differ
// and sorted by that (Bentley and Sedgewick, Fast Algorithms for Sorting and
// Searching Strings, SODA 1997, with several characters at a time).
void Sorter::Sort(Entry* begin, Entry* end, size_t depth) const {
  if (!std::is_sorted(begin, end)) std::sort(begin, end);
  while (begin != end) {
    const uint64_t order = begin->order;
    Entry* const next = std::find_if(
        begin + 1, end, [order](const Entry& e) { return e.order != order; });
    if (next - begin > 1 && (order & 0xFF) == kMore) {
      SortTies(begin, next, depth);
    }
    begin = next;
  }
}

// How many bytes all keys have in common; `depth` of them are known.
size_t Sorter::CommonLength(const Entry* begin, const Entry* end,
                            size_t depth) const {
  std::string_view common = KeyOf(*begin).substr(depth);
  for (const Entry* entry = begin + 1; entry != end; ++entry) {
    const std::string_view key = KeyOf(*entry).substr(depth);
    if (key.starts_with(common)) continue;
    const auto differ =
        std::mismatch(common.begin(), common.end(), key.begin(), key.end());
    common =
        common.substr(0, static_cast<size_t>(differ.first - common.begin()));
  }
  return depth + common.size();
}

void Sorter::SortTies(Entry* begin, Entry* end, size_t depth) const {
  if (end - begin <= kFewTies || depth > kMaxDepth) {
    std::sort(begin, end, [this, depth](const Entry& a, const Entry& b) {
      const int order = KeyOf(a).substr(depth).compare(KeyOf(b).substr(depth));
      return order != 0 ? order < 0 : a.offset < b.offset;
    });
    return;
  }
  const uint64_t order = begin->order;
  depth = CommonLength(begin, end, depth);
  for (Entry* entry = begin; entry != end; ++entry) {
    entry->order = Window(KeyOf(*entry), depth, kLaterWindow);
  }
  Sort(begin, end, depth + kLaterWindow);
  for (Entry* entry = begin; entry != end; ++entry) entry->order = order;
}

absl::Status Sorter::Add(uint32_t partition, std::string_view key,
                         std::string_view value) {
  if (key.size() > kMaxFieldBytes || value.size() > kMaxFieldBytes) {
    return absl::InvalidArgumentError(
        StrCat("a key of ", key.size(), " bytes with a value of ", value.size(),
               "; the limit of each is ", kMaxFieldBytes));
  }
  const size_t size = kHeaderBytes + key.size() + value.size();
  const auto fits = [this, size] {
    return used_ + size + (num_entries_ + 1) * sizeof(Entry) <= capacity_;
  };
  if (!fits()) TROMMEL_RETURN_IF_ERROR(WriteRun());
  if (!fits()) {
    capacity_ = (size + 2 * sizeof(Entry)) / sizeof(Entry) * sizeof(Entry);
    memory_.reset();
  }
  // Pages of the memory that no pair reaches are never touched.
  if (memory_ == nullptr) memory_.reset(new char[capacity_]);
  char* const at = memory_.get() + used_;
  StoreLength(key.size(), at);
  StoreLength(value.size(), at + 4);
  if (!key.empty()) std::memcpy(at + kHeaderBytes, key.data(), key.size());
  if (!value.empty()) {
    std::memcpy(at + kHeaderBytes + key.size(), value.data(), value.size());
  }
  Entry* const entry = entries_end() - ++num_entries_;
  entry->order = Window(key, 0, kFirstWindow) | uint64_t{partition} << 48;
  entry->offset = used_;
  used_ += size;
  return absl::OkStatus();
}

absl::Status Sorter::WriteRun() {
  if (num_entries_ == 0) return absl::OkStatus();
  Entry* const entries = entries_end() - num_entries_;
  std::reverse(entries, entries_end());  // into the order of arrival
  Sort(entries, entries_end(), kFirstWindow);
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<RunWriter> writer,
      RunWriter::Create(StrCat(options_.directory, "/run-", runs_.size()),
                        options_.activity));
  const Entry* rest = entries;
  for (uint32_t i = 0; i < options_.num_partitions; ++i) {
    SortedPairs pairs(memory_.get(), i, &rest, entries_end());
    TROMMEL_RETURN_IF_ERROR(
        CopyCombined(&pairs, options_.combiner, writer->sink()));
    writer->EndSection();
  }
  used_ = num_entries_ = 0;
  if (capacity_ > usual_capacity_) {
    memory_.reset();
    capacity_ = usual_capacity_;
  }
  TROMMEL_ASSIGN_OR_RETURN(Run run, writer->Close());
  runs_.push_back(std::move(run));
  return absl::OkStatus();
}

absl::StatusOr<Run> Sorter::MergeToOne() {
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<RunWriter> writer,
      RunWriter::Create(StrCat(options_.directory, "/merged"),
                        options_.activity));
  MergeOptions merge;
  merge.memory_bytes = options_.memory_bytes;
  merge.directory = options_.directory;
  merge.combiner = options_.combiner;
  merge.activity = options_.activity;
  for (uint32_t i = 0; i < options_.num_partitions; ++i) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PairStream> stream,
                             MergeRuns(runs_, i, merge));
    TROMMEL_RETURN_IF_ERROR(
        CopyCombined(stream.get(), options_.combiner, writer->sink()));
    writer->EndSection();
  }
  return writer->Close();
}

absl::StatusOr<std::vector<Run>> Sorter::Finish() {
  TROMMEL_RETURN_IF_ERROR(WriteRun());
  memory_.reset();
  if (options_.combiner != nullptr && runs_.size() > 1) {
    TROMMEL_ASSIGN_OR_RETURN(Run merged, MergeToOne());
    RemoveRuns();
    runs_.push_back(std::move(merged));
  }
  return std::exchange(runs_, {});
}

}  // namespace trommel::mr
