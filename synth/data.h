#ifndef TROMMEL_SYNTH_DATA_H_
#define TROMMEL_SYNTH_DATA_H_

#include <string_view>

#include "absl/status/status.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trommel::synth {

// Parses a textproto of data/, strictly: an error for what the message does
// not have, for a list without entries and for an empty word in a list. The
// files are part of the binary, so an error is a programmer's mistake, which
// tests find.
absl::Status ParseData(std::string_view text,
                       google::protobuf::Message* message);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_DATA_H_
