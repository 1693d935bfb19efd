#ifndef TROMMEL_MAPREDUCE_PROCESS_PROCESS_IDENTITY_H_
#define TROMMEL_MAPREDUCE_PROCESS_PROCESS_IDENTITY_H_

#include <cstdint>
#include <string>

namespace trommel::mr {

std::string HostName();

// Whether a process of this host runs. One that has ended, and of which only
// its parent has yet to hear, does not.
bool IsRunning(int64_t pid);

// A process, told apart from all others that ever have its number: by its host,
// the boot of the host and the time it started.
struct ProcessIdentity {
  std::string host;
  std::string boot_id;
  int64_t pid = 0;
  int64_t start_ticks = 0;  // since boot

  static ProcessIdentity ThisProcess();

  // Why the process no longer runs, as a clause for people; empty when it does,
  // or may: what runs on another host cannot be seen from here.
  std::string WhyGone() const;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_PROCESS_PROCESS_IDENTITY_H_
