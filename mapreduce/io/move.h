#ifndef TROMMEL_MAPREDUCE_IO_MOVE_H_
#define TROMMEL_MAPREDUCE_IO_MOVE_H_

#include "absl/status/status.h"
#include "mapreduce/io/path.h"

namespace trommel::io {

// Moves a file or directory, to another file system if need be: then there is a
// copy under a hidden name beside the target until it is complete. The target
// must not exist, its directory must.
absl::Status Move(const Path& from, const Path& to);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_MOVE_H_
