#include "mapreduce/process/process_identity.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/status.h"
#include "core/base/text.h"

namespace trommel::mr {
namespace {

std::string ReadLocal(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Field 22 of /proc/PID/stat; 0 when there is no such process. One that has
// ended, and of which only its parent has yet to hear (field 3: Z or X), is
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

}  // namespace

std::string HostName() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

bool IsRunning(int64_t pid) {
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return false;
  // What /proc does not show may be another user's; only one that it shows to
  // have ended is gone.
  return StartTicks(pid) != 0 ||
         ::access(StrCat("/proc/", pid, "/stat").c_str(), R_OK) != 0;
}

ProcessIdentity ProcessIdentity::ThisProcess() {
  return {HostName(), BootId(), ::getpid(), StartTicks(::getpid())};
}

std::string ProcessIdentity::WhyGone() const {
  if (host != HostName()) return {};
  if (boot_id != BootId()) return "the machine was started again since";
  const int64_t start = StartTicks(pid);
  if (start == 0) return "that process is gone";
  if (start != start_ticks) return "that number is another process now";
  return {};
}

}  // namespace trommel::mr
