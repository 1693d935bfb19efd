#ifndef TROMMEL_JOBS_RUN_ALERTS_UNREADABLE_FILE_H_
#define TROMMEL_JOBS_RUN_ALERTS_UNREADABLE_FILE_H_

#include <string>

#include "mapreduce/io/path.h"

namespace trommel::jobs::run::alerts {

// Renames a local file that cannot be read, so that what is in it is not lost
// when it is written anew, and returns its new name.
std::string MoveUnreadableAside(const io::Path& file);

}  // namespace trommel::jobs::run::alerts

#endif  // TROMMEL_JOBS_RUN_ALERTS_UNREADABLE_FILE_H_
