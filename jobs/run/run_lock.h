#ifndef TROMMEL_JOBS_RUN_RUN_LOCK_H_
#define TROMMEL_JOBS_RUN_RUN_LOCK_H_

// Keeps two runs of one pipeline apart.
//
// The lock is a file with the host, the boot of the host, the process and the
// time that process started (mapreduce/process/process_identity.h). A run that
// was killed leaves it behind; on the same host the next one sees that the
// process is gone (or that its number is now another's) and takes over. What
// runs on another host cannot be seen from here, so such a lock is an error
// that says how to remove it.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/base/json_fields.h"
#include "mapreduce/process/process_identity.h"

namespace trommel::jobs::run {

// Who holds a lock.
struct LockHolder {
  mr::ProcessIdentity process;
  std::string since;  // for people

  static LockHolder ThisProcess();
  void VisitFields(JsonFields* fields);
};

class RunLock {
 public:
  // `folder` is local and exists. AlreadyExists when another run has the lock.
  static absl::StatusOr<std::unique_ptr<RunLock>> Take(
      const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  // Returns what was found and taken over, for the log; empty: nothing.
  const std::string& taken_over() const { return taken_over_; }

 private:
  explicit RunLock(std::string file) : file_(std::move(file)) {}

  std::string file_;
  std::string taken_over_;
};

}  // namespace trommel::jobs::run

#endif  // TROMMEL_JOBS_RUN_RUN_LOCK_H_
