#ifndef TROMMEL_MAPREDUCE_IO_ARROW_STATUS_H_
#define TROMMEL_MAPREDUCE_IO_ARROW_STATUS_H_

// Arrow reports errors by its own Status; everything above mapreduce/io by
// absl's. Only sources inside mapreduce/io and table code include this.

#include <arrow/result.h>
#include <arrow/status.h>

#include <string_view>

#include "absl/status/status.h"
#include "core/base/status.h"

namespace trommel::io {

// The same error as an absl::Status, with `context` (a file, a row group) in
// front of the message.
absl::Status FromArrow(const arrow::Status& status, std::string_view context);

}  // namespace trommel::io

// Like TROMMEL_RETURN_IF_ERROR and TROMMEL_ASSIGN_OR_RETURN, from Arrow.
#define TROMMEL_RETURN_IF_ARROW_ERROR(expression, context)               \
  do {                                                                   \
    const arrow::Status trommel_arrow_status_ = (expression);            \
    if (!trommel_arrow_status_.ok()) {                                   \
      return ::trommel::io::FromArrow(trommel_arrow_status_, (context)); \
    }                                                                    \
  } while (false)

#define TROMMEL_ASSIGN_OR_RETURN_ARROW(declaration, expression, context) \
  TROMMEL_ASSIGN_OR_RETURN_ARROW_IMPL_(                                  \
      TROMMEL_STATUS_CONCAT_(trommel_result_, __LINE__), declaration,    \
      expression, context)
#define TROMMEL_ASSIGN_OR_RETURN_ARROW_IMPL_(result, declaration, expression, \
                                             context)                         \
  auto result = (expression);                                                 \
  if (!result.ok()) {                                                         \
    return ::trommel::io::FromArrow(result.status(), (context));              \
  }                                                                           \
  declaration = std::move(result).ValueUnsafe()

#endif  // TROMMEL_MAPREDUCE_IO_ARROW_STATUS_H_
