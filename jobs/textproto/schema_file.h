#ifndef TROMMEL_JOBS_TEXTPROTO_SCHEMA_FILE_H_
#define TROMMEL_JOBS_TEXTPROTO_SCHEMA_FILE_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::textproto {

// The schema of a textproto file, checked. Errors name the file and what is
// wrong in it.
absl::StatusOr<proto::Schema> ReadSchemaFile(std::string_view path_or_uri);

}  // namespace trommel::jobs::textproto

#endif  // TROMMEL_JOBS_TEXTPROTO_SCHEMA_FILE_H_
