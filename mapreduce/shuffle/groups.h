#ifndef TROMMEL_MAPREDUCE_SHUFFLE_GROUPS_H_
#define TROMMEL_MAPREDUCE_SHUFFLE_GROUPS_H_

// Sorted pairs, group by group.

#include "absl/status/status.h"
#include "mapreduce/codec/pair_stream.h"
#include "mapreduce/job/job.h"

namespace trommel::mr {

// Calls the reducer for every group of a stream sorted by shuffle key. Groups
// of any size pass through; only one pair is held at a time.
absl::Status ReduceGroups(PairStream* sorted, Reducer* reducer,
                          TaskOutput* out);

// Copies a sorted stream. With a combiner (it may be null), what it makes of
// the values of each key takes their place.
absl::Status CopyCombined(PairStream* sorted, Combiner* combiner,
                          PairSink* out);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_SHUFFLE_GROUPS_H_
