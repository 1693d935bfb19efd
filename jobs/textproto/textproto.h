#ifndef TROMMEL_JOBS_TEXTPROTO_TEXTPROTO_H_
#define TROMMEL_JOBS_TEXTPROTO_TEXTPROTO_H_

#include <string_view>

#include "absl/status/status.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trommel::jobs::textproto {

// Parses a textproto file that a person wrote. The error names the file, line,
// column and what is wrong there; for a field that does not exist, the one that
// was probably meant.
absl::Status ParseTextproto(std::string_view text, std::string_view file,
                            google::protobuf::Message* message);

}  // namespace trommel::jobs::textproto

#endif  // TROMMEL_JOBS_TEXTPROTO_TEXTPROTO_H_
