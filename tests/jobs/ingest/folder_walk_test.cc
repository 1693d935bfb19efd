#include "jobs/ingest/folder_walk.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <string>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::ingest {
namespace {

using testing_support::TempDir;
using testing_support::WriteWholeFile;

// A socket that nobody listens at, in the current directory.
void MakeSocket(const char* name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, name, sizeof(address.sun_path) - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_GE(socket, 0);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address),
                 sizeof(address)),
            0);
  close(socket);
}

TEST(FolderWalk, SaysWhatEverythingIs) {
  const TempDir dir;
  WriteWholeFile(dir / "a.txt", "a");
  WriteWholeFile(dir / "b/c.txt", "c");
  WriteWholeFile(dir / "b/_hidden/d.txt", "d");
  std::filesystem::create_directory(dir / "empty");
  std::filesystem::create_directory_symlink("..", dir / "b/up");
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir / "b");  // names of sockets are short
  MakeSocket("socket");
  std::filesystem::current_path(before);
  const io::Path folder = *io::ResolvePath(dir / "");
  FolderWalk walk(folder);
  std::map<std::string, std::string> found;
  FolderWalk::Step step;
  while (true) {
    const auto more = walk.Next(&step);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    found.emplace(step.entry.path.RelativeTo(folder), step.skipped);
  }
  EXPECT_EQ(found, (std::map<std::string, std::string>{{"a.txt", ""},
                                                       {"b/_hidden", "hidden"},
                                                       {"b/c.txt", ""},
                                                       {"b/socket", "socket"},
                                                       {"b/up", "link"},
                                                       {"pipe", "pipe"}}));
}

TEST(CheckFileInFolder, DevicesAreNoFiles) {
  const TempDir dir;
  WriteWholeFile(dir / "a.txt", "a");
  const io::Path folder = *io::ResolvePath(dir / "");
  EXPECT_TRUE(CheckFileInFolder(folder, folder.Child("a.txt")).ok());
  const io::Path devices = *io::ResolvePath("/dev");
  EXPECT_FALSE(CheckFileInFolder(devices, devices.Child("null")).ok());
}

}  // namespace
}  // namespace trommel::jobs::ingest
