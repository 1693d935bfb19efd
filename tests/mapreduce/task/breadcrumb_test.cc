#include "mapreduce/task/breadcrumb.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using testing_support::TempDir;

TEST(Breadcrumb, OutlivesTheProcessThatWroteIt) {
  const TempDir temp;
  absl::StatusOr<Breadcrumb> mine = Breadcrumb::Open(temp / "crumb");
  ASSERT_TRUE(mine.ok()) << mine.status();
  EXPECT_EQ((*mine)->row, 0);
  const pid_t child = ::fork();
  if (child == 0) {
    absl::StatusOr<Breadcrumb> other = Breadcrumb::Open(temp / "crumb");
    (*other)->row = 41;
    (*other)->rows_done = 40;
    ::raise(SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ((*mine)->row, 41);
  EXPECT_EQ((*mine)->rows_done, 40);
}

TEST(Breadcrumb, UnwritablePlaceIsNamed) {
  const absl::StatusOr<Breadcrumb> crumb =
      Breadcrumb::Open("/no/such/folder/crumb");
  ASSERT_FALSE(crumb.ok());
  EXPECT_NE(crumb.status().message().find("/no/such/folder/crumb"),
            absl::string_view::npos);
}

}  // namespace
}  // namespace trommel::mr
