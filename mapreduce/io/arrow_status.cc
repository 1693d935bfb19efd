#include "mapreduce/io/arrow_status.h"

#include <arrow/util/io_util.h>

#include <cerrno>

namespace trommel::io {
namespace {

absl::StatusCode CodeOf(const arrow::Status& status) {
  switch (arrow::internal::ErrnoFromStatus(status)) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
      return absl::StatusCode::kResourceExhausted;
    default:
      break;
  }
  switch (status.code()) {
    case arrow::StatusCode::OutOfMemory:
    case arrow::StatusCode::CapacityError:
      return absl::StatusCode::kResourceExhausted;
    case arrow::StatusCode::NotImplemented:
      return absl::StatusCode::kUnimplemented;
    case arrow::StatusCode::Cancelled:
      return absl::StatusCode::kCancelled;
    case arrow::StatusCode::TypeError:
    case arrow::StatusCode::KeyError:
      return absl::StatusCode::kInvalidArgument;
    case arrow::StatusCode::IOError:
    case arrow::StatusCode::Invalid:
    case arrow::StatusCode::SerializationError:
      return absl::StatusCode::kDataLoss;
    default:
      return absl::StatusCode::kInternal;
  }
}

}  // namespace

absl::Status FromArrow(const arrow::Status& status, std::string_view context) {
  if (status.ok()) return absl::OkStatus();
  std::string message = StrCat(context, ": ", status.message());
  // The reason of the operating system, such as "No space left on device".
  if (status.detail() != nullptr) {
    StrAppend(&message, ": ", status.detail()->ToString());
  }
  return absl::Status(CodeOf(status), message);
}

}  // namespace trommel::io
