#include "mapreduce/shuffle/groups.h"

#include <string>

#include "core/base/status.h"
#include "mapreduce/codec/ordered.h"

namespace trommel::mr {
namespace {

// Walks a sorted stream in runs of pairs whose keys agree: in the group for a
// reducer, in the whole key for a combiner.
class RunWalker final : public Values {
 public:
  RunWalker(PairStream* stream, bool whole_key)
      : stream_(stream), whole_key_(whole_key) {}

  // Moves to the next run; false at the end or on an error. Values of the
  // present run that nobody read are passed over.
  bool NextRun() {
    while (in_run_) Next();
    if (!started_) Read();
    started_ = true;
    if (at_end_) return false;
    std::string_view sort_key = pair_.key;
    if (!ConsumeOrderedBytes(&sort_key, &group_)) {
      status_ = absl::DataLossError("a key of the shuffle is malformed");
      at_end_ = true;
      return false;
    }
    group_bytes_ = pair_.key.size() - sort_key.size();
    run_key_.assign(whole_key_ ? pair_.key : pair_.key.substr(0, group_bytes_));
    in_run_ = true;
    is_first_ = true;
    return true;
  }

  bool Next() override {
    if (!in_run_) return false;
    if (is_first_) {
      is_first_ = false;
      return true;
    }
    Read();
    in_run_ = !at_end_ && InRun(pair_.key);
    return in_run_;
  }
  std::string_view value() const override { return pair_.value; }
  std::string_view sort_key() const override {
    return pair_.key.substr(group_bytes_);
  }

  const std::string& group() const { return group_; }
  const std::string& run_key() const { return run_key_; }
  const absl::Status& status() const { return status_; }

 private:
  // An encoded group ends with a mark, so what begins with its bytes is of it.
  bool InRun(std::string_view key) const {
    return whole_key_ ? key == run_key_ : key.starts_with(run_key_);
  }
  void Read() {
    const absl::StatusOr<bool> more = stream_->Next(&pair_);
    at_end_ = !more.ok() || !*more;
    if (!more.ok()) status_ = more.status();
  }

  PairStream* stream_;
  bool whole_key_;
  Pair pair_;
  std::string run_key_;
  std::string group_;
  size_t group_bytes_ = 0;
  bool started_ = false;
  bool at_end_ = false;
  bool in_run_ = false;
  bool is_first_ = false;  // the run's first pair is there and not yet given
  absl::Status status_;
};

class CombinedOutput final : public Combiner::Output {
 public:
  CombinedOutput(const std::string& key, PairSink* sink)
      : key_(key), sink_(sink) {}
  absl::Status Emit(std::string_view value) override {
    return sink_->Append({key_, value});
  }

 private:
  const std::string& key_;
  PairSink* sink_;
};

}  // namespace

absl::Status ReduceGroups(PairStream* sorted, Reducer* reducer,
                          TaskOutput* out) {
  RunWalker walker(sorted, /*whole_key=*/false);
  while (walker.NextRun()) {
    TROMMEL_RETURN_IF_ERROR(reducer->Reduce(walker.group(), &walker, out));
    // A stream that broke looks to the reducer like a group's end.
    TROMMEL_RETURN_IF_ERROR(walker.status());
  }
  TROMMEL_RETURN_IF_ERROR(walker.status());
  return reducer->Finish(out);
}

absl::Status CopyCombined(PairStream* sorted, Combiner* combiner,
                          PairSink* out) {
  if (combiner == nullptr) {
    Pair pair;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, sorted->Next(&pair));
      if (!more) return absl::OkStatus();
      TROMMEL_RETURN_IF_ERROR(out->Append(pair));
    }
  }
  RunWalker walker(sorted, /*whole_key=*/true);
  while (walker.NextRun()) {
    CombinedOutput output(walker.run_key(), out);
    TROMMEL_RETURN_IF_ERROR(
        combiner->Combine(walker.group(), &walker, &output));
    TROMMEL_RETURN_IF_ERROR(walker.status());
  }
  return walker.status();
}

}  // namespace trommel::mr
