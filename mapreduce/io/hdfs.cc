#include "mapreduce/io/hdfs.h"

#include <arrow/filesystem/hdfs.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "mapreduce/hadoop/installation.h"
#include "mapreduce/io/arrow_status.h"

namespace trommel::io {
namespace {

// Catches what is written to standard error while it exists: libhdfs reports
// causes nowhere else, and with forty lines of Java behind each.
class StandardErrorCatcher {
 public:
  StandardErrorCatcher()
      : file_(::memfd_create("stderr", MFD_CLOEXEC)),
        saved_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
    std::fflush(stderr);
    if (file_ >= 0 && saved_ >= 0) ::dup2(file_, STDERR_FILENO);
  }
  ~StandardErrorCatcher() {
    std::fflush(stderr);
    if (saved_ >= 0) {
      ::dup2(saved_, STDERR_FILENO);
      ::close(saved_);
    }
    if (file_ >= 0) ::close(file_);
  }
  StandardErrorCatcher(const StandardErrorCatcher&) = delete;
  StandardErrorCatcher& operator=(const StandardErrorCatcher&) = delete;

  std::string Text() const {
    std::fflush(stderr);
    std::string text(size_t{1} << 14, '\0');
    const ssize_t count = ::pread(file_, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
  }

 private:
  int file_;
  int saved_;
};

// "Connection refused" of "...: ConnectException: Connection refusedjava.net.
// ConnectException: Call From ...".
std::string CauseIn(std::string_view text) {
  const size_t exception = text.find("Exception: ");
  if (exception == std::string_view::npos) return "no answer";
  std::string_view cause = text.substr(exception + 11);
  cause = cause.substr(0, cause.find('\n'));
  cause = cause.substr(0, cause.find("java."));
  cause = cause.substr(0, cause.find("org.apache."));
  return std::string(cause.substr(0, 300));
}

}  // namespace

absl::StatusOr<std::shared_ptr<arrow::fs::FileSystem>> ConnectToHdfs(
    const std::string& uri) {
  TROMMEL_RETURN_IF_ERROR(mr::PrepareHdfs());
  TROMMEL_ASSIGN_OR_RETURN_ARROW(arrow::fs::HdfsOptions options,
                                 arrow::fs::HdfsOptions::FromUri(uri), uri);
  // As many copies of a file as the cluster's configuration says, unless the
  // URI does; left to itself Arrow asks for three.
  if (uri.find("replication=") == std::string::npos) options.replication = 0;
  // A NameNode that does not answer is an error within a minute.
  options.ConfigureExtraConf("ipc.client.connect.timeout", "10000");
  options.ConfigureExtraConf("ipc.client.connect.max.retries.on.timeouts", "3");
  options.ConfigureExtraConf("ipc.client.connect.max.retries", "5");
  const StandardErrorCatcher errors;
  auto made = arrow::fs::HadoopFileSystem::Make(options);
  const std::string name = StrCat(options.host(), ":", options.port());
  // Connecting says nothing yet: the first question does. Arrow takes every
  // error for an absent file, and a root is never absent.
  static std::mutex mutex;
  static auto* const reached = new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  if (made.ok() && reached->count(name) > 0) return *std::move(made);
  if (made.ok()) {
    const auto root = (*made)->GetFileInfo("/");
    if (root.ok() && root->type() == arrow::fs::FileType::Directory) {
      reached->insert(name);
      return *std::move(made);
    }
  } else if (errors.Text().empty()) {
    return FromArrow(made.status(), uri);
  }
  return absl::UnavailableError(
      StrCat("cannot reach HDFS at ", name, ": ", CauseIn(errors.Text()),
             "; is the address right, and is its NameNode running?"));
}

}  // namespace trommel::io
