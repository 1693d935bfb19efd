#include "jobs/run/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status.h"
#include "core/base/text.h"

namespace trommel::run {
namespace {

constexpr char kLockFile[] = "run.lock";
// A run holds this for the moment in which it looks at the lock and takes it.
constexpr char kGuardFile[] = ".run.lock.guard";

std::string ReadLocal(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Returns field 22 of /proc/PID/stat; 0 when there is no such process. One that
// has ended, and of which only its parent has yet to hear (field 3: Z or X), is
// none.
int64_t StartTicks(int64_t pid) {
  const std::string stat = ReadLocal(StrCat("/proc/", pid, "/stat"));
  const size_t name_end = stat.rfind(')');  // names may hold anything
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 22 && fields >> field; ++number) {
    if (number == 3 && (field == "Z" || field == "X")) return 0;
    if (number == 22) return std::stoll(field);
  }
  return 0;
}

std::string BootId() {
  return NormalizeSpace(ReadLocal("/proc/sys/kernel/random/boot_id"));
}

std::string HostName() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

// Returns why the holder no longer runs; empty when it does, or may.
std::string WhyStale(const LockHolder& holder) {
  if (holder.host != HostName()) return {};
  if (holder.boot_id != BootId()) return "the machine was started again since";
  const int64_t start = StartTicks(holder.pid);
  if (start == 0) return "that process is gone";
  if (start != holder.start_ticks) return "that number is another process now";
  return {};
}

// An flock that ends with its scope.
class Guard {
 public:
  explicit Guard(const std::string& file)
      : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
  }
  ~Guard() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool ok() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

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
  holder.host = HostName();
  holder.boot_id = BootId();
  holder.pid = ::getpid();
  holder.start_ticks = StartTicks(holder.pid);
  holder.since =
      absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
  return holder;
}

void LockHolder::VisitFields(JsonFields* fields) {
  fields->Visit("host", &host);
  fields->Visit("boot_id", &boot_id);
  fields->Visit("pid", &pid);
  fields->Visit("start_ticks", &start_ticks);
  fields->Visit("since", &since);
}

absl::StatusOr<std::unique_ptr<RunLock>> RunLock::Take(
    const std::string& folder) {
  const std::string file = StrCat(folder, "/", kLockFile);
  const Guard guard(StrCat(folder, "/", kGuardFile));
  if (!guard.ok()) {
    return absl::UnavailableError(
        StrCat("cannot lock ", folder, ": ", std::strerror(errno)));
  }
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
    const std::string who = StrCat("process ", holder->pid, " on ",
                                   holder->host, " since ", holder->since);
    const std::string stale = WhyStale(*holder);
    if (stale.empty()) {
      lock->file_.clear();
      return absl::AlreadyExistsError(
          holder->host == HostName()
              ? StrCat("another run is going on: ", who)
              : StrCat("another run is going on, or was killed there: ", who,
                       ". Whether it lives cannot be seen from here (",
                       HostName(), "). If it does not, remove its lock: rm ",
                       file));
    }
    lock->taken_over_ = StrCat("took over the lock of ", who, ": ", stale);
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

}  // namespace trommel::run
