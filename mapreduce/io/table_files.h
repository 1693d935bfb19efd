#ifndef TROMMEL_MAPREDUCE_IO_TABLE_FILES_H_
#define TROMMEL_MAPREDUCE_IO_TABLE_FILES_H_

// The files of tables and of other outputs, held against their manifests.
//
// A manifest (_SUCCESS) lists the files of an output: rows, bytes, the digest
// of each file and that of its Parquet footer. Whoever reads a file that a
// manifest of trommel lists gets that file or an error that names it, what is
// expected and what is found:
//
//  - a table's file is there, has the bytes that it was written with, and the
//    footer, on which its rows depend; the pages have checksums of their own
//    (table_reader.h). A manifest from before there were digests of footers
//    has the number of rows, and that is compared.
//  - a small file, such as one of rules, has its digest.
//
// The manifest of a file is the nearest one in the folders above it. Files that
// it does not list are read as they are: somebody has added them. Outputs
// without a manifest are read as they are, too.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::io {

// The files of a table: the path itself when it is a file, otherwise all
// *.parquet below the directory whose names, and whose folders' names, do not
// begin with '_' or '.', sorted. An error when there is none, or when they are
// not what their manifests say.
absl::StatusOr<std::vector<Entry>> ListTableFiles(const Path& path);

// All bytes of a file, which are those that its manifest says, if it has one.
absl::StatusOr<std::string> ReadListedFile(
    const Path& file, size_t max_bytes = std::numeric_limits<size_t>::max());

// Has this process compare the digests of whole files, too, when it lists a
// table: the flag --verify. It takes the time of reading everything twice.
void SetVerifyDigests(bool verify);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_TABLE_FILES_H_
