#ifndef TROMMEL_MAPREDUCE_IO_HDFS_H_
#define TROMMEL_MAPREDUCE_IO_HDFS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace arrow::fs {
class FileSystem;
}  // namespace arrow::fs

namespace trommel::io {

// The file system of an hdfs: or viewfs: URI. Unavailable, with the reason,
// when it cannot be reached.
absl::StatusOr<std::shared_ptr<arrow::fs::FileSystem>> ConnectToHdfs(
    const std::string& uri);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_HDFS_H_
