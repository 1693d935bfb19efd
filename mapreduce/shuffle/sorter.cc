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
constexpr size_t kPrefixBytes = 6;

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
// bits and the key's first six bytes below, so one comparison of integers
// decides almost always; `offset` finds the pair, and as pairs are stored in
// the order of their arrival, it also keeps equal keys in that order.
struct Sorter::Entry {
  uint64_t order;
  uint64_t offset;
};

// The sorted pairs of one partition. `rest` moves on past them.
class Sorter::SortedPairs final : public PairStream {
 public:
  SortedPairs(const char* memory, uint32_t partition, const Entry** rest,
              const Entry* end)
      : memory_(memory), partition_(partition), rest_(rest), end_(end) {}

  absl::StatusOr<bool> Next(Pair* pair) override {
    if (*rest_ == end_ || (*rest_)->order >> 48 != partition_) return false;
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
      capacity_(std::max<size_t>(options.memory_bytes, 4096) / sizeof(Entry) *
                sizeof(Entry)) {}

Sorter::~Sorter() { RemoveRuns(); }

void Sorter::RemoveRuns() {
  for (const Run& run : runs_) ::unlink(run.path.c_str());
  runs_.clear();
}

Sorter::Entry* Sorter::entries_end() const {
  return reinterpret_cast<Entry*>(memory_.get() + capacity_);
}

bool Sorter::Before(const Entry& a, const Entry& b) const {
  if (a.order != b.order) return a.order < b.order;
  const char* const x = memory_.get() + a.offset;
  const char* const y = memory_.get() + b.offset;
  const int order =
      std::string_view(x + kHeaderBytes, LoadLength(x))
          .compare(std::string_view(y + kHeaderBytes, LoadLength(y)));
  return order != 0 ? order < 0 : a.offset < b.offset;
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
  std::memcpy(at + kHeaderBytes, key.data(), key.size());
  if (!value.empty()) {
    std::memcpy(at + kHeaderBytes + key.size(), value.data(), value.size());
  }
  char prefix[8] = {};
  std::memcpy(prefix + 2, key.data(), std::min(key.size(), kPrefixBytes));
  Entry* const entry = entries_end() - ++num_entries_;
  entry->order = LoadBigEndian64(prefix) | uint64_t{partition} << 48;
  entry->offset = used_;
  used_ += size;
  return absl::OkStatus();
}

absl::Status Sorter::WriteRun() {
  if (num_entries_ == 0) return absl::OkStatus();
  const Entry* rest = entries_end() - num_entries_;
  std::sort(entries_end() - num_entries_, entries_end(),
            [this](const Entry& a, const Entry& b) { return Before(a, b); });
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<RunWriter> writer,
      RunWriter::Create(StrCat(options_.directory, "/run-", runs_.size())));
  for (uint32_t i = 0; i < options_.num_partitions; ++i) {
    SortedPairs pairs(memory_.get(), i, &rest, entries_end());
    TROMMEL_RETURN_IF_ERROR(
        CopyCombined(&pairs, options_.combiner, writer->sink()));
    writer->EndSection();
  }
  used_ = num_entries_ = 0;
  TROMMEL_ASSIGN_OR_RETURN(Run run, writer->Close());
  runs_.push_back(std::move(run));
  return absl::OkStatus();
}

absl::StatusOr<Run> Sorter::MergeToOne() {
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<RunWriter> writer,
      RunWriter::Create(StrCat(options_.directory, "/merged")));
  MergeOptions merge;
  merge.memory_bytes = options_.memory_bytes;
  merge.directory = options_.directory;
  merge.combiner = options_.combiner;
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
