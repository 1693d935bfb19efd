// A library for LD_PRELOAD that kills the process with SIGKILL right before its
// N-th change of the file system: TROMMEL_TEST_DIE_AT=N. With
// TROMMEL_TEST_COUNT_CHANGES=FILE it writes there, when the process ends by
// itself, how many it has made. Processes that this one starts are left alone.
//
// A change is a call that makes, renames or removes a name. What is written
// into a file that is open changes nothing that a reader may rely on.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::atomic<long> num_changes{0};
long die_at = 0;
std::string* count_file = nullptr;

__attribute__((constructor)) void Begin() {
  if (const char* const text = ::getenv("TROMMEL_TEST_DIE_AT")) {
    die_at = ::atol(text);
  }
  if (const char* const file = ::getenv("TROMMEL_TEST_COUNT_CHANGES")) {
    count_file = new std::string(file);
  }
  ::unsetenv("TROMMEL_TEST_DIE_AT");
  ::unsetenv("TROMMEL_TEST_COUNT_CHANGES");
  ::unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) void End() {
  if (count_file == nullptr) return;
  const long count = num_changes;
  if (std::FILE* const file = std::fopen(count_file->c_str(), "w")) {
    std::fprintf(file, "%ld\n", count);
    std::fclose(file);
  }
}

void Change() {
  if (++num_changes == die_at) ::kill(::getpid(), SIGKILL);
}

// The function of that name that this library hides.
template <typename Function>
Function* Hidden(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

template <typename Function, typename... Arguments>
int Changing(Function* function, const char* name, Arguments... arguments) {
  Change();
  return Hidden(function, name)(arguments...);
}

// The mode that follows the flags of a call that makes a file.
mode_t ModeOf(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int rename(const char* from, const char* to) noexcept {
  return Changing(&rename, "rename", from, to);
}
int unlink(const char* path) noexcept {
  return Changing(&unlink, "unlink", path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return Changing(&unlinkat, "unlinkat", folder, path, flags);
}
int remove(const char* path) noexcept {
  return Changing(&remove, "remove", path);
}
int rmdir(const char* path) noexcept { return Changing(&rmdir, "rmdir", path); }
int mkdir(const char* path, mode_t mode) noexcept {
  return Changing(&mkdir, "mkdir", path, mode);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  if ((flags & O_CREAT) != 0) Change();
  return Hidden(&open, "open")(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  if ((flags & O_CREAT) != 0) Change();
  return Hidden(&open64, "open64")(path, flags, mode);
}

}  // extern "C"
