#ifndef TROMMEL_MAPREDUCE_IO_PARQUET_FOOTER_H_
#define TROMMEL_MAPREDUCE_IO_PARQUET_FOOTER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::io {

// The footer at the end of a Parquet file, with its length and the magic bytes
// behind it: what decides which rows the file has. Nothing in the format
// protects it. Empty when `end_of_file` does not end with a whole one.
std::string_view ParquetFooterOf(std::string_view end_of_file);

// The footer of a file; DataLoss when it has none.
absl::StatusOr<std::string> ReadParquetFooter(const Path& file);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_PARQUET_FOOTER_H_
