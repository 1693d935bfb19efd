#ifndef TROMMEL_MAPREDUCE_IO_SHARD_WRITER_H_
#define TROMMEL_MAPREDUCE_IO_SHARD_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace arrow {
class RecordBatch;
class Schema;
}  // namespace arrow

namespace trommel::io {

// Writes rows as a sequence of Parquet files of bounded size, zstd-compressed:
// PREFIX-00000.parquet, PREFIX-00001.parquet, ... A file appears under its
// name only when it is complete. Without any row one empty file is written, so
// a table always has a schema.
class ShardWriter {
 public:
  struct Options {
    std::string prefix = "part";
    // A new file begins when one has this many bytes.
    int64_t max_file_bytes = int64_t{256} << 20;
    // A row group holds about this many uncompressed bytes: the unit of
    // splits, and what a reader of whole row groups must hold.
    int64_t row_group_bytes = int64_t{64} << 20;
    int zstd_level = 3;
    // Columns of long unique values, for which a dictionary is a waste.
    std::vector<std::string> plain_columns;
  };

  static absl::StatusOr<std::unique_ptr<ShardWriter>> Create(
      const Path& directory, std::shared_ptr<arrow::Schema> schema,
      const Options& options);
  virtual ~ShardWriter() = default;

  // Batches should be small (some megabytes): limits act between them.
  virtual absl::Status Write(const arrow::RecordBatch& batch) = 0;

  // Finishes the last file. Returns all files; nothing may follow.
  virtual absl::StatusOr<std::vector<ShardInfo>> Close() = 0;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_SHARD_WRITER_H_
