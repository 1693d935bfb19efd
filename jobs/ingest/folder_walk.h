#ifndef TROMMEL_JOBS_INGEST_FOLDER_WALK_H_
#define TROMMEL_JOBS_INGEST_FOLDER_WALK_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::ingest {

// What is passed over in a folder, and the keys under which it is counted.
inline constexpr std::string_view kSkippedLink = "link";
inline constexpr std::string_view kSkippedPipe = "pipe";
inline constexpr std::string_view kSkippedSocket = "socket";
inline constexpr std::string_view kSkippedDevice = "device";
inline constexpr std::string_view kSkippedHidden = "hidden";

// The files below a folder, in order of their names, each once.
//
// Links are not followed, whether they lead out of the folder, around in it or
// nowhere; pipes, sockets and devices, which may never end, are not opened;
// names that begin with '_' or '.' are left alone with all below them. Each of
// these is reported, so that somebody can count it. The folder itself may be
// reached by a link.
//
// Goes depth first, folder by folder, so that memory holds the names of one
// folder per level and not those of the whole tree.
class FolderWalk {
 public:
  explicit FolderWalk(const io::Path& folder);

  // A file, or what was passed over.
  struct Step {
    io::Entry entry;
    std::string_view skipped;  // as what it was passed over; empty: a file
  };
  // False at the end.
  absl::StatusOr<bool> Next(Step* step);

 private:
  std::vector<Step> pending_;
};

// Why a file that somebody has named must not be read as one of a folder: its
// links lead out of it, or it is no file but something that may never end.
absl::Status CheckFileInFolder(const io::Path& folder, const io::Path& file);

}  // namespace trommel::jobs::ingest

#endif  // TROMMEL_JOBS_INGEST_FOLDER_WALK_H_
