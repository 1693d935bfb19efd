#include "jobs/run/run_lock.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status.h"
#include "mapreduce/process/file_lock.h"

namespace trommel::run {
namespace {

constexpr char kLockFile[] = "run.lock";
// Held for the moment in which a run looks at the lock and takes it.
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

std::string LockHolder::ToJson() const {
  nlohmann::ordered_json json;
  json["host"] = process.host;
  json["boot_id"] = process.boot_id;
  json["pid"] = process.pid;
  json["start_ticks"] = process.start_ticks;
  json["since"] = since;
  return json.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

absl::StatusOr<LockHolder> LockHolder::FromJson(const std::string& text) {
  const nlohmann::json json =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  LockHolder holder;
  const auto read_text = [&](const char* name, std::string* value) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_string()) {
      return false;
    }
    *value = json[name].get<std::string>();
    return true;
  };
  const auto read_number = [&](const char* name, int64_t* value) {
    if (!json.is_object() || !json.contains(name) ||
        !json[name].is_number_integer()) {
      return false;
    }
    *value = json[name].get<int64_t>();
    return true;
  };
  if (!read_text("host", &holder.process.host) ||
      !read_text("boot_id", &holder.process.boot_id) ||
      !read_text("since", &holder.since) ||
      !read_number("pid", &holder.process.pid) ||
      !read_number("start_ticks", &holder.process.start_ticks)) {
    return absl::DataLossError("not a lock of trommel run");
  }
  return holder;
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
        LockHolder::FromJson(ReadLocal(file));
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
  if (absl::Status status = WriteLock(file, LockHolder::ThisProcess().ToJson());
      !status.ok()) {
    lock->file_.clear();
    return status;
  }
  return lock;
}

RunLock::~RunLock() {
  if (!file_.empty()) ::unlink(file_.c_str());
}

}  // namespace trommel::run
