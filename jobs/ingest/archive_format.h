#ifndef TROMMEL_JOBS_INGEST_ARCHIVE_FORMAT_H_
#define TROMMEL_JOBS_INGEST_ARCHIVE_FORMAT_H_

#include "absl/status/status.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::ingest {

// InvalidArgument when a file given as WARC is, by its first bytes, something
// else that is often taken for it: the message names what it is and what to do.
// OK for everything unknown, which may be a damaged WARC file.
absl::Status CheckMayBeWarc(const io::Path& file);

}  // namespace trommel::jobs::ingest

#endif  // TROMMEL_JOBS_INGEST_ARCHIVE_FORMAT_H_
