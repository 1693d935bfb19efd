#include "mapreduce/engine/hadoop/bundle.h"

#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "mapreduce/hadoop/program_tree.h"
#include "mapreduce/io/scratch_folder.h"
#include "mapreduce/process/command.h"

namespace trommel::mr {
namespace {

namespace fs = std::filesystem;

constexpr int kArchiveTimeout = 600;

// Parts of the C library, which belongs to the machine.
bool BelongsToTheMachine(const std::string& name) {
  for (const char* const part :
       {"ld-linux", "libc.so", "libm.so", "libdl.so", "librt.so",
        "libpthread.so", "libresolv.so", "libnss_", "linux-vdso"}) {
    if (absl::StartsWith(name, part)) return true;
  }
  return false;
}

bool IsBelow(const std::string& file, const std::string& folder) {
  return absl::StartsWith(file, StrCat(folder, "/"));
}

// The shared libraries of this process, by the names they were asked for. Not
// those of Java, which nodes have themselves.
std::map<std::string, std::string> LoadedLibraries() {
  std::map<std::string, std::string> libraries;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t /*size*/, void* out) {
        const std::string path = info->dlpi_name;
        const std::string name = path.substr(path.rfind('/') + 1);
        if (path.find('/') == std::string::npos || BelongsToTheMachine(name)) {
          return 0;
        }
        const char* const java = std::getenv("JAVA_HOME");
        std::error_code error;
        const std::string real = fs::canonical(path, error).string();
        const std::string real_java =
            java == nullptr ? "" : fs::canonical(java, error).string();
        if (!real_java.empty() && IsBelow(real, real_java)) return 0;
        // Java unpacks libraries of its own into the folder for temporary
        // files, each time under another name. This program may be there too.
        const std::string temporary = fs::temp_directory_path(error).string();
        if (IsBelow(real, temporary) &&
            !IsBelow(real, ProgramLibraryFolder())) {
          return 0;
        }
        (*static_cast<std::map<std::string, std::string>*>(out))[name] = real;
        return 0;
      },
      &libraries);
  return libraries;
}

absl::StatusOr<std::string> DigestOf(
    const std::map<std::string, std::string>& files) {
  DigestStream digest;
  for (const auto& [name, file] : files) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(path));
    digest.Update(StrCat(name, " ", bytes.size(), "\n"));
    digest.Update(bytes);
  }
  return digest.Hex();
}

absl::Status Archive(const std::map<std::string, std::string>& files,
                     const std::string& directory, const std::string& target) {
  std::error_code error;
  for (const auto& [name, file] : files) {
    const fs::path to = fs::path(directory) / name;
    fs::create_directories(to.parent_path(), error);
    fs::create_symlink(file, to, error);
    if (error) {
      return absl::UnavailableError(StrCat(to.string(), ": ", error.message()));
    }
  }
  TROMMEL_ASSIGN_OR_RETURN(
      const CommandOutput tar,
      RunCommand({"tar", "--create", "--dereference", "--mode=755",
                  "--use-compress-program=gzip -1", "--file", target,
                  "--directory", directory, "bin", "lib"},
                 {}, kArchiveTimeout));
  if (tar.exit_code != 0) {
    return absl::UnavailableError(StrCat("tar failed: ", tar.err));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<io::Path> PublishBundle(const io::Path& directory,
                                       const std::string& lib_hdfs) {
  std::error_code error;
  std::map<std::string, std::string> files;
  files["bin/trommel"] = fs::read_symlink("/proc/self/exe", error).string();
  for (const auto& [name, file] : LoadedLibraries()) {
    files[StrCat("lib/", name)] = file;
  }
  if (!lib_hdfs.empty()) files["lib/libhdfs.so"] = lib_hdfs;
  TROMMEL_ASSIGN_OR_RETURN(const std::string digest, DigestOf(files));
  io::Path target = directory.Child(StrCat("bundle-", digest, ".tar.gz"));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry present, io::Stat(target));
  if (present.kind == io::EntryKind::kFile) return target;

  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::ScratchFolder> scratch,
                           io::ScratchFolder::Create("", "trommel-bundle"));
  const std::string archive = scratch->path() + "/bundle.tar.gz";
  TROMMEL_RETURN_IF_ERROR(Archive(files, scratch->path() + "/tree", archive));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path local, io::ResolvePath(archive));
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(local));
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(directory));
  // Uploaded under a name of this process: two may do this at the same time.
  const io::Path upload =
      directory.Child(StrCat(".upload-", digest, "-", ::getpid()));
  TROMMEL_RETURN_IF_ERROR(io::WriteFile(upload, bytes));
  const absl::Status renamed = io::Rename(upload, target);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry published, io::Stat(target));
  if (published.kind != io::EntryKind::kFile) return renamed;
  if (!renamed.ok()) (void)io::RemoveAll(upload);
  return target;
}

}  // namespace trommel::mr
