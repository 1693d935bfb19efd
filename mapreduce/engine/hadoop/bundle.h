#ifndef TROMMEL_MAPREDUCE_ENGINE_HADOOP_BUNDLE_H_
#define TROMMEL_MAPREDUCE_ENGINE_HADOOP_BUNDLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::mr {

// The running program as an archive that runs on the cluster's nodes, which
// need nothing but the C library of the same or a later version:
//
//   bin/trommel   the program
//   lib/          the shared libraries it has loaded, and `lib_hdfs`
//
// The archive is stored under `directory` by a digest of its contents, so a
// program is sent to the cluster once, not with every job, and nodes keep it.
// Returns its path.
absl::StatusOr<io::Path> PublishBundle(const io::Path& directory,
                                       const std::string& lib_hdfs);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_ENGINE_HADOOP_BUNDLE_H_
