#include "mapreduce/process/file_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "mapreduce/process/process.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using ::testing::HasSubstr;
using testing_support::TempDir;

TEST(FileLock, OneHolderAtATime) {
  const TempDir temp;
  const std::string file = temp / "lock";
  EXPECT_FALSE(FileLock::TryTake(file, /*create=*/false));
  EXPECT_FALSE(std::filesystem::exists(file));
  std::optional<FileLock> lock = FileLock::TryTake(file, /*create=*/true);
  ASSERT_TRUE(lock);
  EXPECT_FALSE(FileLock::TryTake(file, /*create=*/true));
  lock.reset();
  EXPECT_TRUE(FileLock::TryTake(file, /*create=*/false));
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(FileLock, EndsWithItsProcess) {
  const TempDir temp;
  const std::string file = temp / "lock";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::optional<FileLock> lock = FileLock::TryTake(file, true);
    ::_exit(lock ? 0 : 1);  // without a destructor
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(FileLock::TryTake(file, /*create=*/false));
}

TEST(FileLock, IsNotInheritedByWhatTheHolderStarts) {
  const TempDir temp;
  std::optional<FileLock> lock = FileLock::TryTake(temp / "lock", true);
  ASSERT_TRUE(lock);
  ProcessOptions options;
  options.program = "sleep";
  options.arguments = {"600"};
  const auto process = Process::Start(options);
  ASSERT_TRUE(process.ok()) << process.status();
  lock.reset();
  EXPECT_TRUE(FileLock::TryTake(temp / "lock", /*create=*/false));
}

TEST(FileLock, TakeWaitsForTheOther) {
  const TempDir temp;
  const std::string file = temp / "lock";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::optional<FileLock> lock = FileLock::TryTake(file, true);
    testing_support::WriteWholeFile(temp / "held", "");
    ::usleep(200000);
    testing_support::WriteWholeFile(temp / "done", "");
    ::_exit(0);
  }
  while (!std::filesystem::exists(temp / "held")) ::usleep(1000);
  const absl::StatusOr<FileLock> lock = FileLock::Take(file);
  EXPECT_TRUE(lock.ok()) << lock.status();
  EXPECT_TRUE(std::filesystem::exists(temp / "done"));
  ::waitpid(child, nullptr, 0);
}

TEST(FileLock, AFolderThatIsNotThereIsNamed) {
  const absl::Status status = FileLock::Take("/no/such/lock").status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cannot lock /no/such/lock: No such file"));
}

}  // namespace
}  // namespace trommel::mr
