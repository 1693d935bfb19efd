#include "mapreduce/hadoop/installation.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/hadoop/program_tree.h"

namespace trommel::mr {
namespace {

namespace fs = std::filesystem;

constexpr int kClassPathTimeout = 60;
// Small clients start faster so; users' own settings come later and win.
constexpr char kClientOptions[] =
    "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto";

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool Exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// A program on the PATH, links followed; empty when there is none.
std::string FindProgram(const std::string& name) {
  std::string path = Environment("PATH");
  while (!path.empty()) {
    const size_t colon = path.find(':');
    const std::string file = StrCat(path.substr(0, colon), "/", name);
    if (Exists(file)) {
      std::error_code error;
      const fs::path real = fs::canonical(file, error);
      return error ? file : real.string();
    }
    path = colon == std::string::npos ? "" : path.substr(colon + 1);
  }
  return "";
}

// The folder that contains bin/PROGRAM.
std::string HomeOf(const std::string& program) {
  const std::string file = FindProgram(program);
  return file.empty() ? ""
                      : fs::path(file).parent_path().parent_path().string();
}

// A variable that is set to nothing counts as unset.
void SetIfUnset(const char* name, const std::string& value) {
  if (Environment(name).empty() && !value.empty()) {
    ::setenv(name, value.c_str(), /*overwrite=*/1);
  }
}

absl::Status PrepareHdfsOnce() {
  // Small and quick to start; leaves signals alone as far as it can, and does
  // not litter the working directory when something else crashes.
  SetIfUnset("LIBHDFS_OPTS",
             "-Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xrs "
             "-XX:+SuppressFatalErrorMessage");
  SetIfUnset("JAVA_HOME", HomeOf("java"));
  if (Environment("JAVA_HOME").empty()) {
    return absl::FailedPreconditionError(
        "hdfs: paths need Java: install one, or set JAVA_HOME");
  }
  if (!Environment("CLASSPATH").empty() &&
      !Environment("ARROW_LIBHDFS_DIR").empty()) {
    return absl::OkStatus();
  }
  TROMMEL_ASSIGN_OR_RETURN(const HadoopInstallation hadoop,
                           HadoopInstallation::Find());
  const std::string library = hadoop.LibHdfs();
  if (library.empty() && Environment("ARROW_LIBHDFS_DIR").empty()) {
    return absl::FailedPreconditionError(
        StrCat("hdfs: paths need libhdfs.so, which ", hadoop.home(),
               "/lib/native lacks; set ARROW_LIBHDFS_DIR to its folder"));
  }
  SetIfUnset("ARROW_LIBHDFS_DIR", fs::path(library).parent_path().string());
  if (!Environment("CLASSPATH").empty()) return absl::OkStatus();
  TROMMEL_ASSIGN_OR_RETURN(
      const CommandOutput classes,
      hadoop.Run("hadoop", {"classpath", "--glob"}, kClassPathTimeout));
  if (classes.exit_code != 0) {
    return absl::FailedPreconditionError(
        StrCat("\"hadoop classpath\" failed: ", classes.err));
  }
  std::string path = classes.out;
  while (!path.empty() && path.back() == '\n') path.pop_back();
  SetIfUnset("CLASSPATH", path);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<HadoopInstallation> HadoopInstallation::Find() {
  HadoopInstallation found;
  found.home_ = Environment("HADOOP_HOME");
  if (found.home_.empty()) found.home_ = HomeOf("mapred");
  if (found.home_.empty()) {
    return absl::FailedPreconditionError(
        "Hadoop is not found: set HADOOP_HOME (or --hadoop-home) to an "
        "installation of Hadoop 3, or put its bin folder on the PATH; "
        "deploy/pseudo-cluster up starts a small cluster to try");
  }
  for (const char* const command : {"hadoop", "mapred", "yarn"}) {
    std::string file = StrCat(found.home_, "/bin/", command);
    // Some distributions keep each command in a home of its own and have them
    // all on the PATH.
    if (!Exists(file)) file = FindProgram(command);
    if (file.empty()) {
      return absl::FailedPreconditionError(
          StrCat(found.home_, " is no installation of Hadoop 3: it has no bin/",
                 command, "; set HADOOP_HOME or --hadoop-home to one"));
    }
    found.commands_[command] = file;
  }
  found.conf_ = Environment("HADOOP_CONF_DIR");
  if (found.conf_.empty()) found.conf_ = StrCat(found.home_, "/etc/hadoop");
  if (!Exists(StrCat(found.conf_, "/core-site.xml"))) {
    return absl::FailedPreconditionError(
        StrCat("the Hadoop configuration ", found.conf_,
               " has no core-site.xml; set HADOOP_CONF_DIR or --hadoop-conf to "
               "the folder that describes your cluster"));
  }
  return found;
}

absl::StatusOr<CommandOutput> HadoopInstallation::Run(
    const std::string& command, const std::vector<std::string>& arguments,
    int timeout_s) const {
  std::vector<std::string> words = {commands_.at(command)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return RunCommand(
      words,
      {{"HADOOP_CONF_DIR", conf_},
       {"HADOOP_CLIENT_OPTS",
        StrCat(kClientOptions, " ", Environment("HADOOP_CLIENT_OPTS"))}},
      timeout_s);
}

std::string HadoopInstallation::LibHdfs() const {
  for (const std::string& folder :
       {StrCat(home_, "/lib/native"), ProgramLibraryFolder()}) {
    std::string file = StrCat(folder, "/libhdfs.so");
    if (Exists(file)) return file;
  }
  return "";
}

absl::Status PrepareHdfs() {
  static const auto* const result = new absl::Status(PrepareHdfsOnce());
  return *result;
}

}  // namespace trommel::mr
