#include "jobs/run/run_lock.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status.h"
#include "mapreduce/process/file_lock.h"

namespace trommel::jobs::run {
namespace {

constexpr char kLockFile[] = "run.lock";
// A run holds this for the moment in which it looks at the lock and takes it.
constexpr char kGuardFile[] = ".run.lock.guard";

std::string ReadLocal(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

absl::Status WriteLock(const std::string& file, const std::string& text) {
  const std::string temporary = StrCat(file, ".new");
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out || ::rename(temporary.c_str(), file.c_str()) != 0) {
    return absl::UnavailableError(
        StrCat("cannot write the lock ", file, ": ", std::strerror(errno),
               ". Nothing was started; see to its disk and run again"));
  }
  return absl::OkStatus();
}

}  // namespace

LockHolder LockHolder::ThisProcess() {
  LockHolder holder;
  holder.process = mr::ProcessIdentity::ThisProcess();
  holder.since =
      absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
  return holder;
}

void LockHolder::VisitFields(JsonFields* fields) {
  fields->Visit("host", &process.host);
  fields->Visit("boot_id", &process.boot_id);
  fields->Visit("pid", &process.pid);
  fields->Visit("start_ticks", &process.start_ticks);
  fields->Visit("since", &since);
}

absl::StatusOr<std::unique_ptr<RunLock>> RunLock::Take(
    const std::string& folder) {
  const std::string file = StrCat(folder, "/", kLockFile);
  TROMMEL_ASSIGN_OR_RETURN(const mr::FileLock guard,
                           mr::FileLock::Take(StrCat(folder, "/", kGuardFile)));
  std::unique_ptr<RunLock> lock(new RunLock(file));
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    const absl::StatusOr<LockHolder> holder =
        FromJsonText<LockHolder>(ReadLocal(file));
    if (!holder.ok()) {
      lock->file_.clear();
      return absl::AlreadyExistsError(
          StrCat(file,
                 " is not a lock that trommel run can read; if no run "
                 "is going on, remove it: rm ",
                 file));
    }
    const mr::ProcessIdentity& process = holder->process;
    const std::string who = StrCat("process ", process.pid, " on ",
                                   process.host, " since ", holder->since);
    const std::string why_gone = process.WhyGone();
    if (why_gone.empty()) {
      lock->file_.clear();
      return absl::AlreadyExistsError(
          process.host == mr::HostName()
              ? StrCat("another run is going on: ", who)
              : StrCat("another run is going on, or was killed there: ", who,
                       ". Whether it lives cannot be seen from here (",
                       mr::HostName(),
                       "). If it does not, remove its lock: rm ", file));
    }
    lock->taken_over_ = StrCat("took over the lock of ", who, ": ", why_gone);
  }
  const std::string text = JsonLineText(ToJson(LockHolder::ThisProcess()));
  if (absl::Status status = WriteLock(file, StrCat(text, "\n")); !status.ok()) {
    lock->file_.clear();
    return status;
  }
  return lock;
}

RunLock::~RunLock() {
  if (!file_.empty()) ::unlink(file_.c_str());
}

}  // namespace trommel::jobs::run
