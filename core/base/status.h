#ifndef TROMMEL_CORE_BASE_STATUS_H_
#define TROMMEL_CORE_BASE_STATUS_H_

// Shorthands for functions that return absl::Status or absl::StatusOr<T>.
//
//   TROMMEL_RETURN_IF_ERROR(writer.Close());
//   TROMMEL_ASSIGN_OR_RETURN(Manifest manifest, ReadManifest(path));

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strings.h"

namespace trommel {

// The same error with `context` put in front of its message, for example the
// name of the file that was being read. OK stays OK.
inline absl::Status Annotate(const absl::Status& status,
                             std::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(), StrCat(context, ": ", status.message()));
}

}  // namespace trommel

#define TROMMEL_RETURN_IF_ERROR(expression)            \
  do {                                                 \
    absl::Status trommel_status_ = (expression);       \
    if (!trommel_status_.ok()) return trommel_status_; \
  } while (false)

#define TROMMEL_STATUS_CONCAT_INNER_(a, b) a##b
#define TROMMEL_STATUS_CONCAT_(a, b) TROMMEL_STATUS_CONCAT_INNER_(a, b)

// A declaration whose type has a comma needs `auto` or an alias; commas in the
// expression are no problem.
#define TROMMEL_ASSIGN_OR_RETURN(declaration, ...)                      \
  TROMMEL_ASSIGN_OR_RETURN_IMPL_(                                       \
      TROMMEL_STATUS_CONCAT_(trommel_statusor_, __LINE__), declaration, \
      __VA_ARGS__)
#define TROMMEL_ASSIGN_OR_RETURN_IMPL_(statusor, declaration, ...) \
  auto statusor = (__VA_ARGS__);                                   \
  if (!statusor.ok()) return statusor.status();                    \
  declaration = *std::move(statusor)

#endif  // TROMMEL_CORE_BASE_STATUS_H_
