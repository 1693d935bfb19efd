#ifndef TROMMEL_SYNTH_WORDS_H_
#define TROMMEL_SYNTH_WORDS_H_

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/random.h"
#include "proto/synth_data.pb.h"

namespace trommel::synth {

using WordList = google::protobuf::RepeatedPtrField<std::string>;

// The words and texts of the synthetic web, data/words.textproto.
const proto::SynthWords& Words();

// Such a file's words, with as many entries as pages need.
absl::StatusOr<proto::SynthWords> ParseWords(std::string_view text);

// Links in a column of the footer; the columns share out the service links.
inline constexpr int kLinksPerFooterColumn = 6;
// Links in the longest list of headlines.
inline constexpr int kMaxHeadlineLinks = 11;

// The entry of a list or array that `choice` falls on.
template <typename List>
const auto& EntryAt(const List& list, uint64_t choice) {
  return list[static_cast<int>(choice % std::size(list))];
}

// One entry, uniformly. Two draws never stand in one call: C++ leaves open
// which argument is evaluated first, and a spec gives the same bytes whatever
// the compiler.
template <typename List>
const auto& Pick(const List& list, Random* random) {
  return EntryAt(list, random->Below(std::size(list)));
}

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_WORDS_H_
